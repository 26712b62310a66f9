//! How series are distinguished: colour, marker and dash.
//!
//! Every colour has a contrast of at least 3 with the light and with the dark page, so one palette serves both. Colours are
//! chosen to stay apart under the common kinds of colour blindness; markers and dashes say the same without colour. The
//! three cycles have coprime lengths, so many series differ in at least one of them.

pub(super) const LIGHT_PAGE: &str = "#ffffff";
pub(super) const DARK_PAGE: &str = "#16181d";

/// Blue, vermilion, green, pink, ochre, grey.
const COLOURS: [&str; 6] = ["#0072b2", "#d55e00", "#009270", "#c76b9f", "#9a7400", "#7a7a7a"];
const DASHES: [&str; 5] = ["", "7 3", "2 3", "9 3 2 3", "12 4"];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Marker {
    Circle,
    Square,
    Triangle,
    Diamond,
    Cross,
    Plus,
    TriangleDown,
}

const MARKERS: [Marker; 7] = [
    Marker::Circle,
    Marker::Square,
    Marker::Triangle,
    Marker::Diamond,
    Marker::Cross,
    Marker::Plus,
    Marker::TriangleDown,
];

/// The look of one series.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Style {
    pub(super) colour: &'static str,
    /// Empty for a solid line.
    pub(super) dash: &'static str,
    pub(super) marker: Marker,
}

impl Style {
    /// The look of the series at this place.
    pub(super) fn nth(place: usize) -> Self {
        Self {
            colour: COLOURS[place % COLOURS.len()],
            dash: DASHES[place % DASHES.len()],
            marker: MARKERS[place % MARKERS.len()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance as WCAG 2 defines it.
    fn luminance(colour: &str) -> f64 {
        let channel = |at: usize| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if share <= 0.03928 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        0.2126 * channel(1) + 0.7152 * channel(3) + 0.0722 * channel(5)
    }

    #[test]
    fn every_colour_can_be_seen_on_both_pages() {
        for colour in COLOURS {
            for page in [LIGHT_PAGE, DARK_PAGE] {
                let (one, other) = (luminance(colour), luminance(page));
                let contrast = (one.max(other) + 0.05) / (one.min(other) + 0.05);
                assert!(contrast >= 3.0, "{colour} on {page}: {contrast}");
            }
        }
    }

    #[test]
    fn two_hundred_series_look_different() {
        let looks: Vec<Style> = (0..200).map(Style::nth).collect();
        for (place, look) in looks.iter().enumerate() {
            assert!(!looks[..place].contains(look), "{place}");
        }
    }
}
