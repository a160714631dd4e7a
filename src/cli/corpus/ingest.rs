//! `ingest`: adds documents to a corpus.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::shown::{TerminalText, shown};
use clap::builder::{PossibleValuesParser, TypedValueParser};

use super::fields::{join_pattern, join_table};
use super::ingest_summary::{print_summary, remarks};
use crate::cli::bar::Line;
use crate::cli::messages::say;
use crate::cli::output::{OutputFormat, print, print_json, print_list};
use crate::cli::typed::arguments::{ExactlyArgs, OnErrorArg, Printing, SourceArgs};
use crate::cli::typed::store_path::StorePath;
use crate::records::column::{Column, Kind, columns};
use topoi_core::numbers::{counted, thousands};
use topoi_ingest::metadata::{JoinBy, PathPattern, TableOptions};
use topoi_ingest::reading::{DryDocument, dry_run};
use topoi_ingest::share::Share;
use topoi_ingest::texts::repairs::TextRepairs;
use topoi_ingest::tokens::language::elision::Elision;
use topoi_ingest::tokens::language::languages;
use topoi_ingest::tokens::language::letters::Letters;
use topoi_ingest::tokens::masks::Mask;
use topoi_ingest::{
    Case, Characters, ChunkBy, ChunkChoice, Cut, FixedPhrases, IngestError, IngestProgress,
    IngestRequest, IngestSummary, Names, SourceSummary, Stem, StopWords, TokenChoice, WordMap,
    ingest,
};
use topoi_run::warning::language::OTHER_LANGUAGE;
use topoi_store::ingest::BATCH_BYTES;
use topoi_store::{Access, Store};

