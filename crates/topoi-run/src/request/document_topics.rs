//! Topics from a table that has a topic for each document, such as BERTopic's `get_document_info`: the words of a topic
//! are those of its documents, as the corpus counts them.

use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::path::{Path, PathBuf};

use csv::StringRecord;
use ndarray::{Array1, Array2};

use super::RunRequest;
use super::embeddings::MatchedVectors;
use super::imported::{Import, ImportError};
use super::mallet_state::BETA;
use super::origin::Origin;
use crate::saved::known_topics::{Records, TruthError};
use crate::work::work_error::WorkError;
use topoi_core::csv_cell::from_spreadsheet;
use topoi_core::metric::model_figures::{CLUSTER_CHANGE, CLUSTER_COSINE};
use topoi_core::model::topic_model::{Figure, Fit, TopicLabel};
use topoi_core::model::topics::Topics;
use topoi_core::progress::Progress;
use topoi_core::stream::documents::Documents;
use topoi_core::vectors::spherical_k_means::spherical_k_means;
use topoi_store::id::DocumentId;
use topoi_store::{Store, StoreError};

/// The topic of documents that belong to none, as BERTopic and HDBSCAN number it.
const OUTLIERS: i64 = -1;
/// The label of that topic.
const OUTLIERS_LABEL: &str = "outliers";
/// Columns with the key of a document, in the order in which they are looked for.
const KEYS: [&str; 3] = ["document", "key", "id"];
/// Columns with the text of a document.
const TEXTS: [&str; 2] = ["Document", "text"];
/// Columns with the number of a topic.
const TOPICS: [&str; 2] = ["topic", "Topic"];
/// Columns with the name of a topic.
const LABELS: [&str; 2] = ["label", "CustomName"];
/// Share of the rows whose texts must be documents of the corpus: below it texts were changed before they were clustered.
const MATCHED: f64 = 0.5;
/// Number of documents read at once.
const PAGE: usize = 10_000;

/// What tells a row's document.
#[derive(Debug)]
enum Names {
    /// The keys of the rows.
    Keys(Vec<String>),
    /// Hashes of the texts of the rows.
    Texts(Vec<[u8; 16]>),
    /// The order of the rows.
    Order,
}

/// A table of documents with their topics.
#[derive(Debug)]
pub(super) struct DocumentTable {
    path: PathBuf,
    /// The topic of each row, from 0; `None` for a row without one.
    topics: Vec<Option<u32>>,
    /// The lines of the rows.
    lines: Vec<u64>,
    names: Names,
    labels: BTreeMap<u32, String>,
    k: usize,
}

/// How rows were matched with documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::Display)]
#[strum(serialize_all = "lowercase")]
pub enum MatchedBy {
    /// By the documents' keys.
    Keys,
    /// By the documents' texts.
    Texts,
    /// By order, as there are as many rows as documents.
    Order,
}

/// The documents of a corpus with the topics of a table.
#[derive(Debug)]
pub struct AssignedDocuments {
    path: PathBuf,
    /// (document, topic) by document.
    topics: Vec<(DocumentId, u32)>,
    labels: BTreeMap<u32, String>,
    k: usize,
    /// How they were found.
    pub matched_by: MatchedBy,
    /// Number of rows of the table.
    pub rows: usize,
    /// What clustering measured; nothing for a table.
    figures: Vec<Figure>,
}

/// The columns of a table.
struct Columns {
    topic: usize,
    key: Option<usize>,
    text: Option<usize>,
    label: Option<usize>,
    count: usize,
}

