//! relevance, frex, jsd and topic_alignment on real runs, against naive computations.

use std::collections::HashMap;

use crate::common::Home;
use serde_json::Value;

/// A store with two runs of one corpus and one of another.
fn home() -> Home {
    let home = Home::with_subjects();
    home.succeeds(&["run", "subjects", "-k", "6", "--terms", "500"]);
    home.succeeds(&["run", "subjects", "-k", "8", "--terms", "400", "--model", "rp"]);
    let fruit = ["apple pear plum fig pear apple", "plum fig fig grape plum grape"].join("\n");
    let other = home.file("other.txt", (fruit.clone() + "\n" + &fruit).as_bytes());
    home.succeeds(&["ingest", "other", &other]);
    home.succeeds(&["run", "other", "-k", "2", "--terms", "5", "--model", "nmf-kl"]);
    home
}

fn rows(home: &Home, query: &str) -> Vec<Vec<f64>> {
    let found = home.json(&["sql", query, "-o", "json"]);
    let number = |value: &Value| value.as_f64().expect("a number");
    let row = |row: &Value| row.as_object().expect("a row").values().map(number).collect();
    found.as_array().expect("rows").iter().map(row).collect()
}

/// p(word | topic) by term.
fn topics(home: &Home, run: u32) -> Vec<HashMap<i64, f64>> {
    let query = format!(
        "SELECT topic AS a, term_id AS b, probability AS c FROM topic_term WHERE run_id = {run}"
    );
    let mut topics = Vec::new();
    for row in rows(home, &query) {
        topics.resize(topics.len().max(row[0] as usize + 1), HashMap::new());
        topics[row[0] as usize].insert(row[1] as i64, row[2]);
    }
    topics
}

/// ½ KL(P ‖ M) + ½ KL(Q ‖ M), word by word.
fn divergence(p: &HashMap<i64, f64>, q: &HashMap<i64, f64>) -> f64 {
    let half = |own: &HashMap<i64, f64>, other: &HashMap<i64, f64>| -> f64 {
        own.iter()
            .map(|(term, &p)| {
                let mean = (p + other.get(term).unwrap_or(&0.0)) / 2.0;
                p * (p / mean).log2() / 2.0
            })
            .sum()
    };
    half(p, q) + half(q, p)
}

#[test]
fn jsd_and_topic_alignment_are_the_jensen_shannon_divergence_of_saved_topics() {
    let home = home();
    let (first, second) = (topics(&home, 1), topics(&home, 2));
    let found = rows(
        &home,
        "SELECT topic_a AS a, topic_b AS b, distance AS c, jsd(1, topic_a, 2, topic_b) AS d, \
         jsd(2, topic_b, 1, topic_a) AS e FROM topic_alignment WHERE run_a = 1 AND run_b = 2",
    );
    assert_eq!(found.len(), 6 * 8);
    for row in &found {
        let expected = divergence(&first[row[0] as usize], &second[row[1] as usize]);
        assert!((row[2] - expected).abs() < 1e-12, "{row:?} {expected}");
        assert!((row[3] - expected).abs() < 1e-12, "{row:?} {expected}");
        assert_eq!(row[3], row[4]);
    }
    assert!(found.iter().any(|row| row[2] < 0.9) && found.iter().all(|row| row[2] <= 1.0));
    let own = "SELECT sum(jsd(1, topic, 1, topic)) AS a, (SELECT max(distance) FROM \
               topic_alignment WHERE run_a = 1 AND run_b = 1 AND topic_a = topic_b) AS b FROM \
               topic WHERE run_id = 1";
    let own = rows(&home, own);
    assert!(own[0][0].abs() < 1e-12 && own[0][1].abs() < 1e-12, "{own:?}");
}

