//! The table `endpoints` of a policy file.

use counsel_broker::{Endpoints, PolicyFile};

const HEAD: &str = "price = 0.01\nactions = [\"own\", \"advice\"]\n[budget]\ncalls = 5\n";

fn refused(table: &str) -> String {
    let variable = |name: &str| (name == "SET").then(|| "sk-0123456789".to_owned());
    PolicyFile::read(&format!("{HEAD}{table}"), &variable).unwrap_err().to_string()
}

fn read(text: &str) -> (String, Endpoints) {
    let PolicyFile { policy, endpoints, .. } = PolicyFile::read(text, &|_| None).unwrap();
    (policy, endpoints)
}

#[test]
fn what_is_left_is_the_policy() {
    let (rest, endpoints) = read(HEAD);
    assert!(rest == HEAD && endpoints.is_empty());
    let table = "[endpoints.advisor]\nbase_url = \"http://127.0.0.1:9\"\nmodel = \"m\"\n";
    let (rest, endpoints) = read(&format!("{HEAD}{table}"));
    assert!(!rest.contains("endpoints") && rest.contains("calls = 5") && !endpoints.is_empty());
    let json = r#"{"price": 0.01, "actions": ["own", "advice"], "budget": {"calls": 5},
        "endpoints": {"cheap": {"base_url": "http://127.0.0.1:9", "model": "m"}}}"#;
    let (rest, endpoints) = read(json);
    assert!(!rest.contains("endpoints") && rest.contains("calls") && !endpoints.is_empty());
}

#[test]
fn what_is_wrong_is_named_and_a_key_is_not_shown() {
    let at = |more: &str| format!("[endpoints.advisor]\nbase_url = \"http://127.0.0.1:9\"\nmodel = \"m\"\n{more}\n");
    for (table, words) in [
        ("[endpoints.advisor]\nmodel = \"m\"\n".to_owned(), "missing field `base_url`"),
        (at("max_tokens = 0"), "max_tokens is 0"),
        (at("temperature = 9.0"), "temperature is 9"),
        (at("time_out_s = 0.0"), "time_out_s is 0"),
        (at("key = \"sk-0123456789\""), "unknown field `key`"),
        (at("key_env = \"UNSET\""), "the variable UNSET is not set"),
        (at("").replace("http://127", "ftp://127"), "ftp://127.0.0.1:9"),
        (at("key_env = \"SET\"").replace("127.0.0.1", "example.com"), "--key-over-http"),
    ] {
        let message = refused(&table);
        assert!(message.contains(words) && !message.contains("sk-0123456789"), "{message}");
    }
}
