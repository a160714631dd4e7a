//! Parsing queries: words, "phrases", AND, OR, NOT, ( ), begin*, wom?n, near NEAR/5 far, field:value, field:from..to.
//!
//! Adjacent terms must all match. NOT excludes from the terms beside it, so a query, and each part in brackets,
//! needs a term without NOT.

use super::SearchError;
use crate::Tokenizer;
use topoi_core::fields::range::FieldRange;
use topoi_store::search::expression::{Expression, FieldValues, Near, Phrase};
use topoi_store::search::pattern::{Word, WordPattern};

/// Maximum bytes of a query.
const MAX_QUERY_BYTES: usize = 2000;
/// Maximum nesting of brackets; SQLite allows 256.
const MAX_DEPTH: usize = 50;
/// Words between the words of NEAR, where no number is typed, and at most.
const NEARNESS: usize = 10;
const MAX_NEARNESS: usize = 1000;
/// Letters of a pattern, and bytes of the beginning of words, at least.
const FEWEST_LETTERS: usize = 2;
/// Joins the words of n-grams in terms.
const JOINT: char = '_';

/// Parses a query with the tokenizer of a corpus.
///
/// # Errors
/// [`SearchError::Query`], with the problem and the syntax of queries.
pub fn parse(query: &str, tokenizer: &Tokenizer) -> Result<Expression, SearchError> {
    if query.len() > MAX_QUERY_BYTES {
        return wrong(format!("the query has more than {MAX_QUERY_BYTES} bytes"));
    }
    let tokens = tokens(query)?;
    let mut parser = Parser { tokens: &tokens, at: 0, depth: 0, tokenizer };
    let found = parser.any()?;
    match parser.next() {
        Some(Token::Close) => wrong("a ) without its ("),
        _ => Ok(found),
    }
}

fn wrong<T>(problem: impl Into<String>) -> Result<T, SearchError> {
    Err(SearchError::Query { problem: problem.into() })
}

#[derive(Debug, Clone, PartialEq)]
enum Token {
    Open,
    Close,
    And,
    Or,
    Not,
    /// Words between, at most.
    Near(usize),
    Words {
        field: Option<String>,
        text: String,
        is_prefix: bool,
    },
}

fn tokens(query: &str) -> Result<Vec<Token>, SearchError> {
    let mut tokens = Vec::new();
    let mut rest = query.trim_start();
    while let Some(first) = rest.chars().next() {
        let after = &rest[first.len_utf8()..];
        let (token, left) = match first {
            '(' => (Token::Open, after),
            ')' => (Token::Close, after),
            _ => words(rest)?,
        };
        tokens.push(token);
        rest = left.trim_start();
    }
    Ok(tokens)
}

/// Parses a word or phrase, optionally of a field; returns it and the rest.
fn words(rest: &str) -> Result<(Token, &str), SearchError> {
    let (text, is_quoted, after) = text(rest)?;
    // A field's name can be quoted too.
    if let Some(value) = after.strip_prefix(':') {
        if value.is_empty() || value.starts_with([' ', ')', ':']) {
            return wrong(format!("{}: is a field without a value", text.escape_debug()));
        }
        let (value, _, after) = text_or_colons(value)?;
        let (is_prefix, after) = ends_open(after);
        let field = Some(text.to_lowercase());
        return Ok((Token::Words { field, text: value.into(), is_prefix }, after));
    }
    let (is_prefix, after) = ends_open(after);
    let token = match text {
        "AND" if !is_quoted => Token::And,
        "OR" if !is_quoted => Token::Or,
        "NOT" if !is_quoted => Token::Not,
        _ if !is_quoted && (text == "NEAR" || text.starts_with("NEAR/")) => {
            let number = text.strip_prefix("NEAR/").map(str::parse::<usize>);
            match number.unwrap_or(Ok(NEARNESS)) {
                Ok(number) if number <= MAX_NEARNESS => Token::Near(number),
                _ => {
                    return wrong(format!(
                        "{text} has no number of words, up to {MAX_NEARNESS}, behind its /"
                    ));
                }
            }
        }
        _ => Token::Words { field: None, text: text.into(), is_prefix },
    };
    Ok((token, after))
}

