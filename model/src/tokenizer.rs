//! Text to tokens and back, from the tables in the model's own file.
//!
//! The merging is that of the `tokenizers` crate, the implementation that the model was trained with. What is ours is
//! the reading of GGUF's tables and the way back: tokens arrive one at a time and a character may be spread over
//! several of them, which a decoder of whole sequences cannot stream.

use crate::gguf::{Gguf, Value};
use crate::load::{LoadError, integer, kind};
use std::collections::HashMap;
use tokenizers::models::bpe::{BPE, Vocab};
use tokenizers::pre_tokenizers::byte_level::ByteLevel;
use tokenizers::pre_tokenizers::digits::Digits;
use tokenizers::pre_tokenizers::sequence::Sequence;
use tokenizers::{AddedToken, PreTokenizerWrapper};

/// How text is cut before merging.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Cut {
    /// GPT-2's pattern.
    Gpt2,
    /// Every digit apart, then GPT-2's pattern.
    SmolLm,
}

/// Token types of `tokenizer.ggml.token_type` that matter here.
const CONTROL: i64 = 3;
const USER_DEFINED: i64 = 4;

/// A byte-level BPE tokenizer.
#[derive(Clone, Debug)]
pub struct Tokenizer {
    inner: tokenizers::Tokenizer,
    /// The bytes a token stands for; nothing for control tokens.
    bytes: Vec<Vec<u8>>,
    /// The text of each token as the file has it.
    texts: Vec<String>,
    /// Bytes that no token stands for; the default model lacks some control characters.
    missing: Vec<u8>,
    bos: Option<u32>,
    eos: u32,
}

/// Text that cannot be encoded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum EncodeError {
    /// The vocabulary has no token for a byte. Dropping it, as is common, would answer another question.
    #[error("the text cannot be encoded: this model has no token for the byte 0x{byte:02x} at offset {offset}")]
    Byte {
        /// The byte.
        byte: u8,
        /// Where it first occurs in the text.
        offset: usize,
    },
    /// The tokenizer failed.
    #[error("the text cannot be encoded: {0}")]
    Failed(String),
}

/// The tables a tokenizer is made of.
pub(crate) struct Tables {
    pub(crate) tokens: Vec<String>,
    /// A type per token; empty for all normal.
    pub(crate) types: Vec<i64>,
    /// Pairs in order of precedence, each as `left right`.
    pub(crate) merges: Vec<String>,
    pub(crate) bos: Option<u32>,
    pub(crate) eos: u32,
}

impl Tokenizer {
    /// The tokenizer in a file's metadata.
    ///
    /// # Errors
    /// [`LoadError`] names the key that is missing, wrong, or asks for an unsupported kind of tokenizer.
    pub fn from_gguf(file: &Gguf) -> Result<Tokenizer, LoadError> {
        match string(file, "tokenizer.ggml.model")? {
            "gpt2" => {}
            other => return Err(kind("tokenizer.ggml.model", format!("{other:?}"), "`gpt2` (byte-level BPE)")),
        }
        let cut = match file.get("tokenizer.ggml.pre") {
            None => Cut::Gpt2,
            Some(_) => match string(file, "tokenizer.ggml.pre")? {
                "smollm" => Cut::SmolLm,
                "gpt-2" | "gpt2" | "default" => Cut::Gpt2,
                other => return Err(kind("tokenizer.ggml.pre", format!("{other:?}"), "`smollm` or `gpt-2`")),
            },
        };
        let tokens = strings(file, "tokenizer.ggml.tokens")?.to_vec();
        let types = match file.get("tokenizer.ggml.token_type") {
            None => Vec::new(),
            Some(Value::Integers(types)) if types.len() == tokens.len() => types.clone(),
            Some(other) => {
                let want = format!("an array of {} integers, one a token", tokens.len());
                return Err(kind("tokenizer.ggml.token_type", other.kind(), want));
            }
        };
        let id = |key: &str| match integer(file, key)? {
            Some(n) if n < tokens.len() => Ok(Some(n as u32)),
            Some(n) => Err(kind(key, n.to_string(), format!("a token, below {}", tokens.len()))),
            None => Ok(None),
        };
        let bos = match file.get("tokenizer.ggml.add_bos_token") {
            Some(Value::Bool(true)) => id("tokenizer.ggml.bos_token_id")?,
            _ => None,
        };
        let eos = id("tokenizer.ggml.eos_token_id")?
            .ok_or_else(|| LoadError::Missing { key: "tokenizer.ggml.eos_token_id".to_owned(), want: "a token" })?;
        let merges = strings(file, "tokenizer.ggml.merges")?.to_vec();
        Self::build(Tables { tokens, types, merges, bos, eos }, cut)
    }

