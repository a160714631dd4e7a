//! Shaping compared with a dense implementation with W × W matrices, and effects on known topics.

use ndarray::{Array1, Array2, Axis, array};

use super::effect::{TopicChange, effect};
use super::{Base, CoOccurrenceFactor, Edit, ShapeError, Shaped, Shaper};
use crate::linalg::dense::cholesky;
use crate::linalg::orthonormal::orthonormalise;
use crate::model::jsmf::compressed::{Anchor, CompressedCoOccurrence};
use crate::model::topics::Topics;

const K: usize = 4;
const W: usize = 24;

/// Words 0 to 3 are exclusive to their topics; the others belong to several.
fn true_topics() -> Array2<f64> {
    let mut b = Array2::from_shape_fn((W, K), |(word, topic)| match word {
        0..K => f64::from(word == topic) * 0.5,
        _ => (((word * 7 + topic * 11) as f64 * 0.77).sin() + 1.02) * 0.3,
    });
    let sums = b.sum_axis(Axis(0));
    b /= &sums;
    b
}

fn correlations() -> Array2<f64> {
    let a = Array2::from_shape_fn(
        (K, K),
        |(k, l)| if k == l { 1.0 } else { 0.1 + 0.02 * (k + l) as f64 },
    );
    let sum = a.sum();
    a / sum
}

/// Y with Y·Yᵀ = B·A·Bᵀ plus noise in each entry.
fn factor(noise: f64) -> Array2<f64> {
    let root = cholesky(&correlations()).expect("definite");
    let wave = Array2::from_shape_fn((W, K), |(i, j)| ((i * 5 + j * 3) as f64 * 1.3).sin());
    true_topics().dot(&root.t()) + wave * noise
}

fn words() -> Vec<String> {
    (0..W).map(|word| format!("w{word:02}")).collect()
}

fn base(y: Array2<f64>, anchors: [usize; K]) -> Base {
    let weights = correlations().sum_axis(Axis(0));
    let anchors = anchors.map(|word| vec![word]).to_vec();
    let factor = CoOccurrenceFactor {
        compressed: CompressedCoOccurrence::new(y),
        candidates: (0..W).collect(),
    };
    Base::new("lr-jsmf", words(), true_topics(), weights).with_anchors(anchors, factor)
}

fn anchor(topic: Option<usize>, words: &[usize]) -> Edit {
    Edit::Anchor { words: words.iter().map(|word| format!("w{word:02}")).collect(), topic }
}

fn merge(topics: &[usize]) -> Edit {
    Edit::Merge { topics: topics.to_vec() }
}

fn shape(shaper: &mut Shaper, edits: &[Edit]) -> Result<Shaped, ShapeError> {
    shaper.shape(&edits.iter().cloned().collect())
}

/// The nearest convex combination of `vertices` (rows), by enumeration of all faces.
fn nearest(x: &Array1<f64>, vertices: &Array2<f64>) -> Array1<f64> {
    let k = vertices.nrows();
    let mut best = (f64::INFINITY, Array1::zeros(k));
    for face in 1u32..1 << k {
        let held: Vec<usize> = (0..k).filter(|at| face >> at & 1 == 1).collect();
        let v = vertices.select(Axis(0), &held);
        // Lagrange: [G 1; 1ᵀ 0] [b; μ] = [Vx; 1].
        let n = held.len();
        let mut system = Array2::zeros((n + 1, n + 2));
        let (gram, linear) = (v.dot(&v.t()), v.dot(x));
        for i in 0..n {
            for j in 0..n {
                system[(i, j)] = gram[(i, j)];
            }
            (system[(i, n)], system[(n, i)], system[(i, n + 1)]) = (1.0, 1.0, linear[i]);
        }
        system[(n, n + 1)] = 1.0;
        let Some(solved) = eliminated(system) else { continue };
        if solved.iter().take(n).any(|&weight| weight < -1e-14) {
            continue;
        }
        let mut b = Array1::zeros(k);
        held.iter().zip(&solved).for_each(|(&at, &weight)| b[at] = weight);
        let miss = x - &b.dot(vertices);
        if miss.dot(&miss) < best.0 {
            best = (miss.dot(&miss), b);
        }
    }
    best.1
}

