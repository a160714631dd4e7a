//! People judge the topics of a run: the questions, and the scores of the answers.

pub mod scores;
pub mod session;