#[test]
fn topics_that_are_not_there_and_those_of_another_corpus_have_no_distance() {
    let home = home();
    let query = "SELECT jsd(1, 99, 1, 0) IS NULL AND jsd(9, 0, 1, 0) IS NULL AND \
                 jsd(1, 0, 3, 0) IS NULL AND jsd(NULL, 0, 1, 0) IS NULL AND \
                 NOT EXISTS (SELECT 1 FROM topic_alignment WHERE run_a = 1 AND run_b = 3) AS a";
    assert_eq!(rows(&home, query), [[1.0]]);
    // A topic whose words are gone in part is at a distance from itself: what is not saved could
    // be anything.
    let gone = "UPDATE topic_probabilities SET probabilities = (SELECT json_group_array(CASE WHEN value / 1e12 >= (SELECT \
                probability FROM top_term WHERE run_id = 1 AND topic = 0 AND rank = 3) THEN value ELSE 0 END) \
                FROM json_each(probabilities)) WHERE run_id = 1 AND topic = 0";
    home.succeeds(&["sql", "--write", gone]);
    let row = &rows(
        &home,
        "SELECT sum(probability) AS a, jsd(1, 0, 1, 0) AS b, (SELECT distance FROM \
         topic_alignment WHERE run_a = 1 AND run_b = 1 AND topic_a = 0 AND topic_b = 0) AS c \
         FROM topic_term WHERE run_id = 1 AND topic = 0",
    )[0];
    assert!(row[0] < 0.9 && (1.0 - row[0] - row[1]).abs() < 1e-12, "{row:?}");
    assert!((row[1] - row[2]).abs() < 1e-12, "{row:?}");
    // Two topics that share no word.
    let gone = "UPDATE topic_probabilities SET probabilities = (SELECT json_group_array(0) FROM json_each(probabilities)) \
                WHERE run_id = 2 AND topic = 1";
    home.succeeds(&["sql", "--write", gone]);
    let apart = "SELECT jsd(1, 0, 2, 1) AS a, (SELECT distance FROM topic_alignment WHERE \
                 run_a = 1 AND topic_a = 0 AND run_b = 2 AND topic_b = 1) AS b";
    assert_eq!(rows(&home, apart), [[1.0, 1.0]]);
}

#[test]
fn relevance_and_frex_rank_words_as_their_definitions_do() {
    let home = home();
    let query = "SELECT p AS a, m AS b, relevance(p, m, 0.6) AS c FROM (SELECT \
                 w.probability AS p, 1.0 * term.total_count / corpus.tokens AS m \
                 FROM topic_term AS w JOIN term ON term.id = w.term_id \
                 JOIN corpus ON corpus.id = term.corpus_id WHERE w.run_id = 1 AND w.topic = 2)";
    let found = rows(&home, query);
    assert!(found.len() > 10);
    for row in found {
        let expected = 0.6 * row[0].ln() + 0.4 * (row[0].ln() - row[1].ln());
        assert!((row[2] - expected).abs() < 1e-12, "{row:?}");
    }
    let topics = topics(&home, 1);
    let exclusivity = |term: i64, topic: usize| {
        let sum: f64 = topics.iter().filter_map(|words| words.get(&term)).sum();
        topics[topic][&term] / sum
    };
    let query = "WITH word AS (SELECT topic, term_id, probability, probability / \
                 sum(probability) OVER (PARTITION BY term_id) AS e FROM topic_term \
                 WHERE run_id = 1) SELECT topic AS a, term_id AS b, \
                 frex(cume_dist() OVER (PARTITION BY topic ORDER BY probability), \
                 cume_dist() OVER (PARTITION BY topic ORDER BY e), 0.7) AS c FROM word";
    for row in rows(&home, query) {
        let (topic, term) = (row[0] as usize, row[1] as i64);
        let words = &topics[topic];
        let at_most = |value: &dyn Fn(i64) -> f64| {
            let own = value(term);
            let count = words.keys().filter(|&&other| value(other) <= own * (1.0 + 1e-12)).count();
            count as f64 / words.len() as f64
        };
        let f = at_most(&|word| words[&word]);
        let e = at_most(&|word| exclusivity(word, topic));
        let expected = 1.0 / (0.7 / e + 0.3 / f);
        assert!((row[2] - expected).abs() < 0.01, "{row:?} {expected}");
    }
}

