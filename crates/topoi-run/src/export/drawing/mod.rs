//! Figures as PDF and PNG: the SVG of a figure as outlines, which need neither fonts nor a browser.
//!
//! Only the SVG that [`Figure`](topoi_core::plot::figure::Figure) writes is read: rectangles, lines, circles, polygons,
//! paths of straight lines, and texts.

pub mod fonts;
mod outline;
mod pdf;
mod png;
mod svg;

use std::path::Path;

use self::fonts::Fonts;
use super::error::ExportError;

/// The format of a figure's file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, strum::VariantArray)]
pub enum FigureFormat {
    /// Scalable; follows the reader's light or dark mode.
    Svg,
    /// A page of the figure's size, letters as outlines.
    Pdf,
    /// Pixels, three to a unit of the SVG.
    Png,
}

impl FigureFormat {
    /// How names of its files end.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Svg => "svg",
            Self::Pdf => "pdf",
            Self::Png => "png",
        }
    }

    /// The format that a path asks for by its ending; SVG without one.
    ///
    /// # Errors
    /// If it is the ending of another format.
    pub fn from_path(path: &Path) -> Result<Self, ExportError> {
        use strum::VariantArray as _;
        let Some(ending) = path.extension() else { return Ok(Self::Svg) };
        let is_its = |format: &&Self| ending.eq_ignore_ascii_case(format.ending());
        let found = Self::VARIANTS.iter().find(is_its).copied();
        found.ok_or_else(|| ExportError::FigureEnding { path: path.into() })
    }

    /// The bytes of a file in this format, from the SVG of a figure. The same SVG and fonts give the same bytes.
    ///
    /// # Errors
    /// [`ExportError::NotAFigure`] for other SVG; [`ExportError::LettersWithoutFont`].
    pub fn bytes(self, figure: &str, fonts: &Fonts) -> Result<Vec<u8>, ExportError> {
        match self {
            Self::Svg => Ok(figure.as_bytes().to_vec()),
            Self::Pdf => pdf::written(&svg::drawing(figure, fonts)?),
            Self::Png => png::written(&svg::drawing(figure, fonts)?),
        }
    }
}

#[cfg(test)]
mod tests;