impl Columns {
    fn new(header: &StringRecord) -> Result<Self, String> {
        // The mark that spreadsheets put before UTF-8 is no part of a name.
        let names: Vec<&str> =
            header.iter().map(|name| name.trim_start_matches('\u{feff}')).collect();
        let place = |wanted: &[&str]| {
            wanted.iter().find_map(|wanted| names.iter().position(|name| name == wanted))
        };
        let (key, text) = (place(&KEYS), place(&TEXTS));
        if key.or(text).is_none() && place(&["Count"]).is_some() {
            return Err(
                "a table of topics, whose few words of a topic do not determine it; give that of \
                        documents: get_document_info(docs).to_csv(FILE)"
                    .into(),
            );
        }
        let Some(topic) = place(&TOPICS) else {
            let found: String = names.join(",").chars().take(60).collect();
            return Err(format!("no column `topic` in the header {found:?}; name it so"));
        };
        Ok(Self { topic, key, text, label: place(&LABELS), count: header.len() })
    }
}

impl DocumentTable {
    /// Reads a CSV file with a column `topic` and for each document a row. Topics are whole numbers from 0 or 1 on without
    /// a gap; −1 is the topic of outliers, which gets the last number. An empty cell is no topic.
    ///
    /// # Errors
    /// [`ImportError::Table`], naming file and line; [`ImportError::File`].
    pub(super) fn read(path: &Path) -> Result<Self, ImportError> {
        let wrong = |problem| ImportError::File { path: path.to_path_buf(), problem };
        let mut records = Records::open(path, "save the table as UTF-8")?;
        let mut record = StringRecord::new();
        if !records.read(&mut record)? {
            return Err(wrong("empty; a line of names and a line a document make a table".into()));
        }
        let columns = Columns::new(&record).map_err(|problem| TruthError::Line {
            path: path.to_path_buf(),
            line: 1,
            problem,
        })?;
        let (mut found, mut lines, mut labels) = (Vec::new(), Vec::new(), BTreeMap::new());
        let mut names = match (columns.key, columns.text) {
            (Some(_), _) => Names::Keys(Vec::new()),
            (None, Some(_)) => Names::Texts(Vec::new()),
            (None, None) => Names::Order,
        };
        while records.read(&mut record)? {
            let line = record.position().map_or(0, csv::Position::line);
            let at_line = |problem| TruthError::Line { path: path.to_path_buf(), line, problem };
            if record.len() != columns.count {
                let (wanted, has) = (columns.count, record.len());
                let problem = format!("expected {wanted} fields, as the header has, found {has}");
                return Err(at_line(problem).into());
            }
            let cell =
                |column: Option<usize>| column.and_then(|at| record.get(at)).unwrap_or_default();
            let topic = topic_number(cell(Some(columns.topic))).map_err(at_line)?;
            let label = from_spreadsheet(cell(columns.label));
            if let (Some(topic), false) = (topic, label.is_empty()) {
                labels.entry(topic).or_insert_with(|| label.to_string());
            }
            match &mut names {
                Names::Keys(keys) => keys.push(from_spreadsheet(cell(columns.key)).to_string()),
                Names::Texts(texts) => texts.push(text_hash(cell(columns.text))),
                Names::Order => {}
            }
            found.push(topic);
            lines.push(line);
        }
        let numbers = numbered(&found).map_err(wrong)?;
        if numbers.contains_key(&OUTLIERS) {
            labels.entry(OUTLIERS).or_insert_with(|| OUTLIERS_LABEL.into());
        }
        Ok(Self {
            path: path.to_path_buf(),
            topics: found.into_iter().map(|topic| Some(*numbers.get(&topic?)?)).collect(),
            lines,
            names,
            labels: labels
                .into_iter()
                .filter_map(|(at, it)| Some((*numbers.get(&at)?, it)))
                .collect(),
            k: numbers.len(),
        })
    }

    /// Number of topics.
    pub(super) fn topics(&self) -> usize {
        self.k
    }