fn ends_open(after: &str) -> (bool, &str) {
    after.strip_prefix('*').map_or((false, after), |after| (true, after))
}

/// A quoted text, or text up to whitespace or a special character; whether it was quoted; and the rest.
fn text(rest: &str) -> Result<(&str, bool, &str), SearchError> {
    until(rest, &['(', ')', '"', ':'])
}

/// As [`text`], for a value, which may contain colons, such as a time of day.
fn text_or_colons(rest: &str) -> Result<(&str, bool, &str), SearchError> {
    until(rest, &['(', ')', '"'])
}

fn until<'t>(rest: &'t str, signs: &[char]) -> Result<(&'t str, bool, &'t str), SearchError> {
    if let Some(inside) = rest.strip_prefix('"') {
        return match inside.split_once('"') {
            Some((text, after)) => Ok((text, true, after)),
            None => wrong("a \" without the one that closes it"),
        };
    }
    let end = rest.find(|c: char| c.is_whitespace() || signs.contains(&c)).unwrap_or(rest.len());
    if end == 0 {
        // A special character in place of a word.
        return wrong(format!("{:?} has no word before it", rest.chars().next().unwrap_or(' ')));
    }
    Ok((&rest[..end], false, &rest[end..]))
}

struct Parser<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
    tokenizer: &'t Tokenizer,
}

