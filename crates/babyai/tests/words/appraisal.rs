//! Appraisals of advisors whose worth is known beforehand.

use counsel_advisor::{Identity, LanguageModel, Outage, Request, Utterance};
use counsel_appraisal::{Panel, Share, appraise, moments};
use counsel_decision::Seed;
use counsel_prompt::{Task, Template};

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

fn appraised(rule: fn(&str) -> &'static str, task: Task) -> counsel_appraisal::Appraisal {
    let template = Template::find("abstract").unwrap();
    let mut model = Rule::new(rule);
    let mut panel = Panel::new(template, "scored", task, &mut model).unwrap();
    appraise(task, 400, Seed::root(3), &mut panel, None, None).unwrap()
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
    let task = Task::GoToObj;
    let [abstract_, other, repair] =
        ["abstract", "abstract-paraphrase", "abstract-repair"].map(|name| Template::find(name).unwrap());
    let (mut first, mut second, mut third) = (Rule::new(|_| "left"), Rule::new(|_| "left"), Rule::new(by_hand));
    let mut panels = (
        Panel::new(abstract_, "scored", task, &mut first).unwrap(),
        Panel::new(other, "scored", task, &mut second).unwrap(),
        Panel::new(repair, "scored", task, &mut third).unwrap(),
    );
    let told = appraise(task, 300, Seed::root(5), &mut panels.0, Some(&mut panels.1), Some(&mut panels.2)).unwrap();
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
    assert!(draw(1).iter().all(|moment| moment.best.bits() > 0));
}
