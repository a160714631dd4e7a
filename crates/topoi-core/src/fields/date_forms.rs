//! Dates in forms that have one meaning, rewritten as ISO 8601: catalogues', other languages', programs'.

use time::{Date, Weekday};

/// Years that six digits can begin with: others are numbers of something else.
const YEARS_OF_MONTHS: std::ops::RangeInclusive<i32> = 1500..=2099;
/// Longest range of years that its middle stands for.
const LONGEST_RANGE: i32 = 200;
/// Longest text of a date in bytes.
const LONGEST: usize = 60;
/// Names of months in English, German, French, Spanish, Italian, Portuguese, Dutch, Swedish and Danish.
const MONTHS: [&[&str]; 12] = [
    &["january", "januar", "januari", "janvier", "enero", "gennaio", "janeiro"],
    &["february", "februar", "februari", "février", "fevrier", "febrero", "febbraio", "fevereiro"],
    &["march", "märz", "mars", "marzo", "março", "maart", "mrt", "marts"],
    &["april", "avril", "abril", "aprile"],
    &["may", "mai", "mayo", "maggio", "maio", "mei", "maj"],
    &["june", "juni", "juin", "junio", "giugno", "junho"],
    &["july", "juli", "juillet", "julio", "luglio", "julho"],
    &["august", "augusti", "augustus", "août", "aout", "agosto"],
    &["september", "septembre", "septiembre", "settembre", "setembro"],
    &["october", "oktober", "octobre", "octubre", "ottobre", "outubro"],
    &["november", "novembre", "noviembre", "novembro"],
    &["december", "dezember", "décembre", "decembre", "diciembre", "dicembre", "dezembro"],
];
/// Words beside a date that say nothing of it.
const BESIDE: [&str; 16] = [
    "of", "de", "del", "den", "der", "le", "the", "am", "pm", "gmt", "utc", "z", "um", "at", "à",
    "em",
];
/// Words before a year that is not known exactly, or is counted from Christ.
const BEFORE: [&str; 11] =
    ["circa", "ca.", "ca", "c.", "c", "a.d.", "ad", "about", "um", "vers", "ungefähr"];

/// The date as ISO 8601 writes it, with the precision it has; `None` for a form of several meanings or of none.
pub(super) fn in_iso(text: &str) -> Option<String> {
    // Most values that are no dates are words.
    if text.len() > LONGEST || !text.contains(char::is_numeric) {
        return None;
    }
    let text: String = text.trim().to_lowercase().chars().map(plain).collect();
    let text = text.trim();
    before_christ(text)
        .or_else(|| uncertain_year(text))
        .or_else(|| by_numbers(text))
        .or_else(|| day_and_month(text))
        .or_else(|| with_a_month(text))
}

