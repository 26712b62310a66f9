//! Log = behaviour: an engine's decisions can be computed again from their log, and a decision that was altered cannot.

use counsel_decision::{
    Budget, CacheSpec, CacheStatus, Engine, Form, Gate, Outcome, PaidResponse, Parser, Record, Reply, Response, Seed,
    Settings, Turn,
};
use counsel_log::{Decision, Hindsight, Manifest, Run, recompute};

use crate::alteration::COMPUTED;
use crate::play::{
    Chance, Episodes, assert_agrees, audited, evidence, gates, manifest, played, played_in, played_side_by_side, rules,
    settings,
};

/// Every gate with every execution rule, on budgets, caches, prices and situations nobody chose.
#[test]
fn what_an_engine_did_can_be_computed_again() {
    let mut chance = Chance(1);
    let (mut asked, mut unaffordable, mut statuses) = (0, 0, std::collections::BTreeSet::new());
    for gate in gates() {
        for rule in rules() {
            for _ in 0..8 {
                let settings = settings(gate.clone(), rule, &mut chance);
                let what = format!("{settings:?}");
                let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
                assert_agrees(&manifest, &decisions, &what);
                for Decision { record, .. } in &decisions {
                    asked += usize::from(record.asked());
                    unaffordable += usize::from(record.outcome == Outcome::Unaffordable);
                    statuses.insert(format!("{:?}", record.cache_status));
                }
            }
        }
    }
    assert!(asked > 1_000 && unaffordable > 1_000, "the runs exercise too little: {asked} asked, {unaffordable} not");
    assert!(statuses.len() >= 8, "the runs exercise only the cache statuses {statuses:?}");
}

#[test]
fn the_first_episode_may_start_by_itself() {
    let mut chance = Chance(2);
    for gate in gates() {
        let settings = settings(gate, rules()[0], &mut chance);
        let what = format!("{settings:?}");
        let (manifest, decisions) = played(settings, Episodes::FirstByItself, &mut chance);
        assert_agrees(&manifest, &decisions, &what);
    }
}

#[test]
fn an_episode_may_be_empty() {
    let mut chance = Chance(3);
    for gate in gates() {
        let settings = settings(gate, rules()[0], &mut chance);
        let what = format!("{settings:?}");
        let (manifest, decisions) = played(settings, Episodes::SomeEmpty, &mut chance);
        assert_agrees(&manifest, &decisions, &what);
    }
}

/// In a world whose actions differ from step to step, each row has as many as there were, and an answer past them is unusable.
#[test]
fn decisions_may_have_different_numbers_of_actions() {
    const MOST: usize = 12;
    let mut chance = Chance(11);
    let mut past_the_end = 0;
    for gate in gates() {
        for rule in rules() {
            let (settings, seed) = (settings(gate.clone(), rule, &mut chance), Seed::root(chance.next()));
            let parser = Parser::numbered(MOST);
            let words = parser.words().to_vec();
            let mut engine = Engine::diagnostic(&settings, parser, seed).unwrap();
            let mut decisions = Vec::new();
            for step in 0..40 {
                if step % 10 == 0 {
                    engine.begin_episode();
                }
                let actions = 1 + chance.below(MOST);
                let acted = match engine.decide(evidence(actions, &mut chance)).unwrap() {
                    Turn::Act(acted) => acted,
                    Turn::Ask(question) => {
                        let named = chance.below(MOST);
                        let acted = engine.resume(question, Reply::simulated(format!("a{named}")));
                        let paid = acted.paid.map(PaidResponse::response);
                        assert_eq!(paid == Some(Response::Unusable), named >= actions);
                        past_the_end += usize::from(named >= actions);
                        acted
                    }
                };
                assert!(acted.action.index() < actions);
                decisions.push(Decision::new(acted.record, Hindsight::default()));
            }
            let what = format!("{settings:?}");
            assert_agrees(&manifest(settings, words, seed, &decisions), &decisions, &what);
        }
    }
    assert!(past_the_end > 50, "the runs exercise too little: {past_the_end}");
}

/// Answers in JSON come out again as logged, and only because the manifest says that they are in JSON.
#[test]
fn the_form_of_answers_is_part_of_the_manifest() {
    let folder = tempfile::tempdir().unwrap();
    let mut chance = Chance(9);
    let settings = Settings { bankroll: None, ..settings(Gate::Always, rules()[0], &mut chance) };
    let (manifest, decisions) = played_in(Form::Json, settings, Episodes::Announced, &mut chance);
    let run = Run::at(folder.path());
    run.write(manifest.clone(), &decisions).unwrap();
    let read = run.cell(&manifest.key).unwrap().unwrap().manifest;
    assert_eq!(read.form, Form::Json);
    assert_agrees(&read, &decisions, "answers in JSON");
    let named = |decision: &&Decision| matches!(&decision.record.outcome, Outcome::Asked(answer) if answer.response != Response::Unusable);
    assert!(decisions.iter().filter(named).count() > 3, "the run exercises too little");
    let without = Manifest { form: Form::Word, ..read };
    assert!(!audited(&without, &decisions).is_empty(), "the form makes no difference");
    let written = |manifest: &Manifest| serde_json::to_value(manifest).unwrap().get("form").cloned();
    assert_eq!((written(&manifest), written(&without)), (Some("json".into()), None));
}