/// Add documents to a corpus
///
/// A document that is there already is skipped, one that has changed replaces its old version.
/// Documents are saved as they are read: an ingest that is killed goes on where it was when the
/// same command is given again.
#[derive(Debug, clap::Args)]
pub struct Arguments {
    /// The corpus to add to
    corpus: String,
    #[command(flatten)]
    source: SourceArgs,
    /// The column or key that holds the title [default: title]
    #[arg(long, value_name = "NAME", help_heading = "Columns")]
    title_field: Option<String>,
    /// The columns or keys to keep as fields, separated by commas, or none [default: all others]
    #[arg(long, value_name = "NAMES", help_heading = "Columns")]
    fields: Option<String>,
    /// The sheet of a spreadsheet [default: the only one that is filled]
    #[arg(long, value_name = "NAME", help_heading = "Columns")]
    sheet: Option<String>,
    /// The first line of a CSV or TSV file or of a sheet is a document, not names; columns have numbers from 1
    #[arg(long, help_heading = "Columns")]
    no_header: bool,
    /// What parts the columns of a CSV or TSV file: a character, or tab [default: recognised]
    #[arg(long, value_name = "CHARACTER", help_heading = "Columns", value_parser = delimiter)]
    delimiter: Option<u8>,
    /// The line of a CSV or TSV file that names its columns [default: the first]
    #[arg(long, value_name = "N", help_heading = "Columns", conflicts_with = "no_header",
          value_parser = clap::value_parser!(u64).range(1..=1000))]
    header_line: Option<u64>,
    /// The columns of a Matrix Market file are the documents
    #[arg(long, help_heading = "Columns")]
    transpose: bool,
    /// Words of an SVMlight file are numbered from 0
    #[arg(long, help_heading = "Columns")]
    zero_based: bool,
    /// The language of the texts, by its code (`topoi stop-words` lists them), or several: its stop words are
    /// dropped, its elided articles and letters are as its readers see them, and its words are stemmed where a
    /// stemmer is known; --stop-words, --elision, --letters and --stem change each [default: guessed, without
    /// stems]
    #[arg(long, value_name = "CODES", help_heading = TOKENS)]
    language: Option<LanguageChoice>,
    /// Words to drop from text: none, languages (en, de, …) and files of words, separated by
    /// commas [default: those of the language]
    #[arg(long, value_name = "LISTS", help_heading = TOKENS)]
    stop_words: Option<String>,
    /// Drop words of fewer characters from text [default: 3]
    #[arg(long, value_name = "N", help_heading = TOKENS)]
    min_length: Option<usize>,
    /// Drop words of more characters from text [default: 40]
    #[arg(long, value_name = "N", help_heading = TOKENS)]
    max_length: Option<usize>,
    /// Which words to keep: with a letter in them, of letters only, or any [default: letter]
    #[arg(long, value_name = "RULE", help_heading = TOKENS, value_parser =
        PossibleValuesParser::new(Characters::NAMES).try_map(|name| name.parse::<Characters>()))]
    characters: Option<Characters>,
    /// What to do with capital letters [default: lower]
    #[arg(long, value_name = "RULE", help_heading = TOKENS, value_parser =
        PossibleValuesParser::new(Case::NAMES).try_map(|name| name.parse::<Case>()))]
    case: Option<Case>,
    /// Stem the words of this language (Snowball) [default: none]
    #[arg(long, value_name = "LANGUAGE", help_heading = TOKENS, value_parser =
        PossibleValuesParser::new(Stem::NAMES).try_map(|name| name.parse::<Stem>()))]
    stem: Option<Stem>,
    /// How to find words: words (dictionaries where they have no blanks between them), whitespace, or
    /// unicode (word boundaries alone) [default: words]
    #[arg(long, value_name = "RULE", help_heading = TOKENS, conflicts_with = "token_pattern", value_parser =
        PossibleValuesParser::new(Cut::NAMES).try_map(|name| name.parse::<Cut>()))]
    tokens: Option<Cut>,
    /// Part elided articles from the next word, l'homme to homme, in these languages: fr, it, ca, oc, or none
    /// [default: those among the stop words]
    #[arg(long, value_name = "LANGUAGES", help_heading = TOKENS)]
    elision: Option<Elision>,
    /// Write the letters of these languages in one way (tr, az, ar, fa, ur, ku, he), or none: i and ı, alef and yeh,
    /// no vowel signs or points [default: those among the stop words]
    #[arg(long, value_name = "LANGUAGES", help_heading = TOKENS)]
    letters: Option<Letters>,
    /// Take what this regular expression matches for words, or its first group
    #[arg(long, value_name = "REGEX", help_heading = TOKENS)]
    token_pattern: Option<String>,
    /// A file of two columns: forms of words and what they count as, such as their lemmas
    #[arg(long, value_name = "FILE", help_heading = TOKENS)]
    map: Option<PathBuf>,
    /// Words and files of words to drop beside the stop words, separated by commas; urls, emails and mentions
    /// (@name) are all texts of these kinds
    #[arg(long, value_name = "WORDS", help_heading = TOKENS)]
    drop: Option<String>,
    /// Join words that a hyphen parts at the end of a line where that makes a word of the corpus, or neither part is
    /// one; sources are read twice
    #[arg(long, help_heading = TOKENS)]
    join_hyphens: bool,
    /// Decode character references of HTML in texts, such as &eacute; and &amp;
    #[arg(long, help_heading = TOKENS)]
    decode_entities: bool,
    /// Drop running heads and page numbers: lines at the top or bottom of many pages, which form feeds part
    #[arg(long, help_heading = TOKENS)]
    drop_page_heads: bool,
    /// A file of phrases that are one word each, such as new york or what `topoi phrases` has found
    #[arg(long, value_name = "FILE", help_heading = TOKENS)]
    join: Option<PathBuf>,
    /// Also make terms of up to N adjacent words, such as new_york [default: 1]
    #[arg(long, value_name = "N", help_heading = TOKENS)]
    ngrams: Option<usize>,
    /// Cut documents into chunks, which become the documents: of so many words (500), at blank lines
    /// (paragraphs), at form feeds (pages), or before what a regular expression matches ('^CHAPTER')
    #[arg(long, value_name = "HOW", help_heading = CHUNKS, value_parser = chunk_by)]
    chunk: Option<ChunkBy>,
    /// Let a chunk of words begin with the last N words of the chunk before it [default: 0]
    #[arg(long, value_name = "N", help_heading = CHUNKS)]
    overlap: Option<usize>,
    /// A table of metadata, such as author and year by file name: its fields are joined to the documents, as
    /// `topoi fields CORPUS --join FILE` does
    #[arg(long, value_name = "FILE", help_heading = "Columns")]
    metadata: Option<PathBuf>,
    /// Take fields from the paths of documents, such as '{year}/{party}_{speaker}.txt'
    #[arg(long, value_name = "PATTERN", help_heading = "Columns", conflicts_with = "metadata")]
    fields_from_path: Option<PathPattern>,
    /// Take part N, from 0, of OF parts of the documents of every source, as one of OF machines that all give this
    /// command with another N
    #[arg(long, value_name = "N/OF")]
    part: Option<Share>,
    /// What to do with a document that cannot be read: stop there, or leave it out and go on
    #[arg(long, value_enum, default_value_t)]
    on_error: OnErrorArg,
    #[command(flatten)]
    exactly: ExactlyArgs,
    /// Save after this many kilobytes of text and counts; between two batches others can write to
    /// the store
    #[arg(long, value_name = "N", default_value_t = BATCH_BYTES >> 10, value_parser = batch_size())]
    batch_kb: usize,
    /// Show the first documents of each source with their tokens, and add nothing
    #[arg(long)]
    dry_run: bool,
    /// How many documents a dry run shows of each source
    #[arg(long, value_name = "N", default_value_t = 5, requires = "dry_run")]
    documents: usize,
    #[command(flatten)]
    printing: Printing,
}

