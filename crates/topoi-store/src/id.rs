//! Row ids and numbers of topics as types, so that two that are swapped do not compile.
//!
//! ```compile_fail,E0308
//! use topoi_store::id::{CorpusId, RunId};
//! fn runs_of(corpus: CorpusId) {}
//! runs_of(RunId(1));
//! ```

use crate::integer::saturated;
use rusqlite::types::{FromSql, FromSqlResult, ToSql, ToSqlOutput, ValueRef};

macro_rules! row_id {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Default, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(transparent)]
        pub struct $name(
            /// The number in the store.
            pub i64,
        );

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                self.0.fmt(f)
            }
        }

        impl std::str::FromStr for $name {
            type Err = std::num::ParseIntError;

            fn from_str(number: &str) -> Result<Self, Self::Err> {
                number.parse().map(Self)
            }
        }

        impl From<$name> for ToSqlOutput<'_> {
            fn from(id: $name) -> Self {
                id.0.into()
            }
        }

        impl ToSql for $name {
            fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
                self.0.to_sql()
            }
        }

        impl FromSql for $name {
            fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
                i64::column_result(value).map(Self)
            }
        }
    };
}

row_id! {
    /// A run's number: its row id, which users see and type.
    RunId
}

row_id! {
    /// Row id of a corpus. Users name a corpus by its name.
    CorpusId
}

row_id! {
    /// Row id of a term of a corpus.
    TermId
}

row_id! {
    /// Row id of a document, or of a chunk of one, of a corpus.
    DocumentId
}

impl DocumentId {
    /// The id `by` further on: that in the whole corpus of a document of a part whose ids begin at `by` there.
    pub fn shifted(self, by: i64) -> Self {
        Self(self.0 + by)
    }
}

/// A topic's number within its run, from 0: the index of its column in B.
#[derive(
    Debug,
    Default,
    Clone,
    Copy,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Serialize,
    serde::Deserialize,
)]
#[serde(transparent)]
pub struct TopicNumber(
    /// The number in the store.
    pub u64,
);

impl TopicNumber {
    /// The number of the topic in this column.
    pub fn from_index(index: usize) -> Self {
        Self(index as u64)
    }

    /// The column of the topic. A number that no matrix can have is past the end of all.
    pub fn index(self) -> usize {
        usize::try_from(self.0).unwrap_or(usize::MAX)
    }
}

impl std::fmt::Display for TopicNumber {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        self.0.fmt(f)
    }
}

impl std::str::FromStr for TopicNumber {
    type Err = std::num::ParseIntError;

    fn from_str(number: &str) -> Result<Self, Self::Err> {
        number.parse().map(Self)
    }
}

impl ToSql for TopicNumber {
    // Past the numbers of SQLite there is no topic.
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(saturated(self.0).into())
    }
}

impl FromSql for TopicNumber {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        u64::column_result(value).map(Self)
    }
}
