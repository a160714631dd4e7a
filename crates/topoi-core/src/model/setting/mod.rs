//! Settings of models: name, help, kind and range, defined once in the model.
//!
//! Flags, the launch form, error messages, saved settings and the tables of
//! `docs/reference/models/` are derived from them.

pub mod catalogue;
pub mod shared;

use std::fmt;

use strum::{VariantArray, VariantNames};

/// The definition of a setting, for users.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Definition {
    /// The long flag without dashes. Settings of several models with the same name are one flag.
    pub name: &'static str,
    /// One line of help.
    pub help: &'static str,
    /// The placeholder of its value in `--help`.
    pub placeholder: &'static str,
    /// The kind of its value, with the range.
    pub kind: Kind,
    /// How the model chooses where the value is [`Value::Auto`]; `None` for a setting that always
    /// has a value.
    pub auto: Option<&'static str>,
}

/// The kind of a setting's value, and its range.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Kind {
    /// On or off, off by default.
    Flag,
    /// An integer in a closed range.
    Count {
        /// Smallest value.
        from: u64,
        /// Largest value.
        to: u64,
    },
    /// Any finite number.
    Real(Interval),
    /// One of these names.
    Choice(&'static [&'static str]),
    /// A name or a list that is validated elsewhere: a corpus, the numbers of topics.
    Other,
}

/// A range of numbers.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Interval {
    /// Above this number, exclusive.
    Above(f64),
    /// Above this number of a unit, exclusive.
    AboveOf(f64, &'static str),
    /// From the first number (inclusive) to the second (exclusive).
    FromToBelow(f64, f64),
    /// Between two numbers, both excluded.
    Inside(f64, f64),
    /// Between two numbers, inclusive; may be written with an exponent.
    Between(f64, f64),
}

/// The value of a setting.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Value {
    /// Left to the model.
    Auto,
    /// On or off.
    Flag(bool),
    /// An integer.
    Count(u64),
    /// Any number.
    Real(f64),
    /// One of the setting's names.
    Choice(&'static str),
}

/// The text of [`Value::Auto`].
pub const AUTO: &str = "auto";
/// The texts of a flag's values.
pub const NO_OR_YES: [&str; 2] = ["no", "yes"];

/// A setting and its field in `S`.
#[derive(Debug)]
pub struct Setting<S> {
    /// Name, help, kind and range.
    pub definition: Definition,
    field: fn(&mut S) -> &mut dyn Field,
}

/// A field of settings that converts from and to a [`Value`].
pub trait Field {
    /// The field's value.
    fn value(&self) -> Value;

    /// Sets the field. Returns false and changes nothing for a value of another kind.
    fn set(&mut self, value: Value) -> bool;
}

/// A setting could not be set.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SettingError {
    /// The text does not parse as a value of the setting.
    #[error("{name} is {text:?}, but must be {kind}")]
    NotAValue {
        /// The flag without dashes.
        name: &'static str,
        /// The text.
        text: String,
        /// The kind of value expected.
        kind: String,
    },
    /// The value is outside the setting's range.
    #[error("{name} is {value}, but must be {range}")]
    OutOfRange {
        /// The flag without dashes.
        name: &'static str,
        /// The value given.
        value: Value,
        /// The range, in words.
        range: String,
    },
    /// The model has no such setting.
    #[error("{model} has no setting --{name}; leave it out")]
    Unknown {
        /// Name of the model.
        model: &'static str,
        /// The flag without dashes.
        name: String,
    },
}

impl<S> Setting<S> {
    /// A setting stored in `field`.
    pub const fn new(definition: Definition, field: fn(&mut S) -> &mut dyn Field) -> Self {
        Self { definition, field }
    }

    /// Sets the value, in range or not. Returns false and changes nothing for a value of another
    /// kind.
    pub fn set(&self, settings: &mut S, value: Value) -> bool {
        (self.definition.auto.is_some() || value != Value::Auto)
            && (self.field)(settings).set(value)
    }
}

impl<S: Clone> Setting<S> {
    /// The setting's value in `settings`.
    pub fn get(&self, settings: &S) -> Value {
        (self.field)(&mut settings.clone()).value()
    }

    /// Checks that the value is in range.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`].
    pub fn check(&self, settings: &S) -> Result<(), SettingError> {
        self.definition.check(self.get(settings))
    }
}

impl Definition {
    /// Parses a value.
    ///
    /// # Errors
    /// [`SettingError::NotAValue`]. Ranges are checked by [`Self::check`] only.
    pub fn parse(&self, text: &str) -> Result<Value, SettingError> {
        let found = match self.kind {
            _ if self.auto.is_some() && (text.is_empty() || text == AUTO) => Some(Value::Auto),
            Kind::Flag => {
                NO_OR_YES.iter().position(|name| *name == text).map(|n| Value::Flag(n > 0))
            }
            Kind::Count { .. } => text.parse().ok().map(Value::Count),
            Kind::Real(_) => text.parse().ok().map(Value::Real),
            Kind::Choice(names) => {
                names.iter().find(|name| **name == text).map(|n| Value::Choice(n))
            }
            Kind::Other => None,
        };
        found.ok_or_else(|| {
            let kind = match self.kind {
                Kind::Count { .. } => "a whole number".into(),
                Kind::Real(_) => "a number".into(),
                _ => self.range(),
            };
            SettingError::NotAValue { name: self.name, text: text.into(), kind }
        })
    }

