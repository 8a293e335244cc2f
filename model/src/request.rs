//! What a model can be asked for: checked in one place, before a device is opened.

use crate::config::LlamaConfig;

/// A request that no model or this model cannot serve.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RequestError {
    /// Nothing to start from.
    #[error("the prompt is empty: it must have at least one token")]
    EmptyPrompt,
    /// Nothing to do.
    #[error("0 tokens were asked for: it must be at least 1")]
    NoTokens,
    /// The prompt alone fills the context.
    #[error("the prompt has {prompt} tokens, and the model's context has {context}: it must have at most {most}", most = context - 1)]
    LongPrompt {
        /// Tokens of the prompt.
        prompt: usize,
        /// Positions of the model.
        context: usize,
    },
    /// Prompt and output together exceed the context.
    #[error(
        "{prompt} prompt tokens and {tokens} new ones do not fit the model's context of {context}: at most {most} new ones do",
        most = context - prompt
    )]
    LongOutput {
        /// Tokens of the prompt.
        prompt: usize,
        /// Tokens asked for.
        tokens: usize,
        /// Positions of the model.
        context: usize,
    },
}

impl LlamaConfig {
    /// Whether `tokens` tokens can follow a prompt of `prompt` tokens.
    ///
    /// # Errors
    /// [`RequestError`] says what would fit.
    pub fn check_request(&self, prompt: usize, tokens: usize) -> Result<(), RequestError> {
        let context = self.context;
        match (prompt, tokens) {
            (0, _) => Err(RequestError::EmptyPrompt),
            (_, 0) => Err(RequestError::NoTokens),
            _ if prompt >= context => Err(RequestError::LongPrompt { prompt, context }),
            _ if tokens > context - prompt => Err(RequestError::LongOutput { prompt, tokens, context }),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests_that_just_fit_pass_and_the_next_larger_ones_do_not() {
        let c = LlamaConfig { context: 10, ..LlamaConfig::SMOLLM2_135M };
        let say = |p, t| c.check_request(p, t).map_err(|e| e.to_string());
        assert_eq!(say(4, 6), Ok(()));
        assert_eq!(say(9, 1), Ok(()));
        assert!(say(4, 7).unwrap_err().ends_with("at most 6 new ones do"));
        assert!(say(10, 1).unwrap_err().contains("it must have at most 9"));
        assert!(say(4, usize::MAX).is_err());
        assert!(say(0, 1).unwrap_err().contains("empty"));
        assert!(say(1, 0).unwrap_err().contains("at least 1"));
    }
}
