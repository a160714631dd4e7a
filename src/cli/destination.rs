//! The destination of `--into` of exports and figures, and the format of a figure by its ending.

use std::io::IsTerminal;
use std::path::{Path, PathBuf};

use topoi_run::export::drawing::FigureFormat;
use topoi_run::export::drawing::fonts::Fonts;
use topoi_run::export::output::Output;

/// Whether `--into` means standard output.
pub fn is_standard_output(place: &Path) -> bool {
    ["-", "/dev/stdout"].iter().any(|name| place.as_os_str() == *name)
}

/// The destination of `--into`.
pub fn output_at(place: &Path, replaces: bool) -> anyhow::Result<Output> {
    if !is_standard_output(place) {
        return Ok(Output::at(place, replaces));
    }
    anyhow::ensure!(
        !std::io::stdout().is_terminal(),
        "standard output is a terminal; name a file with --into, or give the output to a program with |"
    );
    Ok(Output::standard())
}

/// The file of a figure.
pub struct FigureFile {
    format: FigureFormat,
    fonts: Fonts,
}

impl FigureFile {
    /// Fails for an ending that no format has, and for a font that cannot be read.
    pub fn new(into: Option<&Path>, font: Option<&Path>) -> anyhow::Result<Self> {
        let path = into.filter(|path| !is_standard_output(path)).unwrap_or(Path::new(""));
        let fonts = font.map(Fonts::with_file).transpose()?.unwrap_or_default();
        Ok(Self { format: FigureFormat::from_path(path)?, fonts })
    }

    /// Writes a figure, and returns where; nothing where that is standard output.
    pub fn write(
        &self,
        place: &Path,
        svg: &str,
        replaces: bool,
    ) -> anyhow::Result<Option<PathBuf>> {
        let bytes = self.format.bytes(svg, &self.fonts)?;
        let written: PathBuf = output_at(place, replaces)?.file(|sink| sink.write(bytes))?;
        Ok((!is_standard_output(place)).then_some(written))
    }
}