fn eliminated(mut m: Array2<f64>) -> Option<Vec<f64>> {
    let n = m.nrows();
    for column in 0..n {
        let pivot =
            (column..n).max_by(|&a, &b| m[(a, column)].abs().total_cmp(&m[(b, column)].abs()))?;
        if m[(pivot, column)].abs() < 1e-14 {
            return None;
        }
        (0..=n).for_each(|at| m.swap((pivot, at), (column, at)));
        for row in (0..n).filter(|&row| row != column) {
            let share = m[(row, column)] / m[(column, column)];
            for at in 0..=n {
                let taken = share * m[(column, at)];
                m[(row, at)] -= taken;
            }
        }
    }
    Some((0..n).map(|at| m[(at, n)] / m[(at, at)]).collect())
}

/// p(anchor | word) and p(word) from the whole of C*.
fn dense(
    y: &Array2<f64>,
    anchors: &[Anchor],
    held: &[(usize, Array1<f64>)],
) -> (Array2<f64>, Array1<f64>) {
    let words = y.nrows();
    let mut c = y.dot(&y.t());
    let sums = c.sum_axis(Axis(1));
    let is_corrected =
        |word: usize| sums[word] <= 0.0 || anchors.iter().flatten().any(|&own| own == word);
    for ((i, j), entry) in c.indexed_iter_mut() {
        if is_corrected(i) || is_corrected(j) {
            *entry = entry.max(0.0);
        }
    }
    let d = c.sum_axis(Axis(1));
    let rows = &c / &d.view().insert_axis(Axis(1));
    let (q, _) = orthonormalise(y);
    let seen = rows.dot(&q);
    let mut vertices = Array2::zeros((anchors.len(), q.ncols()));
    for (mut vertex, anchor) in vertices.rows_mut().into_iter().zip(anchors) {
        let mut mean = Array1::from_shape_fn(words, |at| {
            anchor.len() as f64 / anchor.iter().map(|&word| 1.0 / rows[(word, at)]).sum::<f64>()
        });
        mean /= mean.sum();
        vertex.assign(&mean.dot(&q));
    }
    let free: Vec<usize> =
        (0..anchors.len()).filter(|at| held.iter().all(|(own, _)| own != at)).collect();
    let mut weights = Array2::zeros((words, anchors.len()));
    for word in 0..words {
        let mut left = 1.0;
        let mut row = seen.row(word).to_owned();
        for (at, shares) in held {
            weights[(word, *at)] = shares[word];
            left -= shares[word];
            row.scaled_add(-shares[word], &vertices.row(*at));
        }
        let found = nearest(&(row / left), &vertices.select(Axis(0), &free));
        free.iter().zip(found).for_each(|(&at, weight)| weights[(word, at)] = left * weight);
        if let Some(at) = anchors.iter().position(|anchor| *anchor == [word])
            && free.contains(&at)
        {
            weights.row_mut(word).fill(0.0);
            weights[(word, at)] = 1.0;
        }
    }
    (weights, d)
}

fn apart(found: &Array2<f64>, expected: &Array2<f64>) -> f64 {
    (found - expected).iter().fold(0.0, |most: f64, x| most.max(x.abs()))
}

#[test]
fn topics_of_edits_are_those_of_the_dense_computation() {
    for noise in [0.0, 0.004] {
        let y = factor(noise);
        let mut shaper = Shaper::new(base(y.clone(), [0, 1, 2, 9]));
        let single: Vec<Anchor> = vec![vec![0], vec![1], vec![2], vec![9]];
        let cases: [(&[Edit], Vec<Anchor>); 4] = [
            (&[], single.clone()),
            (&[anchor(Some(3), &[3])], vec![vec![0], vec![1], vec![2], vec![3]]),
            (&[anchor(Some(3), &[5, 11])], vec![vec![0], vec![1], vec![2], vec![5, 11]]),
            (
                &[Edit::Drop { topic: 1 }, anchor(None, &[3])],
                vec![vec![0], vec![2], vec![9], vec![3]],
            ),
        ];
        let mut refused = 0;
        for (edits, anchors) in cases {
            // Without noise the matrix has rank four, and five anchors are dependent.
            let Ok(found) = shape(&mut shaper, edits) else {
                refused += 1;
                continue;
            };
            let (weights, d) = dense(&y, &anchors, &[]);
            assert!(apart(&found.topics.topics_of_words, &weights) < 1e-8, "{edits:?}");
            let mut b = &weights * &d.view().insert_axis(Axis(1));
            let sums = b.sum_axis(Axis(0));
            b /= &sums;
            assert!(apart(&found.topics.topics, &b) < 1e-8);
            assert!((&found.topics.weights - &sums / sums.sum()).iter().all(|x| x.abs() < 1e-8));
            // Also from scratch the result is the same.
            let cold =
                shape(&mut Shaper::new(base(y.clone(), [0, 1, 2, 9])), edits).expect("as before");
            assert!(apart(&found.topics.topics, &cold.topics.topics) < 1e-9);
        }
        assert!(refused <= 1, "{refused} refused");
    }
}