#[test]
fn hellinger_is_the_distance_of_two_documents_topics_and_null_without_them() {
    let home = home();
    let shares = rows(
        &home,
        "SELECT document_id AS a, topic AS b, proportion AS c FROM document_topic \
         WHERE run_id = 1 AND document_id < 9 ORDER BY document_id, topic",
    );
    let of = |document: f64| shares.iter().filter(move |row| row[0] == document).map(|row| row[2]);
    let found = rows(
        &home,
        "SELECT a.id AS a, b.id AS b, hellinger(1, a.id, b.id) AS c FROM document AS a \
         JOIN document AS b WHERE a.id < 9 AND b.id < 9 AND c IS NOT NULL",
    );
    assert!(found.len() > 30, "{}", found.len());
    for row in found {
        let half_of_squares: f64 =
            of(row[0]).zip(of(row[1])).map(|(p, q)| (p.sqrt() - q.sqrt()).powi(2) / 2.0).sum();
        assert!((row[2] - half_of_squares.sqrt()).abs() < 1e-6, "{row:?} {half_of_squares}");
    }
    let none = "SELECT hellinger(9, 1, 2) IS NULL AND hellinger(1, 1, 999999) IS NULL AND \
                hellinger(1, NULL, 2) IS NULL AS a";
    assert_eq!(rows(&home, none), [[1.0]]);
}

#[test]
fn null_gives_null_and_a_wrong_argument_one_line() {
    let home = home();
    let nulls = "SELECT relevance(NULL, 1, 0.5) IS NULL AND relevance(0, 1, 0.5) IS NULL AND \
                 relevance(0.5, NULL, 0.5) IS NULL AND relevance(0.5, -1, 0.5) IS NULL AND \
                 frex(NULL, 0.5) IS NULL AND frex(0.5, 0.5, NULL) IS NULL AND \
                 frex(0, 1) = 0 AND log2('x') IS NULL AND log2(0) IS NULL AND log2(8) = 3 AS a";
    assert_eq!(rows(&home, nulls), [[1.0]]);
    for call in [
        "relevance('a', 1, 1)",
        "relevance(1, x'00', 1)",
        "relevance(1, 1, 2)",
        "relevance(1, 1)",
        "frex(12, 1)",
        "frex(1, 9e999)",
        "jsd(1, 'castle', 1, 2)",
        "jsd(1, 0, 1.5, 2)",
        "hellinger(1, 1, 'castle')",
        "jsd(1, 0)",
        "quantile(column1, 1.5) FROM (VALUES (1))",
        "median(column1) FROM (VALUES ('a'))",
        "'a' REGEXP '('",
        "1 REGEXP 'a'",
    ] {
        home.fails(&["sql", &format!("SELECT {call}")]);
    }
}

#[test]
fn quantiles_lie_between_the_numbers_of_a_group() {
    let home = home();
    let query = "SELECT corpus_id AS a, median(tokens) AS b, quantile(tokens, 0.9) AS c, \
                 quantile(tokens, 0) = min(tokens) AND quantile(tokens, 1) = max(tokens) AS d \
                 FROM document GROUP BY corpus_id";
    let found = rows(&home, query);
    assert_eq!(found.len(), 2);
    for row in found {
        let query = format!("SELECT tokens AS a FROM document WHERE corpus_id = {}", row[0]);
        let mut tokens: Vec<f64> = rows(&home, &query).into_iter().flatten().collect();
        tokens.sort_by(f64::total_cmp);
        let n = tokens.len();
        assert_eq!(row[1], (tokens[(n - 1) / 2] + tokens[n / 2]) / 2.0);
        let at = 0.9 * (n - 1) as f64;
        let below = tokens[at as usize];
        let above = tokens[(at as usize + 1).min(n - 1)];
        assert!((row[2] - (below + at.fract() * (above - below))).abs() < 1e-9);
        assert_eq!(row[3], 1.0);
    }
    let none = "SELECT median(tokens) IS NULL AND (SELECT median(NULL) IS NULL) AS a FROM document \
                WHERE tokens < 0";
    assert_eq!(rows(&home, none), [[1.0]]);
}

