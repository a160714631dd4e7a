//! What the store answered, into the screen that asked.

use crate::tui::data::{Answer, Data};
use crate::tui::effect::Effect;
use crate::tui::state::State;

/// Takes an answer of the present generation.
pub fn receive(state: &mut State, answer: Answer) -> Vec<Effect> {
    state.active = answer.active;
    match answer.data {
        Data::Corpora(rows) => state.corpora.receive(rows),
        Data::Corpus(page) => state.corpus.receive(page),
        Data::Document(sheet) => {
            if let Some(reading) = &mut state.corpus.reading {
                reading.receive(sheet);
            }
        }
        Data::Sql(tables) => state.sql.tables = tables,
        Data::Launch { corpora, runs } => state.launch.receive(corpora, runs),
        Data::Runs { runs, detail } => {
            state.runs.receive(runs, detail);
            return detail_of_selected(state);
        }
        Data::Run(sheet) => state.run.receive(sheet),
        Data::Compare(found) => state.compare.receive(found),
        Data::ChooseK(choice) => state.choose_k.receive(*choice),
        Data::Failed(error) => state.notice = Some(error),
    }
    Vec::new()
}

/// Asks again when the detail that came is not that of the run that is selected now.
fn detail_of_selected(state: &mut State) -> Vec<Effect> {
    let shown = state.runs.detail.as_ref().map(|detail| detail.run);
    let selected = state.runs.selected().map(|row| row.run.id);
    if selected.is_some() && shown != selected {
        state.runs.wanted = None;
        return vec![Effect::Read(state.question())];
    }
    Vec::new()
}