#[test]
fn a_pinned_topic_keeps_its_words_and_the_rest_is_the_dense_computation() {
    let y = factor(0.002);
    let mut shaper = Shaper::new(base(y.clone(), [0, 1, 2, 3]));
    let edits = [Edit::Pin { topic: 1 }, anchor(Some(3), &[6])];
    let found = shape(&mut shaper, &edits).expect("shaped");
    assert_eq!(found.held, [1]);
    assert_eq!(found.topics.topics.column(1), true_topics().column(1));
    let anchors: Vec<Anchor> = vec![vec![0], vec![1], vec![2], vec![6]];
    let compressed = CompressedCoOccurrence::new(y.clone());
    let d = compressed.probabilities();
    let share = correlations().sum_axis(Axis(0))[1];
    let shares =
        (&true_topics().column(1) * share * d.sum() / d).mapv(|share| share.clamp(0.0, 1.0));
    let (weights, _) = dense(&y, &anchors, &[(1, shares.clone())]);
    for word in (0..W).filter(|&word| shares[word] < 0.99) {
        let (found, expected) = (found.topics.topics_of_words.row(word), weights.row(word));
        assert!((&found - &expected).iter().all(|x| x.abs() < 1e-7), "{word}: {found} {expected}");
    }
}

#[test]
fn the_true_word_in_place_of_a_wrong_anchor_brings_the_true_topic() {
    let mut shaper = Shaper::new(base(factor(0.0), [0, 1, 2, 9]));
    let miss = |found: &Topics| (&found.topics - &true_topics()).mapv(f64::abs).sum_axis(Axis(0));
    let wrong = miss(&shape(&mut shaper, &[]).expect("shaped").topics);
    assert!(wrong[3] > 0.1, "{wrong}");
    let found = shape(&mut shaper, &[anchor(Some(3), &[3])]).expect("shaped");
    let right = miss(&found.topics);
    assert!(right.iter().all(|&miss| miss < 1e-8), "{right}");
    let a = found.topics.correlations.expect("there");
    assert!(apart(&a, &correlations()) < 1e-8, "{a}");
}

#[test]
fn merged_topics_are_the_sum_of_theirs_and_a_split_brings_both_back() {
    let mut shaper = Shaper::new(base(factor(0.0), [0, 1, 2, 3]));
    let before = shape(&mut shaper, &[]).expect("shaped").topics;
    let merged = shape(&mut shaper, &[merge(&[2, 0])]).expect("shaped");
    let numbers: Vec<usize> = merged.outline.topics.iter().map(|topic| topic.number).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let expected =
        &before.topics.column(0) * before.weights[0] + &before.topics.column(2) * before.weights[2];
    let expected = &expected / expected.sum();
    let off = &merged.topics.topics.column(1) - &expected;
    assert!(off.iter().all(|x| x.abs() < 1e-9), "{off}");
    assert!((merged.topics.weights[1] - before.weights[0] - before.weights[2]).abs() < 1e-9);
    let again = [merge(&[2, 0]), Edit::Split { topic: 2, words: Vec::new() }];
    let split = shape(&mut shaper, &again).expect("shaped");
    let numbers: Vec<usize> = split.outline.topics.iter().map(|topic| topic.number).collect();
    assert_eq!(numbers, [1, 2, 3, 4]);
    let back = split.topics.topics.select(Axis(1), &[3, 0, 1, 2]);
    assert!(apart(&back, &before.topics) < 1e-9);
}

#[test]
fn a_forbidden_anchor_gives_way_to_the_word_farthest_from_the_others() {
    let mut shaper = Shaper::new(base(factor(0.0), [0, 1, 2, 9]));
    let found = shape(&mut shaper, &[Edit::Forbid { word: "w09".into() }]).expect("shaped");
    assert_eq!(found.topics.anchors.expect("there")[3], 3);
}

