//! The names in a study become folders: none may lead out of the run's folder, and no two arms share one.

use counsel_experiment::{Catalogue, Plan, SeedRange};

const LOCK: &str = include_str!("../../studies/lock.toml");

fn refusal(from: &str, to: &str) -> String {
    assert!(LOCK.contains(from), "{from}");
    Catalogue::parse(&LOCK.replacen(from, to, 1)).unwrap_err().to_string()
}

#[test]
fn a_name_that_is_no_folder_is_refused() {
    for bad in
        ["", ".", "..", "../up", "a/b", "/etc", "a\\\\b", "a\\u001bb", "a\\nb", ".hidden", " a", &"x".repeat(300)]
    {
        let id = refusal("id = \"lock\"", &format!("id = \"{bad}\""));
        assert!(id.contains("the id") && id.contains("lower-case letters, digits and inner hyphens"), "{bad:?}: {id}");
        let arm = refusal("name = \"controller\"", &format!("name = \"{bad}\""));
        assert!(arm.contains("the arm"), "{bad:?}: {arm}");
    }
}

#[test]
fn two_arms_of_one_name_are_refused() {
    let message = refusal("name = \"controller\"", "name = \"never\"");
    assert!(message.contains("two arms are called `never`"), "{message}");
}

#[test]
fn more_cells_than_fit_into_memory_are_refused() {
    let study = Catalogue::parse(&LOCK.replacen("seeds = ", "seeds = 9999999999999", 1)).unwrap();
    let message = Plan::new(&study, None, &[]).unwrap_err().to_string();
    assert!(message.contains("the list of cells") && message.contains("run fewer seeds"), "{message}");
    assert!(Plan::new(&study, Some(&SeedRange(0..=3)), &[]).is_ok());
    assert!(Plan::new(&study, Some(&SeedRange(0..=u64::MAX)), &[]).is_err());
}
