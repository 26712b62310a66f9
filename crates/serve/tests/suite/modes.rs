//! Observe, canary and apply.

use serde_json::json;

use crate::contract::{Gate, POLICY, alone};

fn in_mode(mode: &str) -> String {
    POLICY.replace("[budget]", &format!("{mode}\n[budget]"))
}

#[test]
fn observing_spends_nothing_and_says_what_it_would_do() {
    let mut gate = Gate::with(&in_mode("mode = \"observe\""));
    let mut would = 0;
    for context in 0..10 {
        let decision = gate.decide(&alone(&format!("room {context}")));
        assert_eq!((&decision["verdict"], &decision["action"]), (&json!("act"), &json!("left")), "the fallback acts");
        assert!(decision["permit"].is_null());
        would += usize::from(decision["reason"] == "observe");
    }
    assert!(would >= 8, "{would} of 10");
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 0, "open": 0 }));
}

#[test]
fn a_canary_applies_to_its_share_of_the_episodes() {
    let mut gate = Gate::with(&in_mode("mode = \"canary\"\nshare = 0.25").replace("calls = 100", "calls = 1000"));
    let asked = (0..400).filter(|n| {
        let decision = gate.decide(&alone(&format!("room {n}")));
        let applied = decision["verdict"] == "ask";
        assert_eq!(decision["value"]["propensity"], if applied { 0.25 } else { 0.75 });
        applied
    });
    let asked = asked.count();
    assert!((70..130).contains(&asked), "{asked} of 400 at a share of a quarter");
}

#[test]
fn an_episode_is_on_one_side() {
    let mut gate = Gate::with(&in_mode("mode = \"canary\"\nshare = 0.5"));
    for episode in 0..40 {
        let sides: std::collections::BTreeSet<String> = (0..3)
            .map(|step| {
                let mut body = alone(&format!("{episode} {step}"));
                body["episode"] = format!("e{episode}").into();
                gate.decide(&body)["reason"].as_str().unwrap().to_owned()
            })
            .filter(|reason| reason == "observe" || reason == "worth-asking")
            .collect();
        assert!(sides.len() <= 1, "{sides:?}");
    }
}

#[test]
fn another_mode_is_in_force_at_once() {
    let mut gate = Gate::with(POLICY);
    let mut body = alone("a");
    body["episode"] = "e".into();
    gate.ask(&body);
    assert_eq!(gate.put("p", &in_mode("mode = \"observe\"")).status, 200);
    body["context"]["key"] = "b".into();
    assert_eq!(gate.decide(&body)["reason"], "observe");
    assert_eq!(gate.calls(), json!({ "limit": 100, "spent": 1, "open": 0 }), "the question that was open is lost");
}
