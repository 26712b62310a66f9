//! The decision inspector: one page in which every step of a few episodes can be looked at, from `file://`, without a network.
//!
//! The data stand deflated in `<template>` elements, a few episodes each, and are unpacked when they are looked at. The one
//! script is ours and is allowed by its digest; words from a log are only ever set as text. Without a script the page lists the
//! decisions. Equal cells give equal bytes.

mod chunk;
mod fork;
mod glance;
mod listing;
mod overview;
mod pack;
mod phrases;
mod step;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use counsel_log::{Book, CellKey, Matter, matters};
use maud::{Markup, PreEscaped, html};
use serde::Serialize;
use sha2::{Digest, Sha256};

use crate::entry::one_line;
use crate::page::OPENING;
use chunk::{Chunk, Outline, chunks};
use pack::{packed, packed_bytes};

pub use chunk::{Inspected, InspectedEpisode};
pub use fork::{CameTo, served_fork};
pub use glance::{Glance, Mistake};
pub use overview::{SeenCell, SeenStudy, overview_policy, served_find, served_index};

const STYLE: &str = include_str!("inspector.css");
/// One script of several files, each about one thing.
const SCRIPT: &str = concat!(
    "\"use strict\";\n(async () => {\n",
    include_str!("script/data.js"),
    include_str!("script/picture.js"),
    include_str!("script/timeline.js"),
    include_str!("script/cards.js"),
    include_str!("script/find.js"),
    include_str!("script/whatif.js"),
    include_str!("script/fork.js"),
    include_str!("script/place.js"),
    "})();\n"
);

/// The program that answers what-ifs, built from the crate `whatif`; `tests/suite/module.rs` builds it again.
const ENGINE: &[u8] = include_bytes!("../../module/whatif.wasm");

/// What all books of a page may take together, packed. A server has no such limit.
const BOOKS: usize = 1_500_000;

/// How many of the dearest mistakes are listed.
const DEAREST: usize = 20;

/// The name under which a page says which cells it shows.
const CELLS: &str = "counsel-cells";

/// Where the episodes come from when the page wants them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
enum EpisodesFrom {
    /// They are in the page.
    Page,
    /// The server that sent the page sends them, one at a time.
    Server,
}

/// What the page knows at once.
#[derive(Debug, Serialize)]
struct Head {
    source: EpisodesFrom,
    cells: Vec<Outline>,
    /// What may matter in a decision, in the order of the bits of its mark.
    matters: Vec<&'static str>,
    /// Cell, step, cost and matter of the dearest mistakes.
    dearest: Vec<(usize, u64, f64, usize)>,
}

impl Head {
    fn of(source: EpisodesFrom, cells: &[&Inspected]) -> Self {
        let mut next = 0;
        let outlines = cells.iter().map(|cell| {
            let outline = Outline::of(cell, next);
            next += chunks(cell).count();
            outline
        });
        let outlines = outlines.collect();
        let matters = Matter::ALL.map(Matter::name).to_vec();
        Self { source, cells: outlines, matters, dearest: dearest(cells) }
    }
}

/// The mistakes of these cells that cost most, dearest first; of equal ones the first.
fn dearest(cells: &[&Inspected]) -> Vec<(usize, u64, f64, usize)> {
    let decisions = cells.iter().enumerate().flat_map(|(place, cell)| {
        cell.episodes.iter().flat_map(|episode| &episode.decisions).map(move |decision| (place, decision))
    });
    let mistakes = decisions.filter_map(|(place, decision)| {
        let found = matters(decision).filter(|found| found.cost > 0.0)?;
        Some((place, decision.record.step, found.cost, found.dearest.place()))
    });
    let mut mistakes: Vec<_> = mistakes.collect();
    mistakes.sort_by(|one, other| other.2.total_cmp(&one.2).then((one.0, one.1).cmp(&(other.0, other.1))));
    mistakes.truncate(DEAREST);
    mistakes
}

/// The page of these cells with their books, or why one has none; `folder` is the run in words. There is at least one cell.
pub fn inspector(folder: &str, cells: &[(Inspected, Result<Book, String>)]) -> String {
    let (cells, books): (Vec<&Inspected>, Vec<&Result<Book, String>>) =
        cells.iter().map(|(cell, book)| (cell, book)).unzip();
    let mut left = BOOKS;
    let books: Vec<Result<String, String>> = books.into_iter().map(|book| fitting(book, &mut left)).collect();
    let mut head = Head::of(EpisodesFrom::Page, &cells);
    for (outline, book) in head.cells.iter_mut().zip(&books) {
        outline.without_book(book.as_ref().err());
    }
    let data = html! {
        @for cell in &cells {
            @for part in chunks(cell) { template.chunk { (packed(&Chunk::of(&cell.manifest, part))) } }
        }
        @for book in &books { template.book { @if let Ok(book) = book { (book) } } }
    };
    let list = html! { noscript { (listing::listing(&cells)) } };
    framed(folder, &head, &html! { (data) (list) })
}

