//! People judge the topics of a run: what they are asked, and what is made of their answers.

pub mod scores;
pub mod sitting;
