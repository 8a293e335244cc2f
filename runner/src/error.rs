//! What can go wrong between a prompt and its tokens.

use wavesmith_kernels::monokernel::StatusRecord;
use wavesmith_loader::runtime::RuntimeError;

/// Why a sequence was not decoded.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// A call into the runtime failed, or the device died.
    #[error(transparent)]
    Runtime(#[from] RuntimeError),
    /// There is nothing to continue.
    #[error("the prompt has no tokens: give at least one")]
    EmptyPrompt,
    /// Nothing was asked for.
    #[error("0 tokens were asked for: ask for at least 1")]
    NoTokens,
    /// A token that the model does not have.
    #[error("prompt token {index} is {token}: the vocabulary has {vocab} tokens, so ids go up to {}", .vocab - 1)]
    Token {
        /// Place in the prompt.
        index: usize,
        /// The id.
        token: u32,
        /// Tokens there are.
        vocab: usize,
    },
    /// Prompt and output do not fit the kernel's KV cache.
    #[error(
        "a prompt of {prompt} tokens and {max_tokens} more do not fit a context of {context}: ask for at most {}", .context.saturating_sub(*.prompt)
    )]
    Context {
        /// Prompt tokens.
        prompt: usize,
        /// Tokens asked for.
        max_tokens: usize,
        /// Positions the kernel was generated for.
        context: usize,
    },
    /// The kernel was generated for another way of choosing tokens.
    #[error(
        "the kernel was generated for top-k {have}, the request wants top-k {want}: generate it with `top_k` {want}"
    )]
    TopK {
        /// Candidates the kernel considers.
        have: u32,
        /// Candidates the request wants.
        want: u32,
    },
    /// A wave's watchdog expired.
    #[error("workgroup {workgroup}: {record}")]
    GaveUp {
        /// The workgroup.
        workgroup: usize,
        /// Where and when.
        record: StatusRecord,
    },
    /// The kernel ended without a token that it owed.
    #[error("the kernel ended after {tokens} tokens, without the end token and short of {max_tokens}")]
    Short {
        /// Tokens that came.
        tokens: usize,
        /// Tokens asked for.
        max_tokens: usize,
    },
}
