//! What comes with the program can be read, and answers what its templates ask.

use counsel_advisor::{AdvisorName, Narrator, Phrasing, Request};
use counsel_alfworld::Alfworld;
use counsel_alfworld::household::words as household;
use counsel_babyai::BabyAi;
use counsel_babyai::words::{Briefing, Task};
use counsel_transcript::Shelf;

#[test]
fn every_transcript_opens_under_its_name() {
    let shelf = Shelf::embedded();
    let names = shelf.names();
    assert!(names.len() >= 10, "{names:?}");
    for name in &names {
        let answers = shelf.open(name).unwrap();
        assert_eq!(answers.advisor().name(), *name);
        let recorded = &answers.advisor().template;
        let worlds: [&dyn Narrator; 3] = [&BabyAi, &Alfworld, &household::Whereabouts];
        let mut editions = worlds.into_iter().flat_map(Narrator::templates);
        let known = editions.find(|edition| edition.name == recorded.name).unwrap();
        assert_eq!(recorded.digest, known.digest, "{name} was recorded with another version");
    }
}

#[test]
fn the_abstract_advisors_answer_every_prompt_of_every_task() {
    for model in ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b", "smollm2-135m"] {
        let name: AdvisorName = format!("{model}/abstract/scored").parse().unwrap();
        let answers = Shelf::embedded().open(&name).unwrap();
        for task in Task::ALL {
            let briefing = Briefing::find("abstract", task).unwrap();
            let decoding = briefing.decoding("scored").unwrap();
            let prompts = briefing.enumerate().prompts().unwrap();
            let requests: Vec<Request> =
                prompts.into_iter().map(|prompt| Request { prompt, decoding: decoding.clone() }).collect();
            assert_eq!(answers.require(&requests).map_err(|error| error.to_string()), Ok(()), "{name} {task:?}");
            for request in &requests {
                let utterance = &answers.get(request).unwrap().utterance;
                let sum: f64 = utterance.scores.iter().flatten().map(|score| score.probability).sum();
                assert!((sum - 1.0).abs() < 1e-12, "{name}: {utterance:?}");
            }
        }
    }
}

#[test]
fn the_advisors_of_households_answer_every_line_and_every_pair() {
    for model in ["qwen2.5-coder-0.5b", "qwen2.5-coder-1.5b"] {
        for (world, template) in [
            (&Alfworld as &dyn Narrator, "household-few-shot"),
            (&Alfworld, "household-when"),
            (&household::Whereabouts, household::WHEREABOUTS),
        ] {
            let name: AdvisorName = format!("{model}/{template}/scored").parse().unwrap();
            let answers = Shelf::embedded().open(&name).unwrap();
            for task in world.tasks() {
                let phrasing = world.phrasing(task, template).unwrap();
                let decoding = phrasing.decoding("scored").unwrap();
                let prompts = phrasing.enumerate().prompts().unwrap();
                let requests: Vec<Request> =
                    prompts.into_iter().map(|prompt| Request { prompt, decoding: decoding.clone() }).collect();
                assert_eq!(answers.require(&requests).map_err(|error| error.to_string()), Ok(()), "{name} {task}");
            }
        }
    }
}

#[test]
fn what_was_not_recorded_is_named_with_the_remedy() {
    let error = Shelf::embedded().open(&"gpt/plain/generate".parse().unwrap()).unwrap_err().to_string();
    assert!(error.contains("in the program") && error.contains("counsel advisor record"), "{error}");
}
