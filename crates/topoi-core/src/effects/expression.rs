//! Parser of regression formulas: `~ party + s(year, 5) + party:age + a * b`.

use std::collections::BTreeSet;

use super::EffectsError;

/// One factor of a term.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Factor {
    /// The field itself: a number, or an indicator for every category except the first.
    Field(String),
    /// A cubic spline of a number, with a number of columns; `None` for the default number.
    Spline(String, Option<usize>),
}

impl Factor {
    /// Name of the field.
    pub fn field(&self) -> &str {
        match self {
            Self::Field(field) | Self::Spline(field, _) => field,
        }
    }
}

/// The terms of a regression without the constant. Each is a product of factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// Terms in the order in which they are typed, with fewer factors first. The factors of a term
    /// are in the order of their first appearance.
    pub terms: Vec<Vec<Factor>>,
}

/// Largest number of columns of a spline.
const MAX_COLUMNS: usize = 50;

impl Expression {
    /// Parses a formula as R does; the `~` is optional. `:` binds closer than `*`, which binds
    /// closer than `+`; `a * b` is `a + b + a:b`. Names with characters other than letters, digits,
    /// `_` and `.` are in backticks or quotes.
    ///
    /// # Errors
    /// [`EffectsError::Expression`].
    pub fn parse(typed: &str) -> Result<Self, EffectsError> {
        let wrong = |what: String| EffectsError::Expression { typed: typed.into(), what };
        let typed_terms = typed.trim_start();
        let mut reader = Parser { rest: typed_terms.strip_prefix('~').unwrap_or(typed_terms) };
        // In the order of their first appearance, which is the order of factors within a term.
        let mut factors: Vec<Factor> = Vec::new();
        let mut terms: Vec<Vec<usize>> = Vec::new();
        loop {
            let mut crossed: Vec<Vec<usize>> = Vec::new();
            loop {
                let product = reader.product(&mut factors).map_err(wrong)?;
                let joined =
                    crossed.iter().map(|term| term.iter().chain(&product).copied().collect());
                let joined: Vec<Vec<usize>> = joined.collect();
                crossed.push(product);
                crossed.extend(joined);
                if reader.sign(&['*']).is_none() {
                    break;
                }
            }
            for mut term in crossed {
                term.sort_unstable();
                term.dedup();
                if !terms.contains(&term) {
                    terms.push(term);
                }
            }
            if reader.sign(&['+']).is_none() {
                break;
            }
        }
        if !reader.rest.trim().is_empty() {
            return Err(wrong(format!("{:?} is not expected", reader.rest.trim())));
        }
        terms.sort_by_key(Vec::len);
        let named = |term: Vec<usize>| term.into_iter().map(|at| factors[at].clone()).collect();
        Ok(Self { terms: terms.into_iter().map(named).collect() })
    }

    /// Whether a category has a column for its first value as factor `place` of term `at`. It has
    /// one where the other factors of the term occur together in no earlier term.
    ///
    /// # Source
    /// R's `terms.formula`, whose attribute `factors` is 2 there and 1 otherwise.
    pub(super) fn is_full(&self, at: usize, place: usize) -> bool {
        let mut others = self.terms[at].clone();
        others.remove(place);
        let has_all = |term: &Vec<Factor>| others.iter().all(|factor| term.contains(factor));
        !others.is_empty() && !self.terms[..at].iter().any(has_all)
    }

    /// Names of the fields, each once.
    pub fn fields(&self) -> BTreeSet<&str> {
        self.terms.iter().flatten().map(Factor::field).collect()
    }
}

struct Parser<'t> {
    rest: &'t str,
}

