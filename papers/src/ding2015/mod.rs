//! Ding, Ishwar and Saligrama 2015.

pub mod angles;
pub mod held_out;
pub mod semi;
pub mod topics;

use topoi_core::synth::Topic;
use topoi_run::saved::topics::semi_topics;

use super::laboratory::{Laboratory, text};

/// Small New York Times: 9,172 articles, in the place of the paper's 300,000.
pub const NEWS: &str = "nyt_small.jsonl.gz";

/// Words and topics of `lda-gibbs` on the articles, as the paper draws from.
pub fn topics_of_news(k: usize, terms: usize) -> Result<(Vec<String>, Vec<Topic>), String> {
    let mut laboratory = Laboratory::of_file(NEWS)?;
    let method = format!("lda-gibbs --alpha 0.1 --beta 0.01 --terms {terms}");
    let request = laboratory.request(&method, k, 1)?;
    let number = laboratory.run(&request)?;
    semi_topics(&laboratory.store, number).map_err(text)
}
