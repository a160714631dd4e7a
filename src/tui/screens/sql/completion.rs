//! What a half-typed word of a query can become.

use topoi_store::query::TableColumns;
use topoi_store::query::functions::FUNCTIONS;

/// Words of SQL, offered after the names of the store.
const KEYWORDS: &[&str] = &[
    "AND", "AS", "ASC", "AVG", "BETWEEN", "BY", "CASE", "COUNT", "DESC", "DISTINCT", "ELSE", "END",
    "EXISTS", "FROM", "GROUP", "HAVING", "IN", "IS", "JOIN", "LEFT", "LIKE", "LIMIT", "MAX", "MIN",
    "NOT", "NULL", "ON", "OR", "ORDER", "ROUND", "SELECT", "SUM", "THEN", "UNION", "USING", "WHEN",
    "WHERE", "WITH",
];

/// The words a half-typed one can become.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Completion {
    /// Byte position where the half-typed word begins.
    pub start: usize,
    /// The words, names of the store first.
    pub words: Vec<String>,
    /// The one that is in the line, once Tab has been pressed again.
    pub chosen: Option<usize>,
}

impl Completion {
    /// The longest beginning that all words share, in the letters of the first.
    pub fn shared(&self) -> &str {
        let Some(first) = self.words.first() else { return "" };
        let same = |other: &String| {
            let pairs = first.char_indices().zip(other.chars());
            let differ = pairs.into_iter().find(|((_, a), b)| !a.eq_ignore_ascii_case(b));
            differ.map_or(first.len().min(other.len()), |((at, _), _)| at)
        };
        &first[..self.words.iter().map(same).min().unwrap_or(0)]
    }
}

/// What the word before the cursor can become: after `name.` the columns of that table or alias;
/// else tables, columns of the tables that `line` names (of all if it names none), words of SQL;
/// where none of these fits, the store's functions.
pub fn complete(line: &str, cursor: usize, tables: &[TableColumns]) -> Completion {
    let before = &line[..cursor];
    let start = before.trim_end_matches(is_part).len();
    let typed = &before[start..];
    let owner = before[..start].strip_suffix('.').map(|rest| {
        let begin = rest.trim_end_matches(is_part).len();
        &rest[begin..]
    });
    let mut words: Vec<String> = match owner {
        Some(owner) => of_owner(owner, line, tables),
        None => of_line(line, tables),
    };
    if owner.is_none() && !typed.is_empty() {
        let lower = typed.chars().all(|c| !c.is_ascii_uppercase());
        let cased = |word: &&str| if lower { word.to_lowercase() } else { word.to_string() };
        words.extend(KEYWORDS.iter().map(cased));
    }
    let begins = |word: &String| {
        let head = word.get(..typed.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(typed)) && word != typed
    };
    words.retain(begins);
    // Not before: `fr` and Tab has to be `from`.
    if words.is_empty() && owner.is_none() && !typed.is_empty() {
        let name = |signature: &str| signature.split_inclusive('(').next().map(str::to_string);
        words.extend(FUNCTIONS.iter().filter_map(|function| name(function.signature)));
        words.retain(begins);
    }
    let mut seen = std::collections::HashSet::new();
    words.retain(|word| seen.insert(word.clone()));
    Completion { start, words, chosen: None }
}

fn is_part(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The columns of the table called `owner`, or that `line` gives this other name.
fn of_owner(owner: &str, line: &str, tables: &[TableColumns]) -> Vec<String> {
    let words: Vec<&str> = words_of(line).collect();
    let is_alias = |table: &&TableColumns| {
        let follows = |pair: &[&str]| {
            pair[0].eq_ignore_ascii_case(&table.name)
                && (pair[1].eq_ignore_ascii_case(owner)
                    || (pair[1].eq_ignore_ascii_case("as")
                        && pair.get(2).is_some_and(|third| third.eq_ignore_ascii_case(owner))))
        };
        words.windows(3).any(follows) || words.windows(2).any(follows)
    };
    let named = tables.iter().find(|table| table.name.eq_ignore_ascii_case(owner));
    let table = named.or_else(|| tables.iter().find(is_alias));
    table.map(|table| table.columns.clone()).unwrap_or_default()
}

fn of_line(line: &str, tables: &[TableColumns]) -> Vec<String> {
    let named =
        |table: &&TableColumns| words_of(line).any(|word| word.eq_ignore_ascii_case(&table.name));
    let mut used: Vec<&TableColumns> = tables.iter().filter(named).collect();
    if used.is_empty() {
        used = tables.iter().collect();
    }
    let mut columns: Vec<String> = used.iter().flat_map(|table| &table.columns).cloned().collect();
    columns.sort_unstable();
    tables.iter().map(|table| table.name.clone()).chain(columns).collect()
}

fn words_of(line: &str) -> impl Iterator<Item = &str> {
    line.split(|c| !is_part(c)).filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> String {
        let table = |name: &str, columns: &str| TableColumns {
            name: name.into(),
            columns: columns.split(' ').map(Into::into).collect(),
        };
        let tables = [
            table("corpus", "id name terms"),
            table("term", "id text total_count"),
            table("topic", "run_id topic document_share token_share"),
        ];
        complete(line, line.len(), &tables).words.join(" ")
    }

    #[test]
    fn tables_columns_and_words_of_sql_complete_in_the_case_that_is_typed() {
        assert_eq!(words("select * fr"), "from");
        assert_eq!(words("SEL"), "SELECT");
        assert_eq!(words("select * from te"), "term terms text");
        assert_eq!(words("select * from term where t"), "term topic text total_count then");
        assert_eq!(words("select w"), "when where with");
        assert_eq!(words("select * from zzz"), "");
        assert_eq!((words("select js"), words("select fre")), ("jsd(".into(), "frex(".into()));
    }

    #[test]
    fn after_a_dot_come_the_columns_of_the_table_or_of_its_other_name() {
        assert_eq!(words("select topic."), "run_id topic document_share token_share");
        assert_eq!(words("select * from term t where t.t"), "text total_count");
        assert_eq!(words("select * from term AS x where x.to"), "total_count");
        assert_eq!(words("select nothing.t"), "");
    }

    #[test]
    fn what_all_words_share_is_told() {
        let shared = |words: &[&str]| {
            let words = words.iter().map(|word| word.to_string()).collect();
            Completion { start: 0, words, chosen: None }.shared().to_string()
        };
        assert_eq!(shared(&["topic", "topic_term", "topic_word"]), "topic");
        assert_eq!(shared(&["naïve", "naïf"]), "naï");
        assert_eq!(shared(&[]), "");
    }
}
