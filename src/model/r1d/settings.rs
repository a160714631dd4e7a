//! What R1D is told.

/// Settings of R1D.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct R1dSettings {
    /// K, the number of topics.
    pub topics: usize,
    /// γ > 1: how much more a departure from rank one costs than what is covered gains. The
    /// paper's theorems take 4.
    pub gamma: f64,
    /// What a topic is grown from.
    pub start: Start,
    /// The side that a topic starts with one of only grows while it is looked for, the other only
    /// shrinks, which bounds the steps.
    pub monotone: bool,
    /// η̄, 0 ≤ η̄ < 1: the penalty ρ·|M|·|N| as a share of what the start scores; 0 for none, the
    /// paper's 1/20 to keep words out that hardly count.
    pub size_penalty: f64,
    /// Steps at most for one topic.
    pub steps: usize,
}

/// What a topic is grown from. Either is of rank one, so its score is its squared norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The document with the largest norm: the paper's. It finds topics where a document has one;
    /// where each document has several, it starts with all of them, and stays there.
    Document,
    /// The word with the largest norm (the paper mentions it). Where each word has one topic, it
    /// finds topics though documents have several.
    Word,
    /// The one of these with the larger norm, as a start should have a high score.
    Heavier,
}

impl R1dSettings {
    /// The paper's settings for K topics: γ = 4, neither monotone nor penalised; but the heavier
    /// start.
    pub fn new(topics: usize) -> Self {
        let start = Start::Heavier;
        Self { topics, gamma: 4.0, start, monotone: false, size_penalty: 0.0, steps: 100 }
    }
}
