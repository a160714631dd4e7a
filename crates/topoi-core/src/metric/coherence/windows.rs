//! Counts of the sliding windows in which words occur, alone and in pairs, in one pass.

use rayon::prelude::*;

use super::pair_counts::PairCounts;
use super::word_pairs::WordPairs;
use crate::stream::error::Result;

/// Marks a word that is not in the window.
const ABSENT: u64 = u64::MAX;

/// The rule for a word with several copies in a window, when one of them leaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Repeats {
    /// The word is present while any copy is inside: the definition of boolean windows.
    Counted,
    /// The word is absent from when a copy leaves until its next copy enters. gensim 4.4.0 counts
    /// this way (`WordOccurrenceAccumulator._slide_window` keeps one flag a word and clears it).
    Cleared,
}

/// A boolean sliding window. Every `width` consecutive tokens of a document are a unit; a document
/// of at most `width` tokens is one unit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct WindowRule {
    /// Tokens in a window, at least 1.
    pub width: usize,
    /// How several copies of a word are treated.
    pub repeats: Repeats,
}

/// Counts windows by several rules at once; the result is in the order of `rules`.
///
/// # Cost
/// One pass. The work does not depend on the width: whenever a top word enters or leaves, its
/// partners in topics are visited.
///
/// # Errors
/// When a document cannot be read, or on cancel.
pub fn window_frequencies<'a>(
    documents: &dyn TokenSequences,
    pairs: &'a WordPairs,
    rules: &[WindowRule],
) -> Result<Vec<PairCounts<'a>>> {
    let none = || rules.iter().map(|&rule| Slider::new(rule, pairs)).collect::<Vec<_>>();
    let sliders: Result<Vec<Slider<'_>>> = (0..documents.parts())
        .into_par_iter()
        .try_fold(none, |mut sliders, part| {
            let mut hits = Vec::new();
            documents.visit(part, &mut |tokens| {
                find_hits(tokens, pairs, &mut hits);
                sliders.iter_mut().for_each(|slider| slider.slide(&hits, tokens.len() as u64));
            })?;
            Ok(sliders)
        })
        .try_reduce(none, |sum, more| {
            Ok(sum.into_iter().zip(&more).map(|(sum, more)| sum.add(more)).collect())
        });
    Ok(sliders?.into_iter().map(|slider| slider.counts).collect())
}

/// A top word in a document: its token position and its slot.
#[derive(Debug, Clone, Copy)]
struct Hit {
    at: u64,
    slot: usize,
}

fn find_hits(tokens: &[u32], pairs: &WordPairs, hits: &mut Vec<Hit>) {
    hits.clear();
    for (at, &token) in (0..).zip(tokens) {
        if token != NOT_A_WORD {
            hits.extend(pairs.slot(token as usize).map(|slot| Hit { at, slot }));
        }
    }
}

/// Slides a window over documents. Window t contains the tokens t to t + width − 1. A word is
/// counted when it leaves: for the windows since it entered, and with each present partner for the
/// windows since the later of the two entered.
struct Slider<'a> {
    rule: WindowRule,
    counts: PairCounts<'a>,
    /// By slot: the window in which the word entered, or [`ABSENT`].
    since: Vec<u64>,
    /// By slot: copies in the window.
    copies: Vec<u32>,
}

impl<'a> Slider<'a> {
    fn new(rule: WindowRule, pairs: &'a WordPairs) -> Self {
        let (since, copies) = (vec![ABSENT; pairs.slots()], vec![0; pairs.slots()]);
        Self { rule, counts: PairCounts::new(pairs), since, copies }
    }

    fn add(mut self, more: &Self) -> Self {
        self.counts = self.counts.add(&more.counts);
        self
    }

    /// Counts the windows of a document of `length` tokens.
    fn slide(&mut self, hits: &[Hit], length: u64) {
        let width = self.rule.width as u64;
        let windows = (length + 1).saturating_sub(width).max(1);
        self.counts.add_units(windows);
        let mut leaving = hits.iter().peekable();
        for hit in hits {
            let entered_in = (hit.at + 1).saturating_sub(width);
            // Words leave before others enter the same window. A word that leaves and enters again
            // counts as present throughout.
            while let Some(gone) = leaving.next_if(|other| other.at < entered_in) {
                self.leave(gone.slot, gone.at + 1);
            }
            self.enter(hit.slot, entered_in);
        }
        for gone in leaving {
            if gone.at + 1 < windows {
                self.leave(gone.slot, gone.at + 1);
            }
        }
        for hit in hits {
            self.count(hit.slot, windows);
            self.copies[hit.slot] = 0;
        }
    }

    fn enter(&mut self, slot: usize, window: u64) {
        self.copies[slot] += 1;
        if self.since[slot] == ABSENT {
            self.since[slot] = window;
        }
    }

    fn leave(&mut self, slot: usize, window: u64) {
        self.copies[slot] -= 1;
        let is_gone = match self.rule.repeats {
            Repeats::Counted => self.copies[slot] == 0,
            Repeats::Cleared => true,
        };
        if is_gone {
            self.count(slot, window);
        }
    }

    /// Ends the presence of the word of `slot`, if it is present, before `window`.
    fn count(&mut self, slot: usize, window: u64) {
        let since = std::mem::replace(&mut self.since[slot], ABSENT);
        if since == ABSENT {
            return;
        }
        self.counts.add_alone(slot, window - since);
        for (edge, partner) in self.counts.pairs().edges_of(slot) {
            let other = self.since[partner];
            if other != ABSENT {
                self.counts.add_together(edge, window - since.max(other));
            }
        }
    }
}

/// A token whose word is not in the vocabulary. It still takes a position in a window.
pub const NOT_A_WORD: u32 = u32::MAX;

/// Documents as sequences of tokens, in parts that several threads can read at once. Every read
/// returns the same sequences.
pub trait TokenSequences: Sync {
    /// Number of parts that can be read in parallel.
    fn parts(&self) -> usize;

    /// Calls `visit` with each document of a part: the word number of every token in the order of
    /// the text, or [`NOT_A_WORD`].
    ///
    /// # Errors
    /// When a document cannot be read, or on cancel.
    fn visit(&self, part: usize, visit: &mut dyn FnMut(&[u32])) -> Result<()>;
}

/// Sequences in memory, for tests and small experiments. Every document is a part.
impl TokenSequences for Vec<Vec<u32>> {
    fn parts(&self) -> usize {
        self.len()
    }

    fn visit(&self, part: usize, visit: &mut dyn FnMut(&[u32])) -> Result<()> {
        visit(&self[part]);
        Ok(())
    }
}
