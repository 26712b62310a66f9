//! What is described stands for its prompt: where it is equal, so are the prompts, and the other way round.

use std::collections::BTreeMap;

use counsel_advisor::{Digest, Narrator, Phrasing, Teller};
use counsel_babyai::words::{Briefing, Situation, TEMPLATES, Task, Told};
use counsel_babyai::{Act, BabyAi, World, random::Generator};
use counsel_decision::{Action, Response};

#[test]
fn what_is_described_tells_prompts_apart_and_nothing_else() {
    let mut random = Generator::new(4);
    for (task, template) in Task::ALL.into_iter().flat_map(|task| TEMPLATES.all().iter().map(move |t| (task, t))) {
        let briefing = Briefing { template, task };
        let mut world = World::new(task.level()).unwrap();
        let mut prompts: BTreeMap<Situation, Digest> = BTreeMap::new();
        let mut described: BTreeMap<Digest, Situation> = BTreeMap::new();
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
            let said = briefing.described(&situation);
            assert_eq!(briefing.prompt(&said).digest(), digest, "{} {task:?}", template.name());
            assert_eq!(*prompts.entry(said.clone()).or_insert(digest), digest, "{} {task:?}", template.name());
            // A whole view shows more than its words say.
            if matches!(template.words.told, Told::Target | Told::Object) {
                assert_eq!(*described.entry(digest).or_insert(said.clone()), said, "{} {task:?}", template.name());
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
