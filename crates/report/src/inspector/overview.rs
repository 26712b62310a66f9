//! The pages of a server that lead to the cells: all studies as matrices of arm by seed, and what matters in one study.
//!
//! Both have a part that changes while a run goes on. Their one script asks for the page again and puts the new part in the place
//! of the old one, so what is shown is always what the server made. Without a script a page is read again by hand.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counsel_log::{CellKey, Matter};
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use super::glance::{Glance, Mistake};
use super::{DEAREST, STYLE, served_at};
use crate::entry::one_line;
use crate::page::OPENING;
use crate::{Error, Figure, FigureFormat, FigureKind, Point, Series};

const SCRIPT: &str = include_str!("overview.js");
const LAYOUT: &str = include_str!("overview.css");

/// A finished cell, as far as it is known.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenCell {
    /// Which cell.
    pub key: CellKey,
    /// The place of its arm in the study.
    pub arm_order: usize,
    /// Its mean return per episode.
    pub mean_return: f64,
    /// How often it asked.
    pub calls: u64,
    /// What its log says, once it was read.
    pub glance: Option<Arc<Glance>>,
}

/// A study, as far as it has come.
#[derive(Debug, Clone, PartialEq)]
pub struct SeenStudy {
    /// Its name.
    pub study: String,
    /// Its title; empty where it has no sheet.
    pub title: String,
    /// The cells that will be written, where somebody is at work.
    pub announced: Vec<CellKey>,
    /// The finished cells, in the order of their keys.
    pub cells: Vec<SeenCell>,
}

impl SeenStudy {
    /// Its arms in the order of the study; those without a finished cell come last.
    fn arms(&self) -> Vec<&str> {
        let known: BTreeSet<(usize, &str)> =
            self.cells.iter().map(|cell| (cell.arm_order, cell.key.arm.as_str())).collect();
        let mut arms: Vec<&str> = known.into_iter().map(|(_, arm)| arm).collect();
        for key in &self.announced {
            if !arms.contains(&key.arm.as_str()) {
                arms.push(&key.arm);
            }
        }
        arms
    }

    fn seeds(&self) -> BTreeSet<u64> {
        self.cells.iter().map(|cell| cell.key.seed).chain(self.announced.iter().map(|key| key.seed)).collect()
    }

    /// How many cells there will be.
    fn planned(&self) -> usize {
        let finished = self.cells.iter().map(|cell| &cell.key);
        finished.chain(&self.announced).collect::<BTreeSet<_>>().len()
    }

    fn read(&self) -> usize {
        self.cells.iter().filter(|cell| cell.glance.is_some()).count()
    }

    /// The mean return of the finished cells by episode, a line for each arm.
    fn curve(&self) -> Result<Figure, Error> {
        let mut figure =
            Figure::new("curve", format!("{}: return", self.study), FigureKind::Line, "episode", "return")?;
        for arm in self.arms() {
            let curves = self.cells.iter().filter(|cell| cell.key.arm == arm).filter_map(|cell| cell.glance.as_ref());
            // Cells of one arm have equally many episodes; one that has fewer ends its part of the mean.
            let mut points: Vec<(f64, f64, f64)> = Vec::new();
            for glance in curves {
                for (place, &(episode, gained)) in glance.curve.iter().enumerate() {
                    match points.get_mut(place) {
                        Some((_, sum, count)) => (*sum, *count) = (*sum + gained, *count + 1.0),
                        None => points.push((episode, gained, 1.0)),
                    }
                }
            }
            let points = points.into_iter().map(|(episode, sum, count)| Point::new(episode, sum / count));
            figure.push(Series::new(arm, points))?;
        }
        figure.caption = format!(
            "Mean over the finished seeds of each arm, of neighbouring episodes; {} of {} finished cells are read.",
            self.read(),
            self.cells.len()
        );
        Ok(figure)
    }
}

/// What the two pages may do: run their script and ask their own server again.
pub fn overview_policy() -> String {
    let script = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
    format!(
        "default-src 'none'; script-src 'sha256-{script}'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; \
         connect-src 'self'; frame-ancestors 'none'"
    )
}

/// The first page of a server: every study of a run.
pub fn served_index(folder: &str, studies: &[SeenStudy]) -> String {
    let search = html! {
        label for="search" { "Search arms" } " " input id="search" type="search" autocomplete="off";
        " " span id="heard" role="status" {}
    };
    let live = html! {
        @if studies.is_empty() { p { "No cell is finished yet. This page fills as they come." } }
        @for seen in studies { (study(seen)) }
    };
    framed(
        &format!("counsel decisions: {}", one_line(folder)),
        &html! { "Decisions of " code { (one_line(folder)) } },
        &search,
        &live,
    )
}

