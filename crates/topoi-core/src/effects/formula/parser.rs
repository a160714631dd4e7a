//! Parser of formulas, with R's algebra of terms.

use super::{Factor, Formula, NumberFunction};

/// Largest number of columns of a spline, and degree of a polynomial.
const MAX_COLUMNS: usize = 50;
/// Largest power of a sum of terms.
const MAX_POWER: usize = 10;
/// Maximum number of terms.
const MAX_TERMS: usize = 200;
/// Maximum depth of parentheses.
const MAX_DEPTH: usize = 50;

/// A term: indices into [`FormulaParser::factors`], ascending. The empty term is the constant.
type Term = Vec<usize>;

/// A sum of terms and whether it adds (`1`) or removes (`0`) the constant.
#[derive(Debug, Clone, Default)]
struct Sum {
    terms: Vec<Term>,
    constant: Option<bool>,
}

impl Sum {
    fn from_terms(terms: impl IntoIterator<Item = Term>) -> Self {
        let mut sum = Self::default();
        terms.into_iter().for_each(|term| sum.add(term));
        sum
    }

    fn add(&mut self, term: Term) {
        if !self.terms.contains(&term) {
            self.terms.push(term);
        }
    }

    /// All factors of the sum in one term.
    fn all(&self) -> Term {
        joined(&self.terms.concat(), &[])
    }
}

/// The factors of both terms, each once.
fn joined(one: &[usize], other: &[usize]) -> Term {
    let mut term = [one, other].concat();
    term.sort_unstable();
    term.dedup();
    term
}

/// Every term of one sum joined with every term of the other.
fn crossed<'s>(one: &'s [Term], other: &'s [Term]) -> impl Iterator<Item = Term> + 's {
    one.iter().flat_map(|one| other.iter().map(|other| joined(one, other)))
}

pub(super) struct FormulaParser<'t> {
    rest: &'t str,
    /// In the order of their first appearance, which is the order of factors within a term.
    factors: Vec<Factor>,
    depth: usize,
}

impl<'t> FormulaParser<'t> {
    pub(super) fn parse(typed: &'t str) -> Result<Formula, String> {
        let typed = typed.trim_start();
        let rest = typed.strip_prefix('~').unwrap_or(typed);
        let mut parser = Self { rest, factors: Vec::new(), depth: 0 };
        let mut sum = parser.sum()?;
        if !parser.rest.trim().is_empty() {
            return Err(format!("{:?} is not expected", parser.rest.trim()));
        }
        if sum.terms.is_empty() {
            return Err("there is no field".into());
        }
        sum.terms.sort_by_key(Vec::len);
        let factors = |term: Term| term.into_iter().map(|at| parser.factors[at].clone()).collect();
        Ok(Formula {
            has_constant: sum.constant.unwrap_or(true),
            terms: sum.terms.into_iter().map(factors).collect(),
        })
    }

    /// Takes one of `signs` if it is next.
    fn sign(&mut self, signs: &[char]) -> Option<char> {
        self.rest = self.rest.trim_start();
        let sign = self.rest.chars().next().filter(|sign| signs.contains(sign))?;
        self.rest = &self.rest[sign.len_utf8()..];
        Some(sign)
    }

    fn sum(&mut self) -> Result<Sum, String> {
        let mut sum = Sum::default();
        let mut sign = self.sign(&['+', '-']).unwrap_or('+');
        loop {
            let part = self.products()?;
            if sign == '+' {
                sum.constant = part.constant.or(sum.constant);
                part.terms.into_iter().for_each(|term| sum.add(term));
            } else {
                sum.constant = part.constant.map(|is_there| !is_there).or(sum.constant);
                sum.terms.retain(|term| !part.terms.contains(term));
            }
            refuse_many(&sum)?;
            match self.sign(&['+', '-']) {
                Some(next) => sign = next,
                None => return Ok(sum),
            }
        }
    }

    /// Parses `a * b` and `a / b`.
    fn products(&mut self) -> Result<Sum, String> {
        let mut left = self.within()?;
        while let Some(sign) = self.sign(&['*', '/']) {
            let right = self.within()?;
            refuse_constant(&left, sign)?;
            refuse_constant(&right, sign)?;
            let mut sum = left.clone();
            if sign == '*' {
                right.terms.iter().for_each(|term| sum.add(term.clone()));
                crossed(&left.terms, &right.terms).for_each(|term| sum.add(term));
            } else {
                let all = [left.all()];
                crossed(&all, &right.terms).for_each(|term| sum.add(term));
            }
            refuse_many(&sum)?;
            left = sum;
        }
        Ok(left)
    }

    /// Parses `a %in% b`.
    fn within(&mut self) -> Result<Sum, String> {
        let mut left = self.interactions()?;
        while let Some(rest) = self.rest.trim_start().strip_prefix("%in%") {
            self.rest = rest;
            let right = self.interactions()?;
            left = Sum::from_terms(crossed(&left.terms, &[right.all()]));
        }
        Ok(left)
    }

