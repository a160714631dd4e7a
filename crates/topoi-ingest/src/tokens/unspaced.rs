//! Scripts without spaces between words: recognising them, and finding their words with dictionaries.

use icu_segmenter::WordSegmenterBorrowed;
use unicode_segmentation::UnicodeSegmentation;

use super::least_cost::Dictionary;

/// Dictionaries compiled into the program: one of Chinese and Japanese, and those of Thai, Lao, Khmer and
/// Burmese.
/// ICU's neural networks are not used: sums of floating-point numbers can differ between machines.
#[derive(Debug, Clone, Copy)]
pub(super) struct Dictionaries {
    /// Chinese and Japanese.
    least_cost: Dictionary,
    others: WordSegmenterBorrowed<'static>,
}

impl Default for Dictionaries {
    fn default() -> Self {
        let others = icu_segmenter::WordSegmenter::new_dictionary(Default::default());
        Self { least_cost: Dictionary::default(), others }
    }
}

impl Dictionaries {
    /// Calls `visit` with the words of a normalised text in order.
    pub(super) fn words<'t>(&self, text: &'t str, visit: &mut impl FnMut(&'t str)) {
        if !has_unspaced(text) {
            return spaced_words(text, visit);
        }
        // Line by line, so that a part of a text is split as within the whole.
        for line in text.split_inclusive('\n') {
            let is_apart = !has_unspaced(line) || is_segmented(line);
            for (run, unspaced) in runs(line) {
                match unspaced {
                    false => spaced_words(run, visit),
                    true if is_apart => visit(run),
                    true => self.cut(run, visit),
                }
            }
        }
    }

    fn cut<'t>(&self, run: &'t str, visit: &mut impl FnMut(&'t str)) {
        let mut start = 0;
        let mut cut_at = |end: usize| {
            let word = &run[start..end];
            if word.chars().any(char::is_alphanumeric) {
                visit(word);
            }
            start = end;
        };
        match run.chars().next().is_some_and(is_chinese_or_japanese) {
            true => self.least_cost.ends(run).into_iter().for_each(cut_at),
            false => self.others.segment_str(run).for_each(&mut cut_at),
        }
    }
}

/// Calls `visit` with the segments between Unicode word boundaries that have letters or digits, without a
/// leading space, which these rules attach to a mark without a base letter.
/// ASCII is handled separately, which is many times faster; no word extends over a space.
pub(super) fn spaced_words<'t>(text: &'t str, visit: &mut impl FnMut(&'t str)) {
    let mut of_part =
        |part: &'t str| part.unicode_words().map(str::trim_start).for_each(&mut *visit);
    let mut rest = text;
    while let Some(at) = rest.bytes().position(|byte| !byte.is_ascii()) {
        let (before, from) = rest.as_bytes().split_at(at);
        let begin = memchr::memrchr2(b' ', b'\n', before).unwrap_or(0);
        let end = memchr::memchr2(b' ', b'\n', from).map_or(rest.len(), |length| at + length);
        of_part(&rest[..begin]);
        of_part(&rest[begin..end]);
        rest = &rest[end..];
    }
    of_part(rest);
}

/// Whether a letter belongs to a script without spaces between words.
pub(super) fn is_unspaced(letter: char) -> bool {
    matches!(letter,
        '\u{e00}'..='\u{eff}' // Thai, Lao
        | '\u{1000}'..='\u{109f}' | '\u{a9e0}'..='\u{a9ff}' | '\u{aa60}'..='\u{aa7f}' // Burmese
        | '\u{1780}'..='\u{17ff}' // Khmer
        | '\u{2e80}'..='\u{2fdf}' | '\u{3005}'..='\u{3007}' // Chinese characters and Japanese kana
        | '\u{3041}'..='\u{309a}' | '\u{309d}'..='\u{30fa}' | '\u{30fc}'..='\u{30ff}'
        | '\u{31f0}'..='\u{31ff}' | '\u{32d0}'..='\u{3357}' | '\u{3400}'..='\u{4dbf}'
        | '\u{4e00}'..='\u{9fff}' | '\u{f900}'..='\u{faff}' | '\u{ff66}'..='\u{ff9f}'
        | '\u{20000}'..='\u{323af}')
}

fn is_chinese_or_japanese(letter: char) -> bool {
    letter >= '\u{2e80}' && is_unspaced(letter) && !matches!(letter, '\u{a9e0}'..='\u{aa7f}')
}

