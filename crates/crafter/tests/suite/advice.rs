//! What a language model is told, and how it is judged.

use counsel_advisor::{Asking, Moment as _, Narrator, Phrasing, Teller};
use counsel_crafter::words::{Briefing, TEMPLATES, moments};
use counsel_crafter::{Act, Crafter, State, rule};
use counsel_decision::{Action, Response, Seed};

#[test]
fn a_prompt_tells_the_actions_and_the_facts() {
    assert_eq!(TEMPLATES.all().len(), 1);
    let briefing = Briefing::find("survival").unwrap();
    let prompt = briefing.prompt(&State::begin(1, 1, 100).observation());
    let told = &prompt.messages()[1].content;
    for name in Act::NAMES {
        assert!(told.contains(name), "{name} is not told");
    }
    assert!(told.contains(
        "Needs, of 9 each: health 9, food 9, drink 9, energy 9.\nYou carry: nothing.\nYou look down, at grass."
    ));
    assert!(told.ends_with("Answer with the name of one action only."));
    let parser = briefing.parser();
    assert_eq!(parser.read("place_table"), Response::Recommends(Action::new(8)));
    assert_eq!(parser.read("place table"), Response::Unusable);
    assert!(briefing.enumerate().prompts().is_none());
    assert!(Briefing::find("survivl").unwrap_err().to_string().contains("did you mean `survival`"));
}

#[test]
fn moments_are_the_same_for_the_same_seed_and_the_rule_is_right() {
    let draw = |seed| moments(10, Seed::root(seed));
    assert_eq!(draw(1), draw(1));
    assert_ne!(draw(1), draw(2));
    for moment in draw(1) {
        assert_eq!(moment.right(), [Action::from(rule(&moment.seen))]);
        assert!(moment.prompt("survival", Asking::First).is_ok());
    }
    assert!(Crafter.moments("swim", 1, Seed::root(1)).err().unwrap().to_string().contains("the tasks are survive"));
}

#[test]
fn who_says_nothing_waits_and_does_not_succeed() {
    let mut asked = 0;
    let mut mute = |_| {
        asked += 1;
        Ok(Response::Unusable)
    };
    assert!(!Crafter.obey("survive", "survival", Seed::root(1), &mut mute).unwrap());
    assert!((1..=200).contains(&asked));
}
