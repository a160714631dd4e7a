//! Corpus, model and K of a run. Its settings are [`super::settings::RUN_SETTINGS`].

use topoi_core::model::setting::{Definition, Kind};

/// Template of a field whose value is checked where it is used.
const OTHER: Definition =
    Definition { name: "", help: "", placeholder: "", kind: Kind::Other, auto: None };

/// The corpus to model.
pub const CORPUS: Definition = Definition { name: "corpus", help: "the corpus to model", ..OTHER };

/// The model: one of [`topoi_core::model::Model::all`].
pub const MODEL: Definition = Definition { name: "model", help: "the model", ..OTHER };

/// The number of topics.
pub const K: Definition =
    Definition { name: "k", help: "number of topics, 2 or more", placeholder: "K", ..OTHER };

/// Description of the default of K.
pub const USUAL_K: &str = "by the number of documents, see docs/guide/choosing-k.md";

/// One or several numbers of topics.
pub const K_LIST: Definition = Definition {
    help: "number of topics, 2 or more; 10..100:10 or 5,10,20 make a run for each",
    placeholder: "LIST",
    ..K
};
