//! Parsing queries: words, "phrases", AND, OR, NOT, ( ), begin*, field:value.
//!
//! Adjacent terms must all match. NOT excludes from the terms beside it, so a query, and each part in brackets,
//! needs a term without NOT.

use super::SearchError;
use crate::Tokenizer;
use topoi_store::search::expression::{Expression, Phrase};

/// Maximum bytes of a query.
const MAX_QUERY_BYTES: usize = 2000;
/// Maximum nesting of brackets; SQLite allows 256.
const MAX_DEPTH: usize = 50;
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
    Words { field: Option<String>, text: String, is_prefix: bool },
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
        _ => Token::Words { field: None, text: text.into(), is_prefix },
    };
    Ok((token, after))
}

fn ends_open(after: &str) -> (bool, &str) {
    after.strip_prefix('*').map_or((false, after), |after| (true, after))
}

/// A quoted text, or text up to whitespace or a special character; whether it was quoted; and the rest.
fn text(rest: &str) -> Result<(&str, bool, &str), SearchError> {
    until(rest, &['(', ')', '"', '*', ':'])
}

/// As [`text`], for a value, which may contain colons, such as a time of day.
fn text_or_colons(rest: &str) -> Result<(&str, bool, &str), SearchError> {
    until(rest, &['(', ')', '"', '*'])
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
                Some(Token::Words { field, text, is_prefix }) => {
                    self.at += 1;
                    let part = self.phrase(field.as_deref(), text, *is_prefix)?;
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

    /// One typed word can be several words, such as value-iteration.
    fn phrase(
        &self,
        field: Option<&str>,
        text: &str,
        is_prefix: bool,
    ) -> Result<Expression, SearchError> {
        let of = |text: &str| -> Option<Expression> {
            let mut words = self.tokenizer.plain_words(text);
            if let Some(last) = words.last_mut().filter(|_| is_prefix) {
                // Stemmers apply to whole words only.
                *last = self.tokenizer.unstemmed_words(text).pop()?;
            }
            let field = field.map(str::to_string);
            (!words.is_empty()).then_some(Expression::Phrase(Phrase { field, words, is_prefix }))
        };
        if is_prefix && text.len() < 2 {
            return wrong(format!(
                "{text}* is the beginning of too many words; two letters at least"
            ));
        }
        let Some(as_typed) = of(text) else {
            return wrong(format!("{text:?} has no letter or digit"));
        };
        // In a corpus with n-grams or phrases, new_york is a term for "new york".
        let apart = (self.tokenizer.joins_words() && text.contains(JOINT))
            .then(|| of(&text.replace(JOINT, " ")))
            .flatten();
        let parts: Vec<Expression> = std::iter::once(as_typed).chain(apart).collect();
        Ok(joined(parts, Expression::Any))
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
            Expression::Phrase(Phrase { field, words, is_prefix }) => {
                let field = field.as_ref().map(|field| format!("{field}:")).unwrap_or_default();
                format!("{field}[{}{}]", words.join(" "), if *is_prefix { "*" } else { "" })
            }
            Expression::All(parts) => list(parts, " & "),
            Expression::Any(parts) => list(parts, " | "),
            Expression::Without(part, not) => format!("({} - {})", told(part), told(not)),
        }
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
            ("*", "! '*' has no word before it"),
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