    /// Finds the documents of the rows in a corpus.
    ///
    /// # Errors
    /// [`ImportError::Table`] for a key that no document has, or that two rows have; [`ImportError::File`] if the rows
    /// are not those of the corpus.
    fn assigned_to(self, store: &Store, corpus: &str) -> Result<AssignedDocuments, WorkError> {
        let (ids, matched_by) = match &self.names {
            Names::Keys(keys) => (self.by_keys(keys, store, corpus)?, MatchedBy::Keys),
            Names::Texts(texts) => match by_texts(texts, store, corpus)? {
                Some(found) => (found, MatchedBy::Texts),
                None => (self.by_order(store, corpus)?, MatchedBy::Order),
            },
            Names::Order => (self.by_order(store, corpus)?, MatchedBy::Order),
        };
        let rows = ids.into_iter().zip(&self.topics);
        let mut topics: Vec<_> = rows.filter_map(|(id, &topic)| Some((id?, topic?))).collect();
        topics.sort_unstable();
        let rows = self.topics.len();
        let Self { path, labels, k, .. } = self;
        Ok(AssignedDocuments { path, topics, labels, k, matched_by, rows, figures: Vec::new() })
    }

    fn by_keys(
        &self,
        keys: &[String],
        store: &Store,
        corpus: &str,
    ) -> Result<Vec<Option<DocumentId>>, WorkError> {
        let corpus = store.corpus(corpus)?;
        let mut seen = HashSet::new();
        let find = |(key, &line): (&String, &u64)| {
            let wrong = |problem| {
                let path = self.path.clone();
                WorkError::from(ImportError::from(TruthError::Line { path, line, problem }))
            };
            let id = match store.id_of_document(&corpus, key) {
                Err(StoreError::NoDocument { .. }) => {
                    let (key, corpus) = (shortened(key), &corpus.name);
                    return Err(wrong(format!(
                        "no document of {corpus} has the key {key:?}; give keys of `topoi documents \
                         {corpus}`, or name the column `text` if it has texts"
                    )));
                }
                found => found?,
            };
            if !seen.insert(id) {
                let key = shortened(key);
                return Err(wrong(format!("document {key:?} a second time; keep one of its rows")));
            }
            Ok(Some(id))
        };
        keys.iter().zip(&self.lines).map(find).collect()
    }

    fn by_order(&self, store: &Store, corpus: &str) -> Result<Vec<Option<DocumentId>>, WorkError> {
        let documents = store.tokens_of_documents(store.corpus(corpus)?.id)?;
        let (rows, count) = (self.topics.len(), documents.len());
        if rows != count {
            let path = self.path.clone();
            let problem = format!(
                "{rows} rows, but {corpus} has {count} documents, and they are not found by keys or texts; \
                 add a column `document` with their keys"
            );
            return Err(ImportError::File { path, problem }.into());
        }
        Ok(documents.into_iter().map(|(id, _)| Some(id)).collect())
    }
}

/// The documents of texts, those of equal texts in their order; `None` if too few texts are documents of the corpus.
fn by_texts(
    texts: &[[u8; 16]],
    store: &Store,
    corpus: &str,
) -> Result<Option<Vec<Option<DocumentId>>>, WorkError> {
    let mut rows: HashMap<[u8; 16], VecDeque<usize>> = HashMap::new();
    for (row, &text) in texts.iter().enumerate() {
        rows.entry(text).or_default().push_back(row);
    }
    let corpus_id = store.corpus(corpus)?.id;
    let (mut found, mut matched) = (vec![None; texts.len()], 0);
    let mut last = DocumentId(i64::MIN);
    loop {
        let page = store.documents(corpus_id, last, PAGE)?;
        let Some(end) = page.last() else { break };
        last = end.id;
        for document in page {
            let Some(text) = store.document_text(document.id)? else { continue };
            let row = rows.get_mut(&text_hash(&text)).and_then(VecDeque::pop_front);
            if let Some(row) = row {
                found[row] = Some(document.id);
                matched += 1;
            }
        }
    }
    Ok((f64::from(matched) >= MATCHED * texts.len() as f64).then_some(found))
}

/// A hash of a text, in which any blanks are one.
fn text_hash(text: &str) -> [u8; 16] {
    let mut hasher = blake3::Hasher::new();
    for word in text.split_whitespace() {
        hasher.update(word.as_bytes()).update(b" ");
    }
    let mut hash = [0; 16];
    hash.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
    hash
}

