//! Where this program is, to start it again as a worker.

use std::ffi::OsString;
use std::io;
use std::path::PathBuf;

/// The path of this program: as the system knows it, else, as in a container without `/proc`, by the name that it was
/// started with.
pub fn this_program() -> io::Result<PathBuf> {
    std::env::current_exe().or_else(|error| {
        let name = std::env::args_os().next().unwrap_or_default();
        by_name(name, std::env::var_os("PATH")).ok_or(error)
    })
}

/// The file that a shell starts for `name`.
fn by_name(name: OsString, path: Option<OsString>) -> Option<PathBuf> {
    let name = PathBuf::from(name);
    if name.components().count() > 1 {
        return name.canonicalize().ok();
    }
    let folders = path?;
    let mut files = std::env::split_paths(&folders).map(|folder| folder.join(&name));
    files.find(|file| file.is_file())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_looked_up_in_the_path_and_a_path_is_taken() {
        let program = std::env::current_exe().expect("this test");
        let (folder, name) =
            (program.parent().expect("a folder"), program.file_name().expect("a name"));
        let path =
            std::env::join_paths([PathBuf::from("/nowhere"), folder.into()]).expect("a path");
        assert_eq!(by_name(name.into(), Some(path.clone())), Some(program.clone()));
        assert_eq!(
            by_name(program.clone().into(), None),
            Some(program.canonicalize().expect("is there"))
        );
        assert_eq!(by_name(name.into(), None), None);
        assert_eq!(by_name("no such program".into(), Some(path)), None);
    }
}
