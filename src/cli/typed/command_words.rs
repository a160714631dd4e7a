//! The command that was typed, in one form: what is saved with what it makes.

use crate::cli::typed::arguments::Printing;
use clap::parser::ValueSource;
use clap::{Arg, ArgMatches, Args, Command};
use topoi_store::command::CommandWords;

/// Options that change when an outcome comes or what it is kept as, not what it is; those of [`Printing`] are others.
const NOT_OF_THE_OUTCOME: [&str; 3] = ["save", "detach", "force"];
/// What is not an option from here on.
const END_OF_OPTIONS: &str = "--";

/// Words of the command that was typed, without the program and the options of all commands: its name, what is no option,
/// and the options in the order of their definition. Where something begins with a hyphen and is no option, options
/// are first.
pub fn command_words(program: &Command, typed: &ArgMatches) -> CommandWords {
    let Some((name, of_command)) = typed.subcommand() else { return Vec::new() };
    let Some(command) = program.find_subcommand(name) else { return Vec::new() };
    let printing = Printing::augment_args(Command::new("printing"));
    let is_elsewhere = |id: &str| {
        let mut others = program.get_arguments().chain(printing.get_arguments());
        NOT_OF_THE_OUTCOME.contains(&id) || others.any(|other| other.get_id() == id)
    };
    let is_kept = |argument: &&Arg| {
        let id = argument.get_id().as_str();
        !is_elsewhere(id) && of_command.value_source(id) == Some(ValueSource::CommandLine)
    };
    let (mut operands, mut options) = (Vec::new(), Vec::new());
    for argument in command.get_arguments().filter(is_kept) {
        let values = values(argument, of_command);
        if argument.is_positional() {
            operands.extend(values.concat());
            continue;
        }
        let flag = match (argument.get_long(), argument.get_short()) {
            (Some(long), _) => format!("--{long}"),
            (None, Some(short)) => format!("-{short}"),
            (None, None) => continue,
        };
        for values in values {
            options.push(flag.clone());
            options.extend(values);
        }
    }
    let is_ambiguous = operands.iter().any(|word| word.starts_with('-') && word.len() > 1);
    let arguments = match is_ambiguous {
        true => [options, vec![END_OF_OPTIONS.into()], operands].concat(),
        false => [operands, options].concat(),
    };
    let name = std::iter::once(name.to_string());
    name.chain(arguments).chain(command_words(command, of_command)).collect()
}

/// The values of each time that an argument was typed; none of a flag.
fn values(argument: &Arg, typed: &ArgMatches) -> Vec<Vec<String>> {
    if !argument.get_action().takes_values() {
        return vec![Vec::new()];
    }
    let occurrences = typed.get_raw_occurrences(argument.get_id().as_str()).into_iter().flatten();
    let joined = |values: Vec<String>| match argument.get_value_delimiter() {
        Some(delimiter) => vec![values.join(&delimiter.to_string())],
        None => values,
    };
    occurrences
        .map(|values| values.map(|value| value.to_string_lossy().into_owned()).collect())
        .map(joined)
        .collect()
}

/// The place of the first word of a command that is no option.
pub fn first_operand(words: &[String]) -> usize {
    words.iter().position(|word| word == END_OF_OPTIONS).map_or(1, |end| end + 1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::commands::CommandLine;
    use clap::CommandFactory;
    use topoi_core::shell_word::{line_of, split_line};

    fn words(line: &str) -> Vec<String> {
        let typed = split_line(line).expect("words");
        let command = CommandLine::command();
        let matches = command.clone().try_get_matches_from(typed).expect("a command");
        command_words(&command, &matches)
    }

    #[test]
    fn what_is_typed_comes_back_in_one_order() {
        let same = [
            "topoi effects 3 '~ year' --topic 1,2 --cluster paper --at year=2000,2010 --at a=b",
            "topoi --store a.db effects --at year=2000,2010 --at a=b 3 --topic 1,2 '~ year' --cluster paper",
            "topoi effects --cluster paper --topic 1,2 --at year=2000,2010 --at a=b 3 '~ year' --output json",
        ];
        let expected =
            "effects 3 '~ year' --topic 1,2 --at year=2000,2010 --at a=b --cluster paper";
        for line in same {
            assert_eq!(line_of(&words(line)), expected, "{line}");
        }
    }

    #[test]
    fn flags_short_options_and_words_that_begin_with_a_hyphen() {
        assert_eq!(line_of(&words("topoi run c -k 9 --detach")), "run c --k 9");
        assert_eq!(
            line_of(&words("topoi effects --test 3 -- '-1 + year'")),
            "effects --test -- 3 '-1 + year'"
        );
        assert_eq!(
            line_of(&words("topoi ingest c a b --stop-words none --no-header")),
            "ingest c a b --no-header --stop-words none"
        );
        assert_eq!(
            line_of(&words("topoi delete documents c --key a")),
            "delete documents c --key a"
        );
    }
}
