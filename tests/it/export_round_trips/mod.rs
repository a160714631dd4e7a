//! Whatever words, keys and titles are, formats give back what was saved.

mod sample;

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};

use proptest::prelude::*;
use serde_json::Value;
use topoi_core::csv_cell;
use topoi_core::formula::proportions::WHOLE;
use topoi_core::npy::read_matrix;
use topoi_run::export::format::{ExportOptions, Format, export};
use topoi_run::export::output::Output;
use topoi_run::export::saved_model::SavedModel;
use topoi_run::request::imported::{Import, ImportFormat};
use topoi_run::saved::known_topics::KnownTopics;

use sample::{Sample, name, sample, saved};

/// (topic, word) and probability.
fn words_of(sample: &Sample) -> BTreeMap<(usize, String), f64> {
    let topics = sample.topics.iter().enumerate();
    topics.flat_map(|(t, words)| words.iter().map(move |(w, p)| ((t, w.clone()), *p))).collect()
}

/// (key, topic) and proportion.
fn documents_of(sample: &Sample) -> BTreeMap<(String, u64), f64> {
    let documents = sample.documents.iter();
    documents
        .flat_map(|(key, (_, topics))| topics.iter().map(|&(t, p)| ((key.clone(), t), p)))
        .collect()
}

fn text(path: &Path) -> String {
    std::fs::read_to_string(path).expect("a file")
}

fn records(bytes: &[u8]) -> Vec<BTreeMap<String, String>> {
    let mut reader = csv::Reader::from_reader(bytes);
    let rows = reader.deserialize::<BTreeMap<String, String>>();
    let as_it_was =
        |(name, cell): (String, String)| (name, csv_cell::from_spreadsheet(&cell).to_owned());
    rows.map(|row| row.expect("a record").into_iter().map(as_it_was).collect()).collect()
}

/// Numbers that differ by no more than reading JSON makes them.
fn assert_alike<K: Ord + std::fmt::Debug>(a: &BTreeMap<K, f64>, b: &BTreeMap<K, f64>, miss: f64) {
    assert_eq!(a.keys().collect::<Vec<_>>(), b.keys().collect::<Vec<_>>());
    for (key, p) in a {
        assert!((p - b[key]).abs() <= miss * p, "{key:?}: {p} {}", b[key]);
    }
}

fn csv_gives_back(sample: &Sample, folder: &Path) {
    let words = records(text(&folder.join("topic_words.csv")).as_bytes()).into_iter().map(|row| {
        (
            (row["topic"].parse().expect("t"), row["word"].clone()),
            row["probability"].parse().expect("p"),
        )
    });
    assert_eq!(words.collect::<BTreeMap<_, _>>(), words_of(sample));
    let rows = records(text(&folder.join("document_topics.csv")).as_bytes());
    let documents = rows.iter().map(|row| {
        let (topic, p) = (row["topic"].parse().expect("t"), row["proportion"].parse().expect("p"));
        ((row["document"].clone(), topic), p)
    });
    assert_eq!(documents.collect::<BTreeMap<_, _>>(), documents_of(sample));
    for row in &rows {
        assert_eq!(row["title"], sample.documents[&row["document"]].0.clone().unwrap_or_default());
    }
    // What `topoi import --from topics-csv` reads.
    let known = KnownTopics::read(&folder.join("topic_words.csv")).expect("topics");
    for (topic, words) in known.topics.iter().zip(&sample.topics) {
        assert_eq!(*topic, words.iter().cloned().collect::<BTreeMap<_, _>>());
    }
}

