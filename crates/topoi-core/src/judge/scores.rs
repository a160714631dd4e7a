//! Scores of topics and runs from people's answers, with intervals.

use std::collections::{BTreeMap, BTreeSet};

use strum::VariantArray;

use super::agreement::{Scale, krippendorff_alpha};
use super::{Judgement, ShownTask, Task};
use crate::fields::interval::{NORMAL, t_quantile};

/// Smallest proportion in log odds. A model can give a topic 0 of a document, which has no
/// logarithm.
const LEAST_SHARE: f64 = 1e-6;

/// The score of a topic, or of all topics, with its 95% interval.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct Score {
    /// The topic; `None` for all topics.
    pub topic: Option<u64>,
    /// For word intrusion, the share of answers that found the intruder. For topic intrusion, the
    /// mean log odds, at most 0. For ratings, their mean, from 1 to 3.
    pub value: f64,
    /// 95% interval; `None` where there is only one value or one topic.
    pub interval: Option<(f64, f64)>,
    /// Number of answers.
    pub answers: u64,
    /// Number of judges.
    pub judges: u64,
}

/// The scores of one task.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub struct TaskScores {
    /// The kind of task.
    pub task: Task,
    /// The score of the run.
    pub whole: Score,
    /// Scores of the topics that were judged, by number.
    pub topics: Vec<Score>,
    /// Krippendorff's α between judges of the same items, where it is defined.
    pub agreement: Option<f64>,
    /// Items answered by two or more judges.
    pub shared: u64,
    /// Tasks skipped.
    pub skipped: u64,
}

/// The value of an answer. Word intrusion: 1 where the intruder was found, else 0. Topic intrusion:
/// the log odds ln θ(intruder) − ln θ(choice), 0 where it was found. Rating: the rating. `None`
/// where the task was skipped.
///
/// # Source
/// Chang et al. 2009, equations 1 and 2.
pub fn score(judgement: &Judgement) -> Option<f64> {
    let answer = judgement.answer?;
    let ShownTask { intruder, shares, .. } = &judgement.question.shown;
    let share = |place: u32| {
        shares.get((place as usize).checked_sub(1)?).map(|share| share.max(LEAST_SHARE).ln())
    };
    match judgement.question.task {
        Task::Words => Some(f64::from(u8::from(Some(answer) == *intruder))),
        // Never above 0, because the intruder has the smallest proportion shown.
        Task::Topics => Some((share((*intruder)?)? - share(answer)?).min(0.0)),
        Task::Ratings => Some(f64::from(answer)),
    }
}

/// The scores of the tasks that were judged, in the order of [`Task`].
///
/// A topic's score is the mean of its answers. Its interval is Wilson's for word intrusion, and
/// mean ± t s/√n otherwise. The run's score is the mean over its topics (over documents for topic
/// intrusion), and its interval is computed from these means, because answers on one topic are
/// dependent.
pub fn scores(judgements: &[Judgement]) -> Vec<TaskScores> {
    let of_task = |task: Task| judgements.iter().filter(move |one| one.question.task == task);
    let scores = |task: Task| {
        let mut by_topic: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let mut by_group: BTreeMap<u64, Vec<f64>> = BTreeMap::new();
        let mut judges: BTreeMap<Option<u64>, BTreeSet<&str>> = BTreeMap::new();
        for judgement in of_task(task) {
            let Some(value) = score(judgement) else { continue };
            let question = &judgement.question;
            by_topic.entry(question.topic).or_default().push(value);
            let group = if task == Task::Topics { question.item } else { question.topic };
            by_group.entry(group).or_default().push(value);
            for of in [None, Some(question.topic)] {
                judges.entry(of).or_default().insert(&judgement.judge);
            }
        }
        let judges_of = |of: Option<u64>| judges.get(&of).map_or(0, BTreeSet::len) as u64;
        let means: Vec<f64> = by_group.values().map(|values| mean(values)).collect();
        if means.is_empty() {
            return None;
        }
        let topic = |(topic, values): (&u64, &Vec<f64>)| Score {
            topic: Some(*topic),
            value: mean(values),
            interval: match task {
                Task::Words => Some(wilson(values.iter().sum(), values.len() as f64)),
                Task::Topics | Task::Ratings => mean_with_interval(values, task),
            },
            answers: values.len() as u64,
            judges: judges_of(Some(*topic)),
        };
        let whole = Score {
            topic: None,
            value: mean(&means),
            interval: mean_with_interval(&means, task),
            answers: by_topic.values().map(|values| values.len() as u64).sum(),
            judges: judges_of(None),
        };
        let units = units(of_task(task));
        let scale = if task == Task::Ratings { Scale::Ordinal } else { Scale::Nominal };
        Some(TaskScores {
            task,
            whole,
            topics: by_topic.iter().map(topic).collect(),
            agreement: krippendorff_alpha(&units, task.choices() as usize, scale),
            shared: units.iter().filter(|unit| unit.len() > 1).count() as u64,
            skipped: of_task(task).filter(|one| one.answer.is_none()).count() as u64,
        })
    };
    Task::VARIANTS.iter().copied().filter_map(scores).collect()
}