impl<'t> Parser<'t> {
    fn next(&self) -> Option<&'t Token> {
        self.tokens.get(self.at)
    }

    /// Consumes the next token if it is `token`.
    fn takes(&mut self, token: &Token) -> bool {
        let is_next = self.next() == Some(token);
        self.at += usize::from(is_next);
        is_next
    }

    fn any(&mut self) -> Result<Expression, SearchError> {
        let mut parts = vec![self.all()?];
        while self.takes(&Token::Or) {
            parts.push(self.all()?);
        }
        Ok(joined(parts, Expression::Any))
    }

    fn all(&mut self) -> Result<Expression, SearchError> {
        let (mut parts, mut not) = (Vec::new(), Vec::new());
        loop {
            if self.takes(&Token::And) && parts.is_empty() && not.is_empty() {
                return wrong("AND has nothing before it");
            }
            let is_not = self.takes(&Token::Not);
            match self.next() {
                Some(Token::Open) => {
                    let part = self.enclosed()?;
                    if is_not { &mut not } else { &mut parts }.push(part);
                }
                Some(Token::Words { .. }) => {
                    let part = self.words()?;
                    if is_not { &mut not } else { &mut parts }.push(part);
                }
                Some(token) if is_not || self.is_after_and() => {
                    return wrong(format!("{} is followed by {}", self.last(), name(token)));
                }
                None if is_not || self.is_after_and() => {
                    return wrong(format!("{} is followed by nothing", self.last()));
                }
                Some(Token::Or) if parts.is_empty() && not.is_empty() => {
                    return wrong("OR has nothing before it");
                }
                Some(Token::Near(_)) => {
                    return wrong("NEAR stands between words or phrases, as in oil NEAR/5 price");
                }
                _ => break,
            }
        }
        if parts.is_empty() {
            return wrong(match not.is_empty() {
                true => "there is no word in it",
                false => "NOT needs something beside it that is looked for",
            });
        }
        let found = joined(parts, Expression::All);
        if not.is_empty() {
            return Ok(found);
        }
        Ok(Expression::Without(Box::new(found), Box::new(joined(not, Expression::Any))))
    }

    fn is_after_and(&self) -> bool {
        self.at > 0 && self.tokens.get(self.at - 1) == Some(&Token::And)
    }

    fn last(&self) -> &'static str {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at)).map_or("it", name)
    }

    fn enclosed(&mut self) -> Result<Expression, SearchError> {
        self.at += 1;
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return wrong(format!("there are more than {MAX_DEPTH} ( in each other"));
        }
        let part = self.any()?;
        self.depth -= 1;
        if self.takes(&Token::Close) { Ok(part) } else { wrong("a ( without its )") }
    }

    /// Words or a phrase, and those that NEAR joins to them.
    fn words(&mut self) -> Result<Expression, SearchError> {
        let Some(Token::Words { field, text, is_prefix }) = self.next() else {
            return wrong(format!("{} is followed by nothing", self.last()));
        };
        self.at += 1;
        if !matches!(self.next(), Some(Token::Near(_))) {
            return self.expression(field.as_deref(), text, *is_prefix);
        }
        let mut near = Near { phrases: Vec::new(), distance: 0 };
        let (mut field, mut text, mut is_prefix) = (field, text, is_prefix);
        loop {
            if field.is_some() {
                return wrong("NEAR joins words of texts, and not of fields");
            }
            near.phrases.push(self.phrase(None, text, *is_prefix)?);
            let Some(Token::Near(distance)) = self.next() else {
                return Ok(Expression::Near(near));
            };
            near.distance = near.distance.max(*distance);
            self.at += 1;
            match self.next() {
                Some(Token::Words { field: of, text: next, is_prefix: begins }) => {
                    (field, text, is_prefix) = (of, next, begins);
                    self.at += 1;
                }
                Some(token) => return wrong(format!("NEAR is followed by {}", name(token))),
                None => return wrong("NEAR is followed by nothing"),
            }
        }
    }

    fn expression(
        &self,
        field: Option<&str>,
        text: &str,
        is_prefix: bool,
    ) -> Result<Expression, SearchError> {
        if let Some(field) = field.filter(|_| text.contains("..")) {
            return match FieldRange::parse(text) {
                Some(range) => {
                    Ok(Expression::Values(FieldValues { field: field.into(), range, kind: None }))
                }
                None => wrong(format!(
                    "{text} is no range of numbers or dates, such as 1815..1816 or 1815-06.."
                )),
            };
        }
        let as_typed = Expression::Phrase(self.phrase(field, text, is_prefix)?);
        // In a corpus with n-grams or phrases, new_york is a term for "new york".
        let apart = (self.tokenizer.joins_words() && text.contains(JOINT))
            .then(|| self.phrase(field, &text.replace(JOINT, " "), is_prefix));
        let mut parts = vec![as_typed];
        parts.extend(apart.transpose()?.map(Expression::Phrase));
        Ok(joined(parts, Expression::Any))
    }

    /// One typed word can be several words, such as value-iteration.
    fn phrase(
        &self,
        field: Option<&str>,
        text: &str,
        is_prefix: bool,
    ) -> Result<Phrase, SearchError> {
        let mut words = Vec::new();
        for typed in text.split_whitespace() {
            self.push_words(typed, &mut words)?;
        }
        if let Some(last) = words.last_mut().filter(|_| is_prefix) {
            // Stemmers apply to whole words only.
            let unstemmed = self.tokenizer.unstemmed_words(text).pop();
            *last = Word::Prefix(unstemmed.unwrap_or_default());
        }
        let is_any = |word: &Word| matches!(word, Word::Pattern(pattern) if pattern.is_any());
        if words.iter().all(is_any) {
            return wrong(match words.is_empty() {
                true => format!("{text:?} has no letter or digit"),
                false => format!("{text} is every word; letters beside it at least"),
            });
        }
        match &words[..] {
            [Word::Prefix(letters)] if letters.len() < FEWEST_LETTERS => wrong(format!(
                "{letters}* is the beginning of too many words; two letters at least"
            )),
            _ => Ok(Phrase { field: field.map(str::to_string), words }),
        }
    }

    /// The words of what was typed without a blank in it: as they are, a beginning, or a pattern.
    fn push_words(&self, typed: &str, words: &mut Vec<Word>) -> Result<(), SearchError> {
        // A ? at the end is that of a question.
        let typed = typed.trim_end_matches('?');
        let whole = typed.trim_end_matches('*');
        if !whole.contains(['*', '?']) {
            words.extend(self.tokenizer.plain_words(whole).into_iter().map(Word::Exact));
            if whole.is_empty() && !typed.is_empty() {
                words.push(Word::Pattern(WordPattern::new("*")));
            } else if whole.len() < typed.len()
                && let Some(last) = words.last_mut()
            {
                *last =
                    Word::Prefix(self.tokenizer.unstemmed_words(whole).pop().unwrap_or_default());
            }
            return Ok(());
        }
        let mut pattern = String::new();
        let mut rest = typed;
        while !rest.is_empty() {
            let end = rest.find(['*', '?']).unwrap_or(rest.len());
            let mut letters = self.tokenizer.unstemmed_words(&rest[..end]);
            if letters.len() > 1 {
                return wrong(format!("{typed} is more than one word, and * and ? are within one"));
            }
            pattern.extend(letters.pop());
            let sign = rest[end..].chars().next();
            pattern.extend(sign);
            rest = &rest[end + sign.map_or(0, char::len_utf8)..];
        }
        let pattern = WordPattern::new(&pattern);
        if pattern.letters() < FEWEST_LETTERS {
            return wrong(format!("{typed} is the form of too many words; two letters at least"));
        }
        words.push(Word::Pattern(pattern));
        Ok(())
    }
}

