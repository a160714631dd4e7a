//! The figures and tables of the papers that are made here.

use super::{biggs2008, cheng2015, ding2013, ding2015, lee2021};
use crate::pages::saved::{Claim, Saved};

/// A figure or table of a paper.
pub struct Figure {
    /// The paper and the figure: `2013 fig2`.
    pub name: &'static str,
    /// What is measured, in a few words.
    pub shows: &'static str,
    /// Files of the directory of corpora; empty where it needs none.
    pub needs: &'static str,
    /// Fills tables, pictures and what was measured on how much.
    pub measure: fn(&mut Saved) -> Result<(), String>,
    /// Holds what the paper says against the tables.
    pub judge: fn(&Saved) -> Vec<Claim>,
}

impl Figure {
    /// The paper, as on the command line.
    pub fn paper(&self) -> &'static str {
        self.name.split(' ').next().unwrap_or_default()
    }

    /// Nothing measured yet.
    pub fn empty(&self) -> Saved {
        Saved { figure: self.name.into(), corpora: !self.needs.is_empty(), ..Saved::default() }
    }
}

/// All of them, by paper.
pub const FIGURES: &[Figure] = &[
    Figure {
        name: "2008 section3",
        shows: "two topics that the SVD entangles and r1d keeps apart",
        needs: "",
        measure: biggs2008::section3::measure,
        judge: biggs2008::section3::judge,
    },
    Figure {
        name: "2008 section5",
        shows: "r1d on separable corpora and on bitmaps: topics found, and steps for each",
        needs: "",
        measure: biggs2008::section5::measure,
        judge: biggs2008::section5::judge,
    },
    Figure {
        name: "2013 fig2",
        shows: "l1 error on separable corpora, by documents and by tokens",
        needs: "",
        measure: ding2013::figure2::measure,
        judge: ding2013::figure2::judge,
    },
    Figure {
        name: "2013 large",
        shows: "l1 error on separable corpora of up to 20,000 documents",
        needs: "",
        measure: ding2013::large::measure,
        judge: ding2013::no_claims,
    },
    Figure {
        name: "2013 fig3",
        shows: "pictures of the swimmer, clean and noisy",
        needs: "",
        measure: ding2013::swimmer::pictures,
        judge: ding2013::no_claims,
    },
    Figure {
        name: "2013 fig5",
        shows: "limb positions of the swimmer that are found (figures 4 and 5)",
        needs: "",
        measure: ding2013::swimmer::measure,
        judge: ding2013::swimmer::judge,
    },
    Figure {
        name: "2013 khat",
        shows: "the number of topics that solid angles tell on the corpora of figure 2",
        needs: "",
        measure: ding2013::number_of_topics::measure,
        judge: ding2013::number_of_topics::judge,
    },
    Figure {
        name: "2013 tables",
        shows: "topics of NIPS by four methods (tables 1 and 4 to 7)",
        needs: "docword.nips.txt.gz",
        measure: ding2013::nips::measure,
        judge: ding2013::nips::judge,
    },
    Figure {
        name: "2013 news",
        shows: "topics of the New York Times by RP and RecL2 (tables 2 and 8 to 11)",
        needs: "nyt_small.jsonl.gz",
        measure: ding2013::news::measure,
        judge: ding2013::news::judge,
    },
    Figure {
        name: "2013 table3",
        shows: "what the methods cost, by documents",
        needs: "",
        measure: ding2013::cost::measure,
        judge: ding2013::cost::judge,
    },
    Figure {
        name: "2015 fig5",
        shows: "l1 error on documents drawn from topics of real text",
        needs: "nyt_small.jsonl.gz",
        measure: ding2015::semi::measure,
        judge: ding2015::semi::judge,
    },
    Figure {
        name: "2015 fig6",
        shows: "solid angles, and the number of topics they tell",
        needs: "nyt_small.jsonl.gz",
        measure: ding2015::angles::measure,
        judge: ding2015::angles::judge,
    },
    Figure {
        name: "2015 table1",
        shows: "held-out log probability of real text",
        needs: "nyt_small.jsonl.gz",
        measure: ding2015::held_out::measure,
        judge: ding2015::held_out::judge,
    },
    Figure {
        name: "2015 table2",
        shows: "topics of the New York Times by rp",
        needs: "nyt_small.jsonl.gz",
        measure: ding2015::topics::measure,
        judge: ding2015::topics::judge,
    },
    Figure {
        name: "2015-cheng fig1",
        shows: "the measured moment, the true one, and their bounds",
        needs: "",
        measure: cheng2015::figure1::measure,
        judge: cheng2015::figure1::judge,
    },
    Figure {
        name: "2015-cheng fig2",
        shows: "lower and upper bound on the number of topics",
        needs: "",
        measure: cheng2015::figure2::measure,
        judge: cheng2015::figure2::judge,
    },
    Figure {
        name: "2015-cheng gmm",
        shows: "how often the bounds for Gaussian mixtures fail (theorem 4.1)",
        needs: "",
        measure: cheng2015::mixtures::measure,
        judge: cheng2015::mixtures::judge,
    },
    Figure {
        name: "2021 fig2",
        shows: "anchors and their hulls by each rectification",
        needs: "docword.nips.txt.gz",
        measure: lee2021::hulls::measure,
        judge: lee2021::hulls::judge,
    },
    Figure {
        name: "2021 fig3",
        shows: "seven measures and seconds by K, on five corpora",
        needs: "docword.nips.txt.gz, nyt_small.jsonl.gz, 20ng_counts.jsonl.gz",
        measure: lee2021::topics::measure,
        judge: lee2021::topics::judge,
    },
    Figure {
        name: "2021 fig4",
        shows: "the measures by the size of the vocabulary",
        needs: "docword.nips.txt.gz",
        measure: lee2021::vocabularies::measure,
        judge: lee2021::vocabularies::judge,
    },
    Figure {
        name: "2021 palm",
        shows: "whether palm finds an anchor for every topic, by K",
        needs: "docword.nips.txt.gz, nyt_small.jsonl.gz, 20ng_counts.jsonl.gz",
        measure: lee2021::steps::measure,
        judge: lee2021::steps::judge,
    },
    Figure {
        name: "2021 table1",
        shows: "prominent and characteristic words of five topics",
        needs: "docword.nips.txt.gz",
        measure: lee2021::words::measure,
        judge: lee2021::words::judge,
    },
];