fn study(seen: &SeenStudy) -> Markup {
    let (arms, seeds, planned) = (seen.arms(), seen.seeds(), seen.planned());
    let cells: BTreeMap<(&str, u64), &SeenCell> =
        seen.cells.iter().map(|cell| ((cell.key.arm.as_str(), cell.key.seed), cell)).collect();
    html! {
        section data-study=(seen.study) {
            h2 { (seen.study) @if !seen.title.is_empty() { ": " (one_line(&seen.title)) } }
            p {
                strong { (seen.cells.len()) " of " (planned) " cells" } " "
                progress max=(planned.max(1)) value=(seen.cells.len()) aria-label={ "Finished cells of " (seen.study) } {}
                " " a href=(format!("/report/{}", seen.study)) { "Report" }
                " · " a href=(format!("/find/{}", seen.study)) { "What matters" }
                @if arms.len() > 1 {
                    " · " label { "open beside "
                        select.beside { option value="" { "nothing" } @for arm in &arms { option value=(arm) { (arm) } } }
                    }
                }
            }
            div.scroll tabindex="0" role="region" aria-label={ "Cells of " (seen.study) } {
                table {
                    thead { tr { th scope="col" { "arm" } th scope="col" { "mean" } @for seed in &seeds { th scope="col" { "seed " (seed) } } } }
                    tbody {
                        @for arm in &arms {
                            @let row: Vec<&SeenCell> = seeds.iter().filter_map(|seed| cells.get(&(*arm, *seed)).copied()).collect();
                            tr data-arm=(arm) {
                                th scope="row" { (arm) }
                                td.n { @if !row.is_empty() { (brought(mean(&row, |cell| cell.mean_return), mean(&row, |cell| cell.calls as f64))) } }
                                @for seed in &seeds {
                                    @match cells.get(&(*arm, *seed)) {
                                        Some(cell) => td.n { a.cell href=(served_at(&cell.key)) { (brought(cell.mean_return, cell.calls as f64)) } },
                                        None => td.n.soft { "…" },
                                    }
                                }
                            }
                        }
                    }
                }
            }
            p.soft { "Each entry: mean return of an episode, and calls of the run." }
            @if seen.read() > 0 {
                @match seen.curve() {
                    Ok(figure) => details.curve open { summary { "Learning curve" } (PreEscaped(figure.render(FigureFormat::Svg))) },
                    Err(error) => p.soft { (error) },
                }
            }
        }
    }
}

fn mean(cells: &[&SeenCell], of: impl Fn(&SeenCell) -> f64) -> f64 {
    cells.iter().map(|cell| of(cell)).sum::<f64>() / cells.len() as f64
}

fn brought(gained: f64, calls: f64) -> Markup {
    html! { (format!("{gained:.3}")) " · " (format!("{calls:.0}")) }
}

/// What matters in a study: counts over all its cells, and the dearest mistakes with links.
pub fn served_find(folder: &str, seen: &SeenStudy) -> String {
    let mut mistakes: Vec<(&CellKey, &Mistake)> = Vec::new();
    let mut arms: BTreeMap<&str, Vec<&Glance>> = BTreeMap::new();
    for cell in &seen.cells {
        if let Some(glance) = &cell.glance {
            arms.entry(&cell.key.arm).or_default().push(glance);
            mistakes.extend(glance.dearest.iter().map(|mistake| (&cell.key, mistake)));
        }
    }
    mistakes.sort_by(|one, other| {
        other.1.cost.total_cmp(&one.1.cost).then((one.0, one.1.step).cmp(&(other.0, other.1.step)))
    });
    mistakes.truncate(DEAREST);
    let all: Vec<&Glance> = arms.values().flatten().copied().collect();
    let sum = |of: &[&Glance], count: &dyn Fn(&Glance) -> usize| of.iter().map(|glance| count(glance)).sum::<usize>();
    let row = |name: &str, of: &[&Glance]| {
        html! {
            tr data-arm=(name) {
                th scope="row" { (name) }
                td.n { (sum(of, &|glance| glance.decisions)) }
                td.n { (sum(of, &|glance| glance.asked)) }
                @for matter in Matter::ALL { td.n { (sum(of, &|glance| glance.counts[matter.place()])) } }
            }
        }
    };
    let live = html! {
        p { (seen.read()) " of " (seen.cells.len()) " finished cells are read. In a cell, the keys 1 to " (Matter::ALL.len()) " lead from one such decision to the next." }
        div.scroll tabindex="0" role="region" aria-label="Counts" {
            table {
                thead { tr { th scope="col" { "arm" } th scope="col" { "decisions" } th scope="col" { "asked" } @for matter in Matter::ALL { th scope="col" { (matter.name()) } } } }
                tbody { (row("all", &all)) @for (arm, of) in &arms { (row(arm, of)) } }
            }
        }
        p.soft { "What needs a label of hindsight is counted where that was measured." }
        h2 { "The " (mistakes.len()) " dearest mistakes" }
        ol {
            @for (key, mistake) in &mistakes {
                li {
                    a href=(format!("{}#{key}@{}", served_at(key), mistake.step)) { (key) "@" (mistake.step) }
                    " " (mistake.matter.name()) ", " (format!("{:.4}", mistake.cost)) ". " (one_line(&mistake.words))
                }
            }
        }
    };
    let heading = html! { "What matters in " (seen.study) };
    let back = html! { a href="/" { "All cells of " (one_line(folder)) } " · " a href=(format!("/report/{}", seen.study)) { "Report" } " " span id="heard" role="status" {} };
    framed(&format!("counsel: what matters in {}", seen.study), &heading, &back, &live)
}

fn framed(title: &str, heading: &Markup, above: &Markup, live: &Markup) -> String {
    let body = html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            title { (title) }
            style { (PreEscaped(STYLE)) (PreEscaped(LAYOUT)) }
        }
        body {
            header { h1 { (heading) } div { (above) } }
            main id="live" { (live) }
            script { (PreEscaped(SCRIPT)) }
        }
    };
    format!("{OPENING}{}</html>\n", body.into_string())
}
