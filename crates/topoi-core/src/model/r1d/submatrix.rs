//! ApproxRankOneSubmatrix: words M and documents N whose counts are nearly of rank one.
//!
//! With u given, whether a document joins N depends on that document alone, and so does its
//! contribution to ū = A(:, N)·v̄(N); the norm of v̄ only scales the sum. Both halves of a step,
//! documents and words, therefore take one pass over the corpus.

use ndarray::Array2;

use super::lane::{HeaviestDocument, Lane, StepSums, WordSide};
use super::removed::Memberships;
use super::rule::MembershipRule;
use super::{Settings, Start};
use crate::stream::StreamError;
use crate::stream::documents::Documents;
use crate::stream::documents::lanes::{StatefulLanes, add_in_pairs};

/// Relative rise of the objective below which the search ends, once M and N are stable.
const LEAST_RISE: f64 = 1e-10;

/// A(M, N) ≈ u·σ·vᵀ.
#[derive(Debug, Clone)]
pub(super) struct RankOne {
    /// u(M), of length 1 and zero outside M; W numbers.
    pub u: Vec<f64>,
    /// M: whether each of the W words belongs.
    pub words: Vec<bool>,
    /// σ.
    pub sigma: f64,
    /// ‖A(M, N)‖².
    pub squares: f64,
    /// ‖u‖₁·σ·‖v‖₁, the sum of the rank-one matrix.
    pub mass: f64,
    /// The objective at the end.
    pub objective: f64,
    /// Whether M and N did not change in the last step.
    pub is_stable: bool,
    /// The largest relative fall of the objective in a half step: 0 up to rounding.
    pub worst_fall: f64,
}

/// The search for one topic after another.
pub(super) struct Search<'a> {
    settings: Settings,
    /// The topics each word belongs to.
    word_topics: Memberships,
    documents: StatefulLanes<'a, Lane>,
}

impl<'a> Search<'a> {
    /// A search in all counts of `documents`.
    pub(super) fn new(documents: &'a Documents<'a>, topics: usize, settings: Settings) -> Self {
        let word_topics = Memberships::new(documents.words(), topics);
        let documents = StatefulLanes::new(documents, || Lane::new(topics));
        Self { settings, word_topics, documents }
    }

    /// The next topic; `None` when no counts are left.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub(super) fn next(&mut self) -> Result<Option<RankOne>, StreamError> {
        let Some((mut found, rule)) = self.start()? else { return Ok(None) };
        for _ in 0..self.settings.iterations {
            let before = found.objective;
            let sums = self.choose_documents(&found, rule)?;
            if self.documents.documents().decide(sums.documents == 0) {
                break;
            }
            let changes = sums.changes + found.step(sums, rule);
            found.is_stable = changes == 0;
            let is_at_rest = found.objective - before <= LEAST_RISE * before;
            if self.documents.documents().decide(found.is_stable && is_at_rest) {
                break;
            }
        }
        Ok(Some(found))
    }

    /// Sets A(M, N) to 0.
    pub(super) fn remove(&mut self, found: &RankOne, topic: usize) {
        for word in (0..found.words.len()).filter(|&word| found.words[word]) {
            self.word_topics.join(word, topic);
        }
        self.documents.states_mut().for_each(|lane| lane.join(topic));
    }

    /// (id, A(M, N)ᵀ·u of each topic that was removed) of the documents; row k of `u` (K × W) is that of topic k. One
    /// pass.
    ///
    /// # Errors
    /// `StreamError::Source` when a block cannot be read; `StreamError::Cancelled` on cancel.
    pub(super) fn document_side(
        mut self,
        u: &Array2<f64>,
    ) -> Result<impl Iterator<Item = (i64, Vec<f64>)>, StreamError> {
        let (words, word_topics) = (self.words(), &self.word_topics);
        self.documents.states_mut().for_each(|lane| lane.begin(words));
        self.documents.pass(|lane, batch| lane.add_side(batch, word_topics, u))?;
        Ok(self.documents.into_states().flat_map(|lane| lane.side))
    }

    fn words(&self) -> usize {
        self.documents.documents().words()
    }

    /// The document or word that a topic grows from, and the topic's rule; `None` when no counts
    /// are left.
    fn start(&mut self) -> Result<Option<(RankOne, MembershipRule)>, StreamError> {
        let words = self.words();
        let (document, (word, squares)) = (self.weigh()?, self.heaviest_word()?);
        if self.documents.documents().decide(document.squares == 0.0) {
            return Ok(None);
        }
        if self.settings.grow_from == Start::Document {
            let rule = MembershipRule::from_document(&self.settings, document.squares, words);
            return Ok(Some((RankOne::from_document(&document, &self.settings, words), rule)));
        }
        let sums = self.start_from_word(word as u32)?;
        let rule = MembershipRule::from_word(&self.settings, squares, sums.documents);
        let mut found = RankOne::from_word(word, squares, &self.settings, words);
        found.step(sums, rule);
        Ok(Some((found, rule)))
    }

    /// The word with the largest norm (the first of equal ones), and its squared norm, from the
    /// sums of [`Self::weigh`].
    fn heaviest_word(&self) -> Result<(usize, f64), StreamError> {
        let mut squares = vec![0.0; self.words()];
        add_in_pairs(&mut squares, &self.documents.numbers(|lane| &lane.sums.squares));
        self.documents.documents().add_up(&mut squares)?;
        let heavier =
            |best: (usize, f64), next: (usize, f64)| if next.1 > best.1 { next } else { best };
        Ok(squares.into_iter().enumerate().fold((0, 0.0), heavier))
    }

    /// The sums when N contains all documents and v̄ a word's counts.
    fn start_from_word(&mut self, word: u32) -> Result<StepSums, StreamError> {
        let (words, word_topics) = (self.words(), &self.word_topics);
        self.documents.states_mut().for_each(|lane| lane.begin(words));
        self.documents.pass(|lane, batch| lane.start_from_word(batch, word, word_topics))?;
        let mut sums = self.add_up()?;
        // The score of a start is the squared norm of its rank-one matrix.
        sums.objective = sums.norm * (1.0 - self.settings.rho);
        Ok(sums)
    }

    /// Finds the heaviest document and makes it the only one in N.
    fn weigh(&mut self) -> Result<HeaviestDocument, StreamError> {
        let (words, word_topics) = (self.words(), &self.word_topics);
        self.documents.states_mut().for_each(|lane| lane.begin(words));
        self.documents.pass(|lane, batch| lane.weigh(batch, word_topics))?;
        let of = self.documents.documents();
        let mut best: Option<&mut Lane> = None;
        for lane in self.documents.states_mut() {
            if best.as_ref().is_none_or(|best| lane.heaviest.squares > best.heaviest.squares) {
                best = Some(lane);
            }
        }
        let heaviest = match &mut best {
            Some(lane) => std::mem::take(&mut lane.heaviest),
            None => HeaviestDocument::default(),
        };
        let (part, heaviest_of_all) = heaviest.over_parts(of)?;
        if let Some(lane) = best.filter(|_| part == of.parts().number())
            && let Some(member) = lane.members.get_mut(heaviest_of_all.document)
        {
            *member = true;
        }
        Ok(heaviest_of_all)
    }

    fn choose_documents(
        &mut self,
        found: &RankOne,
        rule: MembershipRule,
    ) -> Result<StepSums, StreamError> {
        let words = self.words();
        let side = WordSide {
            topics: &self.word_topics,
            u: &found.u,
            words: &found.words,
            size: found.words.iter().filter(|&&belongs| belongs).count(),
            rule,
        };
        self.documents.states_mut().for_each(|lane| lane.begin(words));
        self.documents.pass(|lane, batch| lane.choose(batch, side))?;
        self.add_up()
    }

    /// The sums over the lanes of all parts.
    fn add_up(&self) -> Result<StepSums, StreamError> {
        let sum = self.documents.sum(|lane| lane.sums.clone(), |sums, more| sums.add(&more));
        let mut sums = sum.unwrap_or_else(|| StepSums::new(self.words()));
        sums.over_parts(self.documents.documents())?;
        Ok(sums)
    }
}