fn json_gives_back(sample: &Sample, file: &Path) {
    let object: Value = serde_json::from_str(&text(file)).expect("JSON");
    let (mut words, mut documents) = (BTreeMap::new(), BTreeMap::new());
    for topic in object["topics"].as_array().expect("topics") {
        for word in topic["words"].as_array().expect("words") {
            let key = (
                topic["topic"].as_u64().expect("t") as usize,
                word["word"].as_str().expect("w").into(),
            );
            words.insert(key, word["probability"].as_f64().expect("p"));
        }
    }
    for document in object["documents"].as_array().expect("documents") {
        let key = document["document"].as_str().expect("key");
        assert_eq!(document["title"].as_str(), sample.documents[key].0.as_deref());
        for topic in document["topics"].as_array().expect("topics") {
            let entry = (key.into(), topic["topic"].as_u64().expect("t"));
            documents.insert(entry, topic["proportion"].as_f64().expect("p"));
        }
    }
    assert_alike(&words_of(sample), &words, 1e-15);
    assert_alike(&documents_of(sample), &documents, 1e-15);
}

/// Entries of a coordinate matrix, from 0.
fn matrix(path: &Path) -> BTreeMap<(usize, usize), f64> {
    let text = text(path);
    let lines = text.lines().filter(|line| !line.starts_with('%')).skip(1);
    let entry = |line: &str| {
        let cells: Vec<&str> = line.split(' ').collect();
        let place = |at: usize| cells[at].parse::<usize>().expect("from 1") - 1;
        ((place(0), place(1)), cells[2].parse().expect("a number"))
    };
    lines.map(entry).collect()
}

fn one_line(name: &str) -> String {
    name.chars().map(|c| if c.is_control() { ' ' } else { c }).collect()
}

/// The lines of a file of names; a name's line breaks and other control characters are spaces.
fn names(path: &Path) -> Vec<String> {
    let text = text(path);
    text.strip_suffix('\n').unwrap_or(&text).split('\n').map(str::to_string).collect()
}

fn matrices_give_back(sample: &Sample, folder: &Path) {
    let words: Vec<String> = sample.words.iter().map(|word| one_line(word)).collect();
    assert_eq!(names(&folder.join("words.txt")), words);
    let found = matrix(&folder.join("topic_words.mtx")).into_iter();
    let found = found.map(|((t, w), p)| ((t, sample.words[w].clone()), p));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), words_of(sample));
    let keys: Vec<&String> = sample.documents.keys().collect();
    let shown: Vec<String> = keys.iter().map(|key| one_line(key)).collect();
    assert_eq!(names(&folder.join("documents.txt")), shown);
    let found = matrix(&folder.join("document_topics.mtx")).into_iter();
    let found = found.map(|((d, t), p)| ((keys[d].clone(), t as u64), p));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), documents_of(sample));
}

fn mallet_gives_back(sample: &Sample, folder: &Path) {
    let one_word = |word: &str| word.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    let keys = names(&folder.join("topic-keys.txt"));
    for (topic, line) in keys.iter().enumerate() {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!((cells.len(), cells[0]), (3, topic.to_string().as_str()));
        let words: Vec<String> =
            sample.topics[topic].iter().map(|(word, _)| one_word(word)).collect();
        assert_eq!(cells[2].split_whitespace().collect::<Vec<_>>(), words);
    }
    assert_eq!(keys.len(), sample.topics.len());
    let saved = words_of(sample);
    let tokens = (sample.documents.len() * sample.words.len()) as f64;
    let own = tokens / sample.topics.len() as f64;
    let weights = names(&folder.join("topic-word-weights.txt"));
    assert_eq!(weights.len(), sample.topics.len() * sample.words.len());
    for (line, (topic, word)) in weights
        .iter()
        .zip((0..sample.topics.len()).flat_map(|t| sample.words.iter().map(move |word| (t, word))))
    {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!(
            (cells.len(), cells[0], cells[1]),
            (3, topic.to_string().as_str(), one_word(word).as_str())
        );
        let p = cells[2].parse::<f64>().expect("a weight") / own;
        let expected = saved.get(&(topic, word.clone())).copied().unwrap_or_default();
        assert!((p - expected).abs() <= 1e-14 * expected, "{p} {expected}");
    }
    let lines = names(&folder.join("doc-topics.txt"));
    assert_eq!(lines.len(), sample.documents.len());
    for (line, (key, (_, topics))) in lines.iter().zip(&sample.documents) {
        let cells: Vec<&str> = line.split('\t').collect();
        assert_eq!((cells.len(), cells[1]), (2 + sample.topics.len(), one_line(key).as_str()));
        let proportions: Vec<f64> = cells[2..].iter().map(|p| p.parse().expect("p")).collect();
        assert!((proportions.iter().sum::<f64>() - 1.0).abs() < 1e-12);
        for &(topic, proportion) in topics {
            assert!((proportions[topic as usize] - proportion).abs() < 1e-12);
        }
    }
}