/// A key for a message.
fn shortened(key: &str) -> String {
    key.chars().take(40).collect()
}

/// The number of a topic; `None` for an empty cell. Columns with empty cells have `3.0` for 3 in pandas.
fn topic_number(cell: &str) -> Result<Option<i64>, String> {
    let cell = from_spreadsheet(cell).trim();
    if cell.is_empty() {
        return Ok(None);
    }
    let digits = cell.strip_suffix(".0").unwrap_or(cell);
    let number = digits.parse().ok().filter(|&number| number >= OUTLIERS);
    number.map(Some).ok_or_else(|| {
        let cell = shortened(cell);
        format!("topic {cell:?} is not a whole number from -1 on; correct it")
    })
}

/// The numbers of topics in the run: from 0, the outliers at the end.
fn numbered(found: &[Option<i64>]) -> Result<BTreeMap<i64, u32>, String> {
    let all: BTreeSet<i64> = found.iter().flatten().copied().collect();
    let own = all.iter().filter(|&&topic| topic != OUTLIERS);
    let first = i64::from(own.clone().next() == Some(&1));
    if let Some((missing, _)) = (first..).zip(own.clone()).find(|&(at, &topic)| at != topic) {
        let last = own.clone().next_back().copied().unwrap_or_default();
        return Err(format!(
            "no document is of topic {missing}, but some are of topic {last}; number topics from 0 or 1"
        ));
    }
    let outliers = all.contains(&OUTLIERS).then_some(&OUTLIERS);
    Ok(own.chain(outliers).copied().zip(0..).collect())
}

impl AssignedDocuments {
    /// Those of a request that imports such a table, or vectors, whose clusters are the topics; `None` for others.
    pub fn from_request(
        store: &Store,
        request: &RunRequest,
        progress: &dyn Progress,
    ) -> Result<Option<Self>, WorkError> {
        let Origin::Import(import) = &request.origin else { return Ok(None) };
        match import.vectors(store, &request.corpus)? {
            Some(matched) => Self::from_clusters(matched, request, progress).map(Some),
            None => Self::from_import(store, import, &request.corpus),
        }
    }

    /// Documents by the cluster of their vectors.
    fn from_clusters(
        matched: MatchedVectors,
        request: &RunRequest,
        progress: &dyn Progress,
    ) -> Result<Self, WorkError> {
        matched.check_clusters(request.k)?;
        let MatchedVectors { found, matched_by, path } = matched;
        let clusters = spherical_k_means(&found.vectors, request.k, request.seed, progress);
        let rows = found.ids.len();
        let topics = found.ids.into_iter().zip(clusters.labels).collect();
        let figures = vec![
            Figure::OfRun(&CLUSTER_COSINE, clusters.mean_cosine),
            Figure::OfRun(&CLUSTER_CHANGE, clusters.change),
        ];
        Ok(Self { path, topics, labels: BTreeMap::new(), k: request.k, matched_by, rows, figures })
    }

    /// Those of a table in a corpus; `None` for other files of topics.
    pub fn from_import(
        store: &Store,
        import: &Import,
        corpus: &str,
    ) -> Result<Option<Self>, WorkError> {
        let table = import.documents()?;
        table.map(|table| table.assigned_to(store, corpus)).transpose()
    }

    /// Number of documents with a topic.
    pub fn documents(&self) -> usize {
        self.topics.len()
    }

    fn topic_of(&self, document: i64) -> Option<usize> {
        let at = self.topics.binary_search_by_key(&DocumentId(document), |&(id, _)| id).ok()?;
        Some(self.topics[at].1 as usize)
    }

