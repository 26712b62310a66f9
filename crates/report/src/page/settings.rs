//! What arms have in common, and in what each differs: settings as `path = value`.

use std::collections::BTreeMap;

use serde_json::Value;

/// A setting and its value as JSON, without the quotes of a word.
pub(super) type SettingLine = (String, String);

/// The settings of a study's arms, listed once where all agree.
pub(super) struct ArmSettings {
    /// What all arms have.
    pub(super) shared: Vec<SettingLine>,
    /// What each arm has besides.
    pub(super) own: BTreeMap<String, Vec<SettingLine>>,
}

impl ArmSettings {
    pub(super) fn of(arms: &BTreeMap<String, Value>) -> Self {
        let lines: BTreeMap<&String, Vec<SettingLine>> = arms.iter().map(|(arm, spec)| (arm, leaves(spec))).collect();
        let everywhere = |line: &SettingLine| lines.values().all(|of_arm| of_arm.contains(line));
        let shared: Vec<SettingLine> =
            lines.values().next().into_iter().flatten().filter(|&line| everywhere(line)).cloned().collect();
        let rest = |of_arm: Vec<SettingLine>| of_arm.into_iter().filter(|line| !shared.contains(line)).collect();
        let own = lines.into_iter().map(|(arm, of_arm)| (arm.clone(), rest(of_arm))).collect();
        Self { shared, own }
    }
}

/// Every value that holds no others, by its path; lists are values.
fn leaves(spec: &Value) -> Vec<SettingLine> {
    fn walk(value: &Value, path: &str, found: &mut Vec<SettingLine>) {
        match value {
            Value::Object(fields) if !fields.is_empty() => {
                for (name, inner) in fields {
                    let path = if path.is_empty() { name.clone() } else { format!("{path}.{name}") };
                    walk(inner, &path, found);
                }
            }
            Value::Null => {}
            _ => found.push((path.to_owned(), value.as_str().map_or_else(|| value.to_string(), str::to_owned))),
        }
    }
    let mut found = Vec::new();
    walk(spec, "", &mut found);
    found
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_all_arms_have_is_told_once() {
        let arms = [
            ("always".to_owned(), json!({ "price": 0.1, "gate": { "policy": "always" }, "cache": null })),
            ("never".to_owned(), json!({ "price": 0.1, "gate": { "policy": "never" }, "keep": ["a", "b"] })),
        ];
        let settings = ArmSettings::of(&BTreeMap::from(arms));
        let line = |path: &str, value: &str| (path.to_owned(), value.to_owned());
        assert_eq!(settings.shared, [line("price", "0.1")]);
        assert_eq!(settings.own["always"], [line("gate.policy", "always")]);
        assert_eq!(settings.own["never"], [line("gate.policy", "never"), line("keep", r#"["a","b"]"#)]);
    }
}