/// What `topoi import --from mallet-weights` reads; words whose blanks are `_` may be the same.
fn mallet_weights_are_imported(sample: &Sample, folder: &Path) {
    let one_word = |word: &str| word.replace(|c: char| c.is_whitespace() || c.is_control(), "_");
    let file = folder.join("topic-word-weights.txt");
    let (import, k) = Import::from_file(&file, ImportFormat::MalletWeights, None).expect("weights");
    assert_eq!(k, sample.topics.len());
    let words: BTreeSet<String> = sample.words.iter().map(|word| one_word(word)).collect();
    let words: Vec<String> = words.into_iter().collect();
    let b = import.topics(&words).expect("topics").topics.topics;
    for (topic, own) in sample.topics.iter().enumerate() {
        let all: f64 = own.iter().map(|pair| pair.1).sum();
        for (row, word) in words.iter().enumerate() {
            let same = own.iter().filter(|pair| one_word(&pair.0) == *word);
            let expected = same.map(|pair| pair.1).sum::<f64>() / all;
            assert!((b[(row, topic)] - expected).abs() < 1e-12, "{word:?}");
        }
    }
}

fn json_names(path: &Path) -> Vec<String> {
    serde_json::from_str(&text(path)).expect("an array of names")
}

/// A proportion as the store has it: `f32` has more digits than that.
fn whole(share: f64) -> f64 {
    (share * f64::from(WHOLE)).round() / f64::from(WHOLE)
}

fn arrays_give_back(sample: &Sample, folder: &Path) {
    let (k, m) = (sample.topics.len(), sample.documents.len());
    assert_eq!(json_names(&folder.join("words.json")), sample.words);
    let keys: Vec<String> = sample.documents.keys().cloned().collect();
    assert_eq!(json_names(&folder.join("documents.json")), keys);
    let bytes = |name: &str| std::fs::read(folder.join(name)).expect("an array");
    let topics = read_matrix(&bytes("topic_words.npy")).expect("a matrix");
    assert_eq!(topics.dim(), (k, sample.words.len()));
    let found = topics.indexed_iter().filter(|(_, p)| **p > 0.0);
    let found = found.map(|((topic, word), &p)| ((topic, sample.words[word].clone()), p));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), words_of(sample));
    // Byte by byte, as NumPy's description of the format has it.
    let file = bytes("document_topics.npy");
    assert_eq!(&file[..10], b"\x93NUMPY\x01\x00\x76\x00");
    let dictionary = format!("{{'descr': '<f4', 'fortran_order': False, 'shape': ({m}, {k}), }}");
    assert_eq!(&file[10..10 + dictionary.len()], dictionary.as_bytes());
    assert!(file[10 + dictionary.len()..127].iter().all(|&byte| byte == b' '));
    assert_eq!((file[127], file.len()), (b'\n', 128 + 4 * m * k));
    let numbers = file[128..].chunks_exact(4);
    let numbers = numbers.map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four")));
    let places = keys.iter().flat_map(|key| (0..k as u64).map(move |topic| (key.clone(), topic)));
    let found = places.zip(numbers.map(|share| whole(share.into())));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), documents_of(sample));
    // What `topoi import --from npy` reads.
    let (import, found) = Import::from_file(folder, ImportFormat::Npy, None).expect("arrays");
    assert_eq!(found, k);
    let b = import.topics(&sample.words).expect("topics").topics.topics;
    for ((topic, word), p) in topics.indexed_iter() {
        assert!((b[(word, topic)] - p / topics.row(topic).sum()).abs() < 1e-15);
    }
}

