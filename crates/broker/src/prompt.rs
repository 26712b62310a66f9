//! What an advisor reads.

use counsel_advisor::{Message, Prompt, Role};

/// Who the advisor is, where its endpoint does not say otherwise.
const SYSTEM: &str = "You advise another program that works on a task. \
    Answer its question with what it should do and why, in a few sentences. Say so if you cannot know.";

/// The prompt for a question, among these options where there are any.
pub(crate) fn prompt(system: Option<&str>, question: &str, options: &[String]) -> Prompt {
    let asked = if options.is_empty() {
        question.to_owned()
    } else {
        let listed: Vec<String> = options.iter().map(|option| format!("- {option}")).collect();
        format!(
            "{question}\n\nAnswer with one of these options, word for word, and nothing else:\n{}",
            listed.join("\n")
        )
    };
    let messages = vec![Message::new(Role::System, system.unwrap_or(SYSTEM)), Message::new(Role::User, asked)];
    Prompt::new(messages, 0)
}