#[test]
fn an_alteration_of_what_was_computed_is_found() {
    let mut chance = Chance(5);
    let mut applied = vec![0; COMPUTED.len()];
    let mut missed = std::collections::BTreeSet::new();
    for gate in gates() {
        for rule in rules() {
            let settings = settings(gate.clone(), rule, &mut chance);
            let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
            for (number, (name, alter)) in COMPUTED.iter().enumerate() {
                for _ in 0..4 {
                    let place = chance.below(decisions.len());
                    let mut altered = decisions.clone();
                    if !alter(&mut altered[place]) {
                        continue;
                    }
                    applied[number] += 1;
                    let found = recompute(&manifest, &altered).unwrap();
                    let step = decisions[place].record.step;
                    if !found.iter().any(|found| found.step == step) {
                        missed.insert(*name);
                    }
                }
            }
        }
    }
    let untried: Vec<_> = COMPUTED.iter().zip(&applied).filter(|(_, count)| **count == 0).map(|(c, _)| c.0).collect();
    assert!(untried.is_empty(), "these alterations never applied: {untried:?}");
    assert!(missed.is_empty(), "not found: {missed:#?}");
}

/// A disagreement names the column that was altered, not one that merely follows from it. An altered episode is replayed as
/// the start of another one, so other columns may come first.
#[test]
fn a_disagreement_names_its_column() {
    let mut chance = Chance(6);
    let settings = settings(Gate::Value, rules()[1], &mut chance);
    let (manifest, decisions) = played(settings, Episodes::Announced, &mut chance);
    for (name, alter) in
        COMPUTED.iter().filter(|(name, _)| !name.contains(' ') && !matches!(*name, "cached" | "episode"))
    {
        let mut altered = decisions.clone();
        let Some(place) = (0..altered.len()).rev().find(|place| alter(&mut altered[*place])) else { continue };
        let mut altered = decisions.clone();
        alter(&mut altered[place]);
        let found = recompute(&manifest, &altered).unwrap();
        let first = found.iter().find(|found| found.step == decisions[place].record.step).unwrap();
        assert_eq!(first.column, *name, "{first}");
        assert!(first.logged != first.computed, "{first}");
        let text = first.to_string();
        assert!(text.contains(&format!("step {}: {name} is logged as", first.step)), "{text}");
    }
}

/// Environments side by side: all questions of a batch are open before the first is answered, each place has episodes of its own,
/// and one budget, price and cache serve all of them.
#[test]
fn batches_over_several_places_can_be_computed_again() {
    let mut chance = Chance(12);
    let (mut together, mut reused) = (0, 0);
    for gate in gates() {
        for rule in rules() {
            for _ in 0..6 {
                let settings = settings(gate.clone(), rule, &mut chance);
                let what = format!("{settings:?}");
                let (manifest, decisions) = played_side_by_side(settings, &mut chance);
                assert_agrees(&manifest, &decisions, &what);
                let asked = |record: &Record| record.asked();
                together += decisions
                    .windows(2)
                    .filter(|two| two[0].record.batch == two[1].record.batch)
                    .filter(|two| two.iter().all(|decision| asked(&decision.record)))
                    .count();
                reused += decisions.iter().filter(|d| d.record.cache_status == CacheStatus::Reused).count();
            }
        }
    }
    assert!(together > 300 && reused > 200, "the runs exercise too little: {together} together, {reused} reused");
}

/// A log whose batches are forgotten is another run wherever an answer would have been kept in time for the next decision.
#[test]
fn the_batch_of_a_decision_matters_to_the_audit() {
    let mut chance = Chance(13);
    let mut found = 0;
    for _ in 0..20 {
        let budget = Budget::calls(1_000);
        let settings =
            Settings { budget, cache: CacheSpec::Keep(Vec::new()), ..settings(Gate::Always, rules()[0], &mut chance) };
        let settings = Settings { bankroll: None, ..settings };
        let (manifest, mut decisions) = played_side_by_side(settings, &mut chance);
        decisions.iter_mut().for_each(|decision| decision.record.batch = None);
        found += usize::from(!audited(&manifest, &decisions).is_empty());
    }
    assert!(found > 10, "only {found} of 20 runs are other ones without their batches");
}