/// The entries of an archive that are stored as they are, by name, each with all that follows it in the file.
fn stored(path: &Path) -> BTreeMap<String, Vec<u8>> {
    let file = std::fs::read(path).expect("a file");
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let end = file.len() - 22;
    assert_eq!(&file[end..end + 4], b"PK\x05\x06");
    let (count, mut at) = (number(end + 10, 2), number(end + 16, 4));
    let mut found = BTreeMap::new();
    for _ in 0..count {
        assert_eq!((&file[at..at + 4], number(at + 10, 2)), (&b"PK\x01\x02"[..], 0));
        let [name, extra, comment] = [28, 30, 32].map(|field| number(at + field, 2));
        let local = number(at + 42, 4);
        let content = local + 30 + number(local + 26, 2) + number(local + 28, 2);
        let text = String::from_utf8(file[at + 46..at + 46 + name].to_vec()).expect("a name");
        found.insert(text, file[content..].to_vec());
        at += 46 + name + extra + comment;
    }
    found
}

fn octis_gives_back(sample: &Sample, folder: &Path) {
    let vocabulary: BTreeMap<usize, String> =
        serde_json::from_str(&text(&folder.join("vocabulary.json"))).expect("an object");
    assert!(vocabulary.keys().copied().eq(0..sample.words.len()));
    assert!(vocabulary.values().eq(&sample.words));
    let arrays = stored(&folder.join("output.npz"));
    let topics = read_matrix(&arrays["topic-word-matrix.npy"]).expect("a matrix");
    let found = topics.indexed_iter().filter(|(_, p)| **p > 0.0);
    let found = found.map(|((topic, word), &p)| ((topic, vocabulary[&word].clone()), p));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), words_of(sample));
    let shares = read_matrix(&arrays["topic-document-matrix.npy"]).expect("a matrix");
    let keys: Vec<&String> = sample.documents.keys().collect();
    assert_eq!(shares.dim(), (sample.topics.len(), keys.len()));
    let found = shares.indexed_iter();
    let found = found.map(|((t, d), &share)| ((keys[d].clone(), t as u64), whole(share)));
    assert_eq!(found.collect::<BTreeMap<_, _>>(), documents_of(sample));
    let words = &arrays["topics.npy"];
    let head = String::from_utf8_lossy(&words[10..128]);
    let letters = head.split("'<U").nth(1).and_then(|rest| rest.split('\'').next());
    let letters: usize = letters.and_then(|digits| digits.parse().ok()).expect("a length");
    let count = sample.topics.iter().map(Vec::len).min().expect("topics").min(30);
    let mut texts = words[128..].chunks_exact(4 * letters).map(|text| {
        let letters = text.chunks_exact(4).map(|c| u32::from_le_bytes(c.try_into().expect("four")));
        letters.take_while(|&c| c > 0).filter_map(char::from_u32).collect::<String>()
    });
    for topic in &sample.topics {
        assert!(topic[..count].iter().all(|(word, _)| texts.next().as_ref() == Some(word)));
    }
}

