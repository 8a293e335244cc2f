//! A model ready to use: weights, tokenizer and chat template together, from a file or made up.

use crate::chat::{ChatError, ChatTemplate};
use crate::fetch::{Fetch, FetchError};
use crate::gguf::{Gguf, MAGIC, Value};
use crate::load::LoadError;
use crate::synthetic::SMALL;
use crate::tokenizer::{EncodeError, Tokenizer};
use crate::weights::Weights;
use std::fs::File;
use std::io::Read;
use std::path::{Path, PathBuf};

/// A model.
#[derive(Clone, Debug)]
pub struct Model {
    /// What it calls itself.
    pub name: String,
    /// Shape and weights.
    pub weights: Weights,
    /// Text to tokens and back.
    pub tokenizer: Tokenizer,
    /// How `--chat` wraps a message, if the model says.
    pub chat: Option<ChatTemplate>,
}

/// A file that cannot be used as a model.
#[derive(Debug, thiserror::Error)]
pub enum ModelError {
    /// The file cannot be read.
    #[error("{}: {source}: it must be a readable GGUF file", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// Its content cannot be used.
    #[error("{}: {source}", path.display())]
    Load {
        /// The file.
        path: PathBuf,
        /// Why.
        source: LoadError,
    },
}

/// A prompt that cannot be made.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PromptError {
    /// The model's file has no template.
    #[error("the model has no chat template (`tokenizer.chat_template`): give the prompt without --chat")]
    NoTemplate,
    /// The template fails.
    #[error(transparent)]
    Template(#[from] ChatError),
    /// The text cannot be encoded.
    #[error(transparent)]
    Encode(#[from] EncodeError),
}

/// Where the default model came from.
#[derive(Debug)]
pub enum Origin {
    /// The real one, from this file in the cache.
    Cache(PathBuf),
    /// Made up, because the real one could not be had.
    Synthetic(FetchError),
}

/// The seed of the model that stands in for the default one.
const STAND_IN_SEED: u64 = 135;

/// The stand-in's chat template: the default model's markers, without a system message.
const STAND_IN_TEMPLATE: &str = "{% for message in messages %}{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}{% endfor %}{{ '<|im_start|>assistant\n' }}";

/// The file's bytes; of one that does not begin as a GGUF file, no more than that beginning: it may be a device without
/// an end.
fn read(path: &Path) -> std::io::Result<Vec<u8>> {
    let mut file = File::open(path)?;
    let mut bytes = Vec::new();
    file.by_ref().take(MAGIC.len() as u64).read_to_end(&mut bytes)?;
    if bytes == MAGIC {
        bytes.reserve_exact(file.metadata().map_or(0, |m| usize::try_from(m.len()).unwrap_or(0)));
        file.read_to_end(&mut bytes)?;
    }
    Ok(bytes)
}

impl Model {
    /// Reads a GGUF file.
    ///
    /// # Errors
    /// [`ModelError`] names the file, the place in it and what would be right.
    pub fn open(path: &Path) -> Result<Model, ModelError> {
        let bytes = read(path).map_err(|source| ModelError::Read { path: path.to_owned(), source })?;
        Self::from_bytes(bytes).map_err(|source| ModelError::Load { path: path.to_owned(), source })
    }

    /// Reads a GGUF file's bytes.
    ///
    /// # Errors
    /// [`LoadError`] names the place and what would be right.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Model, LoadError> {
        let file = Gguf::parse(bytes)?;
        let weights = Weights::from_gguf(&file)?;
        let tokenizer = Tokenizer::from_gguf(&file)?;
        let text = |key: &str| match file.get(key) {
            Some(Value::String(s)) => Some(s.clone()),
            _ => None,
        };
        let special = |key: &str| {
            let id = crate::load::integer(&file, key).ok().flatten()?;
            tokenizer.token_text(u32::try_from(id).ok()?).map(str::to_owned)
        };
        let chat = text("tokenizer.chat_template").map(|source| {
            let bos = special("tokenizer.ggml.bos_token_id").unwrap_or_default();
            let eos = special("tokenizer.ggml.eos_token_id").unwrap_or_default();
            ChatTemplate::new(source, bos, eos)
        });
        let name = text("general.name").unwrap_or_else(|| "unnamed".to_owned());
        Ok(Model { name, weights, tokenizer, chat })
    }

    /// The small made-up model that stands in where the default one cannot be had.
    ///
    /// # Errors
    /// None in practice: the shape is fixed and valid.
    pub fn synthetic() -> Result<Model, LoadError> {
        let weights = Weights::synthetic(&SMALL, STAND_IN_SEED)?;
        let tokenizer = Tokenizer::byte_level(SMALL.vocab)?;
        let chat = Some(ChatTemplate::new(STAND_IN_TEMPLATE, "<|im_start|>", "<|im_end|>"));
        Ok(Model { name: format!("synthetic (seed {STAND_IN_SEED})"), weights, tokenizer, chat })
    }

    /// SmolLM2-135M-Instruct from the user's cache, brought there if need be; where that cannot be done, the synthetic
    /// model and the reason, which the caller must tell the user. `quiet` leaves out progress.
    ///
    /// # Errors
    /// [`ModelError`] if the file in the cache has the right digest and cannot be used nonetheless.
    pub fn default_or_synthetic(quiet: bool) -> Result<(Model, Origin), ModelError> {
        match Fetch::smollm2(quiet).and_then(|f| f.run()) {
            Ok(path) => Ok((Self::open(&path)?, Origin::Cache(path))),
            Err(reason) => {
                let model = Self::synthetic()
                    .map_err(|source| ModelError::Load { path: PathBuf::from("(synthetic model)"), source })?;
                Ok((model, Origin::Synthetic(reason)))
            }
        }
    }

    /// The tokens of a prompt, wrapped by the chat template if `chat`.
    ///
    /// # Errors
    /// [`PromptError`] if there is no template or it fails.
    pub fn encode_prompt(&self, text: &str, chat: bool) -> Result<Vec<u32>, PromptError> {
        if chat {
            let wrapped = self.chat.as_ref().ok_or(PromptError::NoTemplate)?.prompt(text)?;
            Ok(self.tokenizer.encode(&wrapped)?)
        } else {
            Ok(self.tokenizer.encode(text)?)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_stand_in_encodes_prompts_plain_and_as_chat() {
        let m = Model::synthetic().unwrap();
        assert_eq!(m.tokenizer.vocab(), m.weights.config.vocab);
        let plain = m.encode_prompt("Hello", false).unwrap();
        assert_eq!(m.tokenizer.decode(&plain), "Hello");
        let chat = m.encode_prompt("Hello", true).unwrap();
        assert_eq!((chat[0], m.tokenizer.decode(&chat)), (1, "user\nHello\nassistant\n".to_owned()));
        let mute = Model { chat: None, ..m };
        assert_eq!(mute.encode_prompt("Hello", true), Err(PromptError::NoTemplate));
    }

    #[test]
    fn a_missing_file_is_named() {
        let text = Model::open(Path::new("no-such.gguf")).unwrap_err().to_string();
        assert!(text.starts_with("no-such.gguf: ") && text.contains("GGUF"), "{text}");
    }
}