fn joined(mut parts: Vec<Expression>, by: fn(Vec<Expression>) -> Expression) -> Expression {
    match (parts.len(), parts.pop()) {
        (1, Some(only)) => only,
        (_, last) => {
            parts.extend(last);
            by(parts)
        }
    }
}

fn name(token: &Token) -> &'static str {
    match token {
        Token::Open => "(",
        Token::Close => ")",
        Token::And => "AND",
        Token::Or => "OR",
        Token::Not => "NOT",
        Token::Near(_) => "NEAR",
        Token::Words { .. } => "a word",
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::{Stem, TokenSettings};

    /// A query as it was parsed, with every part in brackets.
    fn told(what: &Expression) -> String {
        let list = |parts: &[Expression], by: &str| {
            format!("({})", parts.iter().map(told).collect::<Vec<_>>().join(by))
        };
        match what {
            Expression::Phrase(phrase) => of_phrase(phrase),
            Expression::Near(Near { phrases, distance }) => {
                let phrases: Vec<String> = phrases.iter().map(of_phrase).collect();
                format!("near {distance} {}", phrases.join(" "))
            }
            Expression::Values(values) => format!("{}:{:?}", values.field, values.range),
            Expression::All(parts) => list(parts, " & "),
            Expression::Any(parts) => list(parts, " | "),
            Expression::Without(part, not) => format!("({} - {})", told(part), told(not)),
        }
    }

    fn of_phrase(phrase: &Phrase) -> String {
        let field = phrase.field.as_ref().map(|field| format!("{field}:")).unwrap_or_default();
        let word = |word: &Word| match word {
            Word::Exact(word) => word.clone(),
            Word::Prefix(word) => format!("{word}*"),
            Word::Pattern(pattern) => format!("/{pattern}/"),
        };
        format!("{field}[{}]", phrase.words.iter().map(word).collect::<Vec<_>>().join(" "))
    }

    fn understood(query: &str) -> String {
        with(&TokenSettings::default(), query)
    }

    fn with(settings: &TokenSettings, query: &str) -> String {
        match parse(query, &Tokenizer::new(settings)) {
            Ok(what) => told(&what),
            Err(SearchError::Query { problem }) => format!("! {problem}"),
            Err(other) => panic!("{other}"),
        }
    }

    #[test]
    fn queries_are_understood() {
        for (query, expected) in [
            ("Market", "[market]"),
            ("stock market", "([stock] & [market])"),
            ("stock AND market", "([stock] & [market])"),
            ("a OR b c", "([a] | ([b] & [c]))"),
            ("(a OR b) c", "(([a] | [b]) & [c])"),
            ("a NOT b", "([a] - [b])"),
            ("NOT b a NOT c", "([a] - ([b] | [c]))"),
            ("a AND NOT (b OR c)", "([a] - ([b] | [c]))"),
            ("\"The Stock Exchange\"", "[the stock exchange]"),
            ("\"new yo\"*", "[new yo*]"),
            ("mar*", "[mar*]"),
            ("value-iteration", "[value iteration]"),
            ("Year:2004", "year:[2004]"),
            ("at:10:30", "at:[10 30]"),
            ("by:\"Ann Lee\"", "by:[ann lee]"),
            ("\"pub date\":2004-0*", "pub date:[2004 0*]"),
            ("and \"AND\"", "([and] & [and])"),
            ("市场经济", "[市场 经济]"),
            ("don’t", "[don't]"),
            ("\"new yo*\" what?", "([new yo*] & [what])"),
            ("wom?n *ization colo*r*", "([/wom?n/] & [/*ization/] & [/colo*r*/])"),
            ("\"the * of Gr??ce\"", "[the /*/ of /gr??ce/]"),
            ("oil NEAR/5 \"high price*\"", "near 5 [oil] [high price*]"),
            ("a NEAR bb NEAR/3 cc NOT dd", "(near 10 [a] [bb] [cc] - [dd])"),
            ("near \"NEAR\"", "([near] & [near])"),
            (
                "year:1815..1816 war",
                "(year:Numbers { from: Some(1815.0), to: Some(1816.0), dates: Some(DateRange { \
                 from: Some(Date { year: 1815, month: None, day: None }), \
                 to: Some(Date { year: 1816, month: None, day: None }) }) } & [war])",
            ),
        ] {
            assert_eq!(understood(query), expected, "{query}");
        }
    }

    #[test]
    fn invalid_queries_are_reported() {
        for (query, expected) in [
            ("", "! there is no word in it"),
            ("()", "! there is no word in it"),
            ("NOT a", "! NOT needs something beside it that is looked for"),
            ("a OR NOT b", "! NOT needs something beside it that is looked for"),
            ("a AND", "! AND is followed by nothing"),
            ("AND a", "! AND has nothing before it"),
            ("OR a", "! OR has nothing before it"),
            ("a AND OR b", "! AND is followed by OR"),
            ("a NOT NOT b", "! NOT is followed by NOT"),
            ("a OR", "! there is no word in it"),
            ("(a", "! a ( without its )"),
            ("a)", "! a ) without its ("),
            ("\"a", "! a \" without the one that closes it"),
            ("year:", "! year: is a field without a value"),
            ("*", "! * is every word; letters beside it at least"),
            ("a?*b", "[/a?*b/]"),
            ("?*b", "! ?*b is the form of too many words; two letters at least"),
            ("x-y?z", "! x-y?z is more than one word, and * and ? are within one"),
            ("NEAR a", "! NEAR stands between words or phrases, as in oil NEAR/5 price"),
            ("a NEAR", "! NEAR is followed by nothing"),
            ("a NEAR/x b", "! NEAR/x has no number of words, up to 1000, behind its /"),
            ("a NEAR (b OR c)", "! NEAR is followed by ("),
            ("by:a NEAR b", "! NEAR joins words of texts, and not of fields"),
            (
                "year:1815..x",
                "! 1815..x is no range of numbers or dates, such as 1815..1816 or 1815-06..",
            ),
            ("--", "! \"--\" has no letter or digit"),
            ("s*", "! s* is the beginning of too many words; two letters at least"),
        ] {
            assert_eq!(understood(query), expected, "{query}");
        }
        assert!(understood(&"(".repeat(1000)).contains("more than 50 ("));
        assert!(understood(&"a ".repeat(2000)).contains("more than 2000 bytes"));
    }

    #[test]
    fn words_are_those_of_the_corpus() {
        let stem = TokenSettings { stem: Stem::En, ..TokenSettings::default() };
        assert_eq!(with(&stem, "running runni*"), "([run] & [runni*])");
        let ngrams = TokenSettings { ngrams: 2, ..TokenSettings::default() };
        assert_eq!(with(&ngrams, "new_york"), "([new_york] | [new york])");
    }

    proptest! {
        #[test]
        fn whatever_is_typed_is_understood_or_refused(
            query in "([a-c]|AND|OR|NOT|[():\"* *_é.-]){0,40}",
        ) {
            let _ = understood(&query);
        }
    }
}