fn bertopic_gives_back(sample: &Sample, folder: &Path) {
    let topics = records(text(&folder.join("topic_info.csv")).as_bytes());
    assert_eq!(topics.len(), sample.topics.len());
    for (row, topic) in topics.iter().zip(&sample.topics) {
        let words: Vec<String> = serde_json::from_str(&row["Representation"]).expect("a list");
        assert!(words.iter().eq(topic.iter().take(10).map(|(word, _)| word)));
        let start = format!("{}_{}", row["Topic"], words[0]);
        assert!(row["Name"].starts_with(&start), "{}", row["Name"]);
    }
    let rows = records(text(&folder.join("document_info.csv")).as_bytes());
    assert_eq!(rows.len(), sample.documents.len());
    let mut counts = vec![0; sample.topics.len()];
    for (row, (key, (title, shares))) in rows.iter().zip(&sample.documents) {
        let number: usize = row["Topic"].parse().expect("a topic");
        counts[number] += 1;
        let largest = shares.iter().map(|pair| pair.1).fold(0.0, f64::max);
        let first = shares.iter().position(|pair| pair.1 == largest);
        assert_eq!((&row["id"], Some(number)), (key, first));
        assert_eq!(&row["Document"], title.as_ref().unwrap_or(key));
        assert_eq!(row["Probability"].parse(), Ok(largest));
        for column in ["Name", "Representation", "Representative_Docs"] {
            assert_eq!(row[column], topics[number][column]);
        }
    }
    let found: Vec<usize> = topics.iter().map(|row| row["Count"].parse().expect("n")).collect();
    assert_eq!(found, counts);
}

/// The values of attributes of all elements of a name.
fn attributes(xml: &str, element: &str, names: &[&str]) -> Vec<Vec<String>> {
    let begin = format!("<{element} ");
    let value = |tag: &str, name: &str| {
        let rest = tag.split(&format!(" {name}=\"")).nth(1).expect(name);
        as_shown(rest.split('"').next().expect("a value"))
    };
    let tags =
        xml.split(&begin).skip(1).map(|rest| format!(" {}", rest.split('>').next().expect(">")));
    tags.map(|tag| names.iter().map(|name| value(&tag, name)).collect()).collect()
}

fn graphs_give_back(sample: &Sample, folder: &Path) {
    let on_page = |text: &str| one_line(text).replace('\u{202e}', " ");
    let words = text(&folder.join("topic_words.gexf"));
    let nodes = attributes(&words, "node", &["id", "label"]).into_iter();
    let labels: BTreeMap<String, String> = nodes.map(|it| (it[0].clone(), it[1].clone())).collect();
    let edges = attributes(&words, "edge", &["source", "target", "weight"]);
    let expected = sample.topics.iter().enumerate().flat_map(|(topic, words)| {
        words.iter().map(move |(word, p)| (format!("t{topic}"), on_page(word), *p))
    });
    let found = edges
        .iter()
        .map(|it| (it[0].clone(), labels[&it[1]].clone(), it[2].parse().expect("a weight")));
    assert_eq!(found.collect::<Vec<_>>(), expected.collect::<Vec<_>>());
    let topics = text(&folder.join("topics.gexf"));
    let nodes = attributes(&topics, "node", &["id", "label"]);
    for (topic, (node, words)) in nodes.iter().zip(&sample.topics).enumerate() {
        assert_eq!(node[0], format!("t{topic}"));
        assert_eq!(node[1], on_page(&format!("{topic} {}", words[0].0)));
    }
    assert_eq!(nodes.len(), sample.topics.len());
}

/// The one entry of a zip file, found by its directory, checked by its checksum.
fn unzipped(path: &Path) -> (String, Vec<u8>) {
    let file = std::fs::read(path).expect("a file");
    let number = |at: usize, bytes: usize| {
        file[at..at + bytes].iter().rev().fold(0usize, |sum, &byte| sum << 8 | usize::from(byte))
    };
    let end = file.len() - 22;
    assert_eq!((&file[end..end + 4], number(end + 10, 2)), (&b"PK\x05\x06"[..], 1));
    let directory = number(end + 16, 4);
    assert_eq!(&file[directory..directory + 4], b"PK\x01\x02");
    assert_eq!(directory + number(end + 12, 4), end);
    let [checksum, packed, length] = [16, 20, 24].map(|at| number(directory + at, 4));
    let local = number(directory + 42, 4);
    assert_eq!(&file[local..local + 4], b"PK\x03\x04");
    assert_eq!(file[local + 4..local + 30], file[directory + 6..directory + 32]);
    let (begin, name) = (local + 30, number(local + 26, 2));
    let content = begin + name + number(local + 28, 2);
    let mut found = Vec::new();
    let mut inflate = flate2::read::DeflateDecoder::new(&file[content..content + packed]);
    inflate.read_to_end(&mut found).expect("deflated");
    let mut crc = flate2::Crc::new();
    crc.update(&found);
    assert_eq!((found.len(), crc.sum() as usize), (length, checksum));
    (String::from_utf8(file[begin..begin + name].to_vec()).expect("a name"), found)
}

