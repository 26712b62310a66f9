//! The per-decision log: schema, writer, reader, and the recomputation of every decision.
//!
//! A run is a folder. Each cell of it (one study, one arm, one seed) is two files that are written whole or not at all: a
//! Parquet log with one row per decision, and a readable JSON manifest with the resolved plan, the versions, the seed, the
//! totals and the digest of the log. What a study says once for all its cells is a third kind of file, its sheet. A program that
//! cannot know when it ends writes a [`Journal`] first, piece by piece; a log that others read while it [`Growing`]s never is one file.
//! A log is read as decisions ([`Cell::decisions`]) or as columns ([`Cell::frame`]). [`recompute`] feeds the logged evidence and
//! replies to a fresh engine and compares what it does with what was logged, bit for bit; [`recompute_radius`] derives radii
//! again from the scores in the manifest. [`examine`] does both for a cell: it is `counsel audit`.

mod answers;
mod claim;
mod column;
mod decision;
mod decode;
mod deployed;
mod difference;
mod draft;
mod each;
mod encode;
mod error;
mod examine;
mod explain;
mod explain_route;
mod file;
mod folder;
mod frame;
mod growing;
mod headers;
mod inequality;
mod journal;
mod json;
mod manifest;
mod matter;
mod merge;
mod overlap;
mod plain;
mod radius;
mod recompute;
mod run;
mod seal;
mod sheet;
pub mod study;
mod totals;
mod values;
mod whatif;
mod worth;

pub use answers::AnswersFrom;
pub use claim::{check_pages, check_rows};
pub use column::{Hindsight, LogColumn, Origin, Presence, Routed, SECTIONS, Section, columns};
pub use counsel_whatif::{Answer as WhatIf, Book, Change};
pub use decision::Decision;
pub use decode::decode;
pub use deployed::Deployed;
pub use difference::first_difference;
pub use each::{all_cores, each, each_cell};
pub use encode::encode;
pub use error::Error;
pub use examine::{Examined, Routes, examine, examine_routes};
pub use explain::explain;
pub use file::digest;
pub use frame::Frame;
pub use growing::Growing;
pub use headers::check_metadata;
pub use inequality::inequalities;
pub use journal::Journal;
pub use json::{explain_json, hindsight_facts};
pub use manifest::{Calibration, LogFile, Manifest, PricedAdvisor, Versions};
pub use matter::{Found, Matter, matters};
pub use merge::Merged;
pub use plain::in_words;
pub use radius::{absorb, opportunity, recompute_radius};
pub use recompute::{Disagreement, compare_routes, recompute};
pub use run::{Cell, CellKey, Claim, Run};
pub use sheet::StudySheet;
pub use totals::{Before, Totals};
pub use values::{Lists, WordLists, Words};
pub use whatif::book;
pub use worth::{Worth, named_worths};
