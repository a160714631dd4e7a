//! The page of all claims.

use super::markdown::{claims, command, duration};
use super::saved::{HOLDS, IN_PART, NOT, Saved};

/// Where it is, below the top of the repository.
pub const PAGE: &str = "papers/claims.md";

/// The papers, by the beginnings of the figures' names, and the pages that have their figures.
const PAPERS: [(&str, &str, &str); 5] = [
    ("2008", "Biggs, Ghodsi and Vavasis 2008", "factorisation.md"),
    ("2013", "Ding, Rohban, Ishwar and Saligrama 2013", "ding.md"),
    ("2015", "Ding, Ishwar and Saligrama 2015", "ding.md"),
    ("2015-cheng", "Cheng, He and Liu 2015", "cheng2015.md"),
    ("2021", "Lee, Cho, Dong, Mimno and Bindel 2021", "lee2021.md"),
];

/// The whole page.
pub fn page(all: &[Saved]) -> String {
    let verdicts: Vec<&str> =
        all.iter().flat_map(|saved| &saved.claims).map(|claim| claim.holds.as_str()).collect();
    let count = |of: fn(&str) -> bool| verdicts.iter().filter(|verdict| of(verdict)).count();
    let seconds: f64 = all.iter().filter_map(|saved| saved.seconds).sum();
    let mut text = format!(
        "# Every claim of the five papers\n\n\
         {} claims: {} hold, {} hold in part, {} do not hold. Each has the rule it is judged by, which is of the code \
         (`papers/src`) and says before anything is measured what has to come out. Where a claim has several cases, it \
         **{HOLDS}** if all of them do, **{IN_PART}** if half of them or more do, and **{NOT}** otherwise; how many \
         do is in brackets.\n\n\
         `TOPOI_CORPORA=DIRECTORY cargo run --release -p topoi-papers -- all` makes all figures and this page; the last time it took {} of processor time \
         (`--list` prints each figure's). `stale` in place of `all` makes those whose models compute something \
         else than when they were measured, which a test finds.\n",
        verdicts.len(),
        count(|verdict| verdict == HOLDS),
        count(|verdict| verdict.starts_with(IN_PART)),
        count(|verdict| verdict.starts_with(NOT)),
        duration(seconds),
    );
    for (paper, title, page) in PAPERS {
        text += &format!("\n## {title}\n");
        let is_own = |saved: &&Saved| saved.figure.split(' ').next() == Some(paper);
        for saved in all.iter().filter(is_own).filter(|saved| !saved.claims.is_empty()) {
            let command = command(saved);
            text += &format!(
                "\n### {}\n\n`{command}` ([page]({page})):\n\n{}\n",
                saved.figure,
                claims(&saved.claims)
            );
        }
    }
    text
}
