//! The chat template: how a question becomes a prompt, as the model's file prescribes it in Jinja.
//!
//! The environment is the one model authors write for: blocks trimmed, `raise_exception`, Python's string and list
//! methods. Templates come from untrusted files, so the number of instructions is bounded.

use minijinja::syntax::SyntaxConfig;
use minijinja::{Environment, Error, ErrorKind, context};

/// Enough for any real template on a prompt that fits a context, few enough to end within a second.
const FUEL: u64 = 1_000_000;

/// A template and the special tokens it may ask for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChatTemplate {
    source: String,
    bos: String,
    eos: String,
}

/// A template that does not work.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the model's chat template fails: {0}")]
pub struct ChatError(String);

impl ChatTemplate {
    /// A template by its source; `bos` and `eos` are the texts of the special tokens it may use.
    pub fn new(source: impl Into<String>, bos: impl Into<String>, eos: impl Into<String>) -> Self {
        Self { source: source.into(), bos: bos.into(), eos: eos.into() }
    }

    /// The prompt for one message of the user, ending where the assistant's answer starts. Whether a system message is
    /// added is the template's business.
    ///
    /// # Errors
    /// [`ChatError`] with the line of the template if it is malformed or refuses the message.
    pub fn prompt(&self, message: &str) -> Result<String, ChatError> {
        self.render(message).map_err(|e| {
            let text = e.to_string();
            ChatError(text.split_whitespace().collect::<Vec<_>>().join(" "))
        })
    }

    fn render(&self, message: &str) -> Result<String, Error> {
        let mut env = Environment::new();
        env.set_fuel(Some(FUEL));
        env.set_syntax(SyntaxConfig::builder().trim_blocks(true).lstrip_blocks(true).build()?);
        env.set_unknown_method_callback(minijinja_contrib::pycompat::unknown_method_callback);
        env.add_function("raise_exception", |message: String| -> Result<String, Error> {
            Err(Error::new(ErrorKind::InvalidOperation, message))
        });
        env.template_from_str(&self.source)?.render(context! {
            messages => [context! { role => "user", content => message }],
            add_generation_prompt => true,
            bos_token => self.bos.as_str(),
            eos_token => self.eos.as_str(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn say(source: &str) -> Result<String, ChatError> {
        ChatTemplate::new(source, "<s>", "</s>").prompt(" hi ")
    }

    #[test]
    fn messages_and_special_tokens_are_available() {
        let source = "{{ bos_token }}{% for m in messages %}\n[{{ m['role'] }}]{{ m.content.strip() }}{{ eos_token }}{% endfor %}\n{% if add_generation_prompt %}>{% endif %}";
        assert_eq!(say(source).unwrap(), "<s>[user]hi</s>>");
    }

    #[test]
    fn a_message_is_never_read_as_a_template() {
        let t = ChatTemplate::new("{{ messages[0].content }}", "", "");
        assert_eq!(t.prompt("{{ 1 + 1 }} <b>").unwrap(), "{{ 1 + 1 }} <b>");
    }

    #[test]
    fn failures_are_one_line_with_the_reason() {
        let text = say("{{ raise_exception('no\nsystem role') }}").unwrap_err().to_string();
        assert!(text.contains("no system role") && !text.contains('\n'), "{text}");
        let text = say("{% for %}").unwrap_err().to_string();
        assert!(text.contains("syntax error") && text.contains(":1)"), "{text}");
        assert!(say("{% for i in range(9999) %}{% for j in range(9999) %}x{% endfor %}{% endfor %}").is_err());
    }
}
