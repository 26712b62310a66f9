//! Whatever happens in an episode, its prompts are listed beforehand.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use counsel_advisor::{Digest, Enumeration, Prompt, Variant};
use counsel_babyai::words::{Errand, Place, Situation, Square, TEMPLATES, Task, Template, Told};
use counsel_babyai::{Act, Kind, Latch, World, random::Generator};
use counsel_decision::{Action, Response};

fn listed(template: &Template, task: Task) -> Vec<Prompt> {
    template.words.enumerate(task).prompts().unwrap_or_default()
}

fn digests(prompts: &[Prompt]) -> BTreeSet<Digest> {
    prompts.iter().map(Prompt::digest).collect()
}

#[test]
fn counts() {
    let mut table = String::from("template             GoToObj GoToLocal GoToObjDoor    Open  Pickup\n");
    for template in TEMPLATES.all() {
        let counts = Task::ALL.map(|task| match template.words.enumerate(task) {
            Enumeration::Closed(prompts) => {
                assert_eq!(digests(&prompts).len(), prompts.len(), "{} lists a prompt twice", template.name());
                prompts.len().to_string()
            }
            Enumeration::Open => "open".to_owned(),
        });
        let [a, b, c, d, e] = counts;
        let _ = writeln!(table, "{:<20} {a:>7} {b:>9} {c:>11} {d:>7} {e:>7}", template.name());
    }
    insta::assert_snapshot!(table);
}

/// Goes where the prompt's own view says, opens doors in the way, and strays.
fn act(situation: &Situation, random: &mut Generator, stray: u64) -> Act {
    if u64::from(random.below(10)) < stray {
        return Act::ALL[random.below(7) as usize];
    }
    let front = situation.view().at(Place::new(1, 0).unwrap());
    if let Square::Holds(thing) = front
        && thing.kind == Kind::Door
        && thing.latch != Some(Latch::Open)
    {
        return Act::Toggle;
    }
    match (situation.errand(), situation.place().map(|place| (place.ahead(), place.aside()))) {
        (Errand::PickUp, Some((1, 0))) => Act::Pickup,
        (Errand::Open, Some((1, 0))) => Act::Toggle,
        (_, Some((0, aside))) => [Act::Left, Act::Right][usize::from(aside > 0)],
        (_, Some(_)) => Act::Forward,
        (_, None) => [Act::Left, Act::Right, Act::Forward, Act::Forward][random.below(4) as usize],
    }
}

#[test]
fn every_prompt_of_an_episode_is_listed() {
    let mut reached: BTreeMap<(Task, &str), (BTreeSet<Digest>, usize)> = BTreeMap::new();
    for task in Task::ALL {
        let (episodes, steps) = if task.places().len() == 42 { (700, 80) } else { (350, 200) };
        let lists: Vec<(&Template, BTreeSet<Digest>)> = TEMPLATES
            .all()
            .iter()
            .filter(|template| matches!(template.words.told, Told::Target | Told::Object))
            .map(|template| (template, digests(&listed(template, task))))
            .collect();
        let mut world = World::new(task.level()).unwrap();
        let mut random = Generator::new(task as u64);
        for seed in 0..episodes {
            world.reset(Some(seed + 1000));
            let mut ended = false;
            for step in 0..steps {
                let situation = Situation::of(&world).unwrap();
                for (template, list) in &lists {
                    // Every template now and then, and the two that matter most at every step.
                    let always = matches!(template.name(), "plain" | "abstract");
                    if !always && step % 7 != 0 {
                        continue;
                    }
                    let turn = match template.words.variant {
                        Variant::Identical => situation.clone(),
                        Variant::Paraphrase => situation.clone().worded(step),
                        Variant::Repair if step % 2 == 0 => situation.clone().after(Response::Unusable),
                        Variant::Repair => situation.clone().after(Response::Recommends(Action::new(step % 7))),
                    };
                    let prompt = template.words.prompt(&turn);
                    let digest = prompt.digest();
                    assert!(
                        list.contains(&digest),
                        "{task:?} {} seed {seed} step {step}: {prompt:#?}",
                        template.name()
                    );
                    let entry = reached.entry((task, template.name())).or_insert((BTreeSet::new(), list.len()));
                    entry.0.insert(digest);
                }
                // The look after the end is taken too: a controller may look there.
                if std::mem::replace(&mut ended, world.step(act(&situation, &mut random, seed % 11)).terminated) {
                    break;
                }
            }
        }
    }
    for task in Task::ALL {
        let (seen, listed) = &reached[&(task, "abstract")];
        println!(
            "{task:?}: abstract {} of {listed}, plain {} of {}",
            seen.len(),
            reached[&(task, "plain")].0.len(),
            reached[&(task, "plain")].1
        );
        assert!(
            seen.len() + 4 >= *listed,
            "{task:?} reaches only {} of {listed} prompts: the list is loose",
            seen.len()
        );
    }
}
