//! A report of a run: one HTML page that needs no network, no server and no script.
//!
//! It says for each study what was run, what was found, and on what that rests. Numbers are rounded for the reader and stand at
//! full precision in `data-value` and `data-half-width`, as in CSV. Equal runs give equal bytes.

mod settings;

use std::collections::BTreeSet;

use counsel_log::CellKey;
use maud::{Markup, PreEscaped, html};

use crate::entry::one_line;
use crate::fit::shared;
use crate::number::exact;
use crate::number::ranges;
use crate::{Align, Chapter, Content, Entry, Figure, FigureFormat, Rank, Row, Table, Verdict};
use settings::ArmSettings;

/// How every report begins; it says whose file this is.
pub const OPENING: &str = "<!DOCTYPE html><html lang=\"en\" data-written-by=\"counsel\">";

const STYLE: &str = include_str!("page.css");

/// Nothing is loaded from anywhere, and no script runs.
pub const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// Where the decisions of a cell can be looked at, if anywhere.
pub type Links<'a> = &'a dyn Fn(&CellKey) -> Option<String>;

/// The page of these chapters; `folder` is the run in words.
pub fn page(folder: &str, chapters: &[Chapter], links: Links<'_>) -> String {
    let folder = &one_line(folder);
    let made_by: BTreeSet<&String> = chapters.iter().flat_map(|chapter| &chapter.made_by).collect();
    let made_by: Vec<String> = made_by.into_iter().map(|version| format!("counsel {version}")).collect();
    let cells: usize = chapters.iter().flat_map(|chapter| chapter.seeds.values()).map(BTreeSet::len).sum();
    let decisions: u64 = chapters.iter().map(|chapter| chapter.decisions).sum();
    let body = html! {
        body {
            header {
                h1 { "Report of " code { (folder) } }
                p.told {
                    (counted(chapters.len(), "study", "studies")) ", " (counted(cells, "cell", "cells")) ", "
                    (decisions) " decisions, made by " (made_by.join(" and ")) ". All numbers come from the logs: "
                    code { "counsel tables " (folder) } " prints them, " code { "counsel audit " (folder) } " computes every decision again."
                }
                @if chapters.len() > 1 { (contents(chapters)) }
            }
            main { @for chapter in chapters { (section(folder, chapter, links)) } }
        }
    };
    whole(&format!("counsel report: {folder}"), body)
}

/// A page of tables and figures beside no study: what they are about, in words, then each table with its caption and notes.
pub fn plain_page(title: &str, told: &[String], tables: &[Table], figures: &[Figure]) -> String {
    let title = &one_line(title);
    let body = html! {
        body {
            header {
                h1 { (title) }
                @for words in told { p.told { (one_line(words)) } }
            }
            main {
                @for table in tables {
                    section id=(table.id) aria-labelledby=(format!("{}-title", table.id)) {
                        h2 id=(format!("{}-title", table.id)) { (one_line(&table.title)) }
                        p { (one_line(&table.caption)) }
                        @if !table.rows().is_empty() { (rows(table)) }
                        @if !table.notes.is_empty() { ul { @for note in &table.notes { li { (one_line(note)) } } } }
                    }
                }
                @for figure in figures { figure { (PreEscaped(figure.render(FigureFormat::Svg))) } }
            }
        }
    };
    whole(title, body)
}

/// A page with its head.
fn whole(title: &str, body: Markup) -> String {
    let head = html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta http-equiv="Content-Security-Policy" content=(POLICY);
            title { (title) }
            style { (PreEscaped(STYLE)) }
        }
    };
    format!("{OPENING}{}{}</html>\n", head.into_string(), body.into_string())
}

fn counted(count: usize, one: &str, many: &str) -> String {
    format!("{count} {}", if count == 1 { one } else { many })
}

/// The studies and how their statements stand.
fn contents(chapters: &[Chapter]) -> Markup {
    html! {
        nav aria-label="Studies" {
            ul {
                @for Chapter { table, .. } in chapters {
                    li {
                        a href=(format!("#{}", table.id)) { (one_line(&table.title)) }
                        @for (verdict, count) in tally(&table.verdicts) {
                            " " span class=(format!("verdict {}", colour(verdict))) { (verdict) ": " (count) }
                        }
                    }
                }
            }
        }
    }
}

/// How many statements have each verdict: those that were tested first, then those that describe the runs.
fn tally(verdicts: &[Verdict]) -> impl Iterator<Item = (&'static str, usize)> {
    let count = |verdict: &'static str| (verdict, verdicts.iter().filter(|of| of.verdict == verdict).count());
    let words = ["holds", "does not hold", "cannot be told", "observed", "not observed", "not measured", "not judged"];
    words.into_iter().map(count).filter(|(_, count)| *count > 0)
}

fn colour(verdict: &str) -> &'static str {
    match verdict {
        "holds" => "holds",
        "does not hold" => "fails",
        "observed" | "not observed" => "described",
        _ => "open",
    }
}

