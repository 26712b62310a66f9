//! Exact labels are the averages of rollouts, and the gain of a gate is the sum of the labels at its queries.

use counsel_babyai::random::Generator;
use counsel_babyai::{Act, Error, Layout, Next, State, World, levels};
use counsel_world::Environment;

/// A policy that depends on what the agent sees and gives every action a chance: like a learner's, uneven and stubborn.
fn soft(state: &State) -> [f64; 7] {
    let seen = state.observation();
    let mut random = Generator::new(
        seen.bytes()
            .iter()
            .fold(u64::from(seen.direction), |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)),
    );
    let mut chances = [0.5 / 7.0; 7];
    chances[random.index(3)] += 0.3;
    chances[random.index(7)] += 0.2;
    chances
}

/// A number from 0 to 1.
fn unit(random: &mut Generator) -> f64 {
    f64::from(random.below(1 << 30)) / f64::from(1 << 30)
}

fn draw(chances: [f64; 7], random: &mut Generator) -> Act {
    let mut left = unit(random);
    for (act, chance) in Act::ALL.into_iter().zip(chances) {
        left -= chance;
        if left < 0.0 {
            return act;
        }
    }
    Act::Done
}

/// The expected return of an action and then the policy, by trying everything.
fn expected(world: &mut World, act: Act, discount: f64) -> f64 {
    let effect = world.step(act);
    if effect.terminated || effect.truncated {
        return effect.reward;
    }
    let here = world.snapshot();
    let chances = soft(&here);
    let mut value = 0.0;
    for (act, chance) in Act::ALL.into_iter().zip(chances) {
        world.restore(&here);
        value += chance * expected(world, act, discount);
    }
    effect.reward + discount * value
}

/// The return of an action and then the best ones, by trying everything.
fn most(world: &mut World, act: Act, discount: f64) -> f64 {
    let effect = world.step(act);
    if effect.terminated || effect.truncated {
        return effect.reward;
    }
    let here = world.snapshot();
    let values = Act::ALL.map(|act| {
        world.restore(&here);
        most(world, act, discount)
    });
    effect.reward + discount * values.into_iter().fold(0.0, f64::max)
}

#[test]
fn the_best_values_are_those_of_the_best_continuation() {
    let mut rewarded = 0;
    for level in ["BabyAI-GoToObj-v0", "BabyAI-GoToLocal-v0", "BabyAI-Open-v0"] {
        let mut world = World::with_max_steps(level, 4).unwrap();
        for (seed, discount) in (0..8).flat_map(|seed| [(seed, 1.0), (seed, 0.9)]) {
            world.reset(Some(seed));
            let start = world.snapshot();
            let values = Layout::explore(world.state(), 20_000).unwrap().best(discount).unwrap();
            let found = values.q_of(&start).unwrap();
            let tried = Act::ALL.map(|act| {
                world.restore(&start);
                most(&mut world, act, discount)
            });
            rewarded += u32::from(tried.iter().any(|value| *value > 0.0));
            for (found, tried) in found.into_iter().zip(tried) {
                assert!((found - tried).abs() < 1e-12, "{level} {seed}: {found} instead of {tried}");
            }
        }
    }
    assert!(rewarded > 0, "no success within four steps");
}

#[test]
fn labels_are_expectations_on_every_level() {
    let mut rewarded = 0;
    for level in levels() {
        let mut world = World::with_max_steps(level.id, 3).unwrap();
        for (seed, discount) in [(0, 1.0), (1, 0.9), (2, 1.0), (3, 0.5)] {
            world.reset(Some(seed));
            let start = world.snapshot();
            let layout = Layout::explore(&start, 1000).unwrap();
            let labels = layout.values(soft, discount).unwrap().q_of(&start).unwrap();
            for act in Act::ALL {
                world.restore(&start);
                let brute = expected(&mut world, act, discount);
                rewarded += u32::from(brute > 0.0);
                let label = labels[act as usize];
                assert!((label - brute).abs() < 1e-12, "{} seed {seed} {act:?}: {label} {brute}", level.id);
            }
        }
    }
    assert!(rewarded > 150, "{rewarded}");
}

/// The mean return of an action and then the policy.
fn rolled_out(world: &mut World, start: &State, act: Act, rollouts: u32, random: &mut Generator) -> f64 {
    let mut sum = 0.0;
    for _ in 0..rollouts {
        world.restore(start);
        let mut effect = world.step(act);
        while !(effect.terminated || effect.truncated) {
            effect = world.step(draw(soft(world.state()), random));
        }
        sum += effect.reward;
    }
    sum / f64::from(rollouts)
}

