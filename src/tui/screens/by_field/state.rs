//! What the screen keeps: which side of which field is seen, and where the user is on it.

use super::question::{FieldsAnswer, GroupsAnswer, GroupsQuestion, MembersAnswer, MembersQuestion};
use crate::tui::list::ListState;
use crate::tui::list::matches;
use crate::tui::list::sorting::SortKey;
use topoi_core::fields::date::PeriodLength;
use topoi_run::groups::by::{Answer, Cell};
use topoi_run::groups::members::Members;
use topoi_store::id::{RunId, TopicNumber};
use topoi_store::result::topic::Topic;

/// What is seen.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Side {
    /// The fields to choose from.
    #[default]
    Fields,
    /// Topics by groups.
    Groups,
    /// One topic in all groups.
    Topic,
    /// The documents of a group that are most about a topic.
    Documents,
}

impl Side {
    pub const ALL: [Self; 4] = [Self::Fields, Self::Groups, Self::Topic, Self::Documents];

    /// As a subject names it.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Fields => "fields",
            Self::Groups => "groups",
            Self::Topic => "topic",
            Self::Documents => "documents",
        }
    }
}

/// What topics by groups can be sorted by, and whether the largest come first; `group` is the selected one.
const SORT_COLUMNS: [(&str, bool); 4] =
    [("topic", false), ("name", false), ("all", true), ("group", true)];

/// A topic in all groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Row {
    pub topic: Topic,
    /// By group.
    pub cells: Vec<Option<Cell>>,
    /// Its share in all of them.
    pub share: f64,
}

impl Row {
    pub fn at(&self, group: usize) -> f64 {
        self.cells.get(group).copied().flatten().map_or(0.0, |cell| cell.share.share)
    }

    pub fn name(&self) -> String {
        let words = self.topic.words.iter().take(3).map(|word| word.word.as_str());
        self.topic.label.clone().unwrap_or_else(|| words.collect::<Vec<_>>().join(" "))
    }
}

#[derive(Debug, Clone, Default)]
pub struct ByFieldScreen {
    pub run: Option<RunId>,
    pub side: Side,
    pub field: String,
    pub per: Option<PeriodLength>,
    /// The topic that the cursor is to be on when the groups come.
    pub wanted: Option<TopicNumber>,
    /// The group that the cursor is on.
    pub group: usize,
    /// `None` before the first answer.
    pub fields: Option<Option<Box<FieldsAnswer>>>,
    pub groups: Option<Option<Box<GroupsAnswer>>>,
    pub members: Option<MembersAnswer>,
    /// The topics of the groups.
    pub all: Vec<Row>,
    pub choice: ListState,
    pub rows: ListState,
    pub found: ListState,
}

impl ByFieldScreen {
    pub fn answer(&self) -> Option<&Answer> {
        self.groups.as_ref()?.as_ref()?.found.as_ref().ok()
    }

    pub fn row(&self) -> Option<&Row> {
        self.rows.selected(&self.all)
    }

    /// The name of a group.
    pub fn name_of(&self, group: usize) -> String {
        let group = self.answer().and_then(|answer| answer.groups.get(group));
        group.and_then(|group| group.parts.first()).map(ToString::to_string).unwrap_or_default()
    }

    pub fn groups_question(&self) -> GroupsQuestion {
        GroupsQuestion { run: self.run, field: self.field.clone(), per: self.per }
    }

    /// `None` where the cursor is on no cell.
    pub fn members_question(&self) -> Option<MembersQuestion> {
        let answer = self.answer()?;
        let part = answer.groups.get(self.group)?.parts.first()?.clone();
        let (field, rule) = (self.field.clone(), answer.rules.first()?.clone());
        let group = Members { field, rule, part };
        Some(MembersQuestion { run: self.run, group, topic: self.row()?.topic.topic })
    }

    /// Takes groups: rows by the group that has most of them, so that similar rows are adjacent. The
    /// cursor stays on its topic.
    pub fn receive_groups(&mut self, answer: Option<Box<GroupsAnswer>>) {
        let topic = self.wanted.take().or(self.row().map(|row| row.topic.topic));
        self.groups = Some(answer);
        self.all = self.made_rows();
        self.group = self.group.min(self.answer().map_or(0, |a| a.groups.len().saturating_sub(1)));
        self.arrange();
        self.rows.find(&self.all, |row| Some(row.topic.topic) == topic);
        self.rows.clamp();
    }

    fn made_rows(&self) -> Vec<Row> {
        let (Some(answer), Some(Some(groups))) = (self.answer(), &self.groups) else {
            return Vec::new();
        };
        let documents: f64 = answer.groups.iter().map(|group| group.documents as f64).sum();
        let row = |topic: &Topic| {
            let mut cells = vec![None; answer.groups.len()];
            let mut share = 0.0;
            for cell in answer.cells.iter().filter(|cell| cell.topic == topic.topic) {
                let weight = answer.groups[cell.group].documents as f64 / documents;
                share += weight * cell.share.share;
                cells[cell.group] = Some(*cell);
            }
            Row { topic: topic.clone(), cells, share }
        };
        let mut rows: Vec<Row> = groups.topics.iter().map(row).collect();
        let peak = |row: &Row| {
            let largest = (0..row.cells.len()).map(|group| row.at(group)).fold(0.0, f64::max);
            ((0..row.cells.len()).find(|group| row.at(*group) == largest), largest)
        };
        rows.sort_by(|a, b| {
            let ((place, most), (other, others_most)) = (peak(a), peak(b));
            place.cmp(&other).then(others_most.total_cmp(&most))
        });
        rows
    }

    /// Filters and sorts the list that is seen.
    pub fn arrange(&mut self) {
        let group = self.group;
        let holds = |row: &Row, filter: &str| {
            matches(filter, &row.name())
                || row.topic.words.iter().any(|word| matches(filter, &word.word))
        };
        let key = |row: &Row, by: &str| match by {
            "topic" => SortKey::Number(row.topic.topic.0 as f64),
            "name" => SortKey::text(&row.name()),
            "all" => SortKey::Number(row.share),
            _ => SortKey::Number(row.at(group)),
        };
        let (all, rows) = (&self.all, 0..self.all.len());
        let holds = |at: usize, filter: &str| holds(&all[at], filter);
        self.rows.arrange_indices(rows, holds, |at, by| key(&all[at], by));
        self.rows.sort_columns = SORT_COLUMNS.map(|(name, largest)| (name.into(), largest)).into();
        if let Some(found) = &self.fields {
            let fields = found.as_ref().map_or(&[][..], |found| &found.fields);
            self.choice.filter_rows(fields, |field, filter| matches(filter, &field.name));
        }
        if let Some(found) = &self.members {
            let found = found.as_ref().map_or(&[][..], |found| found);
            self.found.filter_rows(found, |line, filter| {
                matches(filter, &line.document.key) || matches(filter, &line.name)
            });
        }
    }

    /// Moves from group to group.
    pub fn step_group(&mut self, by: isize) {
        let len = self.answer().map_or(0, |answer| answer.groups.len());
        self.group = self.group.saturating_add_signed(by).min(len.saturating_sub(1));
    }
}