    fn interactions(&mut self) -> Result<Sum, String> {
        let mut left = self.power()?;
        while self.sign(&[':']).is_some() {
            let right = self.power()?;
            refuse_constant(&left, ':')?;
            refuse_constant(&right, ':')?;
            left = Sum::from_terms(crossed(&left.terms, &right.terms));
            refuse_many(&left)?;
        }
        Ok(left)
    }

    fn power(&mut self) -> Result<Sum, String> {
        let base = self.operand()?;
        if self.sign(&['^']).is_none() {
            return Ok(base);
        }
        let (number, _) = self.name()?;
        let power = number.parse().ok().filter(|power| (1..=MAX_POWER).contains(power));
        let power: usize = power
            .ok_or_else(|| format!("a sum has a power of 1 to {MAX_POWER}, not {number:?}"))?;
        let mut raised = base.clone();
        for _ in 1..power {
            raised = Sum::from_terms(crossed(&base.terms, &raised.terms));
            refuse_many(&raised)?;
        }
        Ok(raised)
    }

    fn operand(&mut self) -> Result<Sum, String> {
        if self.sign(&['(']).is_some() {
            self.depth += 1;
            if self.depth > MAX_DEPTH {
                return Err(format!("parentheses are more than {MAX_DEPTH} deep"));
            }
            let sum = self.sum()?;
            self.depth -= 1;
            self.sign(&[')']).ok_or("a ) is missing")?;
            return Ok(sum);
        }
        let (name, is_quoted) = self.name()?;
        if !is_quoted && matches!(name.as_str(), "0" | "1") {
            return Ok(Sum { terms: Vec::new(), constant: Some(name == "1") });
        }
        let factor = match !is_quoted && self.sign(&['(']).is_some() {
            true => self.call(&name)?,
            false => Factor::Field(self.field(name, is_quoted)?),
        };
        let known = self.factors.iter().position(|other| *other == factor);
        let at = known.unwrap_or(self.factors.len());
        if known.is_none() {
            self.factors.push(factor);
        }
        Ok(Sum { terms: vec![vec![at]], constant: None })
    }

    fn field(&self, name: String, is_quoted: bool) -> Result<String, String> {
        let is_number = name.parse::<f64>().is_ok();
        if !is_quoted && (is_number || name == ".") {
            return Err(format!("{name} is no field (a field of this name is written `{name}`)"));
        }
        Ok(name)
    }

    /// Parses what is between the parentheses of a function.
    fn call(&mut self, function: &str) -> Result<Factor, String> {
        let (name, is_quoted) = self.name()?;
        let field = self.field(name, is_quoted)?;
        let named = NumberFunction::NAMED.iter().find(|(name, _)| *name == function);
        let factor = match (function, named) {
            ("C" | "factor" | "as.factor", _) => {
                let reference = self.argument("ref", function)?.map(|(value, _)| value);
                Factor::Category { field, reference }
            }
            ("s" | "ns" | "bs", _) => {
                let columns = self.argument("df", function)?;
                let least = if function == "bs" { 3 } else { 1 };
                let columns =
                    columns.map(|(number, _)| whole(&number, least, "a spline", "columns"));
                Factor::Spline {
                    field,
                    typed: function.into(),
                    columns: columns.transpose()?,
                    is_natural: function != "bs",
                }
            }
            ("poly", _) => {
                let degree = self.argument("degree", function)?.map_or("1".into(), |(d, _)| d);
                Factor::Polynomial { field, degree: whole(&degree, 1, "a polynomial", "degrees")? }
            }
            ("I", _) => {
                self.sign(&['^']).ok_or("I( ) has a power alone, as I(x^2)")?;
                let (power, _) = self.name()?;
                let power = power.parse().ok().filter(|power: &f64| power.is_finite());
                let power = power.ok_or("I( ) has a power alone, as I(x^2)")?;
                Factor::Function { field, function: NumberFunction::Power(power) }
            }
            (_, Some(&(_, function))) => Factor::Function { field, function },
            _ => {
                let functions = NumberFunction::NAMED.map(|(name, _)| name).join(", ");
                return Err(format!(
                    "{function}( ) is not known; there are C, factor, s, ns, bs, poly, I, {functions} \
                     (a field of this name is written `{function}`)"
                ));
            }
        };
        self.sign(&[')']).ok_or("a ) is missing")?;
        Ok(factor)
    }

    /// Parses a second argument of a function, with or without its name.
    fn argument(&mut self, name: &str, function: &str) -> Result<Option<(String, bool)>, String> {
        if self.sign(&[',']).is_none() {
            return Ok(None);
        }
        let (value, is_quoted) = self.name()?;
        if self.sign(&['=']).is_none() {
            return Ok(Some((value, is_quoted)));
        }
        match value == name {
            true => self.name().map(Some),
            false => Err(format!("{function}( ) has {name}=, and no {value:?}")),
        }
    }