/// A book as it is packed, while there is room for it.
fn fitting(book: &Result<Book, String>, left: &mut usize) -> Result<String, String> {
    let packed = packed(book.as_ref()?);
    *left = left.checked_sub(packed.len()).ok_or(
        "What if: the cell is too large for a page that is sent. `counsel view` answers for cells of any size.",
    )?;
    Ok(packed)
}

/// The cells that a page of [`inspector`] shows, from its first lines; none where it is no such page.
pub fn inspected_cells(page: &str) -> Vec<CellKey> {
    let opening = format!("<meta name=\"{CELLS}\" content=\"");
    let told = page
        .strip_prefix(OPENING)
        .and_then(|rest| rest.split_once(&opening))
        .and_then(|(_, rest)| rest.split_once('"'));
    told.into_iter().flat_map(|(keys, _)| keys.split(' ')).filter_map(CellKey::parse).collect()
}

/// What a server's page knows of the same cells: it asks for their episodes one at a time.
pub fn served_inspector(folder: &str, cells: &[Inspected]) -> String {
    let cells: Vec<&Inspected> = cells.iter().collect();
    let head = Head::of(EpisodesFrom::Server, &cells);
    let list =
        html! { noscript { p { "This page needs JavaScript. `counsel report --cell` writes one that does not." } } };
    framed(folder, &head, &list)
}

/// Where a server shows a cell.
pub fn served_at(key: &CellKey) -> String {
    format!("/{}/{}/{}", key.study, key.arm, key.seed)
}

/// One episode as the page of a server asks for it.
pub fn served_episode(cell: &Inspected, episode: &InspectedEpisode) -> String {
    packed(&Chunk::of(&cell.manifest, std::slice::from_ref(episode)))
}

/// What a what-if needs of a cell, as the page of a server asks for it.
pub fn served_book(book: &Book) -> String {
    packed(book)
}

/// What the page may do: run its script and the compiled engine in it, and, where a server sent it, ask that server.
pub fn inspector_policy(is_served: bool) -> String {
    let connect = if is_served { "; connect-src 'self'; frame-ancestors 'none'" } else { "" };
    let [script, style] = [SCRIPT, STYLE].map(|text| BASE64_STANDARD.encode(Sha256::digest(text)));
    format!(
        "default-src 'none'; script-src 'sha256-{script}' 'wasm-unsafe-eval'; style-src 'sha256-{style}'; base-uri 'none'; form-action 'none'{connect}"
    )
}

fn framed(folder: &str, head: &Head, data: &Markup) -> String {
    let folder = &one_line(folder);
    // A page that is served has its policy in a header as well, where `frame-ancestors` counts.
    let policy = inspector_policy(head.source == EpisodesFrom::Server).replace("; frame-ancestors 'none'", "");
    let body = html! {
        head {
            meta charset="utf-8";
            meta name="viewport" content="width=device-width, initial-scale=1";
            meta http-equiv="Content-Security-Policy" content=(policy);
            meta name=(CELLS) content=(head.cells.iter().map(Outline::key).collect::<Vec<_>>().join(" "));
            title { "counsel decisions: " (folder) }
            style { (PreEscaped(STYLE)) }
        }
        body {
            header {
                h1 { "Decisions of " code { (folder) } }
                nav id="bar" aria-label="Cells and episodes" {}
                details id="tools" {
                    summary { "Keys and filters" }
                    div id="keys" {}
                    div id="find" {}
                }
                details id="whatif" {
                    summary { "What if" }
                    div id="sliders" {}
                    div id="flips" role="region" aria-label="Flips" aria-live="polite" {}
                    div id="fork" role="region" aria-label="Played on" {}
                }
                div id="timeline" {}
            }
            main id="panels" {}
            footer id="foot" {}
            div id="status" role="status" {}
            template id="head" { (packed(head)) }
            template id="engine" { (packed_bytes(ENGINE)) }
            (data)
            script { (PreEscaped(SCRIPT)) }
        }
    };
    format!("{OPENING}{}</html>\n", body.into_string())
}
