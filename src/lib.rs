//! Topic models over collections that do not fit in memory, saved in one SQLite file.
//!
//! The program `topoi` is made of this library: models, operators and measures for those who want to compute
//! with them, and the store that the program's corpora and runs are in. The modules follow the data's way:
//!
//! - [`ingest`]: files to documents; [`store`]: documents as rows and packed blocks, and all that is saved of runs;
//! - [`vocabulary`]: which terms a run uses; [`stream`]: products with the corpus, made block by block;
//! - [`linalg`], [`model`]: topics from these products, a module a model; [`bound`]: how many there could be;
//! - [`metric`]: how good they are; [`synth`]: corpora whose topics are known; [`formula`]: what all share;
//! - [`shape`]: topics shaped by hand; [`search`]: which texts have a word, and where;
//! - [`judge`]: what people say of topics; [`plot`]: figures as SVG;
//! - [`run`]: joins these, as the program does, with [`parts`] for several machines; [`export`]: files for others.
//!
//! Texts in, topics out:
//!
//! ```
//! use topoi::ingest::{IngestRequest, NoProgress, ingest};
//! use topoi::metric::words::top_words::top_words;
//! use topoi::model::lr_jsmf::{LrJsmfSettings, lr_jsmf};
//! use topoi::progress::Silent;
//! use topoi::run::request::RunSettings;
//! use topoi::run::work::material::{Material, Sources};
//! use topoi::store::{Access, Store};
//! use topoi::stream::cooccurrence::CoOccurrence;
//!
//! let folder = tempfile::tempdir()?;
//! let store = Store::open(&folder.path().join("texts.db"), Access::Create)?;
//! let texts = IngestRequest::new("subjects", ["sample_corpora/eight_subjects.jsonl".into()]);
//! let corpus = ingest(&store, &texts, &NoProgress)?.corpus;
//!
//! // The documents as a run would see them: through its vocabulary, the shortest left out.
//! let settings = RunSettings { terms: 500, ..RunSettings::default() };
//! let material = Material::of(&store, corpus.id, &settings)?;
//! let documents = Sources::whole(&store, corpus.id, &material).documents(&settings, &Silent);
//!
//! // The default model: eight topics of the streamed co-occurrence of words, from seed 1.
//! let c = CoOccurrence::new(&documents)?;
//! let found = lr_jsmf(&c, &LrJsmfSettings::new(8), None, 1, &Silent)?;
//! for topic in found.topics.topics.columns() {
//!     let words: Vec<&str> = top_words(topic, 5).into_iter().map(|w| &*material.words[w]).collect();
//!     println!("{}", words.join(" "));
//! }
//! # assert_eq!(found.topics.topics.dim(), (500, 8));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![warn(missing_docs, unreachable_pub)]

pub mod bound;
pub mod csv_cell;
pub mod effects;
pub mod export;
pub mod fields;
pub mod formula;
pub mod ingest;
pub mod judge;
pub mod linalg;
pub mod metric;
pub mod model;
pub mod numbers;
pub mod parts;
pub mod plot;
pub mod progress;
pub mod random;
pub mod run;
pub mod search;
pub mod shape;
pub mod shell_word;
pub mod spilled;
pub mod store;
pub mod stream;
pub mod synth;
pub mod vocabulary;