    /// Checks that a value is in range.
    ///
    /// # Errors
    /// [`SettingError::OutOfRange`].
    pub fn check(&self, value: Value) -> Result<(), SettingError> {
        let is_inside = match (self.kind, value) {
            (Kind::Count { from, to }, Value::Count(count)) => (from..=to).contains(&count),
            (Kind::Real(interval), Value::Real(number)) => interval.contains(number),
            _ => true,
        };
        match is_inside {
            true => Ok(()),
            false => Err(SettingError::OutOfRange { name: self.name, value, range: self.range() }),
        }
    }

    /// The range in words.
    pub fn range(&self) -> String {
        match self.kind {
            Kind::Flag => NO_OR_YES.join(" or "),
            Kind::Count { from: 0, to: u64::MAX } => "0 or more".into(),
            Kind::Count { from: 0, to } => format!("at most {to}"),
            Kind::Count { from, to: u64::MAX } => format!("{from} or more"),
            Kind::Count { from, to } => format!("from {from} to {to}"),
            Kind::Real(Interval::Above(low)) => format!("a number above {low}"),
            Kind::Real(Interval::AboveOf(low, unit)) => format!("a number of {unit} above {low}"),
            Kind::Real(Interval::FromToBelow(from, below)) => {
                format!("from {from} to below {below}")
            }
            Kind::Real(Interval::Inside(low, high)) => format!("above {low} and below {high}"),
            Kind::Real(Interval::Between(from, to)) => {
                format!("between {} and {}", Value::Real(from), Value::Real(to))
            }
            Kind::Choice(names) => format!("one of {}", names.join(", ")),
            Kind::Other => String::new(),
        }
    }

    /// Whether a character can be part of a typed value.
    pub fn accepts(&self, c: char) -> bool {
        let auto = self.auto.is_some() && AUTO.contains(c);
        auto || match self.kind {
            Kind::Count { .. } => c.is_ascii_digit(),
            Kind::Real(Interval::Between(..)) => c.is_ascii_digit() || ".eE-".contains(c),
            Kind::Real(_) => c.is_ascii_digit() || c == '.',
            Kind::Flag | Kind::Choice(_) | Kind::Other => false,
        }
    }

    /// The choices of a setting whose value is selected instead of typed.
    pub fn choices(&self) -> Option<Vec<&'static str>> {
        match self.kind {
            Kind::Flag => Some(NO_OR_YES.to_vec()),
            Kind::Choice(names) => {
                Some(self.auto.iter().map(|_| AUTO).chain(names.iter().copied()).collect())
            }
            _ => None,
        }
    }
}

impl Interval {
    fn contains(self, number: f64) -> bool {
        number.is_finite()
            && match self {
                Self::Above(low) | Self::AboveOf(low, _) => number > low,
                Self::FromToBelow(from, below) => (from..below).contains(&number),
                Self::Inside(low, high) => low < number && number < high,
                Self::Between(from, to) => (from..=to).contains(&number),
            }
    }
}

impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Auto => f.write_str(AUTO),
            Self::Flag(on) => f.write_str(NO_OR_YES[usize::from(*on)]),
            Self::Count(count) => count.fmt(f),
            Self::Real(number) if *number != 0.0 && number.abs() < 1e-3 => write!(f, "{number:e}"),
            Self::Real(number) => number.fmt(f),
            Self::Choice(name) => f.write_str(name),
        }
    }
}

/// A type with named values.
pub trait Choices: VariantNames + VariantArray + Copy + PartialEq + Default {
    /// The names, as typed and saved.
    const NAMES: &'static [&'static str] = <Self as VariantNames>::VARIANTS;
    /// The values, in the order of their names.
    const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;
}

impl<T: Choices> Field for T {
    fn value(&self) -> Value {
        let at = Self::ALL.iter().position(|choice| choice == self);
        at.and_then(|at| Self::NAMES.get(at)).map_or(Value::Auto, |name| Value::Choice(name))
    }

    fn set(&mut self, value: Value) -> bool {
        let at = Self::NAMES.iter().position(|name| value == Value::Choice(name));
        at.and_then(|at| Self::ALL.get(at)).map(|choice| *self = *choice).is_some()
    }
}

impl<T: Field + Default> Field for Option<T> {
    fn value(&self) -> Value {
        self.as_ref().map_or(Value::Auto, Field::value)
    }

    fn set(&mut self, value: Value) -> bool {
        if value == Value::Auto {
            *self = None;
            return true;
        }
        let mut inner = T::default();
        let is_set = inner.set(value);
        if is_set {
            *self = Some(inner);
        }
        is_set
    }
}

impl Field for bool {
    fn value(&self) -> Value {
        Value::Flag(*self)
    }

    fn set(&mut self, value: Value) -> bool {
        let Value::Flag(on) = value else { return false };
        *self = on;
        true
    }
}

impl Field for f64 {
    fn value(&self) -> Value {
        Value::Real(*self)
    }

    fn set(&mut self, value: Value) -> bool {
        let Value::Real(number) = value else { return false };
        *self = number;
        true
    }
}

impl Field for u64 {
    fn value(&self) -> Value {
        Value::Count(*self)
    }

    fn set(&mut self, value: Value) -> bool {
        let Value::Count(count) = value else { return false };
        *self = count;
        true
    }
}

impl Field for usize {
    fn value(&self) -> Value {
        Value::Count(*self as u64)
    }

    fn set(&mut self, value: Value) -> bool {
        let Value::Count(count) = value else { return false };
        usize::try_from(count).map(|count| *self = count).is_ok()
    }
}
