//! A subject stands for its prompt: equal subjects, equal prompts, and the other way round.

use std::collections::BTreeMap;

use counsel_advisor::{Digest, Narrator, Phrasing, Subject, Teller};
use counsel_babyai::words::{Briefing, Situation, Task, Template, Told};
use counsel_babyai::{Act, BabyAi, World, random::Generator};
use counsel_decision::{Action, Response};

#[test]
fn subjects_tell_prompts_apart_and_nothing_else() {
    let mut random = Generator::new(4);
    for (task, template) in Task::ALL.into_iter().flat_map(|task| Template::all().iter().map(move |t| (task, t))) {
        let briefing = Briefing { template, task };
        let mut world = World::new(task.level()).unwrap();
        let mut prompts: BTreeMap<Subject, Digest> = BTreeMap::new();
        let mut subjects: BTreeMap<Digest, Subject> = BTreeMap::new();
        for step in 0..1500 {
            if step % 50 == 0 {
                world.reset(Some(step as u64));
            }
            let situation = Situation::of(&world).unwrap().worded(step % 5);
            let situation = match step % 10 {
                0..7 => situation,
                7 => situation.after(Response::Unusable),
                8 => situation.after(Response::Recommends(Action::new(step % 8))),
                _ => situation.after(Response::Recommends(Action::new(usize::MAX))),
            };
            let digest = briefing.prompt(&situation).digest();
            let listed = matches!(template.told(), Told::Target | Told::Object);
            assert_eq!(briefing.subject(&situation).is_some(), listed);
            if let Some(subject) = briefing.subject(&situation) {
                assert_eq!(*prompts.entry(subject).or_insert(digest), digest, "{} {task:?}", template.name());
                assert_eq!(*subjects.entry(digest).or_insert(subject), subject, "{} {task:?}", template.name());
            }
            world.step(random.element(&Act::ALL));
        }
    }
}

#[test]
fn the_narrator_knows_tasks_by_name_and_level() {
    assert_eq!(BabyAi.task("BabyAI-Open-v0").unwrap(), "Open");
    assert_eq!(BabyAi.tasks().len(), 5);
    let names: Vec<String> = BabyAi.templates().into_iter().map(|edition| edition.name).collect();
    for name in names {
        let phrasing = BabyAi.phrasing("GoToObj", &name).unwrap();
        assert_eq!(phrasing.edition().name, name);
        assert_eq!(phrasing.enumerate(), Briefing::find(&name, Task::GoToObj).unwrap().enumerate());
    }
    assert!(BabyAi.phrasing("GoToObject", "plain").err().unwrap().to_string().contains("`GoToObj`"));
}
