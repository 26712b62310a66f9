//! Request by request: choose, pay, and learn when the feedback comes. The same loop plays a cell and computes it again.

use counsel_decision::{
    Action, AdviceModel, Budget, CandidateOnly, ContextKey, Engine, Evidence, Execution, Gate, Parser, Radius,
    ResponseLaw, Seed, Settings, Turn, ValueBounds, ValueSamples,
};
use counsel_log::{Before, Decision, Deployed, Hindsight, Routed};
use counsel_session::{Error, Played};

use super::player::{Asked, Player};
use super::{Deck, Protocol};

/// What came back for one choice.
pub(super) struct Feedback {
    pub(super) cost: f64,
    pub(super) learned: Option<f64>,
    /// The step before which it was learned.
    pub(super) learned_at: Option<u64>,
}

/// Lets a policy meet all requests. `answer` says what came back for its choices.
pub(super) fn drive(
    player: &mut Player,
    asked: &[Asked],
    mut answer: impl FnMut(u64, &Routed, &Asked, &Player) -> Feedback,
) -> Result<Vec<Routed>, Error> {
    player.foresee(asked);
    let mut waiting: Vec<(u64, u64, Option<f64>)> = Vec::new();
    let mut routes = Vec::with_capacity(asked.len());
    for (step, request) in (0u64..).zip(asked) {
        for (_, earlier, reward) in waiting.iter().filter(|(due, ..)| *due <= step) {
            player.learn(*earlier, *reward)?;
        }
        waiting.retain(|(due, ..)| *due > step);
        let mut route = player.decide(step, request)?;
        let Feedback { cost, learned, learned_at } = answer(step, &route, request, player);
        player.settle(step, cost)?;
        if let Some(due) = learned_at {
            waiting.push((due, step, learned));
        }
        (route.cost, route.learned, route.learned_at) = (cost, learned, learned_at);
        routes.push(route);
    }
    Ok(routes)
}

impl Deck<'_> {
    /// The requests, as a policy meets them.
    pub(super) fn requests(&self) -> Vec<Asked> {
        let charges = self.charges();
        let request = |(number, (place, counted)): (usize, &(usize, bool))| {
            let row = &self.table.rows[*place];
            let pick = |values: &[f64]| self.advisors.iter().map(|advisor| values[*advisor]).collect::<Vec<f64>>();
            let mut rewards = pick(&row.rewards);
            if let Some(Some(replaced)) = self.replaced.get(number) {
                rewards[1] = *replaced;
            }
            let costs = if charges.is_empty() { pick(&row.costs) } else { charges.clone() };
            let answers = if row.answers.is_empty() {
                Vec::new()
            } else {
                self.advisors.iter().map(|advisor| row.answers[*advisor]).collect()
            };
            Asked { request: row.request(self.settings.features), counted: *counted, rewards, costs, answers }
        };
        self.asked.iter().enumerate().map(request).collect()
    }

    /// What answers cost in a stream, in units of reward; nothing in other protocols. Of two advisors the strong one has a price, and
    /// the answer in hand none. Of more, the last one has it, and the others their share by the price list.
    pub(super) fn charges(&self) -> Vec<f64> {
        let Protocol::Stream { price, .. } = self.settings.protocol else { return Vec::new() };
        if self.advisors.len() == 2 {
            return vec![0.0, price];
        }
        let listed: Vec<f64> = self.advisors.iter().map(|place| self.table.offers[*place].list_price).collect();
        let last = listed.last().copied().unwrap_or_default();
        listed.iter().map(|cost| if last > 0.0 { price * cost / last } else { 0.0 }).collect()
    }

    fn delay(&self) -> u64 {
        match self.settings.protocol {
            Protocol::Stream { delay, .. } => delay,
            _ => 0,
        }
    }
}

/// Plays a cell.
pub(super) fn played(deck: &Deck<'_>, seed: Seed) -> Result<Played, Error> {
    let mut player = Player::new(deck, seed)?;
    let asked = deck.requests();
    let delay = deck.delay();
    let mut brought = Vec::with_capacity(asked.len());
    let routes = drive(&mut player, &asked, |step, route, request, player| {
        let (reward, cost) = player.brought(route, request);
        brought.push(reward);
        let learns = player.learns();
        Feedback { cost, learned: learns.then_some(reward), learned_at: learns.then_some(step + 1 + delay) }
    })?;
    let names: Vec<String> = deck.advisors.iter().map(|place| deck.table.offers[*place].name.clone()).collect();
    let settings = Settings::new(Gate::Never, Execution::Improving, Budget::calls(0));
    let engine_seed = seed.stream("engine");
    let mut engine = Engine::new(&settings, Parser::new(names.iter().cloned())?, engine_seed)?;
    engine.begin_episode();
    let mut decisions = Vec::with_capacity(routes.len());
    for (number, (mut route, asked)) in routes.into_iter().zip(asked).enumerate() {
        let place = deck.asked[number].0;
        let Turn::Act(act) = engine.decide(evidence(&route, place as u64)?)? else {
            return Err(Error::NothingPresent);
        };
        route.counted = asked.counted;
        route.group = asked.request.group.map(|group| group as u64);
        route.words =
            asked.request.words.iter().flat_map(|(bucket, count)| [i64::from(*bucket), i64::from(*count)]).collect();
        route.numbers = asked.request.numbers;
        route.advisor_rewards = asked.rewards;
        route.advisor_costs = asked.costs;
        route.answers = asked.answers;
        route.published = deck.published;
        let hindsight = Hindsight { reward: brought[number], ..Hindsight::default() };
        decisions.push(Decision { record: act.record, hindsight, route: Some(Box::new(route)) });
    }
    let deployed = Deployed {
        advisors: Vec::new(),
        settings,
        advisor: names.join(", "),
        words: names,
        form: counsel_decision::Form::default(),
        engine_seed,
        calibration: None,
        before: Before::default(),
    };
    Ok(Played { deployed, decisions })
}

/// What the engine sees of a route: the answers of the advisors are the actions, the router's choice is what the agent proposes, and
/// nobody is asked about it.
fn evidence(route: &Routed, place: u64) -> Result<Evidence, Error> {
    let advisors = route.rewards.len();
    let mut law = vec![0.0; advisors];
    law.push(1.0);
    let samples = ValueSamples::new(advisors, route.rewards.clone())?;
    let bounds = ValueBounds::new(vec![0.0; advisors], vec![1.0; advisors])?;
    let chosen = Action::new(usize::try_from(route.chosen).unwrap_or(0));
    let advice = CandidateOnly::new(ResponseLaw::new(advisors, law)?, samples, bounds, chosen)?;
    let evidence = Evidence::new(ContextKey(place), AdviceModel::CandidateOnly(advice), 0.0)?;
    Ok(evidence.with_radius(Radius::new(0.0)?))
}
