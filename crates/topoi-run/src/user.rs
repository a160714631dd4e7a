//! The person who uses the program, for what people add to a store: judgements, labels, notes.

use topoi_core::judge::LONGEST_NAME;

/// A name without whitespace around it; `None` if it is empty, too long or has control characters.
pub fn parse_name(name: &str) -> Option<String> {
    let name = name.trim();
    let is_one = !name.is_empty() && name.len() <= LONGEST_NAME;
    (is_one && !name.chars().any(char::is_control)).then(|| name.to_string())
}

/// The name that the user has on this machine; "me" where none is known.
pub fn user_name() -> String {
    let names = ["USER", "LOGNAME", "USERNAME"].into_iter();
    let named = |name: &str| parse_name(&std::env::var(name).ok()?);
    names.filter_map(named).next().unwrap_or_else(|| "me".into())
}
