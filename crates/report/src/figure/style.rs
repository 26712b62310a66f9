//! How series are distinguished: colour, marker and dash.
//!
//! Every colour has a contrast of at least 3 with the light and with the dark page, so one palette serves both. Any two colours are at
//! least 20 apart (CIE 1976 ΔE), with usual sight, under protanopia and under deuteranopia; markers and dashes say the same without
//! colour. The three cycles have coprime lengths, so many series differ in at least one of them.

use super::canvas::{Canvas, number};

pub(super) const LIGHT_PAGE: &str = "#ffffff";
pub(super) const DARK_PAGE: &str = "#16181d";

/// Blue, orange, teal, violet, olive, brown.
const COLOURS: [&str; 6] = ["#0b6fac", "#e77112", "#16a598", "#7c7af0", "#888444", "#8f5a5a"];
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

/// The marker of a place beside words, as a drawing of its own. The words say what it stands for.
pub(crate) fn sample(place: usize) -> String {
    let mut canvas = Canvas::default();
    canvas.marker(Style::nth(place), (0.5 * SAMPLE, 0.5 * SAMPLE));
    let side = number(SAMPLE);
    format!(
        "<svg class=\"sample\" width=\"{side}\" height=\"{side}\" viewBox=\"0 0 {side} {side}\" aria-hidden=\"true\" fill=\"none\">{}</svg>",
        canvas.elements.trim_end()
    )
}

/// The side of a sample.
const SAMPLE: f64 = 12.0;

#[cfg(test)]
mod tests {
    use super::*;

    /// What linear light looks like to eyes without red or without green cones (Machado, Oliveira and Fernandes 2009, severity 1).
    const SIGHTS: [(&str, [[f64; 3]; 3]); 3] = [
        ("usual sight", [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]),
        (
            "protanopia",
            [
                [0.152_286, 1.052_583, -0.204_868],
                [0.114_503, 0.786_281, 0.099_216],
                [-0.003_882, -0.048_116, 1.051_998],
            ],
        ),
        (
            "deuteranopia",
            [[0.367_322, 0.860_646, -0.227_968], [0.280_085, 0.672_501, 0.047_413], [-0.011_820, 0.042_940, 0.968_881]],
        ),
    ];

    /// CIELAB under D65 of a colour as these eyes see it.
    fn seen(colour: &str, sight: &[[f64; 3]; 3]) -> [f64; 3] {
        let channel = |at: usize| {
            let share = f64::from(u8::from_str_radix(&colour[at..at + 2], 16).unwrap()) / 255.0;
            if share <= 0.04045 { share / 12.92 } else { ((share + 0.055) / 1.055).powf(2.4) }
        };
        let light = [1, 3, 5].map(channel);
        let times = |row: &[f64; 3]| row.iter().zip(light).map(|(weight, part)| weight * part).sum::<f64>();
        let [r, g, b] = [0, 1, 2].map(|row| times(&sight[row]).clamp(0.0, 1.0));
        let root =
            |share: f64| if share > 216.0 / 24389.0 { share.cbrt() } else { (24389.0 / 27.0 * share + 16.0) / 116.0 };
        let x = root((0.412_456_4 * r + 0.357_576_1 * g + 0.180_437_5 * b) / 0.950_47);
        let y = root(0.212_672_9 * r + 0.715_152_2 * g + 0.072_175 * b);
        let z = root((0.019_333_9 * r + 0.119_192 * g + 0.950_304_1 * b) / 1.088_83);
        [116.0 * y - 16.0, 500.0 * (x - y), 200.0 * (y - z)]
    }

    fn apart(one: &str, other: &str, sight: &[[f64; 3]; 3]) -> f64 {
        let (one, other) = (seen(one, sight), seen(other, sight));
        one.iter().zip(other).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt()
    }

    #[test]
    fn any_two_colours_stay_apart_to_all_eyes() {
        for (name, sight) in &SIGHTS {
            for (place, one) in COLOURS.iter().enumerate() {
                for other in &COLOURS[..place] {
                    let apart = apart(one, other, sight);
                    assert!(apart >= 20.0, "{one} and {other} are {apart:.1} apart under {name}");
                }
            }
        }
        // The measure finds a palette that is not safe: vermilion and ochre look alike without red cones.
        assert!(apart("#d55e00", "#9a7400", &SIGHTS[1].1) < 3.0);
    }

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
