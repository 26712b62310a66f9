//! What the templates say, word for word.

use std::fmt::Write;

use counsel_advisor::{Decoding, Edition, Phrasing, Prompt, Variant};
use counsel_babyai::words::{Briefing, Situation, TEMPLATES, Task, Told};
use counsel_babyai::{Act, World};
use counsel_decision::{Action, Response};

fn situation(task: Task, seed: u64) -> Situation {
    let mut world = World::new(task.level()).unwrap();
    world.reset(Some(seed));
    Situation::of(&world).unwrap()
}

/// The first situation of the task, by seed and step straight on, with its object at this place.
fn found(task: Task, place: Option<(u8, i8)>) -> Situation {
    let mut world = World::new(task.level()).unwrap();
    for seed in 0.. {
        world.reset(Some(seed));
        for _ in 0..4 {
            let situation = Situation::of(&world).unwrap();
            if situation.place().map(|place| (place.ahead(), place.aside())) == place {
                return situation;
            }
            world.step(Act::Forward);
        }
    }
    unreachable!("some seed has it")
}

fn written(prompt: &Prompt) -> String {
    let mut text = String::new();
    let last = prompt.messages().len() - 1;
    for (at, message) in prompt.messages().iter().enumerate() {
        let (stem, rest) = message.content.split_at(if at == last { prompt.stem() } else { 0 });
        let mark = if stem.is_empty() { "" } else { "[stem]" };
        writeln!(text, "{}> {stem}{mark}{rest}", message.role.name()).unwrap();
    }
    text
}

#[test]
fn templates() {
    let mut table = String::from("Change a file, and its version has to change too.\n");
    for template in TEMPLATES.all() {
        let Edition { name, version, digest, about } = template.heading.edition.clone();
        writeln!(table, "{name} {version} {digest}\n  {about}").unwrap();
        for task in [Task::GoToObj, Task::Open, Task::Pickup] {
            match (Briefing { template, task }).decoding("scored") {
                Ok(Decoding::Scored { words }) => writeln!(table, "  {task:?}: {}", words.join(" ")).unwrap(),
                other => writeln!(table, "  {task:?}: {other:?}").unwrap(),
            }
        }
        let parser = &template.heading.parser;
        writeln!(table, "  {:?}: {}", parser.form(), parser.words().join(" ")).unwrap();
        assert_eq!(Briefing { template, task: Task::Open }.decoding("generate").unwrap().name(), "generate");
    }
    insta::assert_snapshot!(table);
}

#[test]
fn prompts() {
    for template in TEMPLATES.all() {
        let mut text = String::new();
        for (task, place) in [
            (Task::GoToObj, Some((2, -1))),
            (Task::GoToObj, None),
            (Task::GoToLocal, Some((0, 3))),
            (Task::GoToObjDoor, Some((4, 0))),
            (Task::Open, Some((1, 0))),
            (Task::Pickup, Some((1, 0))),
        ] {
            let situation = found(task, place);
            writeln!(text, "== {task:?} {place:?}").unwrap();
            let turns = match template.words.variant {
                Variant::Identical => vec![situation],
                Variant::Paraphrase => (0..3).map(|wording| situation.clone().worded(wording)).collect(),
                Variant::Repair => vec![
                    situation.clone(),
                    situation.clone().after(Response::Recommends(Action::new(1))),
                    situation.after(Response::Unusable),
                ],
            };
            turns.iter().for_each(|turn| text.push_str(&written(&template.words.prompt(turn))));
        }
        insta::assert_snapshot!(template.name(), text);
    }
}

#[test]
fn a_stem_is_shared_by_all_prompts_of_a_wording() {
    for template in TEMPLATES.all().iter().filter(|template| matches!(template.words.told, Told::Target | Told::Object))
    {
        let mut stems = std::collections::BTreeSet::new();
        for task in Task::ALL {
            for prompt in template.words.enumerate(task).prompts().unwrap() {
                let last = &prompt.messages().last().unwrap().content;
                let stem = &last[..prompt.stem()];
                assert!(stem.is_empty() || stem.ends_with('\n'), "{stem:?}");
                stems.insert(stem.to_owned());
            }
        }
        assert_eq!(stems.len(), template.words.wordings(), "{}", template.name());
    }
}

#[test]
fn abstract_prompts_do_not_depend_on_what_is_hidden_or_named() {
    let template = TEMPLATES.find("abstract").unwrap();
    let prompt = |task, seed| template.words.prompt(&situation(task, seed));
    let seen = |task, seed: u64| situation(task, seed).place();
    let (mut same, mut compared) = (0, 0);
    for seed in 0..60 {
        for other in 0..seed {
            if seen(Task::GoToObj, seed) == seen(Task::GoToLocal, other) {
                same += usize::from(prompt(Task::GoToObj, seed) == prompt(Task::GoToLocal, other));
                compared += 1;
            }
        }
    }
    assert!(compared > 100 && same == compared, "{same} of {compared}");
}
