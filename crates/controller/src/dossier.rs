//! What is known of one advisor: what it is expected to say, what it said, and what that was worth.
//!
//! The agent's own values are shared by all advisors; all that depends on who speaks is here.

use std::collections::{BTreeMap, BTreeSet};

use counsel_advisor::{AnyPredictor, Context, Predictor};
use counsel_decision::{Action, ContextKey, Foretold, Response, ResponseLaw};
use serde::{Deserialize, Serialize};

use crate::Error;
use crate::empirical_mdp::HeldAnswers;
use crate::foretelling::{Counts, Foretelling, most_frequent};
use crate::spec::BooksSpec;
use crate::statistics::ValueTable;
use crate::track_record::TrackRecord;
use crate::vetting::{Merit, Standing, worst_of};

/// Where a paid answer came from: who was asked, in which state, and the caller's own prediction of it.
#[derive(Debug)]
pub(crate) struct Source {
    pub(crate) advisor: usize,
    pub(crate) state: ContextKey,
    pub(crate) law: Option<ResponseLaw>,
}

/// What is known of one advisor.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(crate) struct Dossier {
    pub(crate) predictor: Option<AnyPredictor>,
    pub(crate) record: Option<TrackRecord>,
    /// Every answer with its state by context, and the contexts whose answer could not be read.
    pub(crate) heard: BTreeMap<ContextKey, (ContextKey, Action)>,
    unusable: BTreeSet<ContextKey>,
    foretelling: Option<Foretelling>,
    pub(crate) standing: Standing,
    /// The merits of its answers by context, as far as they were found by the present values.
    #[serde(skip)]
    merits: BTreeMap<ContextKey, Merit>,
}

impl Dossier {
    /// Before any answer.
    pub(crate) fn new(spec: &BooksSpec) -> Self {
        Self {
            predictor: None,
            record: spec.values.made().track_record.map(TrackRecord::new),
            heard: BTreeMap::new(),
            unusable: BTreeSet::new(),
            foretelling: spec.foretelling.map(Foretelling::new),
            standing: Standing::Followed,
            merits: BTreeMap::new(),
        }
    }

    /// The predicted law of the answer in a context.
    pub(crate) fn law(&self, context: &Context, actions: usize) -> ResponseLaw {
        self.predictor.as_ref().map_or_else(|| ResponseLaw::uniform(actions), |predictor| predictor.law(context))
    }

    /// Whether it rests for what is left of an episode that advice led in circles for this many steps.
    pub(crate) fn rests(&self, spec: &BooksSpec, circles: u64) -> bool {
        spec.values.made().vetting.is_some_and(|vetting| vetting.rests(self.standing, circles))
    }

    /// Whether its answers are neither bought nor followed.
    pub(crate) fn is_turned_away(&self) -> bool {
        self.standing == Standing::TurnedAway
    }

    /// What the advisor would say in a state in which its answer is predicted by this law; none where nobody can tell, or where
    /// its answers are not followed.
    pub(crate) fn foretold(
        &self,
        state: ContextKey,
        law: Option<impl FnOnce() -> ResponseLaw>,
    ) -> Result<Option<Foretold>, Error> {
        let foretelling = self.foretelling.as_ref().filter(|_| !self.is_turned_away());
        Ok(foretelling.map(|foretelling| foretelling.foretold(state, law)).transpose()?.flatten())
    }

    /// What its word for each action adds to its value in a state with these values; none where no record is kept.
    pub(crate) fn credits(
        &self,
        table: Option<&dyn ValueTable>,
        state: ContextKey,
        values: &[f64],
    ) -> Option<Vec<f64>> {
        if self.is_turned_away() {
            return Some(vec![worst_of(values); values.len()]);
        }
        let record = self.record?;
        Some(table?.tries(state, values.len()).into_iter().map(|tries| record.credit(tries)).collect())
    }

    /// Learns from a paid answer in a state, among this many actions, all but what the predictor learns.
    pub(crate) fn hear(&mut self, context: &Context, source: &Source, response: Response, actions: usize) {
        let state = source.state;
        if let Some(foretelling) = &mut self.foretelling {
            let predictor = self.predictor.as_ref();
            let law = || predictor.map_or_else(|| ResponseLaw::uniform(actions), |predictor| predictor.law(context));
            foretelling.hear(state, response, || source.law.clone().unwrap_or_else(law));
        }
        self.merits.remove(&context.key);
        match response {
            Response::Unusable => drop(self.unusable.insert(context.key)),
            Response::Recommends(action) => drop(self.heard.insert(context.key, (state, action))),
        }
    }

    /// Judges the advisor by all its answers and the present values.
    pub(crate) fn vet(&mut self, spec: &BooksSpec, table: Option<&dyn ValueTable>) -> Result<(), Error> {
        let (Some(vetting), Some(table)) = (spec.values.made().vetting, table) else { return Ok(()) };
        for (context, (state, action)) in &self.heard {
            if !self.merits.contains_key(context) {
                // An answer counts by the actions that were known where it was heard.
                let actions = table.width(*state).max(action.index() + 1);
                let merit = Merit::of(&table.values(*state, actions)?.0.means(None), *action);
                self.merits.insert(*context, merit);
            }
        }
        self.standing = vetting.judge(&self.merits.values().copied());
        Ok(())
    }

    /// Says that the values have changed by which its answers are judged.
    pub(crate) fn values_changed(&mut self) {
        self.merits.clear();
    }

    /// Looks at its answers again, by the present values.
    pub(crate) fn review(&mut self, spec: &BooksSpec, table: Option<&dyn ValueTable>) {
        if let (Some(spec), Some(table)) = (spec.values.made().track_record, table) {
            self.record = Some(table.record(spec, &by_state(self.heard.values().copied()), self.unusable.len()));
        }
    }
}

/// One answer for each state: the one that was given most often, and of several the first.
pub(crate) fn by_state(answers: impl Iterator<Item = (ContextKey, Action)>) -> HeldAnswers {
    let mut counts: BTreeMap<ContextKey, Counts> = BTreeMap::new();
    for (state, action) in answers {
        *counts.entry(state).or_default().entry(action).or_default() += 1;
    }
    counts.iter().filter_map(|(state, counts)| Some((*state, most_frequent(counts)?.0))).collect()
}
