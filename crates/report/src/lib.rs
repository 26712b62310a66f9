//! Tables, figures and reports built from logs alone: text, Markdown, LaTeX, CSV, JSON, SVG and HTML.
//!
//! A [`Table`] holds numbers, not strings: each [`Entry`] keeps its [`Content`] at full precision and the runs it comes
//! from, and a [`Format`] decides how it looks. Titles, captions, notes and texts are plain prose; each format escapes
//! what it must. Nothing here runs a learner, asks an advisor or draws from an entropy source.
//!
//! | question | answer |
//! |---|---|
//! | how do I say what a study found? | [`Table`], [`Column`], [`Row`], [`Entry`] |
//! | what did a run find? | [`study_tables`], [`study_tidy`], [`study_family`] |
//! | what do several studies say together of one difference? | [`Pooling`], [`study_pooled`] |
//! | how do the studies stand to the paper? | [`paper_table`], [`Tally`] |
//! | what did an arm bring and cost, in a sentence? | [`Spent`] |
//! | what does an arm gain over another, and is that shown? | [`Gain`] |
//! | how do I draw it? | [`Figure`], [`Series`], [`Point`], [`study_figures`], [`FigureFormat`] |
//! | how does each episode of a run look in TensorBoard? | [`cell_episodes`], [`EventFile`] |
//! | how do I show a whole run in one file? | [`study_chapters`], [`page`] |
//! | how do I show decisions one by one? | [`Inspected`], [`inspector`] |
//! | how do I print it? | [`render`], [`View`] |
//! | do the arms in a CSV file differ on shared seeds? | [`Observations`], [`PairedReport`] |
//!
//! ```
//! use counsel_report::{Entry, Column, Format, Table, render};
//!
//! let mut table = Table::new("lock", "Combination lock", [Column::left("arm"), Column::right("return")]);
//! table.caption = "The controller gains over never: holds.".into();
//! table.push([Entry::text("controller"), Entry::interval(0.457, 0.046, 3).traced("lock/controller/0..23")])?;
//! assert!(render(&[table], Format::Text).contains("0.457 ± 0.046"));
//! # Ok::<(), counsel_report::Error>(())
//! ```

mod column;
mod delimited;
mod entry;
mod error;
mod figure;
mod fit;
mod format;
mod inspector;
mod json;
mod latex;
mod markdown;
mod number;
mod observation;
mod page;
mod paired;
mod paper;
mod study;
mod table;
mod tensorboard;
mod text;
mod view;

pub use column::{Align, Column, Rank};
pub use entry::{Content, Entry};
pub use error::{ArmName, Error};
pub use figure::{Axis, Breadth, Ends, Figure, FigureFormat, FigureKind, Point, Series};
pub use format::{Format, Traces, render};
pub use inspector::{
    CameTo, Glance, Inspected, InspectedEpisode, Mistake, SeenCell, SeenStudy, inspected_cells, inspector,
    inspector_policy, overview_policy, served_at, served_book, served_episode, served_find, served_fork, served_index,
    served_inspector,
};
pub use observation::{Observation, Observations};
pub use page::{Links, OPENING as PAGE_OPENING, page, plain_page, policy as page_policy};
pub use paired::{ArmComparison, PairedReport};
pub use paper::{Tally, paper_table};
pub use study::{
    CellEpisodes, Chapter, Drawn, EpisodeSums, Gain, Judging, Lead, Pooling, Robust, Spent, Watch, cell_episodes,
    study_chapters, study_family, study_figures, study_pooled, study_tables, study_tidy,
};
pub use table::{Row, Table, Verdict};
pub use tensorboard::EventFile;
pub use text::wrap;
pub use view::{Columns, View};
