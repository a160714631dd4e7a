//! The metadata of documents that dfr-browser shows: author, source and date, from their fields.

use std::collections::BTreeSet;

use super::document_date::{TimeUnit, date_in, year_of};
use crate::export::bibliographic::{Bibliographic, text};
use crate::export::error::ExportError;
use crate::export::saved_model::SavedModel;
use topoi_core::fields::date::Date;
use topoi_core::fields::values::all;
use topoi_store::result::document_topic::DocumentTopics;

/// Metadata of a document; missing texts are empty.
#[derive(Debug, Default)]
pub(super) struct Metadata {
    pub(super) author: String,
    pub(super) source: String,
    /// The date as written in its field.
    pub(super) published: String,
    /// The parsed date; `None` if it cannot be parsed.
    pub(super) date: Option<Date>,
    /// The value of the field of `--by`.
    pub(super) group: String,
}

impl Metadata {
    /// The metadata in the fields of `document`.
    pub(super) fn new(document: &DocumentTopics, by: Option<&str>) -> Self {
        let fields = all(document.fields.as_deref());
        let Bibliographic { author, source, published } = Bibliographic::from_fields(&fields);
        let group = by.and_then(|by| fields.get(by)).map(text).unwrap_or_default();
        let date = date_in(if by.is_some() { &group } else { &published });
        Self { author, source, published, date, group }
    }
}

/// The axis over which the browser shows topics.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spread {
    /// Dates, which all documents have, by a unit and its number of periods.
    Time(TimeUnit, usize),
    /// Years, which some documents have.
    Year,
    /// The values of the field of `--by`.
    Group,
    /// The largest topic of each document.
    LargestTopic,
}

/// The columns of the metadata, from a pass over all documents.
#[derive(Debug)]
pub(super) struct Columns {
    pub(super) spread: Spread,
    pub(super) has_titles: bool,
    pub(super) has_authors: bool,
    pub(super) has_sources: bool,
    pub(super) has_published: bool,
    /// Documents without a parsable date, where others have one.
    pub(super) undated: u64,
}

impl Columns {
    /// The axis is the field `by` if given, else the dates if there are any, else the largest topics. Keeps the distinct
    /// dates and the names of fields in memory.
    pub(super) fn from_model(
        model: &SavedModel<'_>,
        by: Option<&str>,
    ) -> Result<Self, ExportError> {
        let mut columns = Self {
            spread: Spread::LargestTopic,
            has_titles: false,
            has_authors: false,
            has_sources: false,
            has_published: false,
            undated: 0,
        };
        let (mut dates, mut names) = (BTreeSet::new(), BTreeSet::new());
        model.visit_documents(|document| {
            let metadata = Metadata::new(document, by);
            columns.has_titles |= document.title.is_some();
            columns.has_authors |= !metadata.author.is_empty();
            columns.has_sources |= !metadata.source.is_empty();
            columns.has_published |= !metadata.published.is_empty();
            columns.undated += u64::from(metadata.date.is_none());
            dates.extend(metadata.date);
            if by.is_some() {
                names.extend(all(document.fields.as_deref()).into_iter().map(|(name, _)| name));
            }
            Ok(())
        })?;
        let unit = TimeUnit::from_dates(&dates).filter(|_| columns.undated == 0);
        let years: BTreeSet<String> = dates.iter().copied().map(year_of).collect();
        columns.spread = match (unit, by) {
            (Some((unit, count)), _) => Spread::Time(unit, count),
            (None, Some(by)) if names.contains(by) => Spread::Group,
            (None, Some(by)) => {
                let names = names.into_iter().collect::<Vec<_>>().join(", ");
                return Err(ExportError::NoField { field: by.into(), names });
            }
            (None, None)
                if years.len() + usize::from(columns.undated > 0) > 1 && !years.is_empty() =>
            {
                Spread::Year
            }
            (None, None) => Spread::LargestTopic,
        };
        if dates.is_empty() || columns.spread == Spread::Group {
            columns.undated = 0;
        }
        Ok(columns)
    }
}
