//! Where the files of a user are, as the XDG Base Directory Specification has it.

use std::path::PathBuf;

/// A kind of files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum BaseDirectory {
    Data,
    Config,
    State,
}

impl BaseDirectory {
    /// The folder that the variable of the kind names, else that below `$HOME`. A variable that is empty or a
    /// relative path names none: its files would be in whatever folder the program is started in.
    pub fn path(self) -> Option<PathBuf> {
        let (variable, below_home) = match self {
            Self::Data => ("XDG_DATA_HOME", ".local/share"),
            Self::Config => ("XDG_CONFIG_HOME", ".config"),
            Self::State => ("XDG_STATE_HOME", ".local/state"),
        };
        let absolute =
            |name| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        absolute(variable).or_else(|| Some(absolute("HOME")?.join(below_home)))
    }
}
