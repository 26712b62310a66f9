//! Whether a model is worth its price: what agents returned with it and without, one row per task, and a verdict.
//!
//! What it gains is what the agent that may ask it returns beyond the same agent without a model, net of all calls, seed by seed. That
//! it gains is shown if the difference is clearly above 0, and refuted if it is clearly below the smallest one that matters.

use std::io::Write;

use anyhow::{Context, Result};
use counsel_advisor::AdvisorName;
use counsel_advisor::appraisal::Appraisal;
use counsel_endpoint::Tokens;
use counsel_experiment::SeedRange;
use counsel_file::Printable;
use counsel_log::Run;
use counsel_log::study::{Baseline, Family, Measure, Over, Pair};
use counsel_report::{Column, Entry, Gain, Rank, Spent, Table};
use counsel_stats::mean_interval;
use counsel_transcript::Shelf;

use super::own::Place;
use super::{
    COUNSEL, EXPERIENCE, NEVER, OBEYING, Quickstart, STUDY, TELLING_STEP, counted, explain, folder, keys, next,
};
use crate::advisor::{MOMENTS, appraised, interval};
use crate::look;

/// The arms that are shown.
pub(super) const ARMS: [&str; 4] = [NEVER, EXPERIENCE, OBEYING, COUNSEL];
/// What is gained.
const MEASURE: Measure = Measure::NetReturn;

/// A run with a model of one's own.
pub(super) struct Look<'a> {
    pub(super) quickstart: &'a Quickstart,
    pub(super) run: &'a Run,
    pub(super) name: &'a AdvisorName,
    pub(super) answers: &'a Shelf,
    pub(super) places: &'a [Place],
}

/// What was seen of the model on one task.
struct Seen<'a> {
    place: &'a Place,
    appraisal: Appraisal,
    gain: Gain,
    experience: Spent,
    counsel: Spent,
}