#[test]
fn a_forbidden_word_is_in_no_topic_and_the_rest_is_the_dense_computation_without_it() {
    let y = factor(0.004);
    let mut shaper = Shaper::new(base(y.clone(), [0, 1, 2, 9]));
    let forbid = Edit::Forbid { word: "w05".into() };
    let others: Vec<usize> = (0..W).filter(|&word| word != 5).collect();
    let (weights, d) =
        dense(&y.select(Axis(0), &others), &[vec![0], vec![1], vec![2], vec![8]], &[]);
    let mut b = &weights * &d.view().insert_axis(Axis(1));
    let sums = b.sum_axis(Axis(0));
    b /= &sums;
    // From scratch, and from topics with the word.
    for _ in 0..2 {
        let found = shape(&mut shaper, std::slice::from_ref(&forbid)).expect("shaped");
        assert!(found.topics.topics.row(5).iter().all(|&p| p == 0.0));
        assert_eq!(found.topics.anchors, Some(vec![0, 1, 2, 9]));
        let (kept, topics) = found.over_kept();
        assert_eq!(kept.words(), others);
        assert!(apart(&topics.topics_of_words, &weights) < 1e-8);
        assert!(apart(&topics.topics, &b) < 1e-8);
        assert!((&topics.weights - &sums / sums.sum()).iter().all(|x| x.abs() < 1e-8));
        assert_eq!(topics.anchors, Some(vec![0, 1, 2, 8]));
        let whole = shape(&mut shaper, &[]).expect("shaped").topics;
        assert!(whole.topics.row(5).iter().any(|&p| p > 0.0));
    }
    let pinned = shape(&mut shaper, &[Edit::Pin { topic: 1 }, forbid]).expect("shaped");
    let mut expected = true_topics().column(1).to_owned();
    expected[5] = 0.0;
    expected /= expected.sum();
    let off = &pinned.topics.topics.column(1) - &expected;
    assert!(off.iter().all(|x| x.abs() < 1e-12), "{off}");
}

#[test]
fn topics_without_anchors_are_merged_dropped_and_pinned() {
    let b = array![[0.5, 0.0, 0.2], [0.5, 0.5, 0.2], [0.0, 0.5, 0.6]];
    let base = || Base::new("nmf-kl", words()[..3].to_vec(), b.clone(), array![0.2, 0.3, 0.5]);
    let mut shaper = Shaper::new(base());
    let found = shape(&mut shaper, &[merge(&[0, 1]), Edit::Pin { topic: 2 }]).expect("shaped");
    let expected = array![[0.2, 0.2], [0.5, 0.2], [0.3, 0.6]];
    assert!(apart(&found.topics.topics, &expected) < 1e-12);
    assert_eq!((found.held, found.topics.weights), (vec![1], array![0.5, 0.5]));
    let dropped = shape(&mut shaper, &[Edit::Drop { topic: 2 }]).expect("shaped");
    assert!((dropped.topics.weights - array![0.4, 0.6]).iter().all(|x| x.abs() < 1e-12));
    let forbid = |word: &str| Edit::Forbid { word: word.into() };
    let found = shape(&mut shaper, &[forbid("w01")]).expect("shaped").topics;
    let expected = array![[1.0, 0.0, 0.25], [0.0, 0.0, 0.0], [0.0, 1.0, 0.75]];
    assert!(apart(&found.topics, &expected) < 1e-12);
    let expected = array![0.1, 0.15, 0.4] / 0.65;
    assert!((found.weights - expected).iter().all(|x| x.abs() < 1e-12));
    let refused = shape(&mut shaper, &[forbid("w00"), forbid("w01")]).expect_err("no word");
    assert_eq!(refused, ShapeError::Wordless { topic: 0 });
    let refused =
        shape(&mut shaper, &[Edit::Split { topic: 0, words: Vec::new() }]).expect_err("none");
    assert_eq!(refused, ShapeError::NoAnchors { model: "nmf-kl".into() });
}