    /// The tokenizer of the synthetic model: the special tokens of the default model under the same ids, then one
    /// token a byte, then pairs of bytes, common ones first, until `vocab` is full.
    ///
    /// # Errors
    /// [`LoadError::Tokenizer`] if `vocab` cannot hold the bytes or is beyond all pairs.
    pub fn byte_level(vocab: usize) -> Result<Tokenizer, LoadError> {
        Self::build(byte_level_tables(vocab)?, Cut::SmolLm)
    }

    fn build(tables: Tables, cut: Cut) -> Result<Tokenizer, LoadError> {
        let Tables { tokens, types, merges, bos, eos } = tables;
        let mut vocab: HashMap<String, u32> = HashMap::with_capacity(tokens.len());
        for (id, token) in (0u32..).zip(&tokens) {
            if let Some(first) = vocab.insert(token.clone(), id) {
                return Err(LoadError::Tokenizer(format!("token {token:?} occurs twice, as {first} and as {id}")));
            }
        }
        let mut pairs = Vec::with_capacity(merges.len());
        for (i, merge) in merges.iter().enumerate() {
            let parts = merge.split_once(' ').filter(|(a, b)| !b.contains(' ') && !a.is_empty() && !b.is_empty());
            let Some((left, right)) = parts else {
                return Err(LoadError::Tokenizer(format!("merge {i} is {merge:?}: it must be two tokens and a space")));
            };
            for part in [left, right, &format!("{left}{right}")] {
                if !vocab.contains_key(part) {
                    return Err(LoadError::Tokenizer(format!("merge {i} needs {part:?}, which is no token")));
                }
            }
            pairs.push((left.to_owned(), right.to_owned()));
        }
        let failed = |e: tokenizers::Error| LoadError::Tokenizer(one_line(&e.to_string()));
        let missing = (0..=255u8).zip(byte_alphabet()).filter(|(_, c)| !vocab.contains_key(&c.to_string()));
        let missing = missing.map(|(b, _)| b).collect();
        let bpe =
            BPE::builder().vocab_and_merges(vocab.into_iter().collect::<Vocab>(), pairs).build().map_err(failed)?;
        let mut inner = tokenizers::Tokenizer::new(bpe);
        let byte_level = PreTokenizerWrapper::from(ByteLevel::new(false, true, true));
        let steps = match cut {
            Cut::Gpt2 => vec![byte_level],
            Cut::SmolLm => vec![Digits::new(true).into(), byte_level],
        };
        inner.with_pre_tokenizer(Some(Sequence::new(steps)));
        let kind_of = |id: usize| types.get(id).copied().unwrap_or(1);
        let special: Vec<AddedToken> = tokens
            .iter()
            .enumerate()
            .filter(|&(id, token)| matches!(kind_of(id), CONTROL | USER_DEFINED) && !token.is_empty())
            .map(|(_, token)| AddedToken::from(token.clone(), true))
            .collect();
        inner.add_special_tokens(&special);
        let byte_of: HashMap<char, u8> = byte_alphabet().into_iter().zip(0..=255u8).collect();
        let bytes = tokens
            .iter()
            .enumerate()
            .map(|(id, token)| match kind_of(id) {
                CONTROL => Vec::new(),
                USER_DEFINED => token.as_bytes().to_vec(),
                _ => token.chars().flat_map(|c| char_bytes(c, &byte_of)).collect(),
            })
            .collect();
        Ok(Tokenizer { inner, bytes, texts: tokens, missing, bos, eos })
    }

    /// The tokens of a text. Special tokens written out in it are recognised. A token that starts every sequence is put
    /// in front only if the model asks for one.
    ///
    /// # Errors
    /// [`EncodeError`] if the text contains a byte that the vocabulary cannot express.
    pub fn encode(&self, text: &str) -> Result<Vec<u32>, EncodeError> {
        if let Some(offset) = text.bytes().position(|b| self.missing.contains(&b)) {
            return Err(EncodeError::Byte { byte: text.as_bytes()[offset], offset });
        }
        let encoding = self.inner.encode(text, false).map_err(|e| EncodeError::Failed(one_line(&e.to_string())))?;
        Ok(self.bos.into_iter().chain(encoding.get_ids().iter().copied()).collect())
    }

    /// The text of a whole sequence; control tokens have none.
    pub fn decode(&self, tokens: &[u32]) -> String {
        let mut stream = self.stream();
        let mut text: String = tokens.iter().map(|&t| stream.push(t)).collect();
        text.push_str(&stream.finish());
        text
    }

