//! One study of a report: what was found, then on what it rests.

use std::collections::{BTreeMap, BTreeSet};

use counsel_log::CellKey;
use maud::{Markup, PreEscaped, html};

use super::rows::{self, Brief};
use super::settings::ArmSettings;
use super::{Links, colour, counted};
use crate::entry::one_line;
use crate::number::ranges;
use crate::{Chapter, Drawn, FigureFormat, Robust};

/// More arms than these are listed only in a fold.
const NAMED: usize = 6;

/// A study as a part of the page.
pub(super) struct Section {
    pub(super) body: Markup,
    /// What its table needs of the style of the page.
    pub(super) on_paper: String,
}

pub(super) fn section(folder: &str, chapter: &Chapter, links: Links<'_>) -> Section {
    let (table, lead) = (&chapter.table, &chapter.lead);
    let seeds: BTreeSet<u64> = chapter.seeds.values().flatten().copied().collect();
    let brief = rows::brief(table, &lead.looks);
    let notes: Vec<String> = table.notes.iter().cloned().chain(table.note_on_bold()).collect();
    let body = html! {
        section id=(table.id) aria-labelledby=(format!("{}-title", table.id)) {
            h2 id=(format!("{}-title", table.id)) { (one_line(&table.title)) }
            p.told {
                "Study " code { (table.id) } ", " (ran(chapter)) ", seeds " (ranges(&seeds)) ", " (chapter.decisions) " decisions."
            }
            @if let Some(change) = table.change() { p.warning { strong { (one_line(&change)) } } }
            (partly_run(chapter))
            @if !lead.sentence.is_empty() {
                p.lead {
                    @if !lead.verdict.is_empty() { span class=(format!("verdict {}", colour(&lead.verdict))) { (lead.verdict) }
                        @if !lead.reason.is_empty() { " (" (lead.reason) ")" }
                        ": " }
                    (one_line(&lead.sentence)) "."
                }
            }
            @if !lead.tally.is_empty() { p.tally { (one_line(&lead.tally)) } }
            div.first {
                @if let Some(figure) = &lead.figure { (drawn(figure)) }
                div.deciding { (tools(&table.id, &brief)) (brief.rows) }
            }
            (statements(chapter))
            @if !notes.is_empty() { details { summary { "What the columns mean" } ul { @for note in &notes { li { (one_line(note)) } } } } }
            @if !chapter.figures.is_empty() {
                details { summary { (counted(chapter.figures.len(), "figure", "figures")) } @for figure in &chapter.figures { (drawn(figure)) } }
            }
            @if let Some(robust) = &chapter.robust { (many_runs(robust)) }
            (not_run(chapter))
            (one_by_one(folder, chapter, links))
            (what_was_run(chapter))
        }
    };
    Section { body, on_paper: brief.on_paper }
}

fn drawn(figure: &Drawn) -> Markup {
    match figure {
        Ok(figure) => html! { figure { (PreEscaped(figure.render(FigureFormat::Svg))) } },
        Err(fault) => html! { p.warning { (one_line(fault)) } },
    }
}

/// How much of the study there is.
fn ran(chapter: &Chapter) -> Markup {
    let (run, declared) = (chapter.seeds.len(), chapter.sheet.arms.len());
    html! {
        @if run < declared { strong { (run) " of " (declared) " arms were run" } } @else { (counted(run, "arm", "arms")) }
    }
}

/// Arms that were run on fewer seeds than others, so that nobody takes a part for the whole.
fn partly_run(chapter: &Chapter) -> Markup {
    let partly: BTreeMap<&String, &BTreeSet<u64>> =
        chapter.missing.iter().filter(|(arm, _)| chapter.seeds.contains_key(*arm)).collect();
    let cells: usize = partly.values().map(|seeds| seeds.len()).sum();
    let list = html! {
        @for (place, (arm, seeds)) in partly.iter().enumerate() {
            @if place > 0 { "; " }
            code { (one_line(arm)) } " at seeds " (ranges(seeds))
        }
        ". Run the study again on the same folder to add them."
    };
    html! {
        @if cells > 0 && partly.len() <= NAMED {
            p.warning { strong { (counted(cells, "cell is missing", "cells are missing")) } ": " (list) }
        }
        @if partly.len() > NAMED {
            details.warning { summary { (counted(cells, "cell is missing", "cells are missing")) } p { (list) } }
        }
    }
}

