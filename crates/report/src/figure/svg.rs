//! A figure as an SVG document: title, legend, plot, axes, caption, from top to bottom.
//!
//! Colours of the page follow the reader's light or dark setting; fonts are the reader's own. The canvas grows downwards
//! with the title, the legend and the caption, so that nothing is laid over anything else.

use super::canvas::{Anchor, Canvas, escaped, number};
use super::label::{Rectangle, free_place};
use super::legend::{Legend, TEXT};
use super::scale::{Scale, Tick};
use super::style::{DARK_PAGE, LIGHT_PAGE, Style};
use super::typesetting::{shortened, width, wrapped};
use super::{Ends, Figure, FigureKind, Point, Series};
use crate::number::trimmed;

/// How every document begins.
pub(super) const OPENING: &str = "<svg xmlns=\"http://www.w3.org/2000/svg\" data-drawn-by=\"counsel\"";

const WIDTH: f64 = 720.0;
const EDGE: f64 = 16.0;
const PLOT_HEIGHT: f64 = 340.0;
const TITLE: f64 = 16.0;
/// A line has at most about this many markers.
const MARKERS: usize = 10;

pub(super) fn document(figure: &Figure) -> String {
    let layout = FigureLayout::new(figure);
    let mut canvas = Canvas::default();
    layout.draw_frame(&mut canvas);
    match figure.kind() {
        FigureKind::Line => layout.draw_lines(&mut canvas),
        FigureKind::Scatter => layout.draw_scatter(&mut canvas),
    }
    let (wide, high) = (number(WIDTH), number(layout.height));
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
             .axis, .reference {{ stroke: {ink} }}"
        )
    };
    format!(
        "text {{ font-family: Helvetica, Arial, sans-serif; font-size: 12px }}\n\
         .title {{ font-size: {TITLE}px; font-weight: bold }} .heading {{ font-size: 13px }}\n\
         .grid {{ stroke-width: 1 }} .axis {{ stroke-width: 1 }} \
         .reference {{ stroke-width: 1.5; stroke-dasharray: 3 3 }}\n\
         {}\n@media (prefers-color-scheme: dark) {{ {} }}\n",
        page(LIGHT_PAGE, "#1f2328", "#57606a", "#e3e6ea"),
        page(DARK_PAGE, "#e6e8eb", "#a3abb5", "#31363e"),
    )
}

/// Where everything lies.
struct FigureLayout<'a> {
    figure: &'a Figure,
    title: Vec<String>,
    legend: Legend,
    caption: Vec<String>,
    plot: Rectangle,
    height: f64,
    x: Scale,
    y: Scale,
    x_ticks: Vec<Tick>,
    y_ticks: Vec<Tick>,
}

impl<'a> FigureLayout<'a> {
    fn new(figure: &'a Figure) -> Self {
        let points = || figure.series().iter().flat_map(|series| &series.points);
        let across: Vec<f64> = points().flat_map(Point::across).map(|(_, value)| value).collect();
        let up: Vec<f64> = points().flat_map(Point::up).map(|(_, value)| value).collect();
        // Lines run from edge to edge; around points there is room for labels.
        let (beside, above) = if figure.kind() == FigureKind::Line { (0.0, 0.05) } else { (0.06, 0.1) };
        let x = Scale::new(&across, beside);
        let y = Scale::new(&up, above);
        let (x_ticks, y_ticks) = (x.ticks(), y.ticks());

        let room = WIDTH - 2.0 * EDGE;
        let title = wrapped(&figure.title, 1.05 * TITLE, room);
        let legend = Legend::new(figure, room);
        let caption = wrapped(&figure.words_below(), TEXT, room);
        let labels = y_ticks.iter().map(|tick| width(&tick.label, TEXT)).fold(0.0, f64::max);
        let left = EDGE + 26.0 + labels;
        let top = EDGE + 22.0 * title.len() as f64 + legend.height() + 10.0;
        let plot = Rectangle { left, top, right: WIDTH - EDGE - 14.0, bottom: top + PLOT_HEIGHT };
        let height = plot.bottom + 48.0 + 17.0 * caption.len() as f64 + if caption.is_empty() { 4.0 } else { EDGE };
        Self { figure, title, legend, caption, plot, height, x, y, x_ticks, y_ticks }
    }

    fn across(&self, x: f64) -> f64 {
        self.plot.left + self.x.place(x) * (self.plot.right - self.plot.left)
    }

    fn up(&self, y: f64) -> f64 {
        self.plot.bottom - self.y.place(y) * (self.plot.bottom - self.plot.top)
    }

    fn at(&self, x: f64, y: f64) -> (f64, f64) {
        (self.across(x), self.up(y))
    }

    /// The numbers behind a point.
    fn told(&self, series: &Series, point: &Point) -> String {
        let short = |value| trimmed(value, 4);
        let within = |ends: Option<Ends>| {
            ends.map_or_else(String::new, |ends| format!(" [{}, {}]", short(ends.low), short(ends.high)))
        };
        let (x, y) = (self.figure.x(), self.figure.y());
        let name = if point.label.trim().is_empty() { &series.name } else { &point.label };
        format!(
            "{name}: {x} {}{}, {y} {}{}",
            short(point.x),
            within(point.x_ends),
            short(point.y),
            within(point.y_ends)
        )
    }

