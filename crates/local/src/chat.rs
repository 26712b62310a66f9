//! The chat template of a model: how messages become one text that ends where the assistant begins.

use counsel_advisor::{Message, Prompt};
use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, ErrorKind, Value, context};

use crate::Error;
use crate::vocabulary::Names;

const NAME: &str = "chat";

/// A model's chat template.
#[derive(Debug)]
pub(crate) struct Chat {
    environment: Environment<'static>,
    names: Names,
}

/// A prompt as the model reads it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Rendering {
    pub(crate) text: String,
    /// How many of its bytes all prompts of the template share.
    pub(crate) stem: usize,
}

impl Chat {
    /// A chat of this template.
    pub(crate) fn new(template: String, names: Names) -> Result<Self, Error> {
        let mut environment = Environment::new();
        let syntax =
            SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build().map_err(|error| refusal(&error))?;
        environment.set_syntax(syntax);
        environment.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        environment.add_function("raise_exception", |why: String| -> Result<Value, minijinja::Error> {
            Err(minijinja::Error::new(ErrorKind::InvalidOperation, why))
        });
        environment.add_template_owned(NAME, template).map_err(|error| refusal(&error))?;
        Ok(Self { environment, names })
    }

    /// Renders a prompt.
    pub(crate) fn render(&self, prompt: &Prompt) -> Result<Rendering, Error> {
        let mut messages = prompt.messages().to_vec();
        let text = self.text(&messages)?;
        if let Some(last) = messages.last_mut() {
            last.content.truncate(prompt.stem());
        }
        // A template may refuse an empty message; then nothing is known to be shared.
        let begun = self.text(&messages).unwrap_or_default();
        let mut stem = text.bytes().zip(begun.bytes()).take_while(|(left, right)| left == right).count();
        while !text.is_char_boundary(stem) {
            stem -= 1;
        }
        Ok(Rendering { text, stem })
    }

    fn text(&self, messages: &[Message]) -> Result<String, Error> {
        let messages: Vec<Value> = messages
            .iter()
            .map(|message| context! { role => message.role.name(), content => message.content.as_str() })
            .collect();
        let template = self.environment.get_template(NAME).map_err(|error| refusal(&error))?;
        let (bos_token, eos_token) = (&self.names.begin, &self.names.end);
        template
            .render(context! { messages, bos_token, eos_token, add_generation_prompt => true })
            .map_err(|error| refusal(&error))
    }
}

fn refusal(error: &minijinja::Error) -> Error {
    Error::Template { why: error.to_string() }
}