#[test]
fn what_cannot_be_is_refused_with_what_to_do_and_changes_nothing() {
    let mut shaper = Shaper::new(base(factor(0.0), [0, 1, 2, 3]));
    let before = shape(&mut shaper, &[]).expect("shaped");
    let forbid = |word: &str| Edit::Forbid { word: word.into() };
    let odd = Edit::Anchor { words: vec!["w0".into()], topic: None };
    let split = |topic, words: &[&str]| Edit::Split {
        topic,
        words: words.iter().map(|word| vec![(*word).to_string()]).collect(),
    };
    let twice = |word: &str, topic| ShapeError::WordTwice { word: word.into(), topic };
    let exact: Vec<(Vec<Edit>, ShapeError)> = vec![
        (vec![forbid("zebra")], ShapeError::UnknownWord { word: "zebra".into(), near: vec![] }),
        (vec![anchor(Some(1), &[2])], twice("w02", 2)),
        (vec![split(0, &["w05", "w05"])], twice("w05", 0)),
        (vec![anchor(None, &[7])], ShapeError::Dependent { topic: 4, words: vec!["w07".into()] }),
        (
            vec![Edit::Pin { topic: 0 }, forbid("w00")],
            ShapeError::ForbiddenAndPinned { word: "w00".into(), topic: 0 },
        ),
        (vec![Edit::Pin { topic: 0 }, merge(&[1, 0])], ShapeError::Pinned { topic: 0 }),
        (vec![forbid("w07"), anchor(Some(0), &[7])], ShapeError::Forbidden { word: "w07".into() }),
        (
            vec![merge(&[1, 0]), Edit::Drop { topic: 0 }],
            ShapeError::UnknownTopic { topic: 0, there: "1 to 3".into() },
        ),
        (vec![merge(&[0, 1, 2, 3])], ShapeError::TooFew { left: 1 }),
    ];
    for (edits, expected) in exact {
        assert_eq!(shape(&mut shaper, &edits).expect_err("refused"), expected);
    }
    let near = shape(&mut shaper, &[odd]).expect_err("no such word");
    assert!(matches!(&near, ShapeError::UnknownWord { near, .. } if !near.is_empty()), "{near:?}");
    for edits in [
        vec![merge(&[1])],
        vec![merge(&[1, 1])],
        vec![split(0, &["w05"])],
        vec![anchor(Some(0), &[])],
        vec![merge(&[0, 1, 2]), Edit::Pin { topic: 0 }],
    ] {
        let refused = shape(&mut shaper, &edits).expect_err("incomplete");
        assert!(matches!(refused, ShapeError::Incomplete { .. }), "{edits:?}: {refused:?}");
        assert_eq!(refused.to_string().lines().count(), 1);
    }
    let after = shape(&mut shaper, &[]).expect("shaped");
    assert_eq!(before.outline, after.outline);
    assert!(apart(&before.topics.topics, &after.topics.topics) < 1e-12);
}

#[test]
fn an_effect_tells_words_gained_and_lost_shares_and_what_became_of_topics() {
    let mut own = base(factor(0.0), [0, 1, 2, 9]);
    // As after refinement: not the words that its anchor gives.
    let refined: Array1<f64> = own.topics.column(2).iter().rev().copied().collect();
    own.topics.column_mut(2).assign(&refined);
    let mut shaper = Shaper::new(own);
    let before = shape(&mut shaper, &[]).expect("shaped");
    let split = Edit::Split { topic: 0, words: Vec::new() };
    let edits = [Edit::Pin { topic: 2 }, merge(&[0, 1]), anchor(Some(3), &[3]), split];
    let after = shape(&mut shaper, &edits).expect("shaped");
    let found = effect(shaper.base(), &before, &after);
    let fates: Vec<(usize, TopicChange)> =
        found.iter().map(|topic| (topic.topic, topic.change)).collect();
    assert_eq!(fates[1], (1, TopicChange::Gone));
    assert_eq!((fates[3], fates[4]), ((3, TopicChange::Changed), (4, TopicChange::New)));
    let (pinned, changed) = (&found[2], &found[3]);
    assert_eq!(
        (pinned.change, pinned.gained.len(), pinned.lost.len()),
        (TopicChange::Pinned, 0, 0)
    );
    assert_eq!(changed.anchors, ["w03"]);
    assert!(changed.gained.contains(&"w03".to_string()), "{changed:?}");
    let shares: f64 = found.iter().filter_map(|topic| Some(topic.after.as_ref()?.share)).sum();
    assert!((shares - 1.0).abs() < 1e-12);
    assert!(found.iter().flat_map(|topic| &topic.after).all(|seen| seen.npmi.is_some()));
}
