//! The decisions as lines of text, for who has no script.

use std::fmt::Write;

use counsel_decision::{Outcome, Record, Response, Verdict};
use counsel_file::Printable;
use maud::{Markup, html};

use super::chunk::{Inspected, InspectedEpisode};

/// Every decision on a line, episode by episode.
pub(super) fn listing(cells: &[&Inspected]) -> Markup {
    html! {
        p { "Without JavaScript the decisions stand here as text. `counsel explain` says more of each." }
        @for cell in cells {
            @let key = &cell.manifest.key;
            h2 { (Printable(key)) }
            p { (cell.agreeing) " of " (cell.decisions) " decisions of the cell come out as logged." }
            @for episode in &cell.episodes { pre { (lines(&cell.manifest.words, episode)) } }
        }
    }
}

fn lines(words: &[String], episode: &InspectedEpisode) -> String {
    let reward: f64 = episode.decisions.iter().map(|decision| decision.hindsight.reward).sum();
    let number = episode.decisions.first().map_or(0, |decision| decision.record.episode);
    let mut text = format!("episode {number}, return {reward}\n");
    for decision in &episode.decisions {
        let record = &decision.record;
        let word = |action: usize| words.get(action).map_or("?", String::as_str);
        // Writing to a string cannot fail.
        let _ = writeln!(
            text,
            "{} {}; did {}, got {}",
            record.step,
            happened(record, word),
            word(record.executed.index()),
            decision.hindsight.reward
        );
    }
    Printable(text).to_string()
}

fn happened<'a>(record: &Record, word: impl Fn(usize) -> &'a str) -> String {
    match &record.outcome {
        Outcome::Silent => "silent".into(),
        Outcome::Unaffordable => "no call left".into(),
        Outcome::Asked(answer) => match (answer.response, answer.verdict) {
            (Response::Unusable, _) => "asked: unusable".into(),
            (Response::Recommends(action), Verdict::Executed) => format!("asked: {}, followed", word(action.index())),
            (Response::Recommends(action), _) => format!("asked: {}, rejected", word(action.index())),
        },
    }
}
