//! Where two specifications differ, in words.

use serde_json::Value;

/// The first key whose value differs, with both values: `there` is what was found, `here` what is wanted.
pub fn first_difference(there: &Value, here: &Value) -> String {
    if let (Some(there), Some(here)) = (there.as_object(), here.as_object()) {
        for key in there.keys().chain(here.keys()) {
            match (there.get(key), here.get(key)) {
                (Some(one), Some(other)) if one != other => {
                    let inner = first_difference(one, other);
                    let dot = if inner.starts_with("is ") { " " } else { "." };
                    return format!("{key}{dot}{inner}");
                }
                (Some(one), None) => return format!("{key} is {one} there and absent here"),
                (None, Some(other)) => return format!("{key} is absent there and {other} here"),
                _ => {}
            }
        }
    }
    format!("is {there} there and {here} here")
}