/// Whether a letter represents at least a syllable, so that two letters are an ordinary word.
pub(super) fn is_syllable(letter: char) -> bool {
    is_unspaced(letter) || matches!(letter, '\u{ac00}'..='\u{d7a3}')
}

fn has_unspaced(text: &str) -> bool {
    // A fast check first: the letters in question begin with large bytes.
    !text.is_ascii()
        && text.as_bytes().iter().any(|&byte| byte >= 0xe0)
        && text.chars().any(is_unspaced)
}

/// The runs of letters of the same script, in order, with whether it has no spaces between words.
fn runs(line: &str) -> impl Iterator<Item = (&str, bool)> {
    let kind = |letter| (is_unspaced(letter), is_chinese_or_japanese(letter));
    let mut rest = line;
    std::iter::from_fn(move || {
        let first = rest.chars().next()?;
        let unspaced = is_unspaced(first);
        let end = rest.find(|letter| kind(letter) != kind(first)).unwrap_or(rest.len());
        let (run, after) = rest.split_at(end);
        rest = after;
        Some((run, unspaced))
    })
}

/// Whether the words of a line are separated by spaces: at least one per five characters of Chinese or
/// Japanese, or per eight letters of Thai, Lao, Khmer or Burmese.
/// Words have two and four on average. In unsegmented text spaces separate sentences or clauses.
fn is_segmented(line: &str) -> bool {
    let (mut blanks, mut letters) = (0, 0);
    let (mut after_letter, mut after_blank) = (false, false);
    for letter in line.chars() {
        if is_unspaced(letter) {
            blanks += usize::from(after_blank);
            letters += if letter < '\u{2e80}' { 5 } else { 8 };
            (after_letter, after_blank) = (true, false);
        } else {
            after_blank = letter.is_whitespace() && (after_letter || after_blank);
            after_letter = false;
        }
    }
    letters <= 40 * blanks
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn words(text: &str) -> String {
        let mut words = Vec::new();
        Dictionaries::default().words(text, &mut |word| words.push(word));
        words.join("|")
    }

    #[test]
    fn words_without_blanks_between_them_are_found_by_dictionaries() {
        assert_eq!(words("我们学习操作系统，安装软件。"), "我们|学习|操作|系统|安装|软件");
        assert_eq!(words("コンピュータにインストールする"), "コンピュータ|に|インストール|する");
        assert_eq!(words("ภาษาไทยเป็นภาษา"), "ภาษา|ไทย|เป็น|ภาษา");
        assert_eq!(words("ភាសាខ្មែរ"), "ភាសាខ្មែរ");
        assert_eq!(words("မြန်မာစာ"), "မြန်မာ|စာ");
        assert_eq!(words("用RAID和LVM 2卷"), "用|RAID|和|LVM|2|卷");
        assert_eq!(words("Plain “text” of one’s"), "Plain|text|of|one’s");
        assert_eq!(words("a vowel  \u{93e} alone"), "a|vowel|\u{93e}|alone");
    }

    #[test]
    fn what_has_blanks_between_its_words_is_not_cut_again_line_by_line() {
        assert_eq!(
            words("操作系统安装 软件 包\n操作系统安装"),
            "操作系统安装|软件|包|操作|系统|安装"
        );
        assert_eq!(words("北京 计算机"), "北京|计算机");
        // A single space after two sentences does not separate words.
        assert_eq!(words("我们学习操作系统 安装软件"), "我们|学习|操作|系统|安装|软件");
    }

    proptest! {
        #[test]
        fn words_between_blanks_are_those_of_the_whole(
            text in "([a-z]{1,3}|[ '.:,_0-9\n\r\t]|[éßя\u{301}\u{200d}\u{a0}א\"“カﾞ🇦🇧\u{3000}\u{ad}]){0,30}",
        ) {
            let mut found = Vec::new();
            spaced_words(&text, &mut |word| found.push(word));
            prop_assert_eq!(found, text.unicode_words().map(str::trim_start).collect::<Vec<_>>());
        }

        #[test]
        fn words_are_all_letters_of_the_text_in_their_order(
            text in "([我们学习操作系统安装、。a-z 0-9コンピュータするภาษาไทยเป็น]|\n){0,60}",
        ) {
            let letters: String = text.chars().filter(|c| c.is_alphanumeric()).collect();
            let found: String = words(&text).chars().filter(|c| c.is_alphanumeric()).collect();
            prop_assert_eq!(found, letters);
        }
    }
}