fn batch_size() -> impl TypedValueParser<Value = usize> {
    clap::value_parser!(u32).range(1..=1 << 20).map(|kilobytes| kilobytes as usize)
}

fn delimiter(text: &str) -> Result<u8, String> {
    match (text, text.as_bytes()) {
        ("tab" | "\\t", _) => Ok(b'\t'),
        (_, [byte]) if byte.is_ascii() && !byte.is_ascii_alphanumeric() && *byte != b'"' => {
            Ok(*byte)
        }
        _ => Err("it is one character, such as ; or |, or tab".into()),
    }
}

fn chunk_by(text: &str) -> Result<ChunkBy, IngestError> {
    text.parse()
}

const CHUNKS: &str = "Chunks (kept with the corpus, the same for every ingest into it)";
const TOKENS: &str = "Tokens (kept with the corpus, the same for every ingest into it)";

/// The languages of texts as they are typed.
#[derive(Debug, Clone)]
struct LanguageChoice {
    names: String,
    /// The stemmer of a single language.
    stem: Option<Stem>,
}

impl FromStr for LanguageChoice {
    type Err = IngestError;

    fn from_str(names: &str) -> Result<Self, IngestError> {
        if let Some(unknown) =
            names.split(',').map(str::trim).find(|name| languages::list(name).is_none())
        {
            return Err(languages::unknown(unknown));
        }
        Ok(Self { names: names.into(), stem: names.trim().parse().ok() })
    }
}

impl Arguments {
    /// The request of these arguments.
    fn request(&self) -> Result<IngestRequest, IngestError> {
        let fields = self.fields.as_ref().map(|names| {
            let names = names.split(',').map(|name| name.trim().to_string());
            names.filter(|name| !name.is_empty() && name != "none").collect()
        });
        let request = self.source.request(&self.corpus);
        let names = self.language.as_ref().map(|language| language.names.as_str());
        Ok(IngestRequest {
            names: Names {
                title: self.title_field.clone(),
                fields,
                sheet: self.sheet.clone(),
                headerless: self.no_header,
                delimiter: self.delimiter,
                header_line: self.header_line,
                ..request.names
            },
            transposed: self.transpose,
            zero_based: self.zero_based,
            tokens: TokenChoice {
                min_length: self.min_length,
                max_length: self.max_length,
                stop_words: self.stop_words()?,
                characters: self.characters,
                case: self.case,
                stem: self.stem.or(self.language.as_ref().and_then(|language| language.stem)),
                ngrams: self.ngrams,
                cut: self.cut()?,
                elision: self.elision.clone().or_else(|| names.map(Elision::from_languages)),
                letters: self.letters.clone().or_else(|| names.map(Letters::from_languages)),
                map: self.map.as_deref().map(WordMap::read).transpose()?,
                join: self.join.as_deref().map(FixedPhrases::read).transpose()?,
                masks: self.masks(),
                texts: TextRepairs {
                    hyphens: self.join_hyphens,
                    entities: self.decode_entities,
                    page_heads: self.drop_page_heads,
                },
                drop: self.dropped_words().as_deref().map(StopWords::from_words).transpose()?,
            },
            chunks: ChunkChoice { by: self.chunk.clone(), overlap: self.overlap },
            batch_bytes: self.batch_kb << 10,
            on_error: self.on_error.into(),
            absent: self.exactly.absent(),
            metadata: self.metadata.clone(),
            share: self.part.unwrap_or(Share::ALL),
            ..request
        })
    }
}

impl Arguments {
    /// The kinds of text among what is dropped.
    fn masks(&self) -> Option<Vec<Mask>> {
        let parts = self.drop.as_deref()?.split(',');
        let mut masks: Vec<Mask> = parts.filter_map(|part| part.trim().parse().ok()).collect();
        masks.sort_unstable();
        masks.dedup();
        (!masks.is_empty()).then_some(masks)
    }

