//! The sums of documents by the groups that their fields make.

use crate::number;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, HashMap};

use foldhash::fast::FixedState;
use serde::{Deserialize, Serialize};

use super::by::NotGrouped;
use super::fields::{Part, Rule};
use topoi_core::fields::sums::GroupSums;

/// Shares that are kept at most, topics times groups.
pub(super) const MOST_SHARES: usize = 1 << 20;
/// Different values of a field whose part is remembered.
const REMEMBERED: usize = 1 << 16;

/// Where the documents with some values belong.
#[derive(Debug, Clone, Copy)]
enum Place {
    Group(usize),
    Without(usize),
    Unreadable(usize),
}

/// The parts of one field that a thread has met, by number.
#[derive(Default)]
struct Parts {
    numbers: BTreeMap<Part, u32>,
    /// The number of the part a value belongs to, so that few values are read twice; `None` of one that nobody
    /// can read.
    known: HashMap<String, Option<u32>, FixedState>,
}

impl Parts {
    fn number(&mut self, part: Part) -> u32 {
        let next = number::next(self.numbers.len());
        *self.numbers.entry(part).or_insert(next)
    }

    fn number_of_value(&mut self, value: &str, rule: &Rule) -> Option<u32> {
        if let Some(&number) = self.known.get(value) {
            return number;
        }
        let number = rule.part(value).map(|part| self.number(part));
        if self.known.len() < REMEMBERED {
            self.known.insert(value.to_string(), number);
        }
        number
    }

    /// The parts in the order of their numbers.
    fn by_number(&self) -> Vec<&Part> {
        let mut parts: Vec<(&Part, u32)> =
            self.numbers.iter().map(|(part, &at)| (part, at)).collect();
        parts.sort_unstable_by_key(|&(_, at)| at);
        parts.into_iter().map(|(part, _)| part).collect()
    }
}

/// What a thread has met.
pub(super) struct Grouped {
    groups: Vec<GroupSums>,
    /// Where the sums of documents with these parts are, one of each field.
    numbers: HashMap<Vec<u32>, usize, FixedState>,
    fields: Vec<Parts>,
    pub(super) values: Vec<Option<String>>,
    /// The parts of the document that was read last, while they are put together.
    parts: Vec<u32>,
    pub(super) not_grouped: NotGrouped,
    is_too_many: bool,
}

impl Grouped {
    pub(super) fn none(fields: usize) -> Self {
        Self {
            groups: Vec::new(),
            numbers: HashMap::default(),
            fields: (0..fields).map(|_| Parts::default()).collect(),
            values: Vec::new(),
            parts: Vec::new(),
            not_grouped: NotGrouped::new(fields),
            is_too_many: false,
        }
    }

    /// The place of the values that were read last; `None` where there are too many groups.
    fn place(&mut self, rules: &[Rule], topics: usize) -> Option<Place> {
        self.parts.clear();
        let mut place = None;
        for (at, (value, rule)) in self.values.iter().zip(rules).enumerate() {
            match value.as_ref().map(|value| self.fields[at].number_of_value(value, rule)) {
                None => place = place.or(Some(Place::Without(at))),
                Some(None) => place = place.or(Some(Place::Unreadable(at))),
                Some(Some(part)) => self.parts.push(part),
            }
        }
        place.or_else(|| self.number(topics).map(Place::Group))
    }

    /// The number of the group of `parts`, new or not; `None` where there are too many.
    fn number(&mut self, topics: usize) -> Option<usize> {
        if let Some(number) = self.numbers.get(&self.parts) {
            return Some(*number);
        }
        self.is_too_many |= (self.groups.len() + 1) * topics > MOST_SHARES;
        if self.is_too_many {
            return None;
        }
        self.numbers.insert(self.parts.clone(), self.groups.len());
        self.groups.push(GroupSums::new(topics));
        Some(self.groups.len() - 1)
    }

    pub(super) fn add(&mut self, rules: &[Rule], shares: &[f64], weight: f64, inverse_tokens: f64) {
        // Nobody will see them.
        if self.is_too_many {
            return;
        }
        match self.place(rules, shares.len()) {
            None => {}
            Some(Place::Group(group)) => {
                self.groups[group].add(shares, weight, inverse_tokens);
            }
            Some(Place::Without(field)) => self.not_grouped.without[field] += 1,
            Some(Place::Unreadable(field)) => {
                self.not_grouped.unreadable[field] += 1;
                let example = &mut self.not_grouped.example[field];
                if example.is_none() {
                    example.clone_from(&self.values[field]);
                }
            }
        }
    }

    pub(super) fn merge(&mut self, other: Self) {
        self.is_too_many |= other.is_too_many;
        self.not_grouped.merge(other.not_grouped);
        let own_numbers = |(own, other): (&mut Parts, &Parts)| -> Vec<u32> {
            other.by_number().into_iter().map(|part| own.number(part.clone())).collect()
        };
        let own_numbers: Vec<_> =
            self.fields.iter_mut().zip(&other.fields).map(own_numbers).collect();
        for (parts, number) in other.numbers {
            let sums = &other.groups[number];
            self.parts.clear();
            self.parts.extend(own_numbers.iter().zip(parts).map(|(own, part)| own[part as usize]));
            if let Some(own) = self.number(sums.topics()) {
                self.groups[own].merge(sums);
            }
        }
    }

    /// The groups in the order of their parts.
    pub(super) fn in_order(self) -> Groups {
        let parts: Vec<Vec<&Part>> = self.fields.iter().map(Parts::by_number).collect();
        let of = |numbers: &[u32]| -> Vec<Part> {
            parts.iter().zip(numbers).map(|(parts, &at)| parts[at as usize].clone()).collect()
        };
        let numbers: BTreeMap<Vec<Part>, usize> =
            self.numbers.iter().map(|(key, &number)| (of(key), number)).collect();
        let mut groups = self.groups;
        let mut taken = |number: usize| std::mem::replace(&mut groups[number], GroupSums::new(0));
        Groups {
            sums: numbers.into_iter().map(|(parts, number)| (parts, taken(number))).collect(),
            not_grouped: self.not_grouped,
            is_too_many: self.is_too_many,
        }
    }
}

/// Groups in their order, and the documents in none. Those of several parts of a corpus are added up.
#[derive(Debug, Serialize, Deserialize)]
pub(super) struct Groups {
    pub(super) sums: Vec<(Vec<Part>, GroupSums)>,
    pub(super) not_grouped: NotGrouped,
    pub(super) is_too_many: bool,
}

impl Groups {
    pub(super) fn merge(&mut self, other: Self) {
        self.is_too_many |= other.is_too_many;
        self.not_grouped.merge(other.not_grouped);
        let mut all: BTreeMap<_, _> = std::mem::take(&mut self.sums).into_iter().collect();
        for (parts, sums) in other.sums {
            match all.entry(parts) {
                Entry::Occupied(own) => own.into_mut().merge(&sums),
                Entry::Vacant(place) => drop(place.insert(sums)),
            }
        }
        self.sums = all.into_iter().collect();
        let shares: usize = self.sums.iter().map(|(_, sums)| sums.topics()).sum();
        self.is_too_many |= shares > MOST_SHARES;
    }
}
