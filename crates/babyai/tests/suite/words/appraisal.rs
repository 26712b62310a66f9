//! Appraisals of advisors whose worth is known beforehand.

use counsel_advisor::appraisal::{Appraisal, Panel, Sample, Share, appraise};
use counsel_advisor::{Identity, LanguageModel, Outage, Request, Utterance};
use counsel_babyai::BabyAi;
use counsel_babyai::words::{Briefing, Task, moments};
use counsel_decision::Seed;

/// Says what a function of the prompt's last message says.
struct Rule {
    identity: Identity,
    rule: fn(&str) -> &'static str,
}

impl Rule {
    fn new(rule: fn(&str) -> &'static str) -> Self {
        let [model, version, engine] = ["rule", "1", "test"].map(str::to_owned);
        Self { identity: Identity { model, version, engine }, rule }
    }
}

impl LanguageModel for Rule {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let say = |request: &Request| {
            let last = request.prompt.messages().last().map_or("", |message| message.content.as_str());
            Ok(Utterance {
                text: (self.rule)(last).to_owned(),
                scores: None,
                request_tokens: Some(10),
                response_tokens: None,
                latency_ms: Some(2.0),
            })
        };
        requests.iter().map(say).collect()
    }
}

/// The hand rule: ahead, forward; else to that side; unseen, right.
fn by_hand(message: &str) -> &'static str {
    let state = message.lines().find(|line| line.starts_with("The target is")).unwrap_or("");
    if state.contains("ahead") {
        "forward"
    } else if state.contains("left") {
        "left"
    } else {
        "right"
    }
}

fn appraised(rule: fn(&str) -> &'static str, task: Task) -> Appraisal {
    let mut model = Rule::new(rule);
    let mut panel = Panel::new(&Briefing::find("abstract", task).unwrap(), "scored", &mut model).unwrap();
    let sample = Sample { world: &BabyAi, task: task.name(), count: 400, seed: Seed::root(3) };
    appraise(sample, &mut panel, None, None).unwrap()
}

#[test]
fn the_hand_rule_is_good_and_a_constant_is_not() {
    let good = appraised(by_hand, Task::GoToObj);
    assert!(good.visible.rate().unwrap() > 0.8, "{good:?}");
    assert!(good.success.rate().unwrap() > 0.9, "{good:?}");
    assert_eq!(good.visible.and(good.hidden).total, 400);
    assert_eq!(good.answers.iter().sum::<usize>(), 400);
    assert_eq!((good.cost.request_tokens, good.cost.response_tokens), (Some(10.0), None));
    let turning = appraised(|_| "left", Task::GoToObj);
    assert!(turning.success.rate().unwrap() < 0.5, "{turning:?}");
    assert!(turning.visible.rate() < good.visible.rate());
}

#[test]
fn what_is_not_understood_is_wrong_and_repeats() {
    let mute = appraised(|_| "well, perhaps", Task::GoToLocal);
    assert_eq!(mute.unusable, Share { hits: 400, total: 400 });
    assert_eq!(mute.visible.hits + mute.hidden.hits, 0);
    assert_eq!(mute.repeats.identical, Share { hits: 400, total: 400 });
    assert_eq!((mute.repeats.paraphrase, mute.repeats.repair), (None, None));
    assert_eq!(mute.success.hits, 0);
}

#[test]
fn asking_again_counts_wrong_answers_only() {
    let [abstract_, other, repair] =
        ["abstract", "abstract-paraphrase", "abstract-repair"].map(|name| Briefing::find(name, Task::GoToObj).unwrap());
    let (mut first, mut second, mut third) = (Rule::new(|_| "left"), Rule::new(|_| "left"), Rule::new(by_hand));
    let mut panels = (
        Panel::new(&abstract_, "scored", &mut first).unwrap(),
        Panel::new(&other, "scored", &mut second).unwrap(),
        Panel::new(&repair, "scored", &mut third).unwrap(),
    );
    let sample = Sample { world: &BabyAi, task: "GoToObj", count: 300, seed: Seed::root(5) };
    let told = appraise(sample, &mut panels.0, Some(&mut panels.1), Some(&mut panels.2)).unwrap();
    let wrong = 300 - told.visible.hits - told.hidden.hits;
    assert_eq!(told.repeats.identical, Share { hits: wrong, total: wrong });
    assert_eq!(told.repeats.paraphrase, Some(Share { hits: wrong, total: wrong }));
    let repaired = told.repeats.repair.unwrap();
    assert!(repaired.total == wrong && repaired.hits < wrong, "{repaired:?}");
}

#[test]
fn moments_are_the_same_for_the_same_seed() {
    let draw = |seed| moments(Task::Pickup, 50, Seed::root(seed)).unwrap();
    let shown = |seed| format!("{:?}", draw(seed));
    assert_eq!(shown(1), shown(1));
    assert_ne!(shown(1), shown(2));
    assert!(draw(1).iter().all(|moment| !moment.right.is_empty()));
}