    /// A decoder that takes tokens as they arrive.
    pub fn stream(&self) -> TextStream<'_> {
        TextStream { tokenizer: self, pending: Vec::new() }
    }

    /// The token that ends a sequence.
    pub fn eos(&self) -> u32 {
        self.eos
    }

    /// The token's text as the vocabulary has it, for reports; bytes are shown as printable stand-ins.
    pub fn token_text(&self, token: u32) -> Option<&str> {
        self.texts.get(token as usize).map(String::as_str)
    }

    /// Number of tokens.
    pub fn vocab(&self) -> usize {
        self.texts.len()
    }
}

/// The tables of [`Tokenizer::byte_level`].
pub(crate) fn byte_level_tables(vocab: usize) -> Result<Tables, LoadError> {
    const SPECIAL: [&str; 3] = ["<|endoftext|>", "<|im_start|>", "<|im_end|>"];
    let least = SPECIAL.len() + 256;
    let most = least + 256 * 256;
    if !(least..=most).contains(&vocab) {
        return Err(LoadError::Tokenizer(format!(
            "a byte-level vocabulary of {vocab} tokens cannot be made: it must have between {least} and {most}"
        )));
    }
    let alphabet = byte_alphabet();
    let mut tokens: Vec<String> = SPECIAL.map(str::to_owned).to_vec();
    tokens.extend(alphabet.iter().map(char::to_string));
    // Letters by frequency in English, then everything else.
    let mut order: Vec<u8> = b" etaoinshrdlcumwfgypbvk.,".to_vec();
    order.extend((0..=255u8).filter(|b| !b" etaoinshrdlcumwfgypbvk.,".contains(b)));
    let pairs = (0..256 * 256).map(|i| (order[i / 256], order[i % 256]));
    let mut merges = Vec::new();
    for (left, right) in pairs.take(vocab - least) {
        let (left, right) = (alphabet[usize::from(left)], alphabet[usize::from(right)]);
        merges.push(format!("{left} {right}"));
        tokens.push(format!("{left}{right}"));
    }
    let mut types = vec![1; tokens.len()];
    types[..SPECIAL.len()].fill(CONTROL);
    Ok(Tables { tokens, types, merges, bos: None, eos: 2 })
}

/// Turns arriving tokens into text, holding back bytes that do not form a character yet.
#[derive(Clone, Debug)]
pub struct TextStream<'t> {
    tokenizer: &'t Tokenizer,
    pending: Vec<u8>,
}

impl TextStream<'_> {
    /// The text that is complete with this token; often a word, sometimes nothing.
    pub fn push(&mut self, token: u32) -> String {
        if let Some(bytes) = self.tokenizer.bytes.get(token as usize) {
            self.pending.extend(bytes);
        }
        let mut text = String::new();
        loop {
            match std::str::from_utf8(&self.pending) {
                Ok(valid) => {
                    text.push_str(valid);
                    self.pending.clear();
                    return text;
                }
                Err(e) => {
                    let valid = e.valid_up_to();
                    text.push_str(&String::from_utf8_lossy(&self.pending[..valid]));
                    // Without a length the bytes may still become a character.
                    let bad = e.error_len().unwrap_or(0);
                    self.pending.drain(..valid + bad);
                    if bad == 0 {
                        return text;
                    }
                    text.push(char::REPLACEMENT_CHARACTER);
                }
            }
        }
    }

    /// What is left when no more tokens come: a replacement character for an unfinished one.
    pub fn finish(self) -> String {
        String::from_utf8_lossy(&self.pending).into_owned()
    }
}