/// A text that was written for a page, as the page shows it.
fn as_shown(html: &str) -> String {
    assert!(!html.contains(['<', '>']), "{html}");
    let plain = html.replace("&lt;", "<").replace("&gt;", ">").replace("&quot;", "\"");
    plain.replace("&#39;", "'").replace("&amp;", "&")
}

fn dfr_browser_gives_back(sample: &Sample, folder: &Path) {
    let (name, meta) = unzipped(&folder.join("meta.csv.zip"));
    assert_eq!(name, "meta.csv");
    let meta_rows = records(&meta);
    assert_eq!(meta_rows.len(), sample.documents.len());
    for (row, (key, (title, _))) in meta_rows.iter().zip(&sample.documents) {
        // A page takes no character that turns the direction of what follows.
        let on_page = |text: &str| one_line(text).replace('\u{202e}', " ");
        assert_eq!(as_shown(&row["document"]), on_page(key));
        let shown = row.get("title").cloned().unwrap_or_default();
        assert_eq!(as_shown(&shown), on_page(title.as_deref().unwrap_or_default()));
    }
    let (name, matrix) = unzipped(&folder.join("dt.json.zip"));
    assert_eq!(name, "dt.json");
    let object: Value = serde_json::from_slice(&matrix).expect("JSON");
    let numbers = |name: &str| -> Vec<f64> {
        object[name].as_array().expect("an array").iter().filter_map(Value::as_f64).collect()
    };
    let (rows, starts, values) = (numbers("i"), numbers("p"), numbers("x"));
    assert_eq!((starts.len(), starts[0]), (sample.topics.len() + 1, 0.0));
    // The browser looks documents up by halving: they ascend within a topic.
    let topic = |pair: &[f64]| rows[pair[0] as usize..pair[1] as usize].is_sorted();
    assert!(starts.windows(2).all(topic));
    let keys: Vec<&String> = sample.documents.keys().collect();
    let mut documents = BTreeMap::new();
    for (topic, pair) in starts.windows(2).enumerate() {
        for at in pair[0] as usize..pair[1] as usize {
            // Zeros are there for the browser's scales: they say what is so.
            if values[at] > 0.0 {
                documents.insert((keys[rows[at] as usize].clone(), topic as u64), values[at]);
            }
        }
    }
    // It has what is a hundredth of a document or more.
    let mut expected = documents_of(sample);
    expected.retain(|_, share| *share >= 0.01);
    documents.retain(|_, share| *share >= 0.01);
    assert_alike(&expected, &documents, 1e-15);
    // The browser's page of a topic fails where its documents are of one category.
    let category = |at: usize| &meta_rows[rows[at] as usize]["largest_topic"];
    let all: BTreeSet<&String> = meta_rows.iter().map(|row| &row["largest_topic"]).collect();
    for pair in starts.windows(2) {
        let of: BTreeSet<_> = (pair[0] as usize..pair[1] as usize).map(category).collect();
        assert!(of.len() >= all.len().min(2), "{of:?}");
    }
    let object: Value = serde_json::from_str(&text(&folder.join("tw.json"))).expect("JSON");
    assert_eq!(object["alpha"], serde_json::json!(vec![0.1; sample.topics.len()]));
    let mut words = BTreeMap::new();
    for (t, topic) in object["tw"].as_array().expect("topics").iter().enumerate() {
        let weights = topic["weights"].as_array().expect("weights");
        for (word, p) in topic["words"].as_array().expect("words").iter().zip(weights) {
            words.insert((t, word.as_str().expect("w").into()), p.as_f64().expect("p"));
        }
    }
    assert_alike(&words_of(sample), &words, 1e-15);
    let info: Value = serde_json::from_str(&text(&folder.join("info.json"))).expect("JSON");
    let labels = info["VIS"]["topic_labels"].as_object().expect("labels");
    assert_eq!(labels.len(), sample.topics.len());
    assert_eq!(labels["1"], format!("0 {}", sample.topics[0][0].0));
    let places = text(&folder.join("topic_scaled.csv"));
    assert_eq!(places.lines().count(), sample.topics.len());
    assert!(places.lines().all(|l| l.split(',').filter(|x| x.parse::<f64>().is_ok()).count() == 2));
}