/// Arms of the study of which there is nothing.
fn not_run(chapter: &Chapter) -> Markup {
    let unrun: Vec<&String> = chapter.sheet.arms.iter().filter(|arm| !chapter.seeds.contains_key(*arm)).collect();
    html! {
        @if !unrun.is_empty() {
            details {
                summary { (counted(unrun.len(), "arm was not run", "arms were not run")) }
                p { @for (place, arm) in unrun.iter().enumerate() { @if place > 0 { ", " } code { (one_line(arm)) } } "." }
            }
        }
    }
}

/// What the reader may do with the table. Without a script only the box does something, so only it is there.
fn tools(table: &str, brief: &Brief) -> Markup {
    html! {
        div.tools data-of=(table) {
            @if brief.all > brief.shown { label { input.every type="checkbox" autocomplete="off"; " All " (brief.all) " columns" } }
            label hidden { "Filter " input.filter type="search" size="12" autocomplete="off"; }
            span.heard role="status" hidden {}
            details hidden { summary { "Columns" } div.chooser {} }
        }
    }
}

/// Every statement with its verdict and its places.
fn statements(chapter: &Chapter) -> Markup {
    let table = &chapter.table;
    html! {
        @if !table.verdicts.is_empty() || !table.caption.trim().is_empty() {
            details {
                summary { "Statements, one by one" }
                @if !table.caption.trim().is_empty() { p { (one_line(&table.caption)) } }
                ul.statements {
                    @for of in &table.verdicts {
                        li { span class=(format!("verdict {}", colour(&of.verdict))) { (of.verdict) } ": " (one_line(&of.statement)) }
                    }
                }
            }
        }
    }
}

fn many_runs(robust: &Result<Robust, String>) -> Markup {
    html! {
        details {
            summary { "Many runs as one number" }
            @match robust {
                Ok(Robust { table, profile }) => {
                    p { (one_line(&table.title)) "." }
                    (rows::whole(table))
                    @for note in &table.notes { p.told { (one_line(note)) "." } }
                    figure { (PreEscaped(profile.render(FigureFormat::Svg))) }
                }
                Err(fault) => p.warning { (one_line(fault)) },
            }
        }
    }
}

/// The way to the decision inspector: a link to every cell that has one, and the command that shows a cell.
fn one_by_one(folder: &str, chapter: &Chapter, links: Links<'_>) -> Markup {
    let study = &chapter.table.id;
    let of_arm = |arm: &String, seeds: &BTreeSet<u64>| -> Vec<(u64, String)> {
        let link = |&seed: &u64| Some((seed, links(&CellKey { study: study.clone(), arm: arm.clone(), seed })?));
        seeds.iter().filter_map(link).collect()
    };
    let linked = chapter.seeds.iter().map(|(arm, seeds)| (arm, of_arm(arm, seeds)));
    let linked: Vec<_> = linked.filter(|(_, cells)| !cells.is_empty()).collect();
    let first = chapter.seeds.iter().find_map(|(arm, seeds)| Some((arm, seeds.first()?)));
    html! {
        p.told {
            code { "counsel tables " (folder) " --study " (study) } " prints the table."
            @if let Some((arm, seed)) = first {
                " Its decisions one by one, such as those of arm " code { (one_line(arm)) } ": "
                code { "counsel report " (folder) " --cell " (study) "/" (one_line(arm)) "/" (seed) }
            }
        }
        @if !linked.is_empty() {
            details {
                summary { "Decisions to look at" }
                dl.cells {
                    @for (arm, cells) in &linked {
                        dt { (one_line(arm)) }
                        dd { @for (seed, to) in cells { a href=(to) { "seed " (seed) } " " } }
                    }
                }
            }
        }
    }
}

/// The settings, those of all arms first.
fn what_was_run(chapter: &Chapter) -> Markup {
    let ArmSettings { shared, own } = ArmSettings::of(&chapter.sheet.settings);
    html! {
        details {
            summary { "What was run" }
            p { "Answers of language models: " (chapter.sheet.answers) ". Settings of all arms:" }
            dl { @for (path, value) in &shared { dt { (one_line(path)) } dd { (one_line(value)) } } }
            p { "Settings in which arms differ:" }
            dl {
                @for (arm, lines) in &own {
                    dt { (one_line(arm)) }
                    dd {
                        @for (place, (path, value)) in lines.iter().enumerate() {
                            @if place > 0 { "; " }
                            code { (one_line(path)) " = " (one_line(value)) }
                        }
                    }
                }
            }
        }
    }
}
