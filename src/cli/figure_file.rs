//! Writing a figure to the file that is asked for, in the format of its ending.

use std::path::{Path, PathBuf};

use super::destination::{is_standard_output, output_at};
use topoi_run::export::drawing::FigureFormat;
use topoi_run::export::drawing::fonts::Fonts;

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
        Ok(Self { format: FigureFormat::of_path(path)?, fonts })
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
