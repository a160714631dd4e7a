//! Questions of screens to the store, and answers. Each screen has types of its own for both; [`Value`] carries them
//! between threads.

use std::any::Any;
use std::fmt::Debug;

use super::threads::cache::AnswerCache;
use topoi_store::id::RunId;
use topoi_store::run::Run;
use topoi_store::{Store, StoreError};

/// What a question is answered from.
pub struct QuestionContext<'a> {
    pub store: &'a Store,
    /// All runs, newest first.
    pub runs: &'a [Run],
    /// The reader's cache.
    pub cache: &'a mut AnswerCache,
}

/// What a screen shows, as a question to the store. Asking writes nothing.
pub trait Question: Debug + Clone + PartialEq + Send + 'static {
    type Answer: Debug + Clone + PartialEq + Send + 'static;

    /// # Errors
    /// When the store cannot be read.
    fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Self::Answer, StoreError>;
}

/// A value of any type that can be compared, printed and copied.
pub struct Value(Box<dyn AnyValue>);

impl Value {
    pub fn new<T: Debug + Clone + PartialEq + Send + 'static>(value: T) -> Self {
        Self(Box::new(value))
    }

    pub fn get<T: 'static>(&self) -> Option<&T> {
        let any: &dyn Any = &*self.0;
        any.downcast_ref()
    }

    /// The value, if it is a `T`.
    pub fn take<T: 'static>(self) -> Option<T> {
        let any: Box<dyn Any> = self.0;
        any.downcast().ok().map(|value| *value)
    }
}

trait AnyValue: Any + Debug + Send {
    fn is_same(&self, other: &dyn Any) -> bool;
    fn boxed(&self) -> Box<dyn AnyValue>;
}

impl<T: Debug + Clone + PartialEq + Send + 'static> AnyValue for T {
    fn is_same(&self, other: &dyn Any) -> bool {
        other.downcast_ref() == Some(self)
    }

    fn boxed(&self) -> Box<dyn AnyValue> {
        Box::new(self.clone())
    }
}

impl Debug for Value {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(formatter)
    }
}

impl Clone for Value {
    fn clone(&self) -> Self {
        Self((*self.0).boxed())
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Self) -> bool {
        (*self.0).is_same(&*other.0)
    }
}
#[derive(Debug, Clone)]
pub struct AnyQuestion {
    question: Value,
    ask: fn(&Value, &mut QuestionContext<'_>) -> Result<Option<Value>, StoreError>,
}

impl AnyQuestion {
    pub fn new<Q: Question>(question: Q) -> Self {
        let ask = |question: &Value, asking: &mut QuestionContext<'_>| {
            let answer = question.get::<Q>().map(|question| question.ask(asking));
            Ok(answer.transpose()?.map(Value::new))
        };
        Self { question: Value::new(question), ask }
    }

    /// The question if it is a `Q`.
    pub fn get<Q: Question>(&self) -> Option<&Q> {
        self.question.get()
    }

    /// # Errors
    /// When the store cannot be read.
    pub fn ask(&self, asking: &mut QuestionContext<'_>) -> Result<Option<Value>, StoreError> {
        (self.ask)(&self.question, asking)
    }
}

impl PartialEq for AnyQuestion {
    fn eq(&self, other: &Self) -> bool {
        self.question == other.question
    }
}

/// A question and its generation; an answer to an older generation is stale.
#[derive(Debug, Clone, PartialEq)]
pub struct Request {
    /// Counts questions.
    pub generation: u64,
    pub question: AnyQuestion,
    /// Runs marked for deletion; left out of every answer.
    pub without: Vec<RunId>,
}

/// The answer to a [`Request`].
#[derive(Debug, Clone, PartialEq)]
pub struct Answer {
    /// The generation of its question.
    pub generation: u64,
    /// Number of runs that are queued or running, for the line of tabs.
    pub active: usize,
    /// The answer's value, or why the store could not be read.
    pub found: Result<Value, String>,
}
