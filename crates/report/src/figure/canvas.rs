//! Shapes and words as SVG elements.
//!
//! Invariant: every coordinate is written with at most two decimals, and words hold only characters that XML allows.

use std::fmt::Write as _;

use super::style::{Marker, Style};
use crate::number::trimmed;

/// On which side of its place a line of text lies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Anchor {
    Start,
    Middle,
    End,
}

impl Anchor {
    fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Middle => "middle",
            Self::End => "end",
        }
    }
}

/// The elements so far.
#[derive(Debug, Default)]
pub(super) struct Canvas {
    pub(super) elements: String,
}

impl Canvas {
    /// A rule of the grid or a frame; `class` says which.
    pub(super) fn rule(&mut self, class: &str, from: (f64, f64), to: (f64, f64)) {
        let (x1, y1, x2, y2) = (number(from.0), number(from.1), number(to.0), number(to.1));
        self.add(&format!(r#"<line class="{class}" x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}"/>"#));
    }

    /// A straight stroke in a series' colour.
    pub(super) fn bar(&mut self, style: Style, from: (f64, f64), to: (f64, f64)) {
        let path = format!("M{} L{}", pair(from), pair(to));
        self.add(&format!(r#"<path d="{path}" stroke="{}" stroke-width="1.5"/>"#, style.colour));
    }

    /// A line through points in a series' colour and dash.
    pub(super) fn line(&mut self, style: Style, points: &[(f64, f64)]) {
        let dash = if style.dash.is_empty() { String::new() } else { format!(r#" stroke-dasharray="{}""#, style.dash) };
        let (points, colour) = (list(points), style.colour);
        self.add(&format!(
            r#"<polyline points="{points}" fill="none" stroke="{colour}" stroke-width="2" stroke-linejoin="round"{dash}/>"#
        ));
    }

    /// A line through points; `class` says its look.
    pub(super) fn steps(&mut self, class: &str, points: &[(f64, f64)]) {
        self.add(&format!(r#"<polyline class="{class}" points="{}" fill="none"/>"#, list(points)));
    }

    /// A filled outline in a series' colour, light enough to see others through it.
    pub(super) fn band(&mut self, style: Style, outline: &[(f64, f64)]) {
        let (points, colour) = (list(outline), style.colour);
        self.add(&format!(r#"<polygon points="{points}" fill="{colour}" fill-opacity="0.15"/>"#));
    }

    /// A series' marker that says what it stands for, to the pointer, to the keyboard and to who cannot see it.
    pub(super) fn point(&mut self, style: Style, at: (f64, f64), words: &str) {
        let words = escaped(words);
        self.add(&format!(r#"<g tabindex="0" role="img" aria-label="{words}"><title>{words}</title>"#));
        self.marker(style, at);
        self.add("</g>");
    }

    /// A series' marker.
    pub(super) fn marker(&mut self, style: Style, (x, y): (f64, f64)) {
        let at = |dx: f64, dy: f64| pair((x + dx, y + dy));
        let colour = style.colour;
        let closed = |corners: [(f64, f64); 4]| {
            let path = corners.map(|(dx, dy)| at(dx, dy)).join(" L");
            format!(r#"<path d="M{path} Z" fill="{colour}"/>"#)
        };
        let strokes = |ends: [(f64, f64); 4]| {
            let [a, b, c, d] = ends.map(|(dx, dy)| at(dx, dy));
            format!(r#"<path d="M{a} L{b} M{c} L{d}" stroke="{colour}" stroke-width="2.2"/>"#)
        };
        let element = match style.marker {
            Marker::Circle => {
                format!(r#"<circle cx="{}" cy="{}" r="4" fill="{colour}"/>"#, number(x), number(y))
            }
            Marker::Square => closed([(-3.6, -3.6), (3.6, -3.6), (3.6, 3.6), (-3.6, 3.6)]),
            Marker::Triangle => closed([(0.0, -4.8), (4.6, 3.4), (-4.6, 3.4), (-4.6, 3.4)]),
            Marker::Diamond => closed([(0.0, -5.2), (5.2, 0.0), (0.0, 5.2), (-5.2, 0.0)]),
            Marker::Cross => strokes([(-3.8, -3.8), (3.8, 3.8), (-3.8, 3.8), (3.8, -3.8)]),
            Marker::Plus => strokes([(-4.8, 0.0), (4.8, 0.0), (0.0, -4.8), (0.0, 4.8)]),
            Marker::TriangleDown => closed([(0.0, 4.8), (4.6, -3.4), (-4.6, -3.4), (-4.6, -3.4)]),
        };
        self.add(&element);
    }

    /// A line of text on its baseline; `class` says its size.
    pub(super) fn text(&mut self, class: &str, (x, y): (f64, f64), anchor: Anchor, words: &str) {
        let (x, y, anchor, words) = (number(x), number(y), anchor.name(), escaped(words));
        self.add(&format!(r#"<text class="{class}" x="{x}" y="{y}" text-anchor="{anchor}">{words}</text>"#));
    }

    /// A line of text that reads upwards, its middle here.
    pub(super) fn upward_text(&mut self, class: &str, (x, y): (f64, f64), words: &str) {
        let (x, y, words) = (number(x), number(y), escaped(words));
        self.add(&format!(
            r#"<text class="{class}" x="{x}" y="{y}" text-anchor="middle" transform="rotate(-90 {x} {y})">{words}</text>"#
        ));
    }

    fn add(&mut self, element: &str) {
        let _ = writeln!(self.elements, "{element}");
    }
}

/// At most two decimals, and no minus sign before a zero.
pub(super) fn number(value: f64) -> String {
    trimmed(value, 2)
}

fn pair((x, y): (f64, f64)) -> String {
    format!("{},{}", number(x), number(y))
}

fn list(points: &[(f64, f64)]) -> String {
    points.iter().map(|point| pair(*point)).collect::<Vec<_>>().join(" ")
}

/// Words as XML text: marks of its own spelled out, characters it forbids replaced.
pub(super) fn escaped(words: &str) -> String {
    let mut text = String::with_capacity(words.len());
    for c in words.chars() {
        match c {
            '&' => text.push_str("&amp;"),
            '<' => text.push_str("&lt;"),
            '>' => text.push_str("&gt;"),
            '"' => text.push_str("&quot;"),
            '\u{0}'..='\u{1f}' | '\u{fffe}' | '\u{ffff}' => text.push('\u{fffd}'),
            _ => text.push(c),
        }
    }
    text
}
