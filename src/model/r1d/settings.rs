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

/// What a topic is grown from: either is of rank one, so its score is its squared norm.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Start {
    /// The document with the largest norm: the paper's. It finds topics where a document has one;
    /// where each document has several whole topics, it starts with all of them, and stays there.
    Document,
    /// The word with the largest norm (the paper mentions it). It finds topics though documents
    /// have several, if a topic's words go together nearly always, such as pixels; in text they do
    /// not, and topics of single words come out.
    Word,
}

impl R1dSettings {
    /// The paper's settings for K topics: γ = 4, from documents, neither monotone nor penalised.
    pub fn new(topics: usize) -> Self {
        let start = Start::Document;
        Self { topics, gamma: 4.0, start, monotone: false, size_penalty: 0.0, steps: 100 }
    }
}
