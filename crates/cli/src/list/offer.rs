//! A study that can be run: what it takes, what it costs, its place in the paper, and what of it was run.

use counsel_experiment::Study;
use serde_json::{Value, json};

use super::earlier::{Earlier, Part};
use crate::look;

/// One study of the catalogue.
pub(super) struct Offer<'a> {
    study: &'a Study,
    parts: Vec<Part>,
}

impl<'a> Offer<'a> {
    /// A study with what of it these folders hold.
    pub(super) fn new(study: &'a Study, earlier: &Earlier) -> Self {
        Self { study, parts: earlier.parts(study) }
    }

    fn seconds(&self) -> Option<f64> {
        Some(self.study.seconds_per_seed? * self.study.seeds as f64)
    }

    fn calls(&self) -> Option<u64> {
        if self.study.asks_models() { Some(self.study.calls_per_seed? * self.study.seeds) } else { Some(0) }
    }

    pub(super) fn json(&self) -> Value {
        let Self { study, parts } = self;
        let arms: Vec<&str> = study.arms.iter().map(|arm| arm.name.as_str()).collect();
        let run: Vec<Value> = parts.iter().map(Part::json).collect();
        json!({ "study": study.id, "group": study.group, "title": study.title, "paper_label": study.paper_label,
            "paper_tables": study.paper_tables(), "finding": study.finding, "arms": arms, "seeds": study.seeds,
            "seconds_on_two_cores": self.seconds(), "calls_to_models": self.calls(), "run": run })
    }

    /// Its id in a column of this width, and beside it everything else.
    pub(super) fn text(&self, width: usize) -> String {
        let Self { study, parts } = self;
        let beside = " ".repeat(width + 4);
        let mut lines = look::folded(&study.title, &format!("  {:<width$}  ", study.id), &beside);
        let calls = match self.calls() {
            Some(0) => "no calls".to_owned(),
            Some(calls) => format!("{} calls", coarse(calls)),
            None => "calls to models".to_owned(),
        };
        let time = self.seconds().map_or_else(|| "time not known".to_owned(), about);
        let (arms, seeds) = (study.arms.len(), study.seeds);
        let told = format!("{time}, {calls}; {arms} arms, {seeds} seeds; {}", place(study));
        lines.extend(look::folded(&told, &beside, &beside));
        lines.extend(parts.iter().flat_map(|part| look::folded(&part.text(), &beside, &beside)));
        lines.join("\n") + "\n"
    }
}

/// Its place in the paper: labels as in its source, numbers as in print.
fn place(study: &Study) -> String {
    let numbers: Vec<String> = study.paper_tables().iter().map(ToString::to_string).collect();
    match &numbers[..] {
        [] => study.paper_label.clone(),
        [one] => format!("Table {one} ({})", study.paper_label),
        [others @ .., last] => format!("Tables {} and {last} ({})", others.join(", "), study.paper_label),
    }
}

/// A duration as one would say it.
fn about(seconds: f64) -> String {
    let minutes = seconds / 60.0;
    match minutes {
        _ if seconds < 20.0 => "seconds".to_owned(),
        _ if seconds < 45.0 => "about half a minute".to_owned(),
        _ if minutes < 10.0 => format!("about {:.0} min", minutes.max(1.0)),
        _ if minutes < 90.0 => format!("about {:.0} min", (minutes / 5.0).round() * 5.0),
        _ => format!("about {:.0} h", (minutes / 60.0).max(2.0)),
    }
}

/// A count by its first two digits, with a comma at every third.
fn coarse(count: u64) -> String {
    let scale = 10_u64.pow(count.max(1).ilog10().saturating_sub(1));
    let digits = ((count + scale / 2) / scale * scale).to_string();
    let commas = |(place, digit): (usize, char)| {
        let is_third = place > 0 && (digits.len() - place).is_multiple_of(3);
        is_third.then_some(',').into_iter().chain([digit])
    };
    digits.chars().enumerate().flat_map(commas).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_counts_are_said_coarsely() {
        let said = [3.0, 30.0, 50.0, 89.0, 500.0, 1_400.0, 5_000.0, 7_000.0].map(about);
        assert_eq!(said[0], "seconds");
        let about = ["half a minute", "1 min", "1 min", "8 min", "25 min", "85 min", "2 h"];
        assert_eq!(said[1..], about.map(|time| format!("about {time}")));
        assert_eq!(
            [0, 7, 42, 123, 995, 12_345, 1_949_999].map(coarse),
            ["0", "7", "42", "120", "1,000", "12,000", "1,900,000"]
        );
    }
}