impl Look<'_> {
    /// The table, the verdict and what to try next.
    pub(super) fn show(&self) -> Result<()> {
        let gains = self.gains(Over::EachBlock)?;
        let mut seen = Vec::new();
        for place in self.places {
            let gain = gains.iter().find(|gain| gain.block.as_deref() == Some(&place.block));
            seen.push(Seen {
                place,
                appraisal: appraised(self.answers, self.name, &place.task, MOMENTS, 0)?,
                gain: gain.cloned().with_context(|| format!("{} has no seed that both agents share", place.task))?,
                experience: self.spent(place, EXPERIENCE)?,
                counsel: self.spent(place, COUNSEL)?,
            });
        }
        let mut out = std::io::stdout().lock();
        writeln!(out, "{}", look::plain().render(&[self.returns()?])?)?;
        explain(&mut out, &ARMS)?;
        writeln!(out, "{}", look::plain().render(&[self.table(&seen)?])?)?;
        let whole = self.gains(Over::MeanOfBlocks)?.pop().context("no seed has been run on all tasks")?;
        writeln!(out, "{}", look::lines(&self.verdict(&seen, &whole)))?;
        if let Some(money) = self.money(&seen)? {
            writeln!(out, "{}", look::lines(&money))?;
        }
        self.next(&mut out)
    }

    fn spent(&self, place: &Place, arm: &str) -> Result<Spent> {
        Ok(Spent::by(self.run, &keys(&self.quickstart.seeds(), &place.block, arm))?)
    }

    /// What may be asked gains over what may not, task by task or over all.
    fn gains(&self, over: Over) -> Result<Vec<Gain>> {
        let seeds = self.quickstart.seeds();
        let both = |place: &Place| [COUNSEL, EXPERIENCE].map(|arm| keys(&seeds, &place.block, arm)).concat();
        let family = Family {
            name: "worth its price".to_owned(),
            measures: vec![MEASURE],
            pairs: vec![Pair { treatment: COUNSEL.to_owned(), baseline: Baseline::Arm(EXPERIENCE.to_owned()) }],
            blocks: Vec::new(),
            charged: None,
            over,
        };
        Ok(Gain::of(self.run, STUDY, self.places.iter().flat_map(both).collect(), &family)?)
    }

    /// What each agent returned.
    fn returns(&self) -> Result<Table> {
        let columns = [Column::left("task")].into_iter().chain(ARMS.map(|arm| Column::right(arm).ranked(Rank::Main)));
        let mut table = Table::new("returns", "What an episode returned, from 0 to 1", columns);
        for place in self.places {
            let mut row = vec![Entry::text(&place.task)];
            for arm in ARMS {
                let cells = keys(&self.quickstart.seeds(), &place.block, arm);
                let by_seed =
                    cells.iter().map(|cell| Ok(Spent::by(self.run, std::slice::from_ref(cell))?.return_per_episode));
                let by_seed = by_seed.collect::<Result<Vec<f64>>>()?;
                let mean = by_seed.iter().sum::<f64>() / by_seed.len() as f64;
                row.push(estimate(mean, mean_interval(&by_seed, 0.95)?.map(|interval| interval.half_width)));
            }
            table.push(row)?;
        }
        Ok(table)
    }

    fn table(&self, seen: &[Seen<'_>]) -> Result<Table> {
        let names = ["right %", "calls", "gain", "worth its price?"];
        let columns =
            [Column::left("task")].into_iter().chain(names.map(|name| Column::right(name).ranked(Rank::Main)));
        let title = format!("Your model on {} tasks: {}", seen.len(), self.name);
        let mut table = Table::new("quickstart", title, columns);
        for Seen { place, appraisal, gain, counsel, .. } in seen {
            table.push([
                Entry::text(&place.task),
                interval(appraisal.visible.and(appraisal.hidden))?,
                Entry::number(counsel.calls, 1),
                estimate(gain.paired.mean_difference, gain.paired.half_width()),
                Entry::text(match gain.shown {
                    Some(true) => "yes",
                    Some(false) => "no",
                    None => "cannot be told",
                }),
            ])?;
        }
        let counsel = seen.first().map(|seen| seen.counsel).unwrap_or_default();
        let matters = MEASURE.relevant_difference().unwrap_or_default();
        table.notes = vec![
            format!(
                "right %: optimal answers at {MOMENTS} moments, [95 % interval]; calls: of {COUNSEL} in a run of {:.0} episodes",
                counsel.episodes
            ),
            format!(
                "gain: return of {COUNSEL} minus that of {EXPERIENCE}, net of calls at {} each, ± 95 % interval over {}",
                counsel.price_per_call,
                counted(self.quickstart.seeds().0.count(), "seed")
            ),
            format!(
                "yes: the gain is clearly above 0; no: it is clearly below {matters}, the least that matters; both after Holm's \
                 correction over the tasks"
            ),
        ];
        Ok(table)
    }

    /// The verdict over all tasks, in a sentence.
    fn verdict(&self, seen: &[Seen<'_>], whole: &Gain) -> String {
        let (name, tasks, seeds) =
            (Printable(self.name), seen.len(), counted(self.quickstart.seeds().0.count(), "seed"));
        let (mean, half_width) = (whole.paired.mean_difference, whole.paired.half_width());
        let amount = half_width.map_or_else(|| format!("{mean:+.3}"), |half| format!("{mean:+.3} ± {half:.3}"));
        let calls = seen.iter().map(|seen| seen.counsel.calls).sum::<f64>() / tasks as f64;
        let price = seen.first().map(|seen| seen.counsel.price_per_call).unwrap_or_default();
        let facts = format!(
            "with it the agent returned {amount} an episode beyond the same agent without a model, over the {tasks} tasks and net of \
             {calls:.0} calls each at {price}"
        );
        match whole.shown {
            Some(true) => format!("{name} is worth its price: {facts}."),
            Some(false) => format!("{name} is not worth its price: {facts}."),
            None => format!(
                "Whether {name} is worth its price cannot be told from {seeds}: {facts}. More --seeds tell more."
            ),
        }
    }

    /// The same in money, where it is known what tokens cost.
    fn money(&self, seen: &[Seen<'_>]) -> Result<Option<String>> {
        let Some(price) = self.quickstart.voice.remote.price(&self.name.model)? else { return Ok(None) };
        let (mut sent, mut received, mut units) = (0.0, 0.0, 0.0);
        for Seen { appraisal, experience, counsel, .. } in seen {
            let (Some(request), Some(response)) = (appraisal.cost.request_tokens, appraisal.cost.response_tokens)
            else {
                return Ok(None);
            };
            sent += counsel.calls * request;
            received += counsel.calls * response;
            units += counsel.episodes * (counsel.return_per_episode - experience.return_per_episode);
        }
        let cost = |share: f64| price.of(Tokens { request: whole(sent * share), response: whole(received * share) });
        let currency = &price.currency;
        let paid = format!("At your prices its calls on all tasks cost about {} {currency} a run", cost(1.0));
        Ok(Some(if units > 0.0 {
            let unit = cost(1.0 / units);
            format!(
                "{paid} and brought {units:.1} of return: they pay where 1 of return is worth more than {unit} {currency}."
            )
        } else {
            format!("{paid} and brought no return.")
        }))
    }

    fn next(&self, out: &mut impl Write) -> Result<()> {
        let (dir, name) = (self.run.root().display(), self.name);
        let transcripts =
            self.answers.folder().map(|folder| format!(" --transcripts {}", folder.display())).unwrap_or_default();
        let block = self.places.first().map_or("", |place| &place.block);
        let SeedRange(seeds) = self.quickstart.seeds();
        let episodes = self.quickstart.episodes.map(|count| format!(" --set episodes={count}")).unwrap_or_default();
        next(
            out,
            &[
                ("all of it in one page for a browser", format!("report {dir}")),
                (
                    "why one decision was made",
                    format!(
                        "explain {dir} --cell {STUDY}/{}/{} --step {TELLING_STEP}",
                        folder(block, COUNSEL),
                        seeds.start()
                    ),
                ),
                ("what it answers, and what is right", format!("advisor audit {name}{transcripts}")),
                (
                    "all seeds and simpler controllers",
                    format!("reproduce {STUDY} --advisor {name}{transcripts}{episodes} --out {dir}"),
                ),
            ],
        )
    }
}

/// A mean with its interval, where there is one.
fn estimate(mean: f64, half_width: Option<f64>) -> Entry {
    half_width.map_or_else(|| Entry::number(mean, 3), |half_width| Entry::interval(mean, half_width, 3))
}

/// A count of tokens from a mean.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "tokens of a run are few, and not negative"
)]
fn whole(tokens: f64) -> u64 {
    tokens.ceil() as u64
}
