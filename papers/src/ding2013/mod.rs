//! Ding, Rohban, Ishwar and Saligrama 2013.

pub mod cost;
pub mod figure2;
pub mod large;
pub mod news;
pub mod nips;
pub mod number_of_topics;
pub mod side_by_side;
pub mod swimmer;

use crate::pages::saved::{Claim, Saved};

/// What tables call a method, and its model with settings as on the command line.
pub type Method = (&'static str, &'static str);

/// RecL2, or RecoverL2, of Arora et al. 2013, as docs/reference/models/aw.md defines it: anchors are words of at least
/// 100 documents.
pub const RECOVER_L2: &str = "aw --anchors arora --anchor-documents 100/M";
/// The same without that floor; rows of it say so.
pub const RECOVER_L2_OF_ANY: &str = "aw --anchors arora";

/// The methods of both papers, as they are here and as the papers have them, and what they are held
/// against; those a version of the program lacks are left out.
pub const METHODS: &[Method] = &[
    ("ddp", "ddp"),
    ("ddp, as 2013", "ddp --as paper"),
    ("rp-doc", "rp-doc"),
    ("rp-doc, as 2013", "rp-doc --as paper"),
    ("rp", "rp"),
    ("rp, as 2015", "rp --as paper"),
    ("binning", "binning"),
    ("binning, as 2013", "binning --as paper"),
    ("aw", "aw"),
    ("RecL2", RECOVER_L2),
    ("RecL2, any word", RECOVER_L2_OF_ANY),
    ("raw", "raw"),
    ("lr-jsmf, not refined", "lr-jsmf --refine 0"),
    ("lr-jsmf", "lr-jsmf"),
    ("lda-gibbs, α = β = 0.1", "lda-gibbs --alpha 0.1 --beta 0.1 --fixed-alpha"),
    ("lda-gibbs, α = 0.1, β = 0.01", "lda-gibbs --alpha 0.1 --beta 0.01 --fixed-alpha"),
    ("lda-gibbs, α = 50/K, β = 0.1", "lda-gibbs --alpha 50/K --beta 0.1 --fixed-alpha"),
    ("lda-gibbs", "lda-gibbs"),
    ("nmf-kl", "nmf-kl"),
    ("nmf-ard", "nmf-ard"),
    ("nmf-ard, ℓ2", "nmf-ard --prior l2"),
];

/// The papers' own methods, by the beginnings of their names.
pub const PROPOSED: &[&str] = &["ddp", "rp", "binning"];

/// Where the paper claims nothing that can be measured.
pub fn no_claims(_: &Saved) -> Vec<Claim> {
    Vec::new()
}
