//! Asking again: at moments where the first answer was wrong, the advisor is asked once more.
//!
//! The moments are drawn from random walks, one of each episode. The second question is the same one, the same in other
//! words, or one that tells that the first answer did not help. Each moment with a wrong first answer is one decision of the
//! log, whose answer is the second one; first questions are counted apart.

use counsel_advisor::{AdvisorName, Request};
use counsel_appraisal::{Moment, moments};
use counsel_babyai::Act;
use counsel_decision::{
    Acted, Action, AdviceModel, BudgetSpec, CacheSpec, CandidateOnly, ContextKey, Controller, Engine, Evidence,
    ExecutionRule, GateSpec, PriceSpec, Reply, Response, ResponseLaw, Seed, Turn, ValueBounds, ValueSamples,
};
use counsel_log::{Before, Decision, Hindsight, Totals};
use counsel_prompt::{Situation, Task, Template};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::Played;
use crate::error::refuse;
use crate::{Error, Library};

/// How the second question differs from the first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    /// Not at all.
    Identical,
    /// In its words.
    Paraphrase,
    /// It tells that the first answer did not help.
    Repair,
}

/// The settings of a study of repeated questions.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `task`, `advisor`, `again` | none | see their types |
/// | `moments` | none | 1 to 100,000 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// What is to be done.
    pub task: Task,
    /// Who is asked first.
    pub advisor: AdvisorName,
    /// How it is asked again.
    pub again: Again,
    /// How many moments are looked at.
    pub moments: usize,
}

const ACTIONS: usize = Act::ALL.len();

impl Repeat {
    pub(super) fn check(&self) -> Result<(), Error> {
        refuse(!(1..=100_000).contains(&self.moments), "moments is 1 to 100,000")?;
        Template::find(&self.advisor.template)?.decoding(&self.advisor.decoding, self.task)?;
        Template::find(&self.second().template)?.decoding(&self.advisor.decoding, self.task)?;
        Ok(())
    }

    /// The advisors whose answers are needed.
    pub(crate) fn models(&self) -> [AdvisorName; 2] {
        [self.advisor.clone(), self.second()]
    }

    /// The advisor as it is asked the second time.
    fn second(&self) -> AdvisorName {
        let template = &self.advisor.template;
        let template = match self.again {
            Again::Identical => template.clone(),
            Again::Paraphrase => format!("{template}-paraphrase"),
            Again::Repair => format!("{template}-repair"),
        };
        AdvisorName { template, ..self.advisor.clone() }
    }

    /// Plays one cell.
    pub(crate) fn play(&self, seed: Seed, library: &Library) -> Result<Played, Error> {
        let second = self.second();
        let template = Template::find(&second.template)?;
        let settings = Controller {
            gate: GateSpec::Always,
            execution: ExecutionRule::Trusting,
            budget: BudgetSpec::per_run(self.moments as u64),
            price: PriceSpec::default(),
            cache: CacheSpec::Off,
        };
        let engine_seed = seed.stream("engine");
        let parser = template.parser();
        let (words, form) = (parser.words().to_vec(), parser.form());
        let mut engine = Engine::new(&settings, parser, engine_seed)?;
        let mut decisions = Vec::new();
        for (number, moment) in moments(self.task, self.moments, seed.stream("moments"))?.into_iter().enumerate() {
            let Moment { situation, best } = moment;
            let right = |response: Response| match response {
                Response::Recommends(action) => Act::try_from(action.index()).is_ok_and(|act| best.contains(act)),
                Response::Unusable => false,
            };
            let first = self.hear(library, &self.advisor, &situation)?.1;
            if right(first) {
                continue;
            }
            let again = match self.again {
                Again::Identical => situation,
                Again::Paraphrase => {
                    let wording =
                        seed.stream("wording").index(number as u64).rng().random_range(0..template.wordings());
                    situation.worded(wording)
                }
                Again::Repair => situation.after(first),
            };
            let (reply, response) = self.hear(library, &second, &again)?;
            let Turn::Ask(question) = engine.decide(evidence(number, first)?) else { break };
            let Acted { record, .. } = engine.resume(*question, reply);
            let gap = if right(response) { 0.0 } else { 1.0 };
            let hindsight = Hindsight {
                right: best.iter().next().map(|act| Action::new(act as usize)),
                advice_gap: matches!(response, Response::Recommends(_)).then_some(gap),
                ..Hindsight::default()
            };
            decisions.push(Decision { record, hindsight });
        }
        let totals = Totals::of(&decisions, Before { calls: self.moments as u64, ..Before::default() });
        Ok(Played {
            controller: settings,
            advisor: second.to_string(),
            words,
            form,
            engine_seed,
            calibration: None,
            totals,
            decisions,
        })
    }

    fn hear(
        &self,
        library: &Library,
        advisor: &AdvisorName,
        situation: &Situation,
    ) -> Result<(Reply, Response), Error> {
        let template = Template::find(&advisor.template)?;
        let decoding = template.decoding(&advisor.decoding, self.task)?;
        let reply = library.ask(advisor, &Request { prompt: template.prompt(situation), decoding })?;
        let response = template.parser().parse(&reply);
        Ok((reply, response))
    }
}

/// Evidence that values nothing; the fallback repeats the first answer, where there was one.
fn evidence(number: usize, first: Response) -> Result<Evidence, Error> {
    let base = match first {
        Response::Recommends(action) => action,
        Response::Unusable => Action::new(Act::Done as usize),
    };
    let zeros = || vec![0.0; ACTIONS];
    let (samples, bounds) = (ValueSamples::new(ACTIONS, zeros())?, ValueBounds::new(zeros(), zeros())?);
    let advice = CandidateOnly::new(ResponseLaw::uniform(ACTIONS), samples, bounds, base)?;
    Ok(Evidence::new(ContextKey(number as u64), AdviceModel::CandidateOnly(advice), 0.0)?)
}