/// A word as it stands in a state: without blanks.
fn state_word() -> impl Strategy<Value = String> {
    name().prop_map(|name| name.replace(|c: char| c.is_whitespace() || c.is_control(), "_"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..Default::default() })]

    #[test]
    fn every_format_gives_back_the_saved_numbers_under_their_names(sample in sample()) {
        let directory = tempfile::tempdir().expect("tempdir");
        let (store, run) = saved(&sample, directory.path());
        let model = SavedModel::read(&store, run).expect("a run");
        let write = |name: &str| -> PathBuf {
            let format = Format::named(name).expect(name);
            let output = Output::at(&directory.path().join(name), false);
            export(&model, format, output, ExportOptions::default()).expect("export")
        };
        csv_gives_back(&sample, &write("csv"));
        json_gives_back(&sample, &write("json"));
        matrices_give_back(&sample, &write("matrix-market"));
        let mallet = write("mallet");
        mallet_gives_back(&sample, &mallet);
        mallet_weights_are_imported(&sample, &mallet);
        arrays_give_back(&sample, &write("npy"));
        octis_gives_back(&sample, &write("octis"));
        bertopic_gives_back(&sample, &write("bertopic"));
        graphs_give_back(&sample, &write("gephi"));
        dfr_browser_gives_back(&sample, &write("dfr-browser"));
        let page = text(&write("html"));
        prop_assert_eq!(page.matches("<section class=\"topic\" id=\"t").count(), sample.topics.len());
        serde_json::from_str::<Value>(&text(&write("ldavis"))).expect("JSON");
    }

    #[test]
    fn a_mallet_state_gives_back_its_counts(
        tokens in prop::collection::vec((state_word(), 0..3usize), 1..40),
        source in name(),
    ) {
        let source = one_line(&source);
        let mut state = String::from("#doc source pos typeindex type topic\n#alpha : 1 1 1 \n#beta : 0.5\n");
        let mut counts: BTreeMap<String, [f64; 3]> = BTreeMap::new();
        for (position, (word, topic)) in tokens.iter().enumerate() {
            state += &format!("0 {source} {position} 7 {word} {topic}\n");
            counts.entry(word.clone()).or_insert([0.5; 3])[*topic] += 1.0;
        }
        let directory = tempfile::tempdir().expect("tempdir");
        let file = directory.path().join("state");
        std::fs::write(&file, state).expect("write");
        let k = tokens.iter().map(|token| token.1 + 1).max().expect("tokens");
        let Ok((import, found)) = Import::from_file(&file, ImportFormat::MalletState, None) else {
            prop_assert_eq!(k, 1);
            return Ok(());
        };
        prop_assert_eq!(found, k);
        let words: Vec<String> = counts.keys().cloned().collect();
        let b = import.topics(&words).expect("topics").topics.topics;
        for topic in 0..k {
            let sum: f64 = counts.values().map(|count| count[topic]).sum();
            for (row, word) in words.iter().enumerate() {
                prop_assert!((b[(row, topic)] - counts[word][topic] / sum).abs() < 1e-12);
            }
        }
    }
}
