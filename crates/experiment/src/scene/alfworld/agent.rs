//! The learner of commands at work: what it knows, whom it asks, what it learns.

use counsel_advisor::predictor::Paid;
use counsel_advisor::{Context, Digest};
use counsel_alfworld::{Expert, Family, Player, Row};
use counsel_calibration::PairedRollouts;
use counsel_decision::{
    Action, AdviceModel, CandidateOnly, ContextKey, Parser, Preview, Record, Reply, Response, Seed, argmax,
};
use counsel_deep::{epsilon_greedy, epsilon_soft, explored};
use counsel_log::Hindsight;
use counsel_session::{
    Agent, Books, Controller, Episode, Error, Fallback, Heard, Known, Label, Learning, Outcome, Scene, Situation,
    WarmStarts, advised,
};
use counsel_world::{End, Environment, Transition};
use rand::RngExt;
use rand::seq::index;

use super::chooser::Chooser;
use super::heads::Heads;
use super::{Alfworld, MOST_COMMANDS};

/// A learner of commands in its world, with its advisor.
#[derive(Clone)]
pub(super) struct CommandAgent<'a> {
    spec: &'a Alfworld,
    warm_starts: &'a WarmStarts,
    seed: Seed,
    player: Player,
    learner: Heads,
    chooser: Chooser,
    /// What the advisor's word adds to the value of a command.
    credit: f64,
    /// By how much answers of the prefix brought more than the learner thought.
    surpluses: Vec<f64>,
    episode: Episode,
    /// Episodes of the warm-up so far.
    practised: usize,
    epsilon: f64,
    rows: Vec<Row>,
    base: Action,
    over: bool,
    /// The states of this episode of the prefix in which an answer named another command than the learner's.
    answered: Vec<Answered>,
}

/// A state, the command that was named there, and the learner's own.
#[derive(Clone)]
struct Answered {
    player: Player,
    named: Action,
    base: Action,
}

impl<'a> CommandAgent<'a> {
    pub(super) fn new(spec: &'a Alfworld, warm_starts: &'a WarmStarts, seed: Seed) -> Result<Self, Error> {
        Ok(Self {
            spec,
            warm_starts,
            seed,
            player: Player::new(spec.world.clone(), seed).map_err(Error::world)?,
            learner: Heads::new(spec.learner.clone(), seed.stream("learner")),
            chooser: Chooser::new(),
            credit: 0.0,
            surpluses: Vec::new(),
            episode: Episode::WarmUp,
            practised: 0,
            epsilon: 1.0,
            rows: Vec::new(),
            base: Action(0),
            over: true,
            answered: Vec::new(),
        })
    }

    /// What the fallback does in a state, by one uniform draw.
    fn goes_on(&self, player: &Player, draw: f64) -> Action {
        let commands = player.actions();
        let epsilon = if self.spec.fallback == Fallback::RandomMoves { 1.0 } else { self.epsilon };
        match (self.spec.fallback, explored(commands, epsilon, draw)) {
            (Fallback::Rule, _) => best(player).first().copied().unwrap_or(Action(0)),
            (_, Some(action)) => action,
            (_, None) => argmax(&self.learner.means(&player.rows())),
        }
    }

    /// The advisor's reply in a state: with its reliability a command that begins a shortest plan, else another one.
    fn reply(&self, player: &Player, seed: Seed) -> Reply {
        let right = best(player);
        let mut randomness = seed.stream("advisor").rng();
        let is_right = randomness.random::<f64>() < self.spec.reliability;
        let choices: Vec<Action> =
            (0..player.actions()).map(Action::new).filter(|action| right.contains(action) == is_right).collect();
        let choice = (!choices.is_empty()).then(|| choices[randomness.random_range(0..choices.len())]);
        Reply::simulated(choice.map_or_else(String::new, |action| format!("a{}", action.index())))
    }

    /// What following each of two commands and going on alone brings, and the steps that took.
    fn gain(&self, state: &Answered, replicates: usize, seed: Seed) -> Result<(f64, u64), Error> {
        let window = state.player.steps_to_go() as usize;
        let rollouts = PairedRollouts { blocks: 1, replicates, window, discount: self.spec.learner.discount };
        let goes_on = |player: &Player, _, draw| self.goes_on(player, draw);
        let named = state.named;
        let proxy = rollouts.proxy(
            &state.player,
            state.base,
            seed,
            |_| ((), named),
            |(), p, s, d| goes_on(p, s, d),
            goes_on,
        )?;
        Ok((proxy.value, proxy.steps))
    }
}

/// The commands that begin a shortest plan, by their places in the list of what is admissible.
fn best(player: &Player) -> Vec<Action> {
    let state = player.standing().state();
    let best = Expert::of(state.game()).map(|expert| expert.best(state)).unwrap_or_default();
    let admissible = player.standing().admissible();
    best.iter().filter_map(|number| admissible.binary_search(number).ok()).map(Action::new).collect()
}