impl RankOne {
    /// One word with all documents.
    fn from_word(word: usize, squares: f64, settings: &Settings, words: usize) -> Self {
        let mut u = vec![0.0; words];
        u[word] = 1.0;
        Self {
            u,
            words: (0..words).map(|other| other == word).collect(),
            sigma: squares.sqrt(),
            squares,
            mass: 0.0,
            objective: squares * (1.0 - settings.rho),
            is_stable: false,
            worst_fall: 0.0,
        }
    }

    /// One document with all words.
    fn from_document(start: &HeaviestDocument, settings: &Settings, words: usize) -> Self {
        let sigma = start.squares.sqrt();
        let mut u = vec![0.0; words];
        start.entries.iter().for_each(|&(word, count)| u[word as usize] = count / sigma);
        Self {
            u,
            words: vec![true; words],
            sigma,
            squares: start.squares,
            mass: 0.0,
            objective: start.squares * (1.0 - settings.rho),
            is_stable: false,
            worst_fall: 0.0,
        }
    }

    /// Chooses M from the sums over the documents of N. Returns the number of words that joined or
    /// left.
    fn step(&mut self, sums: StepSums, rule: MembershipRule) -> usize {
        self.rises_to(sums.objective);
        let norm = sums.norm.sqrt();
        let (mut changes, mut size) = (0, 0usize);
        let (mut sigma, mut squares, mut objective) = (0.0, 0.0, 0.0);
        for (word, (&product, &own)) in sums.u.iter().zip(&sums.squares).enumerate() {
            let u = product / norm;
            let gains = rule.gains(u, own, sums.documents);
            let is = rule.words.allows(self.words[word], gains);
            changes += usize::from(is != self.words[word]);
            self.words[word] = is;
            self.u[word] = if is { u } else { 0.0 };
            if is {
                size += 1;
                sigma += u * u;
                squares += own;
                objective += rule.gain(u, own, sums.documents);
            }
        }
        debug_assert!(size > 0, "the objective is above 0, so some word gains");
        self.rises_to(objective);
        self.sigma = sigma.sqrt();
        self.squares = squares;
        self.u.iter_mut().for_each(|u| *u /= self.sigma);
        self.mass = self.u.iter().sum::<f64>() * self.sigma * sums.mass / norm;
        changes
    }

    fn rises_to(&mut self, objective: f64) {
        self.worst_fall = self.worst_fall.max(1.0 - objective / self.objective);
        self.objective = objective;
    }
}
