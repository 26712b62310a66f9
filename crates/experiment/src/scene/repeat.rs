//! Asking again: at moments where the first answer was wrong, the advisor is asked once more.
//!
//! The moments are drawn from random walks, one of each episode. The second question is the same one, the same in other
//! words, or one that tells that the first answer did not help. Each moment with a wrong first answer is one decision of the
//! log, whose answer is the second one; first questions are counted apart.

use counsel_advisor::{AdvisorName, Context, Request};
use counsel_appraisal::{Moment, moments};
use counsel_babyai::{Act, Acts};
use counsel_decision::{
    Action, AdviceModel, BudgetSpec, CacheSpec, CandidateOnly, ContextKey, Controller, Engine, Evidence, ExecutionRule,
    GateSpec, Parser, PriceSpec, Record, Reply, Response, ResponseLaw, Seed, ValueBounds, ValueSamples,
};
use counsel_log::Hindsight;
use counsel_prompt::{Situation, Task, Template};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use super::{Episode, Heard, Known, Learning, Scene, advised};
use crate::calibrate::CalibrationSpec;
use crate::error::refuse;
use crate::phases::{Phases, Played, play};
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
    pub(crate) fn check(&self) -> Result<(), Error> {
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
        let controller = Controller {
            gate: GateSpec::Always,
            execution: ExecutionRule::Trusting,
            budget: BudgetSpec::per_run(self.moments as u64),
            price: PriceSpec::default(),
            cache: CacheSpec::Off,
        };
        let scene = Asking {
            spec: self,
            library,
            second: self.second(),
            moments: moments(self.task, self.moments, seed.stream("moments"))?,
            next: 0,
            present: None,
            seed,
        };
        let calibration = CalibrationSpec::default();
        let mut played = play(&Phases::deployment(&controller, &calibration, 1), scene, seed)?;
        played.totals.calibration_calls += self.moments as u64;
        Ok(played)
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

/// Someone who asks again wherever the first answer was wrong.
#[derive(Clone)]
struct Asking<'a> {
    spec: &'a Repeat,
    library: &'a Library,
    second: AdvisorName,
    moments: Vec<Moment>,
    /// The number of the moment that comes next.
    next: usize,
    /// The question to be asked again, and all right answers to it.
    present: Option<(Situation, Acts)>,
    seed: Seed,
}

impl Asking<'_> {
    /// The same situation, as it is put the second time.
    fn again(&self, number: usize, situation: Situation, first: Response) -> Result<Situation, Error> {
        Ok(match self.spec.again {
            Again::Identical => situation,
            Again::Paraphrase => {
                let wordings = Template::find(&self.second.template)?.wordings();
                let luck = self.seed.stream("wording").index(number as u64);
                situation.worded(luck.rng().random_range(0..wordings))
            }
            Again::Repair => situation.after(first),
        })
    }
}

impl Scene for Asking<'_> {
    type Moment = ();

    fn parser(&self) -> Parser {
        Template::find(&self.second.template).map_or_else(|_| Parser::numbered(ACTIONS), Template::parser)
    }

    fn advisor(&self) -> String {
        self.second.to_string()
    }

    fn begin(&mut self, _: Episode, _: Seed) -> Result<(), Error> {
        Ok(())
    }

    /// Goes on to the next moment whose first answer is wrong.
    fn know(&mut self, _: &Engine, _: Seed) -> Result<Option<Known>, Error> {
        while let Some(Moment { situation, best }) = self.moments.get(self.next).cloned() {
            let number = self.next;
            self.next += 1;
            let first = self.spec.hear(self.library, &self.spec.advisor, &situation)?.1;
            if is_right(best, first) {
                continue;
            }
            self.present = Some((self.again(number, situation, first)?, best));
            let hindsight =
                Hindsight { right: best.iter().next().map(|act| Action::new(act as usize)), ..Hindsight::default() };
            let evidence = evidence(number, first)?;
            let context = Context::new(evidence.context, Vec::new());
            return Ok(Some(Known { context, evidence, hindsight }));
        }
        Ok(None)
    }

    fn moment(&self) {}

    fn ask(&mut self, _: Seed) -> Result<Heard, Error> {
        let (situation, _) = self.present.as_ref().ok_or(Error::NothingPresent)?;
        Ok(Heard { reply: self.spec.hear(self.library, &self.second, situation)?.0, corrupted: None })
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        if let (Some(action), Some((_, best))) = (advised(record), &self.present) {
            let right = is_right(*best, Response::Recommends(action));
            hindsight.advice_gap = Some(if right { 0.0 } else { 1.0 });
        }
        Ok(())
    }

    fn act(&mut self, _: Action, _: Learning, _: Seed) -> Result<f64, Error> {
        Ok(0.0)
    }
}

/// Whether a response names one of the best acts.
fn is_right(best: Acts, response: Response) -> bool {
    match response {
        Response::Recommends(action) => Act::try_from(action.index()).is_ok_and(|act| best.contains(act)),
        Response::Unusable => false,
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