/// The date as ISO 8601 writes it, of one with numbers alone or a year of two digits; the day or the month is first.
pub(super) fn in_order(text: &str, is_day_first: bool) -> Option<String> {
    let text = text.trim();
    let begins = text.len() <= LONGEST && text.starts_with(|c: char| c.is_ascii_alphanumeric());
    let separator =
        text.chars().take(10).find(|c| matches!(c, '/' | '-' | '.')).filter(|_| begins)?;
    let date = text.split([' ', ',']).next()?.to_lowercase();
    let parts: Vec<&str> = date.split(separator).collect();
    let [first, second, year] = parts[..] else { return None };
    // With points, the day is first.
    if separator == '.' && year.len() == 4 {
        return None;
    }
    let year = match digits(year, 2..=2) {
        Some(year @ 69..) => 1900 + year,
        Some(year) => 2000 + year,
        None => digits(year, 4..=4)?,
    };
    // With the name of a month, the number is the day.
    let (day, month) = match (month_of(first), month_of(second)) {
        (None, Some(month)) => (digits(first, 1..=2)?, i32::try_from(month).ok()?),
        (Some(month), None) => (digits(second, 1..=2)?, i32::try_from(month).ok()?),
        _ if is_day_first => (digits(first, 1..=2)?, digits(second, 1..=2)?),
        _ => (digits(second, 1..=2)?, digits(first, 1..=2)?),
    };
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// `44 BC`, `44 v. Chr.`, `44 av. J.-C.`: the year as a negative number.
fn before_christ(text: &str) -> Option<String> {
    const MARKS: [&str; 8] =
        ["bce", "bc", "b.c.", "b.c.e.", "v. chr.", "v.chr.", "av. j.-c.", "a. c."];
    let year = MARKS.iter().find_map(|mark| text.strip_suffix(mark))?;
    let year = digits(year.trim(), 1..=4).filter(|year| *year > 0)?;
    Some(format!("-{year:04}"))
}

/// Digits and hyphens as ASCII has them; Chinese and Japanese marks of year, month and day as hyphens.
fn plain(c: char) -> char {
    match c {
        '\u{ff10}'..='\u{ff19}' => char::from(b'0' + (c as u32 - 0xff10) as u8 % 10),
        '\u{2010}'..='\u{2015}' | '\u{2212}' | '\u{ff0d}' | '年' | '月' => '-',
        '日' => ' ',
        c => c,
    }
}

fn digits(text: &str, count: std::ops::RangeInclusive<usize>) -> Option<i32> {
    let is_number = count.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    is_number.then(|| text.parse().ok())?
}

/// `c. 1850`, `[1850]`, `1850?`, `1850s`, `1850-1860` by its middle, `AD 966`.
fn uncertain_year(text: &str) -> Option<String> {
    let bare = text.trim_matches(['[', ']', '(', ')', '?', '~']).trim();
    let mut year = bare;
    let mut shortest = 4;
    for word in BEFORE {
        if let Some(rest) = year.strip_prefix(word).filter(|rest| rest.starts_with([' ', '1', '2']))
        {
            year = rest.trim();
            shortest = if word.starts_with('a') { 3 } else { 4 };
            break;
        }
    }
    let is_changed = year.len() < text.len();
    if let Some(number) = digits(year, shortest..=4).filter(|_| is_changed) {
        return Some(format!("{number:04}"));
    }
    for plural in ["s", "'s", "er", "ers"] {
        let decade = year.strip_suffix(plural).and_then(|decade| digits(decade, 4..=4));
        if let Some(decade) = decade.filter(|decade| decade % 10 == 0) {
            return Some(format!("{:04}", decade + 5));
        }
    }
    let (from, to) = year.split_once(['-', '/'])?;
    let (from, to) = (digits(from.trim(), 4..=4)?, digits(to.trim(), 4..=4)?);
    (0..=LONGEST_RANGE).contains(&(to - from)).then(|| format!("{:04}", (from + to) / 2))
}

/// `2019-W05`, `2019-Q1`, `2019-304`, `199905`, `20191031T1011`, `1999-00-00`.
fn by_numbers(text: &str) -> Option<String> {
    if let Some(year) = digits(text, 6..=6).map(|number| number / 100) {
        return YEARS_OF_MONTHS.contains(&year).then(|| format!("{year:04}-{}", &text[4..]));
    }
    if let Some((day, _)) = text.split_once('t').filter(|(day, _)| digits(day, 8..=8).is_some()) {
        return Some(format!("{}-{}-{}", &day[..4], &day[4..6], &day[6..]));
    }
    let mut parts = text.trim_end_matches('-').split('-').map(str::trim);
    let first = parts.next()?;
    let year = digits(first, 4..=4)?;
    let second = parts.next()?;
    if let Some(week) = second.strip_prefix('w').and_then(|week| digits(week, 1..=2)) {
        let monday =
            Date::from_iso_week_date(year, u8::try_from(week).ok()?, Weekday::Monday).ok()?;
        return Some(format!(
            "{:04}-{:02}-{:02}",
            monday.year(),
            u8::from(monday.month()),
            monday.day()
        ));
    }
    if let Some(quarter) = second.strip_prefix('q').and_then(|quarter| digits(quarter, 1..=1)) {
        return (1..=4).contains(&quarter).then(|| format!("{year:04}-{:02}", 3 * quarter - 2));
    }
    if let (Some(day), None) = (digits(second, 3..=3), parts.clone().next()) {
        let date = Date::from_ordinal_date(year, u16::try_from(day).ok()?).ok()?;
        return Some(format!("{year:04}-{:02}-{:02}", u8::from(date.month()), date.day()));
    }
    match (digits(second, 2..=2)?, parts.next().and_then(|day| digits(day, 1..=2))) {
        (0, Some(0) | None) => Some(format!("{year:04}")),
        (month, Some(0) | None) => Some(format!("{year:04}-{month:02}")),
        // As Chinese and Japanese write it.
        (month, Some(day)) => Some(format!("{year:04}-{month:02}-{day:02}")),
    }
}

/// `31/10/2019` and `10/31/2019`, where one of both can only be the day.
fn day_and_month(text: &str) -> Option<String> {
    let date = text.split([' ', 't']).next()?;
    let separator = date.chars().find(|c| matches!(c, '/' | '-'))?;
    let parts: Vec<&str> = date.split(separator).collect();
    let [first, second, year] = parts[..] else { return None };
    let (first, second) = (digits(first, 1..=2)?, digits(second, 1..=2)?);
    let year = digits(year, 4..=4)?;
    let (month, day) = match (first > 12, second > 12) {
        (true, false) => (second, first),
        (false, true) => (first, second),
        // The same either way.
        (false, false) if first == second => (first, second),
        _ => return None,
    };
    Some(format!("{year:04}-{month:02}-{day:02}"))
}

/// A month by its name, with a year and perhaps a day, in any order: `3. Mai 1999`, `14 février 1999`, `31-OCT-2019`,
/// `Wed Oct 10 20:19:24 +0000 2018`.
fn with_a_month(text: &str) -> Option<String> {
    let (mut month, mut day, mut year) = (None, None, None);
    let words = text.split([' ', ',', '-', '/', '.']).filter(|word| !word.is_empty());
    for (place, word) in words.enumerate() {
        let number = word.trim_end_matches(|c: char| c.is_alphabetic() || c == 'º' || c == '°');
        if word.contains([':', '+']) || BESIDE.contains(&word) {
            continue;
        }
        if let Some(found) = month_of(word) {
            if month.replace(found).is_some() {
                return None;
            }
        } else if let Some(found) = digits(word, 4..=4) {
            // An offset such as 0500 is no year.
            year = if (1000..=2999).contains(&found) { Some(found) } else { year };
        } else if let Some(found) = digits(number, 1..=2).filter(|_| day.is_none()) {
            day = Some(found);
        } else if place > 0 || !is_weekday(word) {
            return None;
        }
    }
    let (year, month) = (year?, month?);
    Some(match day {
        Some(day) => format!("{year:04}-{month:02}-{day:02}"),
        None => format!("{year:04}-{month:02}"),
    })
}

/// The month that a word names, or begins to name with three letters or more; none where it could be two.
fn month_of(word: &str) -> Option<usize> {
    let begins = |names: &&[&str]| names.iter().any(|name| name.starts_with(word));
    let mut months = (1..).zip(&MONTHS).filter(|(_, names)| begins(names)).map(|(month, _)| month);
    let found = months.next().filter(|_| word.chars().count() >= 3);
    found.filter(|_| months.next().is_none())
}

/// Whether a word before a date can be a day of the week, in the same languages.
fn is_weekday(word: &str) -> bool {
    const DAYS: [&str; 32] = [
        "mon", "tue", "wed", "thu", "fri", "sat", "sun", "die", "mit", "don", "fre", "sam", "son",
        "lun", "mar", "mer", "jeu", "ven", "dim", "mié", "jue", "vie", "sáb", "dom", "gio", "sab",
        "seg", "ter", "qua", "qui", "sex", "maa",
    ];
    DAYS.iter().any(|day| word.starts_with(day))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dates_of_two_meanings_are_read_in_the_order_that_is_asked_for() {
        for (text, day_first, month_first) in [
            ("3/5/2019", "2019-05-03", "2019-03-05"),
            ("3.5.19 10:11", "2019-05-03", "2019-03-05"),
            ("3-5-70", "1970-05-03", "1970-03-05"),
            ("31-OCT-19", "2019-10-31", "2019-10-31"),
        ] {
            assert_eq!(in_order(text, true).as_deref(), Some(day_first), "{text}");
            assert_eq!(in_order(text, false).as_deref(), Some(month_first), "{text}");
        }
        for text in ["", "3/5", "a/b/2019", "2019/3/5", "3/5/019"] {
            assert_eq!(in_order(text, true), None, "{text}");
        }
    }

    #[test]
    fn forms_of_one_meaning_are_read_and_others_are_not() {
        for (text, expected) in [
            ("Wed Oct 10 20:19:24 +0000 2018", "2018-10-10"),
            ("10/31/2019", "2019-10-31"),
            ("31/10/2019", "2019-10-31"),
            ("31-10-2019 10:11", "2019-10-31"),
            ("5/5/2019", "2019-05-05"),
            ("3. Mai 1999", "1999-05-03"),
            ("3 mai 1999", "1999-05-03"),
            ("14 février 1999", "1999-02-14"),
            ("1er juin 1999", "1999-06-01"),
            ("2 juillet 1999", "1999-07-02"),
            ("15 de março de 1999", "1999-03-15"),
            ("12 maart 1999", "1999-03-12"),
            ("dicembre 1999", "1999-12"),
            ("2019-W05", "2019-01-28"),
            ("2019-Q1", "2019-01"),
            ("2019-304", "2019-10-31"),
            ("199905", "1999-05"),
            ("20191031T101112Z", "2019-10-31"),
            ("1999-00-00", "1999"),
            ("1999-05-00", "1999-05"),
            ("c. 1850", "1850"),
            ("ca 1850", "1850"),
            ("c1850", "1850"),
            ("[1850]", "1850"),
            ("1850?", "1850"),
            ("1850s", "1855"),
            ("1850-1860", "1855"),
            ("1850/1861", "1855"),
            ("AD 966", "0966"),
            ("44 BC", "-0044"),
            ("300 v. Chr.", "-0300"),
            ("2019-Oct-31", "2019-10-31"),
            ("31-OCT-2019", "2019-10-31"),
            ("Oct 31, 2019, 10:11 AM", "2019-10-31"),
            ("2019年10月31日", "2019-10-31"),
            ("２０１９-10-31", "2019-10-31"),
            ("2019\u{2013}10\u{2013}31", "2019-10-31"),
        ] {
            assert_eq!(in_iso(text).as_deref(), Some(expected), "{text}");
        }
        for text in [
            "3/5/2019",
            "10/31/19",
            "31-OCT-19",
            "43769",
            "1546300800",
            "850",
            "-0044",
            "100302",
            "209913x",
            "",
            "May",
            "1850-2150",
            "2019-Q5",
            "2019-W54",
            "2019-400",
            "Marie 1999",
            "1999 books",
            "31 Foo 1999",
            "version 3.5",
            "32/13/2019",
        ] {
            assert_eq!(in_iso(text), None, "{text}");
        }
    }
}