#[test]
fn numbers_and_patterns_are_as_sqlites_own() {
    let home = home();
    let query = "SELECT ln(exp(2)) AS a, log(100) AS b, log(2, 8) AS c, sqrt(9) AS d, power(2, 10) AS e, \
                 degrees(pi()) AS f, floor(-1.5) AS g, mod(7, 4) AS h, atan2(0, 1) AS i, \
                 (sqrt(-1) IS NULL) + (ln(0) IS NULL) + (exp(1000) IS NULL) + (sqrt('x') IS NULL) AS j";
    let found = &rows(&home, query)[0];
    let expected = [2.0, 2.0, 3.0, 3.0, 1024.0, 180.0, -2.0, 3.0, 0.0, 4.0];
    assert!(found.iter().zip(expected).all(|(a, b)| (a - b).abs() < 1e-12), "{found:?}");
    let words = "SELECT count(*) AS a, sum(text REGEXP '^[a-m]') AS b, \
                 sum(substr(text, 1, 1) BETWEEN 'a' AND 'm') AS c FROM term WHERE corpus_id = 1";
    let found = &rows(&home, words)[0];
    assert!(found[1] == found[2] && found[1] > 0.0 && found[1] < found[0], "{found:?}");
    let case =
        "SELECT ('Abc' REGEXP 'b') + ('Abc' REGEXP '(?i)^a') + (NULL REGEXP 'a' IS NULL) AS a";
    assert_eq!(rows(&home, case), [[3.0]]);
}

#[test]
fn the_schema_page_and_the_prompt_know_the_same_functions() {
    let page = include_str!("../../schema/README.md");
    for function in topoi_store::query::functions::FUNCTIONS {
        assert!(page.contains(&format!("| `{}` |", function.signature)), "{}", function.signature);
    }
}

#[test]
fn a_statement_that_would_lock_its_user_out_is_refused_and_changes_nothing() {
    let home = Home::with_subjects();
    home.succeeds(&["search", "subjects", "telescope"]);
    let schema = "SELECT type, name, sql FROM sqlite_schema ORDER BY name";
    let before = home.succeeds(&["sql", schema]);
    for statement in [
        "CREATE INDEX own ON document (title)",
        "create unique index if not exists own on \"document\" (title)",
        "CREATE TRIGGER own AFTER INSERT ON run BEGIN SELECT 1; END",
        "DROP TABLE document",
        "DROP TABLE topoi_search_1",
        "DROP VIEW document_topic",
        "DROP INDEX document_of_ingest",
        "ALTER TABLE document RENAME TO other",
        "ALTER TABLE main.document ADD COLUMN own",
        "ALTER TABLE document DROP COLUMN title",
        "CREATE TABLE topoi_search_2 (words)",
        "CREATE TABLE document (id)",
        "CREATE VIEW topoi_search_2 AS SELECT 1",
        "PRAGMA writable_schema = 1",
        "PRAGMA user_version = 1",
        "UPDATE sqlite_schema SET sql = NULL",
        "VACUUM",
    ] {
        home.fails(&["sql", "--write", statement]);
        assert_eq!(home.succeeds(&["sql", schema]), before, "{statement}");
    }
    // What is the user's own is made, filled and dropped, and the store is opened all the while.
    for statement in [
        "CREATE TABLE own (document, note)",
        "CREATE INDEX own_note ON own (note)",
        "CREATE VIEW own_view AS SELECT note FROM own",
        "INSERT INTO own VALUES (1, 'a')",
        "ALTER TABLE own ADD COLUMN more",
        "DROP VIEW own_view",
        "DROP INDEX own_note",
        "DROP TABLE own",
    ] {
        home.succeeds(&["sql", "--write", statement]);
        assert!(home.succeeds(&["check"]).contains("sound"), "{statement}");
    }
    assert_eq!(home.succeeds(&["sql", schema]), before);
}