/// The answers to each item, as values that mean the same to all judges. Ratings count from 0.
/// Choices are numbered in alphabetical order, so that the intruder's number varies between items
/// and answers by chance spread over all numbers.
fn units<'a>(judgements: impl Iterator<Item = &'a Judgement>) -> Vec<Vec<usize>> {
    let mut units: BTreeMap<(u64, Vec<&str>), Vec<usize>> = BTreeMap::new();
    for judgement in judgements {
        let Some(answer) = judgement.answer.and_then(|answer| (answer as usize).checked_sub(1))
        else {
            continue;
        };
        let question = &judgement.question;
        let mut options: Vec<&str> = question.shown.options.iter().map(String::as_str).collect();
        let value = match question.task {
            Task::Ratings => Some(answer),
            Task::Words | Task::Topics => options.get(answer).map(|choice| {
                let before = options.iter().filter(|other| *other < choice).count();
                // Equal choices are numbered by their position among each other.
                let alike = options[..answer].iter().filter(|other| *other == choice).count();
                before + alike
            }),
        };
        options.sort_unstable();
        units.entry((question.item, options)).or_default().extend(value);
    }
    units.into_values().collect()
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len().max(1) as f64
}

/// Wilson's interval of a proportion, `found` of `all`.
///
/// # Source
/// Wilson 1927, "Probable inference, the law of succession, and statistical inference".
fn wilson(found: f64, all: f64) -> (f64, f64) {
    let (share, square) = (found / all, NORMAL * NORMAL);
    let middle = (share + square / (2.0 * all)) / (1.0 + square / all);
    let spread = (share * (1.0 - share) / all + square / (4.0 * all * all)).sqrt();
    let half = NORMAL * spread / (1.0 + square / all);
    ((middle - half).max(0.0), (middle + half).min(1.0))
}