    /// The rest of what is dropped.
    fn dropped_words(&self) -> Option<String> {
        let parts = self.drop.as_deref()?.split(',').map(str::trim);
        let words: Vec<&str> = parts.filter(|part| part.parse::<Mask>().is_err()).collect();
        (!words.is_empty()).then(|| words.join(","))
    }

    /// The lists that are named, or that of the language.
    fn stop_words(&self) -> Result<Option<StopWords>, IngestError> {
        let of_language = || self.language.as_ref().map(|language| &language.names);
        self.stop_words.as_ref().or_else(of_language).map(|names| names.parse()).transpose()
    }

    fn cut(&self) -> Result<Option<Cut>, IngestError> {
        let pattern = self.token_pattern.as_ref().map(|pattern| pattern.parse()).transpose()?;
        Ok(pattern.map(Cut::Pattern).or_else(|| self.tokens.clone()))
    }
}

pub fn run(args: &Arguments, store: &StorePath) -> anyhow::Result<()> {
    let request = args.request()?;
    request.check()?;
    if args.dry_run {
        let path = store.path()?;
        let store = path.exists().then(|| Store::open(path, Access::Read)).transpose()?;
        return print_dry(
            &dry_run(store.as_ref(), &request, args.documents)?,
            args.printing.format(),
        );
    }
    let mut store = store.open(Access::Create)?;
    let summary = ingest_with_bar(&store, &request)?;
    print_summary(&summary, args.printing.format())?;
    if let Some(table) = &args.metadata {
        join_table(&mut store, &summary.corpus, table, &TableOptions::default(), &JoinBy::Key)?;
    }
    if let Some(pattern) = &args.fields_from_path {
        join_pattern(&mut store, &summary.corpus, pattern)?;
    }
    say_about_language(&store, &summary)?;
    say_what_was_not_cut(args.chunk.as_ref(), &summary.sources);
    say_what_was_taken(&summary, request.format.is_none());
    Ok(())
}

/// Ingests with a bar on standard error.
pub fn ingest_with_bar(store: &Store, request: &IngestRequest) -> anyhow::Result<IngestSummary> {
    let bar = Bar(Line::new(UNKNOWN_SIZE, 0));
    let summary = ingest(store, request, &bar);
    bar.0.finish();
    let summary = summary?;
    if let Some(place) = &summary.resumed {
        say(&shown!("continued from {place}, where this ingest had stopped"));
    }
    Ok(summary)
}

fn say_about_language(store: &Store, summary: &IngestSummary) -> anyhow::Result<()> {
    let unlike = languages::unlike(store, &summary.corpus, &[])?;
    if let Some(found) = unlike.filter(|found| found.share > OTHER_LANGUAGE.limit) {
        say(&shown!("{}: {found}; {}", summary.corpus.name, OTHER_LANGUAGE.remedy));
    }
    Ok(())
}

/// Says that no document was cut, though they should be.
fn say_what_was_not_cut(by: Option<&ChunkBy>, sources: &[SourceSummary]) {
    let (documents, chunks) = sources.iter().fold((0, 0), |(documents, chunks), source| {
        (documents + source.added + source.replaced, chunks + source.chunks)
    });
    // Texts may well be shorter than the words of a chunk.
    let by = by.filter(|by| !matches!(by, ChunkBy::Words(_)));
    if let Some(by) = by.filter(|_| documents > 0 && chunks == documents) {
        say(&shown!(
            "--chunk '{by}' found no place to cut in any text; --chunk 500 cuts after every 500 words"
        ));
    }
}

/// Reports defaults that were chosen from the data, with the options that change them.
fn say_what_was_taken(summary: &IngestSummary, is_guessed: bool) {
    let are_files = |source: &SourceSummary| {
        source.format.name() == "files" && !Path::new(&source.name).is_dir()
    };
    if is_guessed && summary.sources.iter().any(are_files) {
        say(&shown!("every file is a document; --format lines makes one of every line"));
    }
    for remark in summary.sources.iter().flat_map(|source| &source.remarks) {
        say(&shown!("{remark}"));
    }
    for line in remarks(summary) {
        say(&shown!("{line}"));
    }
    if summary.mistaken_encoding > 0 {
        say(&shown!(
            "UTF-8, and read in the encoding of --encoding, which holds for all: {}; ingest those of another encoding \
             by a command of their own",
            counted(summary.mistaken_encoding, "document")
        ));
    }
    if summary.guessed_encoding > 0 {
        say(&shown!(
            "not UTF-8 and read as Windows-1252: {}; --encoding names another encoding",
            counted(summary.guessed_encoding, "document")
        ));
    }
}