fn section(folder: &str, chapter: &Chapter, links: Links<'_>) -> Markup {
    let table = &chapter.table;
    let seeds: BTreeSet<u64> = chapter.seeds.values().flatten().copied().collect();
    html! {
        section id=(table.id) aria-labelledby=(format!("{}-title", table.id)) {
            h2 id=(format!("{}-title", table.id)) { (one_line(&table.title)) }
            p.told {
                "Study " code { (table.id) } ", " (counted(chapter.seeds.len(), "arm", "arms")) ", seeds " (ranges(&seeds)) ", "
                (chapter.decisions) " decisions. " code { "counsel tables " (folder) " --study " (table.id) }
            }
            (one_by_one(folder, chapter, links))
            @if let Some(change) = table.change() { p.warning { strong { (one_line(&change)) } } }
            @if !chapter.missing.is_empty() { (missing(chapter)) }
            @if !table.caption.trim().is_empty() { p { (one_line(&table.caption)) } }
            @if !table.verdicts.is_empty() {
                ul.statements {
                    @for of in &table.verdicts {
                        li { span class=(format!("verdict {}", colour(&of.verdict))) { (of.verdict) } ": " (one_line(&of.statement)) }
                    }
                }
            }
            (rows(table))
            @let notes: Vec<String> = table.notes.iter().cloned().chain(table.note_on_bold()).collect();
            @if !notes.is_empty() {
                details open { summary { "Notes" } ul { @for note in &notes { li { (one_line(note)) } } } }
            }
            @for figure in &chapter.figures {
                @match figure {
                    Ok(figure) => figure { (PreEscaped(figure.render(FigureFormat::Svg))) },
                    Err(fault) => p.warning { (one_line(fault)) },
                }
            }
            (what_was_run(chapter))
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
        @if let Some((arm, seed)) = first {
            p.told {
                "Its decisions one by one, such as those of arm " code { (one_line(arm)) } ": "
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

/// Cells that are not there, so that nobody takes a part for the whole.
fn missing(chapter: &Chapter) -> Markup {
    let cells: usize = chapter.missing.values().map(BTreeSet::len).sum();
    html! {
        p.warning {
            strong { (counted(cells, "cell is missing", "cells are missing")) } ": "
            @for (place, (arm, seeds)) in chapter.missing.iter().enumerate() {
                @if place > 0 { "; " }
                code { (one_line(arm)) } " at seeds " (ranges(seeds))
            }
            ". Run the study again on the same folder to add them."
        }
    }
}

/// The rows, those with the same leading keys under a line that shows these. The first column stays in view when the others move.
fn rows(table: &Table) -> Markup {
    let side = |align: Align| (align == Align::Right).then_some("number");
    let columns = table.columns();
    let keys: Vec<usize> = (0..columns.len()).filter(|at| columns[*at].rank == Rank::Key).collect();
    let plain = |row: &Row| row.entries.iter().map(|entry| entry.content.plain()).collect();
    let words: Vec<Vec<String>> = table.rows().iter().map(plain).collect();
    let above = shared(&keys, &words);
    let own: Vec<usize> = (0..columns.len()).filter(|at| !above.contains(at)).collect();
    let begins = |place: usize| place == 0 || above.iter().any(|at| words[place][*at] != words[place - 1][*at]);
    let told = |place: usize| {
        above.iter().map(|at| format!("{} {}", columns[*at].name, words[place][*at])).collect::<Vec<_>>()
    };
    html! {
        div.scroll tabindex="0" role="region" aria-label=(format!("Table of {}", table.id)) {
            table {
                thead { tr { @for column in own.iter().map(|at| &columns[*at]) { th scope="col" class=[side(column.align)] { (column.name) } } } }
                tbody {
                    @for (place, row) in table.rows().iter().enumerate() {
                        @if !above.is_empty() && begins(place) {
                            tr.shared { th scope="rowgroup" colspan=(own.len()) { span { (told(place).join(", ")) } } }
                        }
                        tr { @for at in &own { (datum(side(columns[*at].align), &row.entries[*at])) } }
                    }
                }
            }
        }
    }
}

/// One entry, its number at full precision beside it.
fn datum(side: Option<&str>, entry: &Entry) -> Markup {
    let (value, half_width) = match &entry.content {
        Content::Number { value, .. } => (Some(exact(*value)), None),
        Content::Interval { mean, half_width, .. } => (Some(exact(*mean)), Some(exact(*half_width))),
        Content::PValue { p } => (Some(exact(*p)), None),
        Content::Count { count } => (Some(count.to_string()), None),
        Content::Fraction { .. } | Content::Text { .. } | Content::NotLogged | Content::NotApplicable => (None, None),
    };
    let plain = entry.content.plain();
    html! {
        td class=[side] data-value=[value] data-half-width=[half_width] { @if entry.bold { strong { (plain) } } @else { (plain) } }
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