/// By how much an average of `n` returns from 0 to 1 may miss its expectation: Bernstein's inequality, exceeded once in
/// 80,000 times; the seeds are fixed.
fn tolerance(expectation: f64, n: u32) -> f64 {
    let (log, n) = (12.0, f64::from(n));
    (2.0 * expectation * (1.0 - expectation) * log / n).sqrt() + log / (3.0 * n)
}

#[test]
fn labels_are_averages_of_rollouts() {
    let mut random = Generator::new(1);
    let mut telling = 0;
    for (id, steps, near) in [
        ("BabyAI-GoToObj-v0", 24, 6),
        ("BabyAI-GoToObj-v0", 24, 2),
        ("BabyAI-GoToLocalS5N2-v0", 14, 3),
        ("BabyAI-OpenRedDoor-v0", 30, 4),
        ("BabyAI-PickupDistDebug-v0", 10, 2),
        ("BabyAI-PutNextS4N1-v0", 14, 0),
    ] {
        let mut world = World::with_max_steps(id, steps).unwrap();
        for seed in 3..5 {
            world.reset(Some(seed));
            let layout = Layout::explore(world.state(), 50_000).unwrap();
            let values = layout.values(soft, 1.0).unwrap();
            while let Ok(Some(optimum)) = world.state().optimum()
                && optimum.distance > near
            {
                world.step(optimum.acts.iter().next().unwrap());
            }
            let start = world.snapshot();
            let labels = values.q_of(&start).unwrap();
            let value: f64 = soft(&start).iter().zip(labels).map(|(chance, label)| chance * label).sum();
            let index = layout.index(&start).unwrap();
            assert!((values.v(index, start.steps()).unwrap() - value).abs() < 1e-12);
            for act in Act::ALL {
                let mean = rolled_out(&mut world, &start, act, 3000, &mut random);
                let (label, best) = (labels[act as usize], labels.iter().fold(0.0, |a: f64, &b| a.max(b)));
                let slack = tolerance(label, 3000);
                telling += u32::from(best - label > 2.0 * slack);
                assert!((mean - label).abs() <= slack, "{id} seed {seed} {act:?}: {mean} is not {label} +- {slack}");
            }
        }
    }
    assert!(telling > 30, "only {telling} labels differ from the best by more than chance");
}

/// What an advisor says: mostly an optimal action, and else any.
fn advice(state: &State, reliability: f64) -> [f64; 7] {
    let optimal = state.optimum().unwrap().unwrap().acts;
    let count = f64::from(optimal.bits().count_ones());
    Act::ALL.map(|act| (1.0 - reliability) / 7.0 + if optimal.contains(act) { reliability / count } else { 0.0 })
}

/// A gate that sees the state, the clock, the action about to be made and how often it has asked.
fn asks(index: usize, step: u32, base: Act, asked: usize) -> bool {
    asked < 2 && [0, 1].contains(&((index + step as usize + base as usize) % 3))
}

/// What is done with an answer: it is followed, unless it is the action of doing nothing.
fn done(base: Act, answer: Act) -> Act {
    if answer == Act::Done { base } else { answer }
}