/// Maximum width of a file's name in the bar; with it the bar fits 80 columns.
const NAME_WIDTH: usize = 24;
const KNOWN_SIZE: &str = "{prefix} {wide_bar} {percent}% {binary_bytes_per_sec}, {eta} left, {msg}";
const UNKNOWN_SIZE: &str =
    "{prefix} {spinner} {binary_bytes} {binary_bytes_per_sec}, {elapsed}, {msg}";

/// The bar on standard error; indicatif hides it if that is no terminal.
struct Bar(Line);

impl IngestProgress for Bar {
    fn source(&self, name: &str, bytes: Option<u64>) {
        let template = match bytes {
            Some(_) => KNOWN_SIZE,
            None => UNKNOWN_SIZE,
        };
        self.0.restart(template, bytes);
        let file_name = name.rsplit('/').next().unwrap_or(name);
        self.0.set_title(&TerminalText::line(
            &file_name.chars().take(NAME_WIDTH).collect::<String>(),
        ));
    }

    fn advanced(&self, bytes: u64, documents: u64, _nonzeros: u64) {
        self.0.set_message(&shown!("{} documents", thousands(documents)));
        self.0.set_position(bytes);
    }
}

fn print_dry(documents: &[DryDocument], format: OutputFormat) -> anyhow::Result<()> {
    match format {
        OutputFormat::Json | OutputFormat::JsonLines => Ok(print_json(&documents, format)?),
        OutputFormat::Csv | OutputFormat::RawCsv => {
            let mut columns = columns!(DryDocument: source, format, key, title);
            columns.push(Column::new("tokens", Kind::Text, |row: &DryDocument| {
                row.tokens.join(" ").into()
            }));
            columns.extend(columns!(DryDocument: problem));
            Ok(print_list(&columns, documents, format)?)
        }
        // A row of tokens is wider than any terminal.
        OutputFormat::Table => {
            let text: String = documents.iter().map(dry_text).collect();
            Ok(print(&shown!("{text}nothing was added: this was a dry run\n"))?)
        }
    }
}

fn dry_text(document: &DryDocument) -> String {
    let title = document.title.as_ref().map(|title| format!(" {title:?}")).unwrap_or_default();
    let fields = document.fields.as_ref().map(|fields| format!(" {fields}")).unwrap_or_default();
    let DryDocument { source, format, key, tokens, problem, .. } = document;
    let said = match problem {
        Some(problem) => format!("left out: {problem}"),
        None => tokens.join(" "),
    };
    format!("{source} ({format}) {key}{title}{fields}\n  {said}\n")
}

#[cfg(test)]
mod tests {
    use super::*;
    use topoi_ingest::{Format, StopWords};

    #[derive(Debug, clap::Parser)]
    struct Whole {
        #[command(flatten)]
        args: Arguments,
    }

    #[test]
    fn arguments_become_a_request() {
        use clap::{CommandFactory, Parser};
        Whole::command().debug_assert();
        let plain = Whole::try_parse_from(["ingest", "nips", "a", "-"]).expect("arguments");
        let expected = IngestRequest::new("nips", ["a".into(), "-".into()]);
        assert_eq!(plain.args.request().expect("request"), expected);
        let line = ["ingest", "nips", "a", "--format", "uci", "--stop-words", "none"];
        let args = Whole::try_parse_from(line).expect("arguments").args;
        let request = args.request().expect("request");
        assert_eq!(request.format, Format::named("uci"));
        assert_eq!(request.tokens.stop_words, Some(StopWords::none()));
        let line =
            ["ingest", "n", "a", "--fields", "year, by", "--on-error", "skip", "--stem", "en"];
        let request = Whole::try_parse_from(line).expect("arguments").args.request();
        let request = request.expect("request");
        assert_eq!(request.names.fields, Some(vec!["year".into(), "by".into()]));
        assert_eq!(
            (request.on_error, request.tokens.stem),
            (topoi_ingest::OnError::Skip, Some(Stem::En))
        );
        assert!(Whole::try_parse_from(["ingest", "nips"]).is_err());
        assert!(Whole::try_parse_from(["ingest", "nips", "a", "--format", "yaml"]).is_err());
    }

    #[test]
    fn the_templates_of_the_bar_are_valid() {
        for template in [KNOWN_SIZE, UNKNOWN_SIZE] {
            assert!(indicatif::ProgressStyle::with_template(template).is_ok());
        }
    }
}