    /// Everything but the data.
    fn draw_frame(&self, canvas: &mut Canvas) {
        let plot = &self.plot;
        for (at, line) in self.title.iter().enumerate() {
            canvas.text("title", (EDGE, EDGE + 13.0 + 22.0 * at as f64), Anchor::Start, line);
        }
        self.legend.draw(canvas, (EDGE, plot.top - 8.0 - self.legend.height()));
        for tick in &self.y_ticks {
            let y = plot.bottom - tick.place * (plot.bottom - plot.top);
            canvas.rule("grid", (plot.left, y), (plot.right, y));
            canvas.text("small", (plot.left - 6.0, y + 4.0), Anchor::End, &tick.label);
        }
        let mut free_from = 0.0;
        for tick in &self.x_ticks {
            let x = plot.left + tick.place * (plot.right - plot.left);
            canvas.rule("grid", (x, plot.top), (x, plot.bottom));
            let half = 0.5 * width(&tick.label, TEXT);
            let middle = x.clamp(half, WIDTH - half);
            if middle - half >= free_from {
                canvas.text("small", (middle, plot.bottom + 17.0), Anchor::Middle, &tick.label);
                free_from = middle + half + 6.0;
            }
        }
        canvas.rule("axis", (plot.left, plot.bottom), (plot.right, plot.bottom));
        canvas.rule("axis", (plot.left, plot.top), (plot.left, plot.bottom));
        let middle = (0.5 * (plot.left + plot.right), 0.5 * (plot.top + plot.bottom));
        let across = shortened(self.figure.x(), 13.0, plot.right - plot.left);
        canvas.text("heading", (middle.0, plot.bottom + 38.0), Anchor::Middle, &across);
        let up = shortened(self.figure.y(), 13.0, PLOT_HEIGHT);
        canvas.upward_text("heading", (EDGE + 10.0, middle.1), &up);
        for (at, line) in self.caption.iter().enumerate() {
            canvas.text("caption", (EDGE, plot.bottom + 62.0 + 17.0 * at as f64), Anchor::Start, line);
        }
        if self.figure.series().iter().all(|series| series.points.is_empty()) {
            canvas.text("heading", middle, Anchor::Middle, "no points");
        }
    }

    fn styled(&self) -> impl Iterator<Item = (usize, Style, &Series)> {
        self.figure.series().iter().enumerate().map(|(at, series)| (at, Style::nth(at), series))
    }

    fn draw_lines(&self, canvas: &mut Canvas) {
        for (_, style, series) in self.styled() {
            for run in series.points.split(|point| point.y_ends.is_none()) {
                let end = |point: &Point, choose: fn(Ends) -> f64| {
                    self.at(point.x, choose(point.y_ends.unwrap_or(Ends { low: point.y, high: point.y })))
                };
                match run {
                    [] => {}
                    [alone] => canvas.bar(style, end(alone, |ends| ends.low), end(alone, |ends| ends.high)),
                    _ => {
                        let mut outline: Vec<_> = run.iter().map(|point| end(point, |ends| ends.high)).collect();
                        outline.extend(run.iter().rev().map(|point| end(point, |ends| ends.low)));
                        canvas.band(style, &outline);
                    }
                }
            }
        }
        for (at, style, series) in self.styled() {
            let places: Vec<_> = series.points.iter().map(|point| self.at(point.x, point.y)).collect();
            if places.len() > 1 {
                canvas.line(style, &places);
            }
            // Series start their markers at different points, so that curves on top of each other stay visible.
            let every = places.len().div_ceil(MARKERS).max(1);
            for point in series.points.iter().skip(at % every).step_by(every) {
                canvas.point(style, self.at(point.x, point.y), &self.told(series, point));
            }
        }
    }

    fn draw_scatter(&self, canvas: &mut Canvas) {
        let mut obstacles = Vec::new();
        for (_, style, series) in self.styled() {
            for point in &series.points {
                let bars = [
                    point.x_ends.map(|ends| (self.at(ends.low, point.y), self.at(ends.high, point.y))),
                    point.y_ends.map(|ends| (self.at(point.x, ends.low), self.at(point.x, ends.high))),
                ];
                for (from, to) in bars.into_iter().flatten() {
                    canvas.bar(style, from, to);
                    obstacles.push(Rectangle::around(from, to, 2.0));
                }
                obstacles.push(Rectangle::around(self.at(point.x, point.y), self.at(point.x, point.y), 6.0));
            }
        }
        for (_, style, series) in self.styled() {
            for point in &series.points {
                canvas.point(style, self.at(point.x, point.y), &self.told(series, point));
            }
        }
        self.draw_labels(canvas, obstacles);
    }

    /// The labels that find a free place. One that does not is left out where the legend names it, else laid over.
    fn draw_labels(&self, canvas: &mut Canvas, mut obstacles: Vec<Rectangle>) {
        for (_, _, series) in self.styled() {
            for point in series.points.iter().filter(|point| !point.label.trim().is_empty()) {
                let words = shortened(&point.label, TEXT, 0.4 * (self.plot.right - self.plot.left));
                let (size, at) = ((width(&words, TEXT), TEXT + 2.0), self.at(point.x, point.y));
                let in_legend = !self.legend.is_empty() && series.points.len() == 1 && point.label == series.name;
                let anywhere = || free_place(at, size, &self.plot, &[]).filter(|_| !in_legend);
                if let Some(place) = free_place(at, size, &self.plot, &obstacles).or_else(anywhere) {
                    let (start, anchor) =
                        if place.right < at.0 { (place.right, Anchor::End) } else { (place.left, Anchor::Start) };
                    canvas.text("small", (start, place.bottom - 3.0), anchor, &words);
                    obstacles.push(place);
                }
            }
        }
    }
}