/// mean ± t s/√n, within the range of the task's score; `None` for fewer than two values.
fn mean_with_interval(values: &[f64], task: Task) -> Option<(f64, f64)> {
    let many = values.len() as f64;
    if values.len() < 2 {
        return None;
    }
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let half = t_quantile(many - 1.0) * (squares / (many - 1.0) / many).sqrt();
    let (least, most) = match task {
        Task::Words => (0.0, 1.0),
        Task::Topics => (f64::NEG_INFINITY, 0.0),
        Task::Ratings => (1.0, f64::from(task.choices())),
    };
    Some(((mean - half).max(least), (mean + half).min(most)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::Question;

    fn judgement(task: Task, judge: &str, item: u64, answer: Option<u32>) -> Judgement {
        let many = if task == Task::Topics { 4 } else { 6 };
        let shares = if task == Task::Topics { vec![0.01, 0.5, 0.3, 0.1] } else { Vec::new() };
        let shown = ShownTask {
            options: (0..many).map(|at| format!("{at}-of-{item}")).collect(),
            intruder: (task != Task::Ratings).then_some(1),
            topics: (0..shares.len() as u64).collect(),
            shares,
        };
        let question = Question { task, item, topic: item % 2, document: None, shown };
        Judgement { judge: judge.into(), question, answer, seconds: None }
    }

    #[test]
    fn model_precision_is_the_share_that_found_the_intruder_with_wilsons_interval() {
        let answers = [("ann", 0, 1), ("bea", 0, 1), ("ann", 2, 1), ("bea", 2, 4), ("ann", 1, 3)];
        let mut all: Vec<Judgement> = answers
            .map(|(judge, item, answer)| judgement(Task::Words, judge, item, Some(answer)))
            .into();
        all.push(judgement(Task::Words, "bea", 1, None));
        let [words] = &scores(&all)[..] else { panic!("one task") };
        assert_eq!((words.topics[0].value, words.topics[0].answers), (0.75, 4));
        assert_eq!((words.topics[1].value, words.topics[1].judges), (0.0, 1));
        // 3 of 4, and 0 of 1.
        let (low, high) = words.topics[0].interval.expect("an interval");
        assert!(
            (low - 0.300_641_8).abs() < 1e-6 && (high - 0.954_412_7).abs() < 1e-6,
            "{low} {high}"
        );
        let (low, high) = words.topics[1].interval.expect("an interval");
        assert!(low < 1e-9 && (high - 0.793_450_7).abs() < 1e-6, "{low} {high}");
        // The run's score is the mean of the topics' scores, with t for one degree of freedom
        // (12.7).
        assert_eq!((words.whole.value, words.whole.answers, words.whole.judges), (0.375, 5, 2));
        assert_eq!(words.whole.interval, Some((0.0, 1.0)));
        assert_eq!((words.skipped, words.shared), (1, 2));
    }

    #[test]
    fn log_odds_are_those_of_the_choice_and_nothing_counts_as_a_millionth() {
        let found = judgement(Task::Topics, "ann", 0, Some(1));
        assert_eq!(score(&found), Some(0.0));
        let missed = judgement(Task::Topics, "bea", 0, Some(2));
        let expected = (0.01_f64 / 0.5).ln();
        assert!((score(&missed).expect("a score") - expected).abs() < 1e-12);
        let mut nothing = missed.clone();
        nothing.question.shown.shares[0] = 0.0;
        let expected = (1e-6_f64 / 0.5).ln();
        assert!((score(&nothing).expect("a score") - expected).abs() < 1e-12);
        // Two documents, the first with two answers: the mean of the documents' means.
        let other = judgement(Task::Topics, "ann", 2, Some(1));
        let [topics] = &scores(&[found, missed, other])[..] else { panic!("one task") };
        let half = (0.01_f64 / 0.5).ln() / 2.0;
        assert!((topics.whole.value - half / 2.0).abs() < 1e-12, "{}", topics.whole.value);
        assert_eq!(topics.whole.interval.map(|(_, high)| high), Some(0.0), "never above 0");
    }

    #[test]
    fn ratings_have_a_mean_with_students_interval() {
        let rate = |judge: &str, item, answer| judgement(Task::Ratings, judge, item, Some(answer));
        let all = [("a", 0, 3), ("b", 0, 2), ("c", 0, 2), ("d", 0, 3), ("a", 1, 1)];
        let all = all.map(|(judge, item, answer)| rate(judge, item, answer));
        let [ratings] = &scores(&all)[..] else { panic!("one task") };
        let (low, high) = ratings.topics[0].interval.expect("an interval");
        // 2.5 ± 3.182446 · 0.57735 / 2, cut at 3.
        assert_eq!(ratings.topics[0].value, 2.5);
        assert!((low - 1.581_307).abs() < 1e-5 && high == 3.0, "{low} {high}");
        assert_eq!((ratings.topics[1].interval, ratings.topics[1].value), (None, 1.0));
        assert!((ratings.whole.value - 1.75).abs() < 1e-12);
    }

    #[test]
    fn who_agrees_is_told_by_what_was_chosen_and_not_by_where_it_stood() {
        let (mut one, mut other) = (Vec::new(), Vec::new());
        for item in 0..6 {
            let choice = (item % 6) as u32 + 1;
            one.push(judgement(Task::Words, "ann", item, Some(choice)));
            let mut moved = judgement(Task::Words, "bea", item, Some(7 - choice));
            moved.question.shown.options.reverse();
            moved.question.shown.intruder = Some(6);
            other.push(moved);
        }
        let all = |mut one: Vec<Judgement>, other: &[Judgement]| {
            one.extend_from_slice(other);
            scores(&one).remove(0)
        };
        assert_eq!(all(one.clone(), &other).agreement, Some(1.0));
        // By position the choices differ.
        other.iter_mut().zip(&one).for_each(|(other, one)| other.answer = one.answer);
        let agreement = all(one, &other).agreement.expect("a value");
        assert!(agreement < 0.0, "{agreement}");
    }

    #[test]
    fn without_answers_there_are_no_scores() {
        assert!(scores(&[]).is_empty());
        assert!(scores(&[judgement(Task::Words, "ann", 0, None)]).is_empty());
    }
}
