//! The language model as data: where it comes from, how its file is read, its tokenizer and chat template, its weights
//! as the kernel takes them, and the definition of a sampled token that kernel and verifier share.
//!
//! Nothing here computes a forward pass: the kernel and the verifier's CPU reference do, each in its own code, so that
//! agreement between them means something. The crate is separate from both because both need the same weights, and
//! because reading an untrusted file is a concern of its own.
#![forbid(unsafe_code)]

pub mod chat;
pub mod config;
pub mod fetch;
pub mod gguf;
pub mod gguf_writer;
pub mod load;
pub mod model;
pub mod philox;
pub mod quant;
pub mod request;
pub mod sampling;
pub mod synthetic;
pub mod tokenizer;
pub mod weights;

pub use chat::{ChatError, ChatTemplate};
pub use config::{ConfigError, LlamaConfig};
pub use fetch::{Fetch, FetchError};
pub use gguf::{Gguf, GgufError};
pub use load::LoadError;
pub use model::{Model, ModelError, Origin, PromptError};
pub use request::RequestError;
pub use sampling::{Sampling, SamplingError};
pub use tokenizer::{EncodeError, TextStream, Tokenizer};
pub use weights::{Layer, Matrix, Weights};