    /// The topics over the words of `documents`: the tokens of each word in the documents of a topic and β, which is
    /// MALLET's default. Documents that a sample leaves out are not counted.
    ///
    /// # Errors
    /// [`ImportError::NoWord`] for a topic none of whose documents is used.
    pub fn fit(&self, documents: &Documents<'_>) -> Result<Fit, WorkError> {
        let shape = (documents.words(), self.k);
        let of_lane = |blocks| {
            let mut counted: Array2<f64> = Array2::zeros(shape);
            documents.visit(blocks, |batch| {
                for (&id, (words, counts, _)) in batch.ids.iter().zip(batch.documents()) {
                    let Some(topic) = self.topic_of(id) else { continue };
                    for (&word, count) in words.iter().zip(counts) {
                        counted[(word as usize, topic)] += count;
                    }
                }
            })?;
            Ok(counted)
        };
        let mut b = documents.sum_by_lane(of_lane, |sum, more| *sum += &more)?;
        for (topic, mut words) in b.columns_mut().into_iter().enumerate() {
            if words.sum() <= 0.0 {
                return Err(ImportError::NoWord { path: self.path.clone(), topic }.into());
            }
            words += BETA;
            let sum = words.sum();
            words /= sum;
        }
        let label = |(&topic, text): (&u32, &String)| {
            (topic as usize, TopicLabel { text: text.clone(), by: None })
        };
        let even = Array1::from_elem(self.k, 1.0 / self.k as f64);
        let labels = self.labels.iter().map(label).collect();
        Ok(Fit { labels, ..Fit::new(Topics::without_anchors(b, even), self.figures.clone()) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(text: &str) -> Result<DocumentTable, String> {
        let file = tempfile::NamedTempFile::new().expect("file");
        std::fs::write(file.path(), text).expect("write");
        let name = file.path().display().to_string();
        DocumentTable::read(file.path()).map_err(|error| error.to_string().replace(&name, "FILE"))
    }

    #[test]
    fn topics_keep_their_numbers_and_outliers_get_the_last_one() {
        let found =
            table("id,Document,Topic,CustomName\na,x,1,\"war, peace\"\nb,y,-1,\nc,z,0,\nd,z,,\n");
        let found = found.expect("a table");
        assert_eq!((found.k, &found.topics[..]), (3, &[Some(1), Some(2), Some(0), None][..]));
        assert!(matches!(&found.names, Names::Keys(keys) if keys == &["a", "b", "c", "d"]));
        let labels = [(1, "war, peace"), (2, "outliers")].map(|(at, text)| (at, text.to_string()));
        assert_eq!(found.labels, labels.into());
        let from_one = table("topic\n2.0\n1.0\n\n").expect("a table");
        assert_eq!(from_one.topics, [Some(1), Some(0)]);
        assert!(matches!(from_one.names, Names::Order));
        let texts =
            table(",Document,Topic\n0,\"a  text\nof two lines\",0\n1,b,1\n").expect("a table");
        assert!(
            matches!(&texts.names, Names::Texts(it) if it[0] == text_hash(" a text of two lines\n"))
        );
    }

    #[test]
    fn mistakes_are_told_with_the_line() {
        let told = |text: &str| table(text).expect_err("wrong");
        for topic in ["-2", "0.5", "sports", "1e3"] {
            assert_eq!(
                told(&format!("document,topic\na,0\nb,{topic}\n")),
                format!("FILE:3: topic {topic:?} is not a whole number from -1 on; correct it")
            );
        }
        let gap = told("document,topic\na,0\nb,3\n");
        let expected =
            "FILE: no document is of topic 1, but some are of topic 3; number topics from 0 or 1";
        assert_eq!(gap, expected);
        let few = told("document,topic\na\n");
        assert_eq!(few, "FILE:2: expected 2 fields, as the header has, found 1");
        let other = told("document,subject\na,chess\n");
        assert!(other.starts_with("FILE:1: no column `topic` in the header"), "{other}");
        let info = told(",Topic,Count,Name,Representation\n0,-1,9,-1_a_b,\"['a', 'b']\"\n");
        assert!(info.starts_with("FILE:1: a table of topics"), "{info}");
        assert!(told("").starts_with("FILE: empty"));
    }
}
