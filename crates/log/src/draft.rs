//! A decision in the making: a record with the entries of one row, and the parts of its advice, before they are checked.
//!
//! Every declared column puts its entry here, in the order of the declarations. A row begins with a copy of the blank draft, so
//! it holds nothing of the row before. [`Draft::finish`] builds the advice of the engine again, which refuses what no engine
//! could have had before it.

use counsel_decision::{
    Action, CacheStatus, ContextKey, Error, Evidence, Foretold, Outcome, Override, Panel, Record, Response,
};
use counsel_whatif::AdviceParts;

use crate::{CellKey, Decision, Hindsight, Routed};

#[derive(Debug, Clone)]
pub(crate) struct Draft<'a> {
    /// The cell that every row must belong to.
    pub(crate) key: &'a CellKey,
    pub(crate) record: Record,
    /// The evidence of the record, until it is finished.
    evidence: Option<Evidence>,
    pub(crate) forecast_value: Option<f64>,
    pub(crate) advice: AdviceParts,
    /// Belongs to the evidence, but fits the actions of its advice alone.
    pub(crate) fallback_law: Vec<f64>,
    /// So does the foretold answer: its action, reliability and sources.
    pub(crate) foretold: (Option<Action>, Option<f64>, Option<u64>),
    /// The advisors that were considered, where there are several: whose answer is in hand, whom the decision is about, and what
    /// asking each is worth.
    pub(crate) in_hand: Option<usize>,
    pub(crate) advisor: Option<usize>,
    pub(crate) advisor_scores: Vec<f64>,
    /// Who had the last word, the action that was set, and the one that the controller would have executed.
    pub(crate) overridden: (Option<String>, Option<Action>, Option<Action>),
    pub(crate) hindsight: Hindsight,
    pub(crate) route: Option<Box<Routed>>,
}

impl<'a> Draft<'a> {
    /// A blank draft for the rows of this cell. Of what it says, nothing stays: every entry is declared as a column.
    pub(crate) fn of(key: &'a CellKey) -> Result<Self, String> {
        let one_action = AdviceParts {
            samples: vec![0.0],
            lower: vec![0.0],
            upper: vec![0.0],
            law: vec![0.0, 1.0],
            ..AdviceParts::default()
        };
        let record = Record {
            step: 0,
            place: 0,
            batch: None,
            episode: 0,
            step_in_episode: 0,
            evidence: Evidence::new(ContextKey(0), one_action.build()?, 0.0).map_err(text)?,
            no_query: Action(0),
            cached: None,
            cache_status: CacheStatus::Off,
            prospects: Vec::new(),
            estimate: 0.0,
            reuse_value: None,
            pacing: 0.0,
            paced_price: 0.0,
            score: 0.0,
            threshold: 0.0,
            calls_left: 0,
            bankroll: None,
            panel: None,
            outcome: Outcome::Silent,
            overridden: None,
            executed: Action(0),
        };
        let evidence = Some(record.evidence.clone());
        Ok(Self {
            key,
            record,
            evidence,
            forecast_value: None,
            advice: AdviceParts::default(),
            fallback_law: Vec::new(),
            foretold: (None, None, None),
            in_hand: None,
            advisor: None,
            advisor_scores: Vec::new(),
            overridden: (None, None, None),
            hindsight: Hindsight::default(),
            route: None,
        })
    }

    /// The decision, checked.
    pub(crate) fn finish(self) -> Result<Decision, String> {
        let panel = self.panel()?;
        let Self { mut record, evidence, advice, fallback_law, foretold, overridden, hindsight, route, .. } = self;
        let evidence = evidence.unwrap_or_else(|| record.evidence.clone());
        let evidence = evidence.with_advice(advice.build()?).map_err(text)?;
        let evidence = evidence.with_fallback_law(fallback_law).map_err(text)?;
        let foretold = match foretold {
            (Some(action), Some(reliability), Some(sources)) => Some(Foretold::new(action, reliability, sources)),
            (None, None, None) => None,
            _ => return Err("columns foretold, foretold_reliability and foretold_sources belong together".into()),
        };
        let evidence = evidence.with_foretold(foretold.transpose().map_err(text)?).map_err(text)?;
        record.evidence = evidence.with_panel(panel.clone());
        record.panel = panel;
        record.overridden = match overridden {
            (Some(by), Some(action), Some(instead_of)) => Some(Override { by, action, instead_of }),
            (None, None, None) => None,
            _ => return Err("columns override_by, override_action and override_of belong together".into()),
        };
        check_actions(&record)?;
        check_route(route.as_deref(), record.evidence.actions())?;
        Ok(Decision { record, hindsight, route })
    }