impl Parser<'_> {
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        self.rest = self.rest.trim_start();
        let sign = self.rest.chars().next().filter(|sign| signs.contains(sign))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    /// Parses factors joined by `:`. Each is returned as its index in `factors`.
    fn product(&mut self, factors: &mut Vec<Factor>) -> Result<Vec<usize>, String> {
        let mut product = Vec::new();
        loop {
            let factor = self.factor()?;
            let known = factors.iter().position(|other| *other == factor);
            product.push(known.unwrap_or(factors.len()));
            if known.is_none() {
                factors.push(factor);
            }
            if self.sign(&[':']).is_none() {
                return Ok(product);
            }
        }
    }

    fn factor(&mut self) -> Result<Factor, String> {
        let (name, is_quoted) = self.name()?;
        if !is_quoted && matches!(name.as_str(), "0" | "1" | ".") {
            return Err(format!(
                "{name} is no field: the constant is always there, and fields are named one by one \
                 (a field of this name is written `{name}`)"
            ));
        }
        if is_quoted || name != "s" || self.sign(&['(']).is_none() {
            return Ok(Factor::Field(name));
        }
        let (field, _) = self.name()?;
        let mut columns = None;
        if self.sign(&[',']).is_some() {
            let (number, _) = self.name()?;
            let known = number.parse().ok().filter(|number| (3..=MAX_COLUMNS).contains(number));
            let wrong = || format!("a spline has 3 to {MAX_COLUMNS} columns, not {number:?}");
            columns = Some(known.ok_or_else(wrong)?);
        }
        self.sign(&[')']).ok_or("a ) is missing")?;
        Ok(Factor::Spline(field, columns))
    }

    /// Parses a name. Returns it with whether it is quoted.
    fn name(&mut self) -> Result<(String, bool), String> {
        self.rest = self.rest.trim_start();
        if let Some(quote) = self.sign(&['`', '"']) {
            let (name, rest) = self.rest.split_once(quote).ok_or("a quote has no end")?;
            self.rest = rest;
            return Ok((name.into(), true));
        }
        let is_name = |c: char| c.is_alphanumeric() || c == '_' || c == '.';
        let end = self.rest.find(|c| !is_name(c)).unwrap_or(self.rest.len());
        if end == 0 {
            return Err("a field is missing".into());
        }
        let (name, rest) = self.rest.split_at(end);
        self.rest = rest;
        Ok((name.into(), false))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(typed: &str) -> String {
        match Expression::parse(typed) {
            Ok(expression) => {
                let factor = |factor: &Factor| match factor {
                    Factor::Field(name) => name.clone(),
                    Factor::Spline(name, None) => format!("s({name})"),
                    Factor::Spline(name, Some(columns)) => format!("s({name},{columns})"),
                };
                let term =
                    |term: &Vec<Factor>| term.iter().map(factor).collect::<Vec<_>>().join(":");
                expression.terms.iter().map(term).collect::<Vec<_>>().join(" ")
            }
            Err(error) => error.to_string(),
        }
    }

    #[test]
    fn terms_are_sums_of_products() {
        assert_eq!(read("~ party + s(year)"), "party s(year)");
        assert_eq!(read("a*b + s( `pub date` , 5)"), "a b s(pub date,5) a:b");
        assert_eq!(read("a:b + b:a + a + a"), "a a:b");
        assert_eq!(read("a*b*c"), "a b c a:b a:c b:c a:b:c");
        assert_eq!(read("b:a + a"), "a b:a");
        assert_eq!(read("\"s\" + s"), "s");
    }

    #[test]
    fn what_is_no_expression_is_refused_by_name() {
        let refused = |typed: &str, what: &str| {
            let said = read(typed);
            assert!(said.starts_with(what), "{typed}: {said}");
        };
        refused("~", "a field is missing in \"~\"; an expression is like");
        refused("a +", "a field is missing");
        refused("a b", "\"b\" is not expected");
        refused("s(year", "a ) is missing");
        refused("s(year, 2)", "a spline has 3 to 50 columns, not \"2\"");
        refused("`a", "a quote has no end");
        refused("- a", "a field is missing");
    }
}