/// The printable character that stands for each byte in byte-level vocabularies: printable Latin-1 for itself, the
/// others counted up from U+0100.
fn byte_alphabet() -> Vec<char> {
    let mut next = 0x100;
    (0..=255u8)
        .map(|b| match b {
            b'!'..=b'~' | 0xA1..=0xAC | 0xAE..=0xFF => char::from(b),
            _ => {
                next += 1;
                char::from_u32(next - 1).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
        })
        .collect()
}

fn char_bytes(c: char, byte_of: &HashMap<char, u8>) -> Vec<u8> {
    match byte_of.get(&c) {
        Some(&b) => vec![b],
        None => c.to_string().into_bytes(),
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

pub(crate) fn string<'f>(file: &'f Gguf, key: &str) -> Result<&'f str, LoadError> {
    match file.get(key) {
        Some(Value::String(s)) => Ok(s),
        Some(other) => Err(kind(key, other.kind(), "a string")),
        None => Err(LoadError::Missing { key: key.to_owned(), want: "a string" }),
    }
}

fn strings<'f>(file: &'f Gguf, key: &str) -> Result<&'f [String], LoadError> {
    match file.get(key) {
        Some(Value::Strings(s)) => Ok(s),
        Some(other) => Err(kind(key, other.kind(), "an array of strings")),
        None => Err(LoadError::Missing { key: key.to_owned(), want: "an array of strings" }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn tokenizer() -> Tokenizer {
        Tokenizer::byte_level(512).unwrap()
    }

    #[test]
    fn special_tokens_in_a_text_are_parsed_and_have_no_text_of_their_own() {
        let t = tokenizer();
        let ids = t.encode("<|im_start|>a<|im_end|>").unwrap();
        assert_eq!(ids, [1, 3 + 97, 2]);
        assert_eq!(t.decode(&ids), "a");
        assert_eq!((t.eos(), t.vocab(), t.token_text(2)), (2, 512, Some("<|im_end|>")));
    }

    #[test]
    fn a_character_spread_over_tokens_appears_when_it_is_complete() {
        let t = Tokenizer::byte_level(259).unwrap();
        let mut stream = t.stream();
        let ids = t.encode("é€").unwrap();
        assert_eq!(ids.len(), 5);
        let pieces: Vec<String> = ids.iter().map(|&id| stream.push(id)).collect();
        assert_eq!(pieces, ["", "é", "", "", "€"]);
        assert_eq!(stream.finish(), "");
    }

    #[test]
    fn bytes_that_can_never_be_a_character_are_replaced_at_once() {
        let t = tokenizer();
        let mut stream = t.stream();
        assert_eq!(stream.push(3 + 0xE2), "");
        assert_eq!(stream.push(3 + b'x' as u32), "\u{FFFD}x");
        assert_eq!(stream.push(3 + 0xFF), "\u{FFFD}");
        assert_eq!(stream.push(3 + 0xC3), "");
        assert_eq!(stream.push(9999), "");
        assert_eq!(stream.finish(), "\u{FFFD}");
    }

    #[test]
    fn digits_are_never_merged() {
        // The pair "1", "2" is a token here, so only the cut before merging can keep them apart.
        let t = Tokenizer::byte_level(259 + 256 * 256).unwrap();
        assert_eq!(t.encode("12").unwrap(), [3 + 49, 3 + 50]);
        assert_eq!(t.encode("ab").unwrap().len(), 1);
    }

    #[test]
    fn a_byte_without_a_token_is_refused_instead_of_dropped() {
        let tokens = ["<end>", "a", "b"].map(str::to_owned).to_vec();
        let tables = Tables { tokens, types: vec![CONTROL, 1, 1], merges: Vec::new(), bos: Some(1), eos: 0 };
        let t = Tokenizer::build(tables, Cut::Gpt2).unwrap();
        assert_eq!(t.encode("ba").unwrap(), [1, 2, 1]);
        let text = t.encode("bac").unwrap_err().to_string();
        assert_eq!(text, "the text cannot be encoded: this model has no token for the byte 0x63 at offset 2");
    }

    #[test]
    fn vocabularies_that_cannot_be_are_refused() {
        assert!(Tokenizer::byte_level(258).unwrap_err().to_string().contains("between 259 and 65795"));
        assert!(Tokenizer::byte_level(65796).is_err());
    }

    #[test]
    fn tables_that_contradict_themselves_are_refused() {
        let build = |tokens: &[&str], merges: &[&str]| {
            let own = |v: &[&str]| v.iter().map(|s| (*s).to_owned()).collect();
            let tables = Tables { tokens: own(tokens), types: Vec::new(), merges: own(merges), bos: None, eos: 0 };
            Tokenizer::build(tables, Cut::Gpt2).map(|_| ()).unwrap_err().to_string()
        };
        assert!(build(&["a", "b", "a"], &[]).contains("token \"a\" occurs twice, as 0 and as 2"));
        assert!(build(&["a", "b"], &["a b"]).contains("merge 0 needs \"ab\", which is no token"));
        assert!(build(&["a", "b"], &["ab"]).contains("two tokens and a space"));
    }

    proptest! {
        #[test]
        fn any_text_survives_the_round_trip(text in "\\PC{0,40}|[ \\n\\ta-z0-9<|>_]{0,60}") {
            let t = tokenizer();
            prop_assume!(!["<|endoftext|>", "<|im_start|>", "<|im_end|>"].iter().any(|s| text.contains(s)));
            prop_assert_eq!(t.decode(&t.encode(&text).unwrap()), text);
        }
    }
}
