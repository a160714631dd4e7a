//! What a run is of: corpus, model and K. Its settings are [`super::settings::RUN_SETTINGS`].

use topoi_core::model::setting::{Definition, Kind};

/// Template of a field whose value is checked where it is used.
const OTHER: Definition =
    Definition { name: "", help: "", placeholder: "", kind: Kind::Other, auto: None };

/// Which of the store's corpora is modelled.
pub const CORPUS: Definition = Definition { name: "corpus", help: "the corpus to model", ..OTHER };

/// The model; what can be chosen is [`topoi_core::model::Model::all`].
pub const MODEL: Definition = Definition { name: "model", help: "the model", ..OTHER };

/// K.
pub const K: Definition =
    Definition { name: "k", help: "number of topics, 2 or more", placeholder: "K", ..OTHER };

/// What K is where it is not given.
pub const USUAL_K: &str = "by the number of documents, see docs/guide/choosing-k.md";

/// One K or several.
pub const K_LIST: Definition = Definition {
    help: "number of topics, 2 or more; 10..100:10 or 5,10,20 make a run for each",
    placeholder: "LIST",
    ..K
};