/// The difference that a gate makes is the expected sum of the labels where it asks (readings.md, F1).
#[test]
fn the_gain_of_a_gate_is_the_sum_of_its_labels() {
    let mut gains = Vec::new();
    for (id, steps) in [("BabyAI-GoToObj-v0", 64), ("BabyAI-GoToObj-v0", 20), ("BabyAI-GoToLocalS5N2-v0", 12)] {
        for (seed, reliability) in [(5, 0.9), (6, 0.3), (7, 0.0)] {
            let mut world = World::with_max_steps(id, steps).unwrap();
            world.reset(Some(seed));
            let start = world.snapshot();
            let layout = Layout::explore(&start, 50_000).unwrap();
            let values = layout.values(soft, 1.0).unwrap();
            let states: Vec<State> = (0..layout.states()).map(|index| layout.state(index).unwrap()).collect();
            let bases: Vec<_> = states.iter().map(soft).collect();
            let answers: Vec<_> = states.iter().map(|state| advice(state, reliability)).collect();

            // The chances of each state and number of questions, step by step.
            let mut chances = vec![[0.0; 3]; states.len()];
            chances[0][0] = 1.0;
            let (mut returned, mut labels) = (0.0, 0.0);
            for step in 0..steps {
                let mut after = vec![[0.0; 3]; states.len()];
                for (index, row) in chances.iter().enumerate() {
                    for (asked, &here) in row.iter().enumerate().filter(|(_, here)| **here > 0.0) {
                        let q = values.q(index, step).unwrap();
                        for base in Act::ALL {
                            let chance = here * bases[index][base as usize];
                            let mut go = |act: Act, chance: f64, asked: usize| match layout.next(index, act) {
                                Some(Next::Succeeds) => {
                                    returned += chance * (1.0 - 0.9 * f64::from(step + 1) / f64::from(steps));
                                }
                                Some(Next::State(next)) => after[next][asked] += chance,
                                _ => {}
                            };
                            if asks(index, step, base, asked) {
                                for answer in Act::ALL {
                                    let chance = chance * answers[index][answer as usize];
                                    let act = done(base, answer);
                                    labels += chance * (q[act as usize] - q[base as usize]);
                                    go(act, chance, asked + 1);
                                }
                            } else {
                                go(base, chance, asked);
                            }
                        }
                    }
                }
                chances = after;
            }
            let never = values.v(0, 0).unwrap();
            let what = format!("{id} seed {seed}: {returned} - {never} = {} is not {labels}", returned - never);
            assert!((returned - never - labels).abs() < 1e-12, "{what}");
            gains.push(labels);

            // The same by playing.
            let mut random = Generator::new(seed);
            let (mut sum, episodes) = (0.0, 3000);
            for _ in 0..episodes {
                world.restore(&start);
                let mut asked = 0;
                sum += loop {
                    let (index, step) = (layout.index(world.state()).unwrap(), world.state().steps());
                    let base = draw(bases[index], &mut random);
                    let mut act = base;
                    if asks(index, step, base, asked) {
                        act = done(base, draw(answers[index], &mut random));
                        asked += 1;
                    }
                    let effect = world.step(act);
                    if effect.terminated || effect.truncated {
                        break effect.reward;
                    }
                };
            }
            let (mean, slack) = (sum / f64::from(episodes), tolerance(never + labels, episodes));
            assert!((mean - never - labels).abs() <= slack, "{what}: played {mean} +- {slack}");
        }
    }
    let spread = gains.iter().fold(0.0, |most: f64, gain| most.max(gain.abs()));
    assert!(spread > 0.05, "gates that change nothing prove nothing: {gains:?}");
}

#[test]
fn what_cannot_be_enumerated_is_said() {
    let mut world = World::with_max_steps("BabyAI-GoToLocal-v0", 64).unwrap();
    let error = Layout::explore(world.state(), 5000).unwrap_err();
    let Error::TooManyStates { cap, reached, .. } = error else { panic!("{error}") };
    assert!(cap == 5000 && reached > 5000 && reached < 5010, "{reached}");
    assert!(Layout::explore(world.state(), 0).is_err());

    let layout_steps = |world: &World| Layout::explore(world.state(), 100).map(|layout| layout.states());
    world = World::with_max_steps("BabyAI-GoToLocal-v0", 2).unwrap();
    assert!(layout_steps(&world).is_ok());
    world.step(Act::Done);
    assert_eq!(layout_steps(&world), Ok(1), "at the last step there is nowhere to go");
    world.step(Act::Done);
    assert_eq!(layout_steps(&world), Err(Error::ClockRunOut { steps: 2, max_steps: 2 }));
}

#[test]
fn improper_policies_and_discounts_are_refused() {
    let world = World::with_max_steps("BabyAI-GoToObj-v0", 10).unwrap();
    let layout = Layout::explore(world.state(), 1000).unwrap();
    for wrong in [[0.0; 7], [0.2; 7], [f64::NAN; 7], [1.5, -0.5, 0.0, 0.0, 0.0, 0.0, 0.0]] {
        assert!(matches!(layout.values(|_| wrong, 1.0), Err(Error::ImproperPolicy { .. })), "{wrong:?}");
    }
    for wrong in [-0.1, 1.1, f64::NAN, f64::INFINITY] {
        assert!(matches!(layout.values(soft, wrong), Err(Error::ImproperDiscount { .. })), "{wrong}");
    }
}

#[test]
fn states_are_found_again_and_strangers_are_not() {
    let mut world = World::new("BabyAI-GoToObj-v0").unwrap();
    world.reset(Some(1));
    let layout = Layout::explore(world.state(), 1000).unwrap();
    for index in 0..layout.states() {
        assert_eq!(layout.index(&layout.state(index).unwrap()), Some(index));
    }
    assert_eq!((layout.state(layout.states()), layout.next(layout.states(), Act::Left)), (None, None));
    let values = layout.values(soft, 1.0).unwrap();
    assert_eq!((values.v(0, 64), values.q(0, 64), values.q(0, u32::MAX)), (None, None, None));
    assert_eq!(values.q(layout.states() - 1, 0), None, "it takes steps to get there");
    world.reset(Some(2));
    assert_eq!((layout.index(world.state()), values.q_of(world.state())), (None, None));
}
