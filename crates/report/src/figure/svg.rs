//! A figure as an SVG document: title, legend, plots, axes, caption, from top to bottom.
//!
//! Colours of the page follow the reader's light or dark setting; fonts are the reader's own. The canvas grows downwards
//! with the title, the legend, the plots and the caption, so that nothing is laid over anything else.

use super::advance::Weight;
use super::canvas::{Anchor, Canvas, escaped, number};
use super::label::Rectangle;
use super::legend::{Legend, TEXT};
use super::plot::{Axes, Plot};
use super::style::{DARK_PAGE, LIGHT_PAGE, Style};
use super::typesetting::{cut, shortened, wrapped};
use super::{Breadth, Figure, Series};

/// How every document begins.
pub(super) const OPENING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-drawn-by=\"counsel\"";

const EDGE: f64 = 16.0;
const TITLE: f64 = 16.0;
/// Beside a plot: the name of the vertical axis.
const HEADING: f64 = 26.0;
/// Below a plot: the labels of its ticks.
const TICKS: f64 = 22.0;
/// Right of a plot, so that the label of its last tick has room.
const GAP: f64 = 14.0;
/// Small plots beside each other.
const ABREAST: usize = 3;

pub(super) fn document(figure: &Figure) -> String {
    let layout = FigureLayout::new(figure);
    let mut canvas = Canvas::default();
    layout.draw(&mut canvas);
    let (wide, high) = (number(layout.wide), number(layout.height));
    let (title, caption) = (escaped(&figure.title), escaped(&figure.words_below()));
    format!(
        "{OPENING} width=\"{wide}\" height=\"{high}\" viewBox=\"0 0 {wide} {high}\" role=\"group\" fill=\"none\">\n\
         <title>{title}</title>\n<desc>{caption}</desc>\n<style>\n{}</style>\n\
         <rect class=\"page\" x=\"0\" y=\"0\" width=\"{wide}\" height=\"{high}\"/>\n{}</svg>\n",
        style_sheet(),
        canvas.elements
    )
}

fn style_sheet() -> String {
    let page = |page: &str, ink: &str, soft: &str, grid: &str| {
        format!(
            ".page {{ fill: {page} }} text {{ fill: {ink} }} .caption {{ fill: {soft} }} .grid {{ stroke: {grid} }} \
             .axis, .reference {{ stroke: {ink} }} .efficient {{ stroke: {soft} }}"
        )
    };
    format!(
        "text {{ font-family: Helvetica, Arial, sans-serif; font-size: 12px }}\n\
         .title {{ font-size: {TITLE}px; font-weight: bold }} .heading {{ font-size: 13px }} .panel {{ font-weight: bold }}\n\
         .grid {{ stroke-width: 1 }} .axis {{ stroke-width: 1 }} .efficient {{ stroke-width: 1.5 }} \
         .reference {{ stroke-width: 1.5; stroke-dasharray: 3 3 }}\n\
         {}\n@media (prefers-color-scheme: dark) {{ {} }}\n",
        page(LIGHT_PAGE, "#1f2328", "#57606a", "#e3e6ea"),
        page(DARK_PAGE, "#e6e8eb", "#a3abb5", "#31363e"),
    )
}

/// Where everything lies.
struct FigureLayout<'a> {
    figure: &'a Figure,
    axes: Axes,
    title: Vec<String>,
    legend: Legend,
    caption: Vec<String>,
    /// Around all plots, without what is written beside and below.
    plots: Rectangle,
    /// The plots with their names, from left to right and from top to bottom.
    panels: Vec<(&'a str, Rectangle)>,
    wide: f64,
    height: f64,
}

impl<'a> FigureLayout<'a> {
    fn new(figure: &'a Figure) -> Self {
        let axes = Axes::of(figure);
        let names = figure.panels();
        let wide: f64 = if figure.breadth == Breadth::Page { 720.0 } else { 480.0 };
        let room = wide - 2.0 * EDGE;
        let title = wrapped(&figure.title, TITLE, room, Weight::Bold);
        let legend = Legend::new(figure, room);
        let caption = wrapped(&figure.words_below(), TEXT, room, Weight::Regular);

        let labels = axes.beside();
        let top = EDGE + 22.0 * title.len() as f64 + legend.height() + 10.0;
        let left = EDGE + HEADING;
        let abreast = names.len().min(ABREAST);
        let rows = names.len().div_ceil(abreast);
        // The name of a small plot stands above it.
        let (above, high) = match (rows, figure.breadth) {
            (1, Breadth::Page) if abreast == 1 => (0.0, 340.0),
            (1, Breadth::Column) if abreast == 1 => (0.0, 250.0),
            _ => (20.0, 150.0),
        };
        let (across, down) = ((wide - EDGE - left) / abreast as f64, above + high + TICKS + 4.0);
        let panel = |(place, name): (usize, &&'a str)| {
            let (column, row) = ((place % abreast) as f64, (place / abreast) as f64);
            let start = left + column * across;
            let area = Rectangle {
                left: start + labels,
                top: top + row * down + above,
                right: start + across - GAP,
                bottom: top + row * down + above + high,
            };
            (*name, area)
        };
        let panels: Vec<_> = names.iter().enumerate().map(panel).collect();
        let bottom = top + (rows as f64 - 1.0) * down + above + high;
        let plots = Rectangle { left: left + labels, top, right: wide - EDGE - GAP, bottom };
        let height = bottom + 48.0 + 17.0 * caption.len() as f64 + if caption.is_empty() { 4.0 } else { EDGE };
        Self { figure, axes, title, legend, caption, plots, panels, wide, height }
    }

    fn draw(&self, canvas: &mut Canvas) {
        let plots = &self.plots;
        for (at, line) in self.title.iter().enumerate() {
            canvas.text("title", (EDGE, EDGE + 13.0 + 22.0 * at as f64), Anchor::Start, line);
        }
        self.legend.draw(canvas, (EDGE, plots.top - 8.0 - self.legend.height()));
        let looks = self.figure.named();
        let look = |series: &Series| {
            let place = looks.iter().find(|(name, _)| *name == series.name).map_or(0, |(_, place)| *place);
            Style::nth(place)
        };
        for (name, area) in &self.panels {
            if self.panels.len() > 1 {
                let words = cut(name, TEXT, area.right + GAP - area.left, Weight::Bold);
                canvas.text("panel", (area.left, area.top - 7.0), Anchor::Start, &words);
            }
            let here = self.figure.series().iter().filter(|series| self.panels.len() == 1 || series.panel == **name);
            let series = here.map(|series| (look(series), series)).collect();
            let is_told = !self.legend.is_empty() || self.figure.breadth == Breadth::Column;
            Plot { figure: self.figure, axes: &self.axes, area: *area, series, is_told, wide: self.wide }.draw(canvas);
        }
        let middle = (0.5 * (plots.left + plots.right), 0.5 * (plots.top + plots.bottom));
        let across = shortened(self.figure.x(), 13.0, plots.right - plots.left);
        canvas.text("heading", (middle.0, plots.bottom + 38.0), Anchor::Middle, &across);
        let up = shortened(self.figure.y(), 13.0, plots.bottom - plots.top);
        canvas.upward_text("heading", (EDGE + 10.0, middle.1), &up);
        for (at, line) in self.caption.iter().enumerate() {
            canvas.text("caption", (EDGE, plots.bottom + 62.0 + 17.0 * at as f64), Anchor::Start, line);
        }
    }
}
