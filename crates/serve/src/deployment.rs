//! One version of a policy at work: a controller, the places of its episodes, and the sequence of what it did.

use std::collections::BTreeSet;

use counsel_controller::{
    Act, Action, Ask, Context, ContextKey, Controller, Error, Learning, Outcome, Reply, Situation, Turn,
};
use counsel_decision::Form;
use counsel_log::{AnswersFrom, Before, CellKey, Deployed, Manifest, PricedAdvisor, StudySheet, Totals};

use crate::event::Decide;
use crate::policy::{PolicyAdvisor, PolicySpec};

/// The study of all served policies, which is a folder of the log.
pub(crate) const STUDY: &str = "serve";

/// Under what terms a decision is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Terms {
    /// It may ask.
    Free,
    /// Nothing can be bought, so an answer that is bought now serves nowhere.
    Unaffordable,
    /// It is only observed: the agent does what it does.
    Observed,
}

/// The situation of a decision.
pub(crate) fn situation(decide: &Decide, terms: Terms) -> Situation {
    let context = Context::new(ContextKey(decide.context), decide.features.clone());
    let (situation, fallback) = (Situation::in_context(context), Action(decide.fallback));
    match terms {
        Terms::Free => situation.proposing(fallback),
        Terms::Unaffordable => situation.proposing(fallback).with_expected_uses(0.0),
        Terms::Observed => situation.insisting_on(fallback),
    }
}

/// A version of a policy at work.
#[derive(Debug)]
pub(crate) struct Deployment {
    /// Its cell in the log.
    pub(crate) key: CellKey,
    pub(crate) spec: PolicySpec,
    pub(crate) advisors: Vec<PolicyAdvisor>,
    pub(crate) controller: Controller,
    /// The number of features of each context, once one came.
    pub(crate) features: Option<usize>,
    /// Places whose episode has ended, and the first that nobody had.
    free: BTreeSet<usize>,
    next_place: usize,
    /// Decisions and answers so far.
    happened: u64,
}

impl Deployment {
    pub(crate) fn new(arm: String, spec: PolicySpec, controller: Controller, features: Option<usize>) -> Self {
        let key = CellKey { study: STUDY.into(), arm, seed: 0 };
        let advisors = spec.advisors();
        Self { key, spec, advisors, controller, features, free: BTreeSet::new(), next_place: 0, happened: 0 }
    }

    /// A place for an episode that begins.
    pub(crate) fn take_place(&mut self) -> usize {
        self.free.pop_first().unwrap_or_else(|| {
            self.next_place += 1;
            self.next_place - 1
        })
    }

    /// The place of an episode that ended.
    pub(crate) fn give_place(&mut self, place: usize) {
        self.free.insert(place);
    }

    /// Decides at a place. Of a question, the place in the sequence is handed out with it.
    pub(crate) fn decide(&mut self, place: usize, situation: Situation) -> Result<(Turn, u64), Error> {
        self.features.get_or_insert(situation.context().features.len());
        self.controller.turn_to(place);
        let turn = self.controller.decide(situation)?;
        self.happened += 1;
        Ok((turn, self.happened))
    }

    /// Takes a reply. Where the answer did not come right after its decision, its place in the sequence is told.
    pub(crate) fn resume(
        &mut self,
        place: usize,
        (ask, asked_at): (Ask, u64),
        reply: Reply,
    ) -> Result<(Act, Option<u64>), Error> {
        self.controller.turn_to(place);
        let heard_at = self.happened;
        self.happened += 1;
        let act = self.controller.resume(ask, reply)?;
        Ok((act, (heard_at != asked_at).then_some(heard_at)))
    }

    /// Puts a question to nobody. That nothing came says nothing of the advisor, so nothing is learned from it.
    pub(crate) fn observe(&mut self, place: usize, asked: (Ask, u64)) -> Result<Act, Error> {
        self.controller.set_learning(Learning::Frozen);
        let observed = self.resume(place, asked, Reply::lost());
        self.controller.set_learning(Learning::Continues);
        observed.map(|(act, _)| act)
    }

    /// Says what came of the last decision at a place.
    pub(crate) fn outcome(&mut self, place: usize, outcome: Outcome) -> Result<(), Error> {
        self.controller.turn_to(place);
        self.controller.outcome(outcome)
    }

    /// Adds to the reward of an earlier step of the episode at a place.
    pub(crate) fn correct(&mut self, place: usize, step: usize, by: f64) -> bool {
        self.controller.turn_to(place);
        self.controller.correct(step, by).unwrap_or(false)
    }

    /// Learns from the episode at a place, and frees the place.
    pub(crate) fn end(&mut self, place: usize) -> Result<(), Error> {
        self.controller.turn_to(place);
        let ended = self.controller.end_episode();
        self.give_place(place);
        ended
    }

    /// The word of an action.
    pub(crate) fn word(&self, action: Action) -> &str {
        self.spec.actions.get(action.index()).map_or("", String::as_str)
    }

    /// What its sheet and its manifest say of it.
    pub(crate) fn settings(&self) -> serde_json::Value {
        let mut settings = serde_json::to_value(&self.spec).unwrap_or_default();
        if let Some(settings) = settings.as_object_mut() {
            settings.insert("settings".into(), serde_json::to_value(self.controller.settings()).unwrap_or_default());
            settings.insert("price".into(), self.controller.price().into());
        }
        settings
    }

    /// The head of its log.
    pub(crate) fn head(&self, sheet: &StudySheet) -> Result<Manifest, counsel_log::Error> {
        let names: Vec<&str> = self.advisors.iter().map(|advisor| advisor.name.as_str()).collect();
        let several = self.advisors.len() > 1;
        let priced = |advisor: &PolicyAdvisor| PricedAdvisor { advisor: advisor.name.clone(), price: advisor.price };
        let form: Form = self.spec.form;
        let deployed = Deployed {
            settings: self.controller.settings().clone(),
            advisor: names.join(", "),
            advisors: if several { self.advisors.iter().map(priced).collect() } else { Vec::new() },
            words: self.controller.engine().parser().words().to_vec(),
            form,
            engine_seed: self.controller.seed(),
            calibration: None,
            before: Before::default(),
        };
        deployed.manifest(sheet, self.key.clone(), Totals::of(&[], Before::default()))
    }
}

/// The sheet of the study of all deployments.
pub(crate) fn sheet<'a>(deployments: impl Iterator<Item = &'a Deployment>) -> StudySheet {
    // An arm without a decision has no cell.
    let arms = deployments
        .filter(|deployment| deployment.happened > 0)
        .map(|deployment| (deployment.key.arm.clone(), deployment.settings()));
    let mut sheet = StudySheet::plain(STUDY, "Policies served by counsel serve", arms);
    sheet.account.families.clear();
    sheet.answers = AnswersFrom::Live("counsel serve".into());
    sheet
}
