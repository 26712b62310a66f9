//! What is refused, and in which words.

use counsel_advisor::Phrasing;
use counsel_babyai::World;
use counsel_babyai::words::{Briefing, Situation, TEMPLATES, Task, Words};

#[test]
fn refusals() {
    let plain = include_str!("../../../src/words/templates/plain.toml");
    let changed = |from: &str, to: &str| {
        assert!(plain.contains(from), "{from}");
        Words::read(&plain.replacen(from, to, 1)).unwrap_err().to_string()
    };
    let mission = |id: &str| Situation::of(&World::new(id).unwrap()).unwrap_err().to_string();
    let lines = [
        TEMPLATES.find("abstrct").unwrap_err().to_string(),
        TEMPLATES.find("").unwrap_err().to_string(),
        Task::find("GoToObject").unwrap_err().to_string(),
        Task::find("babyai-open-v0").unwrap_err().to_string(),
        Briefing::find("plain", Task::Open).unwrap().decoding("beam").unwrap_err().to_string(),
        Briefing::find("plain-json", Task::Open).unwrap().decoding("scored").unwrap_err().to_string(),
        mission("BabyAI-PutNextLocal-v0"),
        mission("BabyAI-GoToSeq-v0"),
        mission("BabyAI-OpenDoorLoc-v0"),
        Words::read("").unwrap_err().to_string(),
        changed("told = \"object\"", "told = \"target\""),
        changed("told = \"object\"", "told = \"everything\""),
        changed("max_tokens = 8", "max_tokens = 0"),
        changed("max_tokens = 8", "max_tokens = 8\ntemperature = 1"),
        changed("\"left\", \"right\", ", "\"right\", \"left\", "),
        changed("go-to = [\"left\", ", "go-to = [\"jump\", "),
        changed("go-to = [\"left\", ", "go-to = [\"right\", "),
        changed("variant = \"identical\"", "variant = \"repair\""),
        changed("Mission: {verb}", "Mission: {scene}"),
        changed("name = \"plain\"", "name = \"plain/x\""),
        changed("max_tokens = 8", "max_tokens = 8\nform = \"json\""),
        changed("go-to = \"go to\"", "go-to = \"walk over {grid} to\""),
        changed("{state}\n", "{state}\n{repair}\n"),
        Words::read(&format!("{plain}\n[[example]]\nverb = \"open\"\nanswer = \"open\"\n")).unwrap_err().to_string(),
        Words::read(&format!("{plain}\n[[example]]\nverb = \"open\"\nanswer = \"left\"\n")).unwrap_err().to_string(),
        Words::read(&format!(
            "{plain}\n[[example]]\nverb = \"open\"\nplace = {{ ahead = 7, aside = 0 }}\nanswer = \"left\"\n"
        ))
        .unwrap_err()
        .to_string(),
        changed("do nothing\n\"\"\"", "do nothing\"\"\""),
    ];
    insta::assert_snapshot!(lines.join("\n"));
}
