//! What is typed of a regression: `~ party + s(year, 5) + party:age + a * b`.

use std::collections::BTreeSet;

use super::EffectsError;

/// One factor of a term.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Factor {
    /// The field as it is: a number, or an indicator for every category but the first.
    Field(String),
    /// Cubic splines of a number, with so many columns; as many as are usual where none are said.
    Spline(String, Option<usize>),
}

impl Factor {
    /// Name of the field whose values it is made of.
    pub fn field(&self) -> &str {
        match self {
            Self::Field(field) | Self::Spline(field, _) => field,
        }
    }
}

/// The terms of a regression, beside the constant: each a product of factors.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Expression {
    /// In the order of their being typed, those of fewer factors first.
    pub terms: Vec<Vec<Factor>>,
}

/// The most columns of a spline that can be asked for.
const MOST_COLUMNS: usize = 50;

impl Expression {
    /// Reads what was typed; the `~` may be left out. `a * b` is `a + b + a:b`. Names with other characters than
    /// letters, digits, `_` and `.` stand in backticks or quotes.
    ///
    /// # Errors
    /// [`EffectsError::Expression`].
    pub fn parse(typed: &str) -> Result<Self, EffectsError> {
        let wrong = |what: String| EffectsError::Expression { typed: typed.into(), what };
        let mut reader = Reader { rest: typed.trim_start().trim_start_matches('~') };
        let mut terms: Vec<Vec<Factor>> = Vec::new();
        loop {
            let mut products = vec![vec![reader.factor().map_err(wrong)?]];
            while let Some(sign) = reader.sign(&[':', '*']) {
                let factor = reader.factor().map_err(wrong)?;
                let last = products.last().cloned().unwrap_or_default();
                let mut joined = last;
                joined.push(factor.clone());
                match sign {
                    ':' => *products.last_mut().unwrap_or(&mut Vec::new()) = joined,
                    _ => {
                        let crossed: Vec<Vec<Factor>> = products
                            .iter()
                            .map(|product| {
                                product.iter().cloned().chain([factor.clone()]).collect()
                            })
                            .collect();
                        products.push(vec![factor]);
                        products.extend(crossed);
                    }
                }
            }
            for mut product in products {
                product.sort();
                product.dedup();
                if !terms.contains(&product) {
                    terms.push(product);
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
        Ok(Self { terms })
    }

    /// The fields, each once.
    pub fn fields(&self) -> BTreeSet<&str> {
        self.terms.iter().flatten().map(Factor::field).collect()
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        self.rest = self.rest.trim_start();
        let sign = self.rest.chars().next().filter(|sign| signs.contains(sign))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn factor(&mut self) -> Result<Factor, String> {
        let (name, is_quoted) = self.name()?;
        if is_quoted || name != "s" || self.sign(&['(']).is_none() {
            return Ok(Factor::Field(name));
        }
        let (field, _) = self.name()?;
        let mut columns = None;
        if self.sign(&[',']).is_some() {
            let (number, _) = self.name()?;
            let known = number.parse().ok().filter(|number| (3..=MOST_COLUMNS).contains(number));
            let wrong = || format!("a spline has 3 to {MOST_COLUMNS} columns, not {number:?}");
            columns = Some(known.ok_or_else(wrong)?);
        }
        self.sign(&[')']).ok_or("a ) is missing")?;
        Ok(Factor::Spline(field, columns))
    }

    /// A name, and whether it stands in quotes.
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