    /// The advisors that were considered. The choice follows from their scores, and one that does not is an altered log.
    fn panel(&self) -> Result<Option<Panel>, String> {
        let logged = match (self.advisor, self.advisor_scores.as_slice(), self.in_hand) {
            (None, [], None) => return Ok(None),
            (Some(logged), [_, ..], _) => logged,
            _ => return Err("columns advisor, advisor_scores and in_hand belong together".into()),
        };
        let panel = Panel::new(self.advisor_scores.clone(), self.in_hand).map_err(text)?;
        match panel.advisor() {
            chosen if chosen == logged => Ok(Some(panel)),
            chosen => Err(format!("column advisor is {logged}, but advisor_scores and in_hand choose {chosen}")),
        }
    }

    /// Adds an entry to the evidence, which checks it.
    pub(crate) fn know<T>(
        &mut self,
        entry: Result<T, String>,
        add: impl FnOnce(Evidence, T) -> Result<Evidence, Error>,
    ) -> Result<(), String> {
        let entry = entry?;
        let evidence = self.evidence.take().unwrap_or_else(|| self.record.evidence.clone());
        self.evidence = Some(add(evidence, entry).map_err(|error| format!("cannot be read: {error}"))?);
        Ok(())
    }

    /// The same for an entry that nothing can be wrong with once it was read.
    pub(crate) fn note<T>(
        &mut self,
        entry: Result<T, String>,
        add: impl FnOnce(Evidence, T) -> Evidence,
    ) -> Result<(), String> {
        self.know(entry, |evidence, entry| Ok(add(evidence, entry)))
    }
}

/// Refuses a decision for an action that it does not have. A kept answer may name one: it was given where there were more.
fn check_actions(record: &Record) -> Result<(), String> {
    let response = record.answer().and_then(|answer| match answer.response {
        Response::Recommends(action) => Some(("response", action)),
        Response::Unusable => None,
    });
    let decided = [("no_query", record.no_query), ("executed", record.executed), ("override_of", record.decided())];
    let prospects = record.prospects.iter().map(|prospect| ("prospects", prospect.action));
    let actions = record.evidence.actions();
    match decided.into_iter().chain(prospects).chain(response).find(|(_, action)| action.index() >= actions) {
        Some((column, action)) => {
            Err(format!("column {column} names action {action}, but there are {actions} actions"))
        }
        None => Ok(()),
    }
}

/// Refuses a route whose lists do not fit the advisors.
fn check_route(route: Option<&Routed>, advisors: usize) -> Result<(), String> {
    let Some(route) = route else { return Ok(()) };
    let lists = [
        ("route_rewards", route.rewards.len()),
        ("route_costs", route.costs.len()),
        ("route_hopes", route.hopes.len()),
        ("route_allowed", route.allowed.len()),
        ("route_probabilities", route.probabilities.len()),
        ("route_advisor_rewards", route.advisor_rewards.len()),
        ("route_advisor_costs", route.advisor_costs.len()),
    ];
    let known = |place: &i64| usize::try_from(*place).is_ok_and(|place| place < advisors);
    if !route.asked.iter().all(known) || !(route.answers.is_empty() || route.answers.len() == advisors) {
        return Err("column route_asked or route_answers does not fit the advisors".into());
    }
    match lists.into_iter().find(|(_, entries)| *entries != advisors) {
        Some((column, entries)) => Err(format!("column {column} has {entries} entries for {advisors} advisors")),
        None if route.chosen >= advisors as u64 || route.words.len() % 2 > 0 => {
            Err("column route_chosen or route_words does not fit the request".into())
        }
        None => Ok(()),
    }
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