/// The key of a context: a digest of what is told, what is to be done, and what can be said, in order. The commands belong to
/// it because an answer is kept as a place in their list.
pub(super) fn key(player: &Player) -> ContextKey {
    let standing = player.standing();
    let texts = [standing.state().game().task(), standing.told()].into_iter().chain(standing.commands());
    Digest::of_parts(&texts.map(str::as_bytes).collect::<Vec<_>>()).context_key()
}

impl Scene for CommandAgent<'_> {
    type Moment = Player;

    fn parser(&self) -> Parser {
        Parser::numbered(MOST_COMMANDS)
    }

    fn advisor(&self) -> String {
        format!("expert {}", self.spec.reliability)
    }

    fn price(&self) -> f64 {
        self.spec.deployment.price
    }

    fn books(&self) -> Result<Books, Error> {
        Ok(Books::new(self.spec.books.spec(), MOST_COMMANDS)?)
    }

    fn begin(&mut self, episode: Episode, seed: Seed) -> Result<(), Error> {
        let deployed = matches!(episode, Episode::Deployment { .. });
        self.player.draw_from(if deployed { Family::Evaluation } else { Family::Training });
        self.player.reset(seed.stream("environment"));
        let exploration = self.spec.learner.exploration;
        self.epsilon = exploration.end;
        if episode == Episode::WarmUp {
            let (index, of) = (self.practised, exploration.warm_up_episodes);
            self.epsilon = exploration.epsilon(counsel_deep::Episode::Run { index, of })?;
            self.practised += 1;
        }
        self.rows = self.player.rows();
        (self.episode, self.over) = (episode, false);
        self.answered.clear();
        Ok(())
    }

    fn know(&mut self, _: &mut Controller, seed: Seed) -> Result<Option<Known>, Error> {
        if self.over {
            return Ok(None);
        }
        let valued = self.learner.values(&self.rows)?;
        let randomness = seed.stream("exploration");
        self.base = match self.spec.fallback {
            Fallback::Learner => epsilon_greedy(&valued.mean, self.epsilon, randomness),
            Fallback::RandomMoves | Fallback::Rule => self.goes_on(&self.player, randomness.rng().random()),
        };
        let law = self.chooser.law(&self.rows);
        let context = Context::new(key(&self.player), Vec::new());
        if let (Agent::Experienced(_), true) = (self.spec.books.agent, self.episode != Episode::WarmUp) {
            let fallback_law = match self.spec.fallback {
                Fallback::Learner => epsilon_soft(&valued.mean, self.epsilon),
                Fallback::RandomMoves | Fallback::Rule => Vec::new(),
            };
            let known = Situation::in_context(context).among(self.rows.len()).expecting(law);
            let situation = known.proposing(self.base).with_fallback_law(fallback_law);
            return Ok(Some(Known { situation, hindsight: Hindsight::default() }));
        }
        let mut advice = CandidateOnly::new(law, valued.samples, valued.bounds, self.base)?;
        if self.spec.trust.is_some() {
            advice = advice.vouched_for(&vec![self.credit; self.rows.len()])?;
        }
        let situation = Situation::with_advice(context, AdviceModel::CandidateOnly(advice));
        Ok(Some(Known { situation, hindsight: Hindsight::default() }))
    }

    fn moment(&self) -> Player {
        self.player.clone()
    }

    fn label(&mut self, moment: &Player, preview: &Preview, seed: Seed) -> Result<Label, Error> {
        let (parser, actions) = (self.parser(), moment.actions());
        let decide = |seed: Seed| {
            let response = parser.parse_among(&self.reply(moment, seed), actions);
            preview.prospects[response.index(actions)].action
        };
        let (to_go, no_query) = (moment.steps_to_go() as usize, preview.no_query.action);
        let go_on = |player: &Player, draw: f64| self.goes_on(player, draw);
        self.spec.deployment.calibration.paired_label(moment, to_go, no_query, seed.stream("label"), decide, go_on)
    }

    fn ask(&mut self, seed: Seed) -> Result<Heard, Error> {
        Ok(Heard { reply: self.reply(&self.player, seed), corrupted: None })
    }

    fn hear(&mut self, paid: &Paid) -> Result<(), Error> {
        let response = paid.response.response();
        self.chooser.observe(&self.rows, response);
        if let (Some(_), Episode::Rehearsal { .. }, Response::Recommends(named)) =
            (self.spec.trust, self.episode, response)
            && named != self.base
        {
            self.answered.push(Answered { player: self.player.clone(), named, base: self.base });
        }
        Ok(())
    }

    fn judge(&mut self, record: &Record, hindsight: &mut Hindsight) -> Result<(), Error> {
        let state = self.player.standing().state();
        let (Episode::Deployment { .. }, Some(expert)) = (self.episode, Expert::of(state.game())) else {
            return Ok(());
        };
        let values = expert.values(state, self.spec.learner.discount, self.spec.world.step_cost);
        let right = argmax(&values);
        let gap = |action: Action| values[right.index()] - values[action.index()];
        hindsight.right = Some(right);
        hindsight.advice_gap = advised(record).map(gap);
        hindsight.base_gap = Some(gap(self.base));
        hindsight.executed_gap = Some(gap(record.executed));
        hindsight.optimal_values = values;
        Ok(())
    }

    fn act(&mut self, action: Action, learning: Learning, _: Seed) -> Result<Outcome, Error> {
        let row = self.rows[action.index()];
        let Transition { reward, end } = self.player.step(action);
        self.rows = self.player.rows();
        if learning == Learning::Continues {
            let next: &[Row] = if end == Some(End::Terminated) { &[] } else { &self.rows };
            self.learner.observe(row, reward, next);
            self.learner.learn();
        }
        self.over = end.is_some();
        Ok(Outcome::reward(reward).terminated(end == Some(End::Terminated)).truncated(self.over))
    }

    /// Continues answered states of the prefix, to learn what the advisor's word is worth.
    fn end(&mut self, _: &mut Controller, seed: Seed) -> Result<u64, Error> {
        let answered = std::mem::take(&mut self.answered);
        let (Some(trust), false) = (self.spec.trust, answered.is_empty()) else { return Ok(0) };
        let count = trust.states.min(answered.len());
        let chosen = index::sample(&mut seed.stream("answered").rng(), answered.len(), count);
        let mut steps = 0;
        for (number, place) in chosen.into_iter().enumerate() {
            let state = &answered[place];
            let (gain, took) = self.gain(state, trust.replicates, seed.stream("gain").index(number as u64))?;
            let means = self.learner.means(&state.player.rows());
            self.surpluses.push(gain - (means[state.named.index()] - means[state.base.index()]));
            steps += took;
        }
        Ok(steps)
    }

    fn take_over(&mut self, rehearsed: Self) -> Result<(), Error> {
        self.chooser = rehearsed.chooser;
        self.credit = self.spec.trust.map_or(0.0, |trust| trust.credit(&rehearsed.surpluses));
        Ok(())
    }

    /// Arms that differ only in how they ask begin alike, so the warm-up is played once for all of them.
    fn warmed(
        mut self,
        books: Books,
        warm_up: impl Fn(Self, Books) -> Result<(Self, Books), Error>,
    ) -> Result<(Self, Books), Error> {
        if self.spec.fallback != Fallback::Learner {
            return Ok((self, books));
        }
        let key = serde_json::to_string(&(self.seed, &self.spec.world, &self.spec.learner))
            .map_err(|error| Error::Derivation { reason: error.to_string() })?;
        self.learner = self.warm_starts.learner(&key, || Ok(warm_up(self.clone(), books.clone())?.0.learner))?;
        Ok((self, books))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How often the frozen learner succeeds in games of training that it has not seen, after so many episodes of practice.
    fn success(practice: usize, games: u64) -> f64 {
        let spec: Alfworld = serde_json::from_value(serde_json::json!({
            "world": { "step_cost": 0.01 }, "price": 0.005, "gate": { "policy": "never" }, "execution": "improving",
            "budget": { "per_run": 0 }, "learner": { "exploration": { "warm_up_episodes": practice } },
        }))
        .unwrap();
        let (warm_starts, seed) = (WarmStarts::default(), Seed::root(0));
        let mut agent = CommandAgent::new(&spec, &warm_starts, seed).unwrap();
        let mut wins = |episode: Episode, learning: Learning, seed: Seed| {
            agent.begin(episode, seed).unwrap();
            let mut gained = 0.0;
            for step in 0.. {
                let randomness = seed.stream("exploration").index(step);
                let action = epsilon_greedy(&agent.learner.means(&agent.rows), agent.epsilon, randomness);
                gained += agent.act(action, learning, seed).unwrap().value();
                if agent.over {
                    break;
                }
            }
            gained > 0.0
        };
        for number in 0..practice as u64 {
            wins(Episode::WarmUp, Learning::Continues, seed.stream("practice").index(number));
        }
        let tests =
            (0..games).map(|number| (Episode::Rehearsal { number, of: games }, seed.stream("test").index(number)));
        tests.filter(|(episode, seed)| wins(*episode, Learning::Frozen, *seed)).count() as f64 / games as f64
    }

    #[test]
    fn practice_makes_the_learner_better() {
        let (before, after) = (success(0, 40), success(100, 40));
        assert!(before < 0.1 && after > 0.3, "{before} {after}");
    }
}
