//! Long iterations in four legs, each a stage of its own, so that a run that is interrupted goes
//! on after the last one that was finished.

/// The stages.
pub(super) const LEGS: [&str; 4] = ["iterate", "iterate-2", "iterate-3", "iterate-4"];

/// Iterations done in all after each leg.
pub(super) fn ends(iterations: usize) -> [usize; 4] {
    [1, 2, 3, 4].map(|leg| iterations * leg / 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_leg_ends_with_the_last_iteration() {
        assert_eq!(ends(200), [50, 100, 150, 200]);
        assert_eq!(ends(3), [0, 1, 2, 3]);
    }
}
