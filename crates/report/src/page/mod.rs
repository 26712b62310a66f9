//! A report of a run: one HTML page that needs no network and no server.
//!
//! It says for each study first what was found: a sentence, a figure and a table of five columns; and folded below on what that rests.
//! Numbers are rounded for the reader and stand at full precision in `data-value` and `data-half-width`, as in CSV. One script, allowed
//! by its digest, sorts and filters; without it everything can be read. Equal runs give equal bytes.

mod rows;
mod section;
mod settings;

use std::collections::BTreeSet;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counsel_log::CellKey;
use maud::{Markup, PreEscaped, html};
use sha2::{Digest, Sha256};

use crate::entry::one_line;
use crate::{Chapter, Figure, FigureFormat, Table, Verdict};
use section::section;

/// How every report begins; it says whose file this is.
pub const OPENING: &str = "<!DOCTYPE html><html lang=\"en\" data-written-by=\"counsel\">";

const STYLE: &str = include_str!("page.css");

const SCRIPT: &str = include_str!("report.js");

/// Nothing is loaded from anywhere, and no script runs.
const PLAIN: &str = "default-src 'none'; style-src 'unsafe-inline'";

/// What a report may do: nothing is loaded from anywhere, and its own script runs.
pub fn policy() -> String {
    let script = BASE64_STANDARD.encode(Sha256::digest(SCRIPT));
    format!("{PLAIN}; script-src 'sha256-{script}'; base-uri 'none'; form-action 'none'")
}

/// Where the decisions of a cell can be looked at, if anywhere.
pub type Links<'a> = &'a dyn Fn(&CellKey) -> Option<String>;

/// The page of these chapters; `folder` is the run in words.
pub fn page(folder: &str, chapters: &[Chapter], links: Links<'_>) -> String {
    let folder = &one_line(folder);
    let made_by: BTreeSet<&String> = chapters.iter().flat_map(|chapter| &chapter.made_by).collect();
    let made_by: Vec<String> = made_by.into_iter().map(|version| format!("counsel {version}")).collect();
    let cells: usize = chapters.iter().flat_map(|chapter| chapter.seeds.values()).map(BTreeSet::len).sum();
    let decisions: u64 = chapters.iter().map(|chapter| chapter.decisions).sum();
    let sections: Vec<_> = chapters.iter().map(|chapter| section(folder, chapter, links)).collect();
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
            main { @for section in &sections { (section.body) } }
            script { (PreEscaped(SCRIPT)) }
        }
    };
    let on_paper: String = sections.iter().map(|section| section.on_paper.as_str()).collect();
    whole(&format!("counsel report: {folder}"), body, &policy(), &format!("@media print {{ {on_paper} }}\n"))
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
                        @if !table.rows().is_empty() { (rows::whole(table)) }
                        @if !table.notes.is_empty() { ul { @for note in &table.notes { li { (one_line(note)) } } } }
                    }
                }
                @for figure in figures { figure { (PreEscaped(figure.render(FigureFormat::Svg))) } }
            }
        }
    };
    whole(title, body, PLAIN, "")
}

/// A page with its head.
fn whole(title: &str, body: Markup, policy: &str, more_style: &str) -> String {
    let head = html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta http-equiv="Content-Security-Policy" content=(policy);
            title { (title) }
            style { (PreEscaped(STYLE)) (PreEscaped(more_style)) }
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
