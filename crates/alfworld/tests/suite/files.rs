//! Game files that are refused. That good files are read as the original reads them is held in `fixtures/alfworld/check.py`,
//! which has the texts of the original.

use counsel_alfworld::Game;
use proptest::prelude::*;
use serde_json::json;

fn refused(text: &str) -> String {
    Game::from_json(text).unwrap_err().to_string()
}

#[test]
fn a_file_that_lacks_something_is_refused_by_the_fields_name() {
    assert!(refused("{").contains("the game file is not JSON"));
    assert!(refused("[]").contains("no text in the field `pddl_domain`"));
    let whole = json!({ "pddl_domain": "", "grammar": "", "pddl_problem": "", "solvable": true });
    for field in ["pddl_domain", "grammar", "pddl_problem", "solvable"] {
        let mut file = whole.clone();
        file.as_object_mut().unwrap().remove(field);
        assert!(refused(&file.to_string()).contains(&format!("in the field `{field}`")), "{field}");
        file[field] = json!(3);
        assert!(refused(&file.to_string()).contains(&format!("in the field `{field}`")), "{field}");
    }
    assert!(refused(&whole.to_string()).contains("`pddl_domain` is not that of alfworld 0.4.0 to 0.4.2"));
    let mut unsolvable = whole;
    unsolvable["solvable"] = json!(false);
    assert!(refused(&unsolvable.to_string()).contains("`solvable`: false"));
}

proptest! {
    #[test]
    fn no_text_makes_the_reader_panic(text in "\\PC{0,200}") {
        prop_assert!(Game::from_json(&text).is_err());
    }
}
