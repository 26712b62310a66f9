//! World, learner and advisor behind the contract of the loop. The loop itself is `counsel_session`'s.
//!
//! The advisor here is an old timetable: right in 85 of 100 cases. Put your own model into `ask`: whatever it says goes into
//! a `Reply` as it is, and an answer that never came is `Reply::lost()`.

use counsel_advisor::predictor::Paid;
use counsel_advisor::{AnyPredictor, Context, Predictor, PredictorSpec};
use counsel_calibration::exact_value;
use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Engine, Evidence, Parser, Preview, Record, Reply, ResponseLaw, Seed,
};
use counsel_log::Hindsight;
use counsel_session::{Episode, Error, Heard, Known, Learning, Scene, advised};
use rand::RngExt;

use crate::{EXITS, Punctuality, SignalBox, TRACKS};

/// The words of the exits, as the advisor says them.
const WORDS: [&str; EXITS] = ["north", "east", "south"];
/// How often the timetable is right.
const RELIABILITY: f64 = 0.85;

/// A signaller at work, with a timetable that may be looked up at a price.
#[derive(Clone)]
pub struct Duty {
    world: SignalBox,
    learner: Punctuality,
    predictor: AnyPredictor,
    kappa: f64,
}

impl Duty {
    /// A signaller who knows nothing yet, before a signal box of this seed. A look at the timetable costs `kappa`.
    pub fn new(kappa: f64, seed: Seed) -> Result<Self, Error> {
        let predictor = PredictorSpec::PerContext { strength: 1.0 }.build(EXITS, TRACKS)?;
        Ok(Self { world: SignalBox::new(seed.stream("world")), learner: Punctuality::default(), predictor, kappa })
    }

    fn track(&self) -> Result<usize, Error> {
        self.world.waiting().ok_or(Error::NothingPresent)
    }

    /// The law of what the timetable says about a track.
    fn law(&self, track: usize) -> Result<ResponseLaw, Error> {
        let mut law = vec![(1.0 - RELIABILITY) / (EXITS - 1) as f64; EXITS];
        law[self.world.free(track)] = RELIABILITY;
        law.push(0.0); // it always names an exit
        Ok(ResponseLaw::new(EXITS, law)?)
    }
}

impl Scene for Duty {
    type Moment = ();

    fn parser(&self) -> Parser {
        Parser::new(WORDS).expect("the words differ")
    }

    fn advisor(&self) -> String {
        "timetable-1".into()
    }

    fn begin(&mut self, _: Episode, seed: Seed) -> Result<(), Error> {
        self.world.begin_day(seed.stream("trains"));
        Ok(())
    }

    fn know(&mut self, _: &Engine, seed: Seed) -> Result<Option<Known>, Error> {
        let Some(track) = self.world.waiting() else { return Ok(None) };
        let context = Context::new(ContextKey(track as u64), Vec::new());
        let advice = CandidateOnly::new(
            self.predictor.law(&context),
            self.learner.samples(track, seed.stream("samples"))?,
            self.learner.bounds(track)?,
            self.learner.propose(track, seed.stream("base")),
        )?;
        let evidence = Evidence::new(context.key, AdviceModel::CandidateOnly(advice), self.kappa)?;
        let hindsight = Hindsight { right: Some(Action::new(self.world.free(track))), ..Hindsight::default() };
        Ok(Some(Known { context, evidence, hindsight }))
    }

    /// What a look is really worth here. Calibration compares the estimate with it.
    fn exact_value(&mut self, preview: &Preview) -> Result<Option<f64>, Error> {
        let track = self.track()?;
        let chances = self.world.chances(track);
        Ok(Some(exact_value(&self.law(track)?, &preview.decisions(), &chances, preview.no_query.action)?))
    }

    fn moment(&self) {}

    fn ask(&mut self, seed: Seed) -> Result<Heard, Error> {
        let (free, mut luck) = (self.world.free(self.track()?), seed.stream("timetable").rng());
        let shift = if luck.random_bool(RELIABILITY) { 0 } else { luck.random_range(1..EXITS) };
        Ok(Heard { reply: Reply::simulated(WORDS[(free + shift) % EXITS]), corrupted: None })
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        self.predictor.observe(&paid.context, paid.response);
        Ok(())
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let track = self.track()?;
        let chances = self.world.chances(track);
        hindsight.advice_gap = advised(record).map(|exit| chances[self.world.free(track)] - chances[exit.index()]);
        Ok(())
    }

    fn act(&mut self, action: Action, learning: Learning, _: Seed) -> Result<f64, Error> {
        let track = self.track()?;
        let reward = self.world.send(track, action.index());
        if learning == Learning::Continues {
            self.learner.observe(track, action.index(), reward);
        }
        Ok(reward)
    }

    fn predictor(&mut self) -> Option<&mut AnyPredictor> {
        Some(&mut self.predictor)
    }
}
