//! Any world that offers the contract can be told, and its advisors appraised: here a corridor of a few lines.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use counsel_advisor::appraisal::{Appraisal, Panel, Sample, Share, appraise};
use counsel_advisor::{
    Answering, Asking, Decoding, Edition, Enumeration, Error, Heading, Identity, LanguageModel, Moment, Narrator,
    Outage, Phrasing, Prompt, Request, Teller, Template, Utterance,
};
use counsel_decision::{Action, Parser, Response, Seed};
use rand::RngExt;

/// A corridor with an exit at one end. The agent sees the exit from nearby only.
struct Corridor;

const LENGTH: i32 = 6;
const WORDS: [&str; 2] = ["left", "right"];

/// Where the agent stands; the exit is at 0.
struct At(i32, [Action; 1]);

impl At {
    fn new(place: i32) -> Self {
        Self(place, [Action(0)])
    }
}

/// The corridor's only template.
struct Signpost;

static SIGNPOST: LazyLock<Template<BTreeMap<String, String>>> = LazyLock::new(|| {
    let file = "name = 'signpost'\nversion = 1\nabout = \"the exit's side\"\nnear = 'The exit is on your left.'\n";
    Template::read(file, |_| Ok((Parser::new(WORDS).unwrap(), 1))).unwrap()
});

impl Phrasing for Signpost {
    fn heading(&self) -> &Heading {
        &SIGNPOST.heading
    }

    fn decoding(&self, name: &str) -> Result<Decoding, Error> {
        match name {
            "scored" => Ok(Decoding::scored(WORDS)),
            name => Err(Error::UnknownDecoding { template: "signpost".into(), name: name.into(), known: "scored" }),
        }
    }
}

impl Teller for Signpost {
    type Situation = At;
    type Described = bool;

    fn prompt(&self, At(place, _): &At) -> Prompt {
        Prompt::question(if *place < 3 { &SIGNPOST.words["near"] } else { "No exit in sight." })
    }

    fn described(&self, At(place, _): &At) -> bool {
        *place < 3
    }
}

impl Moment for At {
    fn prompt(&self, _template: &str, _asking: Asking) -> Result<Prompt, Error> {
        Ok(Signpost.prompt(self))
    }

    fn is_goal_in_view(&self) -> bool {
        self.0 < 3
    }

    fn right(&self) -> &[Action] {
        &self.1
    }
}

impl Narrator for Corridor {
    fn world(&self) -> &'static str {
        "corridor"
    }

    fn tasks(&self) -> Vec<&'static str> {
        vec!["leave"]
    }

    fn task(&self, _name: &str) -> Result<&'static str, Error> {
        Ok("leave")
    }

    fn templates(&self) -> Vec<Edition> {
        vec![Signpost.edition()]
    }

    fn phrasing(&self, _task: &str, _template: &str) -> Result<Box<dyn Phrasing>, Error> {
        Ok(Box::new(Signpost))
    }

    fn horizon(&self) -> u32 {
        20
    }

    fn moments(&self, _task: &str, count: usize, seed: Seed) -> Result<Vec<Box<dyn Moment>>, Error> {
        let place = |at: usize| At::new(seed.index(at as u64).rng().random_range(1..LENGTH));
        Ok((0..count).map(|at| Box::new(place(at)) as Box<dyn Moment>).collect())
    }

    fn obey(&self, _task: &str, _template: &str, seed: Seed, answer: &mut Answering<'_>) -> Result<bool, Error> {
        let mut place = seed.rng().random_range(1..LENGTH);
        for _ in 0..self.horizon() {
            place += match answer(Signpost.prompt(&At::new(place)))? {
                Response::Recommends(Action(0)) => -1,
                Response::Recommends(_) => 1,
                Response::Unusable => 0,
            };
            if place == 0 {
                return Ok(true);
            }
        }
        Ok(false)
    }
}

/// Answers by a rule; where the rule has no answer, it is out.
struct Rule(Identity, fn(&str) -> Option<&'static str>);

impl Rule {
    fn new(rule: fn(&str) -> Option<&'static str>) -> Self {
        let [model, version, engine] = ["rule", "1", "test"].map(str::to_owned);
        Self(Identity { model, version, engine }, rule)
    }
}

impl LanguageModel for Rule {
    fn identity(&self) -> &Identity {
        &self.0
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let say = |request: &Request| {
            let text = (self.1)(&request.prompt.messages()[0].content).ok_or_else(|| Outage::new("gone fishing"))?;
            let (request_tokens, response_tokens, latency_ms) = (Some(7), Some(1), None);
            Ok(Utterance { text: text.to_owned(), scores: None, request_tokens, response_tokens, latency_ms })
        };
        requests.iter().map(say).collect()
    }
}

fn appraised(rule: fn(&str) -> Option<&'static str>) -> Result<Appraisal, Error> {
    let mut model = Rule::new(rule);
    let mut panel = Panel::new(&Signpost, "scored", &mut model)?;
    let sample = Sample { world: &Corridor, task: "leave", count: 60, seed: Seed::root(2) };
    appraise(sample, &mut panel, None, None)
}

#[test]
fn a_guide_who_knows_the_exit_by_sight_only_is_right_there_and_lost_elsewhere() {
    let told = appraised(|text| Some(if text.contains("left") { "left" } else { "right" })).unwrap();
    assert_eq!(told.visible.rate(), Some(1.0));
    assert_eq!(told.hidden.rate(), Some(0.0));
    assert_eq!(told.repeats.identical, Share { hits: told.hidden.total, total: told.hidden.total });
    assert_eq!(told.answers, [told.visible.total, told.hidden.total, 0]);
    assert!(told.success.hits > 0 && told.success.hits < 60, "{told:?}");
    assert_eq!((told.cost.request_tokens, told.cost.latency_ms), (Some(7.0), None));
}

#[test]
fn who_always_says_left_always_leaves() {
    assert_eq!(appraised(|_| Some("left")).unwrap().success, Share { hits: 60, total: 60 });
}

#[test]
fn an_outage_ends_an_appraisal_with_its_reason() {
    assert_eq!(appraised(|_| None).unwrap_err().to_string(), "gone fishing");
}

#[test]
fn a_world_that_says_nothing_of_its_prompts_has_too_many_to_list() {
    assert_eq!((Signpost.enumerate(), Signpost.wordings()), (Enumeration::Open, 1));
    let refusal = Panel::new(&Signpost, "generate", &mut Rule::new(|_| None)).err().unwrap().to_string();
    assert_eq!(refusal, "the template `signpost` has no decoding `generate`; it has scored");
}
