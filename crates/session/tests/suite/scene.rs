//! The signal box behind the contract of the loop. The advisor is an old timetable: right in 85 of 100 cases.

use counsel_advisor::PredictorSpec;
use counsel_calibration::exact_value;
use counsel_decision::{Action, ContextKey, Parser, Preview, Record, Reply, ResponseLaw, Seed};
use counsel_log::Hindsight;
use counsel_session::{
    Books, BooksSpec, Controller, Episode, Error, Heard, Known, Learning, Outcome, Scene, Situation, advised,
};
use rand::RngExt;

use crate::learner::Punctuality;
use crate::world::{EXITS, SignalBox, TRACKS};

/// The words of the exits, as the advisor says them.
const WORDS: [&str; EXITS] = ["north", "east", "south"];
/// How often the timetable is right.
const RELIABILITY: f64 = 0.85;

/// A signaller at work, with a timetable that may be looked up at a price.
#[derive(Clone)]
pub(crate) struct Duty {
    world: SignalBox,
    learner: Punctuality,
    price: f64,
}

impl Duty {
    /// A signaller who knows nothing yet, before a signal box of this seed.
    pub(crate) fn new(price: f64, seed: Seed) -> Self {
        Self { world: SignalBox::new(seed.stream("world")), learner: Punctuality::default(), price }
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

    fn price(&self) -> f64 {
        self.price
    }

    fn books(&self) -> Result<Books, Error> {
        let books = Books::new(BooksSpec::default(), EXITS)?;
        Ok(books.predicting(PredictorSpec::PerContext { strength: 1.0 }, TRACKS)?)
    }

    fn begin(&mut self, _: Episode, seed: Seed) -> Result<(), Error> {
        self.world.begin_day(seed.stream("trains"));
        Ok(())
    }

    fn know(&mut self, _: &mut Controller, seed: Seed) -> Result<Option<Known>, Error> {
        let Some(track) = self.world.waiting() else { return Ok(None) };
        let situation = Situation::of(ContextKey(track as u64))
            .proposing(self.learner.propose(track, seed.stream("base")))
            .valued(self.learner.samples(track, seed.stream("samples"))?, Some(self.learner.bounds(track)?));
        let hindsight = Hindsight { right: Some(Action::new(self.world.free(track))), ..Hindsight::default() };
        Ok(Some(Known { situation, hindsight }))
    }

    /// What a look is really worth here. Calibration compares the estimate with it.
    fn exact_value(&mut self, preview: &Preview) -> Result<Option<f64>, Error> {
        let track = self.track()?;
        let chances = self.world.chances(track);
        Ok(Some(exact_value(&self.law(track)?, &preview.decisions(), &chances, preview.no_query.action)?))
    }

    fn moment(&self) {}

    fn ask(&mut self, seed: Seed) -> Result<Heard, Error> {
        let (free, mut rng) = (self.world.free(self.track()?), seed.stream("timetable").rng());
        let shift = if rng.random_bool(RELIABILITY) { 0 } else { rng.random_range(1..EXITS) };
        Ok(Heard { reply: Reply::simulated(WORDS[(free + shift) % EXITS]), corrupted: None })
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let track = self.track()?;
        let chances = self.world.chances(track);
        hindsight.advice_gap = advised(record).map(|exit| chances[self.world.free(track)] - chances[exit.index()]);
        Ok(())
    }

    fn act(&mut self, action: Action, learning: Learning, _: Seed) -> Result<Outcome, Error> {
        let track = self.track()?;
        let reward = self.world.send(track, action.index());
        if learning == Learning::Continues {
            self.learner.observe(track, action.index(), reward);
        }
        Ok(Outcome::reward(reward))
    }
}
