//! What a question is, whatever is sent for one.

use counsel_broker::Question;
use proptest::prelude::*;
use serde_json::{Map, Value, json};

fn read(value: Value) -> Result<Question, String> {
    match value {
        Value::Object(fields) => Question::read(&fields),
        _ => panic!("the test sends an object"),
    }
}

#[test]
fn a_context_is_the_questions_own_unless_it_is_named() {
    let context = |value| read(value).unwrap().context;
    let plain = context(json!({ "question": "q" }));
    assert_eq!(plain, context(json!({ "question": "q", "confidence": 0.5 })));
    assert_ne!(plain, context(json!({ "question": "r" })));
    assert_ne!(plain, context(json!({ "question": "q", "options": ["a", "b"] })));
    assert_ne!(
        context(json!({ "question": "q", "options": ["ab", "c"] })),
        context(json!({ "question": "q", "options": ["a", "bc"] }))
    );
    assert_eq!(context(json!({ "question": "q", "context": "maze" })), "maze");
}

proptest! {
    #[test]
    fn any_fields_are_a_question_or_a_message(
        name in "question|options|context|features|confidence|x", text in "\\PC{0,20}", number in any::<f64>(), kind in 0..5_u8,
    ) {
        let value = match kind {
            0 => Value::Null,
            1 => json!(text),
            2 => json!(number),
            3 => json!([text, number, text]),
            _ => json!({ "a": text }),
        };
        let mut fields = Map::new();
        fields.insert("question".to_owned(), json!("q"));
        fields.insert(name, value);
        if let Err(message) = Question::read(&fields) {
            prop_assert!(!message.is_empty());
        }
    }
}