    /// Parses a name. Returns it with whether it is quoted.
    fn name(&mut self) -> Result<(String, bool), String> {
        self.rest = self.rest.trim_start();
        if let Some(quote) = self.sign(&['`', '"', '\'']) {
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

fn refuse_constant(sum: &Sum, sign: char) -> Result<(), String> {
    match sum.constant {
        None => Ok(()),
        Some(_) => Err(format!("a constant has no place beside {sign}")),
    }
}

fn refuse_many(sum: &Sum) -> Result<(), String> {
    match sum.terms.len() {
        ..=MAX_TERMS => Ok(()),
        _ => Err(format!("there are more than {MAX_TERMS} terms")),
    }
}

fn whole(typed: &str, least: usize, what: &str, unit: &str) -> Result<usize, String> {
    let number = typed.parse().ok().filter(|number| (least..=MAX_COLUMNS).contains(number));
    number.ok_or_else(|| format!("{what} has {least} to {MAX_COLUMNS} {unit}, not {typed:?}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn read(typed: &str) -> String {
        match Formula::parse(typed) {
            Ok(formula) => {
                let term = |term: &Vec<Factor>| {
                    term.iter().map(Factor::name).collect::<Vec<_>>().join(":")
                };
                let mut terms: Vec<String> = formula.terms.iter().map(term).collect();
                terms.extend((!formula.has_constant).then(|| "0".to_string()));
                terms.join(" ")
            }
            Err(error) => error.to_string(),
        }
    }

    /// attr(terms(~ …), "term.labels") of R 4.2.2.
    #[test]
    fn the_algebra_of_terms_is_that_of_r() {
        for (typed, expected) in [
            ("~ party + s(year)", "party s(year)"),
            ("a*b + s( `pub date` , 5)", "a b s(pub date) a:b"),
            ("a:b + b:a + a + a", "a a:b"),
            ("a*b*c", "a b c a:b a:c b:c a:b:c"),
            ("b:a + a", "a b:a"),
            ("(a + b)^2", "a b a:b"),
            ("(a + b + c)^2", "a b c a:b a:c b:c"),
            ("(a + b + c)^3", "a b c a:b a:c b:c a:b:c"),
            ("a/b", "a a:b"),
            ("(a + b)/c", "a b a:b:c"),
            ("a/(b + c)", "a a:b a:c"),
            ("a/b/c", "a a:b a:b:c"),
            ("a %in% b", "a:b"),
            ("a + b %in% a", "a a:b"),
            ("a*b - b", "a a:b"),
            ("a*b - a:b", "a b"),
            ("a*b*c - a:b:c", "a b c a:b a:c b:c"),
            ("(a + b):c", "a:c b:c"),
            ("a:(b + c)", "a:b a:c"),
            ("a*(b + c)", "a b c a:b a:c"),
            ("a*b:c", "a b:c a:b:c"),
            ("a + b - 1", "a b 0"),
            ("0 + a", "a 0"),
            ("-1 + a", "a 0"),
            ("a - 1 + 1", "a"),
            ("a + 1", "a"),
            ("a - 0", "a"),
            ("a^2", "a"),
            ("((a))", "a"),
            ("I(x^2) + x", "I(x^2) x"),
            ("\"s\" + s", "s"),
            ("'a b':c", "a b:c"),
            ("log(x)*C(a, ref='x y') + poly(z, degree=3)", "log(x) a poly(z, 3) log(x):a"),
        ] {
            assert_eq!(read(typed), expected, "{typed}");
        }
    }

    #[test]
    fn what_is_no_formula_is_refused_by_name() {
        for (typed, reason) in [
            ("~", "a field is missing in \"~\"; a formula is like"),
            ("a +", "a field is missing"),
            ("a b", "\"b\" is not expected"),
            ("s(year", "a ) is missing"),
            ("bs(year, 2)", "a spline has 3 to 50 columns, not \"2\""),
            ("`a", "a quote has no end"),
            ("~ 1", "there is no field"),
            ("~ a - a", "there is no field"),
            ("~ .", ". is no field"),
            ("~ 2", "2 is no field"),
            ("~ a:1", "a constant has no place beside :"),
            ("~ a*0", "a constant has no place beside *"),
            ("(a + b)^0", "a sum has a power of 1 to 10, not \"0\""),
            ("~ tan(x)", "tan( ) is not known; there are C, factor, s,"),
            ("~ C(a, base=2)", "C( ) has ref=, and no \"base\""),
            ("~ I(x + y)", "I( ) has a power alone"),
            ("~ a | b", "\"| b\" is not expected"),
            ("~~ a", "a field is missing"),
            ("y ~ a", "\"~ a\" is not expected"),
            ("~ a ** b", "a field is missing"),
            ("~ offset(x)", "offset( ) is not known"),
        ] {
            let said = read(typed);
            assert!(said.starts_with(reason), "{typed}: {said}");
        }
        let deep = format!("{}a{}", "(".repeat(4000), ")".repeat(4000));
        assert!(read(&deep).starts_with("parentheses are more than 50 deep"));
    }

    proptest! {
        #[test]
        fn no_text_makes_it_panic(typed in "[ab01 ~+*:/^()%in`',=sC.-]{0,40}") {
            let _ = Formula::parse(&typed);
        }
    }
}
