//! Asking again: at moments where the first answer was wrong, the advisor is asked once more.
//!
//! The moments are drawn from random walks, one of each episode. The second question is the same one, the same in other
//! words, or one that tells that the first answer did not help. Each moment with a wrong first answer is one decision of the
//! log, whose answer is the second one; first questions are counted apart.

use std::rc::Rc;

use counsel_advisor::{AdvisorName, Asking, Moment, Narrator, Phrasing, Request};
use counsel_decision::{
    Action, Budget, Execution, Gate, Parser, Record, Reply, Response, Seed, Settings, ValueBounds, ValueSamples,
};
use counsel_log::Hindsight;
use counsel_session::{
    CalibrationSpec, Controller, Error, Heard, Known, Learning, Library, Outcome, Phases, Played, Scene, Shared,
    Situation, advised, refuse, run_phases,
};
use rand::RngExt;
use serde::{Deserialize, Serialize};

use crate::narrator_of;
use crate::scenario::Playable;

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

/// The settings of a study of repeated questions, in any world that can be told in words.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `task`, `advisor`, `again` | none | see their types |
/// | `moments` | none | 1 to 100,000 |
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Repeat {
    /// What is to be done: a task of the world whose templates the advisor is asked through.
    pub task: String,
    /// Who is asked first.
    pub advisor: AdvisorName,
    /// How it is asked again.
    pub again: Again,
    /// How many moments are looked at.
    pub moments: usize,
}

impl Playable for Repeat {
    fn check(&self, _: Seed) -> Result<(), Error> {
        refuse(!(1..=100_000).contains(&self.moments), "moments is 1 to 100,000")?;
        for advisor in self.models() {
            self.phrasing(&advisor)?.decoding(&advisor.decoding)?;
        }
        Ok(())
    }

    fn models(&self) -> Vec<AdvisorName> {
        vec![self.advisor.clone(), self.second()]
    }

    fn cell(&self, seed: Seed, shared: Shared<'_>) -> Result<Played, Error> {
        let settings = Settings::new(Gate::Always, Execution::Trusting, Budget::calls(self.moments as u64));
        let scene = AskingAgain {
            spec: self,
            library: shared.library,
            first: Rc::from(self.phrasing(&self.advisor)?),
            second: Rc::from(self.phrasing(&self.second())?),
            moments: self.world()?.moments(&self.task, self.moments, seed.stream("moments"))?.into(),
            next: 0,
            asking: Asking::First,
            seed,
        };
        let calibration = CalibrationSpec::default();
        let mut played = run_phases(&Phases::deployment(&settings, &calibration, 1), scene, seed)?;
        played.deployed.before.calls += self.moments as u64;
        Ok(played)
    }
}

impl Repeat {
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

    fn world(&self) -> Result<&'static dyn Narrator, Error> {
        Ok(narrator_of(&self.advisor.template)?)
    }

    fn phrasing(&self, advisor: &AdvisorName) -> Result<Box<dyn Phrasing>, Error> {
        Ok(self.world()?.phrasing(&self.task, &advisor.template)?)
    }
}

/// Someone who asks again wherever the first answer was wrong.
#[derive(Clone)]
struct AskingAgain<'a> {
    spec: &'a Repeat,
    library: &'a Library,
    first: Rc<dyn Phrasing>,
    second: Rc<dyn Phrasing>,
    moments: Rc<[Box<dyn Moment>]>,
    /// The number of the moment that comes next.
    next: usize,
    /// How the question at the present moment is put again.
    asking: Asking,
    seed: Seed,
}

impl AskingAgain<'_> {
    /// What is answered through one of the two phrasings.
    fn answer(&self, moment: usize, advisor: &AdvisorName, asking: Asking) -> Result<(Reply, Response), Error> {
        let phrasing = if *advisor == self.spec.advisor { &self.first } else { &self.second };
        let prompt = self.moments[moment].prompt(&advisor.template, asking)?;
        let decoding = phrasing.decoding(&advisor.decoding)?;
        let reply = self.library.ask(advisor, &Request { prompt, decoding })?;
        let response = phrasing.parser().parse(&reply);
        Ok((reply, response))
    }

    /// How the question is put again after this answer.
    fn again(&self, moment: usize, first: Response) -> Asking {
        match self.spec.again {
            Again::Identical => Asking::First,
            Again::Paraphrase => {
                let randomness = self.seed.stream("wording").index(moment as u64);
                Asking::Worded(randomness.rng().random_range(0..self.second.wordings()))
            }
            Again::Repair => Asking::After(first),
        }
    }

    fn is_right(&self, moment: usize, response: Response) -> bool {
        matches!(response, Response::Recommends(action) if self.moments[moment].right().contains(&action))
    }

    /// The number of the present moment.
    fn present(&self) -> usize {
        self.next.saturating_sub(1)
    }
}

impl Scene for AskingAgain<'_> {
    type Moment = ();

    fn parser(&self) -> Parser {
        self.second.parser()
    }

    fn advisor(&self) -> String {
        self.spec.second().to_string()
    }

    /// Goes on to the next moment whose first answer is wrong.
    fn know(&mut self, _: &mut Controller, _: Seed) -> Result<Option<Known>, Error> {
        while self.next < self.moments.len() {
            let moment = self.next;
            self.next += 1;
            let (_, first) = self.answer(moment, &self.spec.advisor, Asking::First)?;
            if self.is_right(moment, first) {
                continue;
            }
            self.asking = self.again(moment, first);
            let right = self.moments[moment].right().first().copied();
            let situation = situation(moment, self.parser().words().len(), first)?;
            return Ok(Some(Known { situation, hindsight: Hindsight { right, ..Hindsight::default() } }));
        }
        Ok(None)
    }

    fn moment(&self) {}

    fn ask(&mut self, _: Seed) -> Result<Heard, Error> {
        let (reply, _) = self.answer(self.present(), &self.spec.second(), self.asking)?;
        Ok(Heard { reply, corrupted: None })
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        hindsight.advice_gap = advised(record).map(|action| {
            let right = self.is_right(self.present(), Response::Recommends(action));
            if right { 0.0 } else { 1.0 }
        });
        Ok(())
    }

    fn act(&mut self, _: Action, _: Learning, _: Seed) -> Result<Outcome, Error> {
        Ok(Outcome::reward(0.0))
    }
}

/// A situation in which nothing is worth anything; the fallback repeats the first answer, or does the last of the actions where
/// there was none.
fn situation(moment: usize, actions: usize, first: Response) -> Result<Situation, Error> {
    let base = match first {
        Response::Recommends(action) => action,
        Response::Unusable => Action::new(actions - 1),
    };
    let zeros = || vec![0.0; actions];
    let (samples, bounds) = (ValueSamples::new(actions, zeros())?, ValueBounds::new(zeros(), zeros())?);
    Ok(Situation::of(moment as u64).proposing(base).valued(samples, Some(bounds)))
}
