//! The GGUF container, versions 2 and 3: metadata, tensor directory, tensor bytes.
//!
//! Written here rather than taken from a crate: the published readers either trust the counts they read (and allocate
//! by them), or report no offset, or come with a whole inference framework. A file is untrusted input, so every length
//! is checked against the bytes that are left before anything is allocated, and each error says where and what would
//! have been right. The file is read, not mapped: a mapping can change or vanish underneath, which safe Rust cannot
//! guard against, and all weights are converted once anyway.
//!
//! Format: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>.

use crate::quant::TensorType;
use std::collections::BTreeMap;
use std::ops::Range;

/// What every file begins with.
pub(crate) const MAGIC: &[u8] = b"GGUF";
/// Most dimensions a tensor has.
const MAX_DIMS: u32 = 4;
/// Deepest nesting of arrays in metadata; real files have none.
const MAX_DEPTH: u32 = 4;
/// Longest tensor name, by the format.
const MAX_NAME: usize = 64;

/// A parsed file.
#[derive(Debug)]
pub struct Gguf {
    bytes: Vec<u8>,
    metadata: BTreeMap<String, Value>,
    tensors: BTreeMap<String, Tensor>,
}

/// Where a tensor lies and what it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    /// Dimensions as the file has them: the contiguous one first. Unused ones are absent.
    pub dims: Vec<usize>,
    /// How its elements are stored.
    pub ty: TensorType,
    /// Its bytes in the file.
    pub range: Range<usize>,
}

impl Tensor {
    /// Number of elements.
    pub fn elements(&self) -> usize {
        self.dims.iter().product()
    }
}

/// A metadata value.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// Any unsigned integer.
    Unsigned(u64),
    /// Any signed integer.
    Signed(i64),
    /// Any float.
    Float(f64),
    /// A boolean.
    Bool(bool),
    /// A string.
    String(String),
    /// An array of strings.
    Strings(Vec<String>),
    /// An array of integers of either sign that fit.
    Integers(Vec<i64>),
    /// An array of anything else, of which only the length is kept: no Llama model needs its content.
    Other(usize),
}

impl Value {
    /// What the value is, in words.
    pub fn kind(&self) -> &'static str {
        match self {
            Value::Unsigned(_) => "an unsigned integer",
            Value::Signed(_) => "a signed integer",
            Value::Float(_) => "a float",
            Value::Bool(_) => "a boolean",
            Value::String(_) => "a string",
            Value::Strings(_) => "an array of strings",
            Value::Integers(_) => "an array of integers",
            Value::Other(_) => "an array",
        }
    }
}

/// Why a file cannot be read as GGUF.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum GgufError {
    /// Not a GGUF file at all.
    #[error("offset 0: not a GGUF file: it starts with {found:?}, and GGUF starts with \"GGUF\"")]
    Magic {
        /// The first bytes, as text.
        found: String,
    },
    /// A version this reader does not know.
    #[error("offset 4: GGUF version {found} is not supported: 2 and 3 are{hint}")]
    Version {
        /// The version.
        found: u32,
        /// An addition for files of the other byte order.
        hint: &'static str,
    },
    /// The file ends too soon.
    #[error(
        "offset {offset}: the file is truncated: {what} needs {need} bytes, and {left} are left; download the file again"
    )]
    Truncated {
        /// Where the item starts.
        offset: usize,
        /// What was being read.
        what: String,
        /// Bytes it needs.
        need: u64,
        /// Bytes left in the file.
        left: usize,
    },
    /// A code outside its list.
    #[error("offset {offset}: {what} is {found}: known are {known}")]
    Code {
        /// Where.
        offset: usize,
        /// What was being read.
        what: String,
        /// The code.
        found: u32,
        /// Codes that would be accepted.
        known: &'static str,
    },
    /// Text that is not UTF-8, or a name that would not print on one line.
    #[error("offset {offset}: {what} is not UTF-8 text without control characters")]
    Text {
        /// Where the text starts.
        offset: usize,
        /// What was being read.
        what: String,
    },
    /// A name that occurs twice.
    #[error("offset {offset}: {what} occurs twice")]
    Twice {
        /// Where the second one is.
        offset: usize,
        /// What.
        what: String,
    },
    /// A number outside its range.
    #[error("offset {offset}: {what} is {found}: it must be {want}")]
    Range {
        /// Where.
        offset: usize,
        /// What.
        what: String,
        /// Its value.
        found: u64,
        /// What would be right.
        want: String,
    },
}

impl Gguf {
    /// Parses a file's bytes.
    ///
    /// # Errors
    /// [`GgufError`] with the offset, what is wrong there and what would be right.
    pub fn parse(bytes: Vec<u8>) -> Result<Gguf, GgufError> {
        let mut r = Reader { bytes: &bytes, at: 0 };
        let magic = &bytes[..bytes.len().min(4)];
        if magic != MAGIC {
            return Err(GgufError::Magic { found: String::from_utf8_lossy(magic).into_owned() });
        }
        r.at = 4;
        let version = r.u32("the version")?;
        if version != 2 && version != 3 {
            let swapped = matches!(version.swap_bytes(), 1..=3);
            let hint = if swapped { " (this file is big-endian; little-endian is needed)" } else { "" };
            return Err(GgufError::Version { found: version, hint });
        }
        let tensor_count = r.u64("the number of tensors")?;
        let value_count = r.u64("the number of metadata values")?;
        let metadata = read_metadata(&mut r, value_count)?;
        let alignment = match metadata.get("general.alignment") {
            None => 32,
            Some(&Value::Unsigned(n)) if n.is_power_of_two() && n <= 1 << 20 => n as usize,
            Some(other) => {
                let found = if let Value::Unsigned(n) = other { *n } else { 0 };
                let want = "an unsigned power of two up to 1048576".to_owned();
                return Err(GgufError::Range { offset: r.at, what: "general.alignment".to_owned(), found, want });
            }
        };
        let tensors = read_directory(&mut r, tensor_count, alignment)?;
        Ok(Gguf { metadata, tensors, bytes })
    }

    /// The metadata value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key)
    }

    /// All metadata keys, in order.
    pub fn keys(&self) -> impl Iterator<Item = &str> {
        self.metadata.keys().map(String::as_str)
    }

    /// The tensor of a name.
    pub fn tensor(&self, name: &str) -> Option<&Tensor> {
        self.tensors.get(name)
    }

    /// The tensor of a name together with the file's own copy of that name.
    pub(crate) fn tensor_entry(&self, name: &str) -> Option<(&str, &Tensor)> {
        self.tensors.get_key_value(name).map(|(name, t)| (name.as_str(), t))
    }

    /// All tensors by name, in order.
    pub fn tensors(&self) -> impl Iterator<Item = (&str, &Tensor)> {
        self.tensors.iter().map(|(name, t)| (name.as_str(), t))
    }

    /// The stored bytes of one of this file's tensors.
    pub fn bytes_of(&self, tensor: &Tensor) -> &[u8] {
        self.bytes.get(tensor.range.clone()).unwrap_or_default()
    }
}

fn read_metadata(r: &mut Reader, count: u64) -> Result<BTreeMap<String, Value>, GgufError> {
    // A key's length, a type and a value: no entry is shorter than 13 bytes.
    r.room(count, 13, || format!("the metadata ({count} values)"))?;
    let mut metadata = BTreeMap::new();
    for i in 0..count {
        let offset = r.at;
        let key = r.name(|| format!("metadata key {i}"))?;
        let ty = r.u32(&key)?;
        let value = read_value(r, ty, &key, 0)?;
        if metadata.contains_key(&key) {
            return Err(GgufError::Twice { offset, what: format!("metadata key `{key}`") });
        }
        metadata.insert(key, value);
    }
    Ok(metadata)
}

fn read_directory(r: &mut Reader, count: u64, alignment: usize) -> Result<BTreeMap<String, Tensor>, GgufError> {
    // A name's length, the rank, the type and the offset: no entry is shorter than 24 bytes.
    r.room(count, 24, || format!("the tensor directory ({count} tensors)"))?;
    let mut found = Vec::new();
    for i in 0..count {
        let at = r.at;
        let name = r.name(|| format!("the name of tensor {i}"))?;
        if name.len() > MAX_NAME {
            let want = format!("at most {MAX_NAME}");
            return Err(GgufError::Range {
                offset: at,
                what: format!("the length of the name of tensor {i}"),
                found: name.len() as u64,
                want,
            });
        }
        let rank_at = r.at;
        let rank = r.u32(&name)?;
        if rank > MAX_DIMS {
            return Err(GgufError::Range {
                offset: rank_at,
                what: format!("the number of dimensions of tensor `{name}`"),
                found: rank.into(),
                want: format!("at most {MAX_DIMS}"),
            });
        }
        let mut dims = Vec::with_capacity(rank as usize);
        let dims_at = r.at;
        for _ in 0..rank {
            dims.push(r.u64(&name)?);
        }
        let ty_at = r.at;
        let code = r.u32(&name)?;
        let ty = TensorType::from_code(code).ok_or_else(|| GgufError::Code {
            offset: ty_at,
            what: format!("the quantisation of tensor `{name}`"),
            found: code,
            known: TensorType::KNOWN,
        })?;
        let offset_at = r.at;
        let offset = r.u64(&name)?;
        if !offset.is_multiple_of(alignment as u64) {
            return Err(GgufError::Range {
                offset: offset_at,
                what: format!("the data offset of tensor `{name}`"),
                found: offset,
                want: format!("a multiple of {alignment}"),
            });
        }
        found.push((at, dims_at, name, dims, ty, offset));
    }
    let data = r.at.next_multiple_of(alignment);
    let mut tensors = BTreeMap::new();
    for (at, dims_at, name, dims, ty, offset) in found {
        let (block, block_bytes) = (ty.block() as u64, ty.block_bytes() as u64);
        let row = dims.first().copied().unwrap_or(1);
        if !row.is_multiple_of(block) {
            return Err(GgufError::Range {
                offset: dims_at,
                what: format!("the row length of {ty} tensor `{name}`"),
                found: row,
                want: format!("a multiple of {block}"),
            });
        }
        let elements = dims.iter().try_fold(1u64, |n, &d| n.checked_mul(d));
        let size = elements.and_then(|n| (n / block).checked_mul(block_bytes));
        let start = (data as u64).checked_add(offset);
        let end = size.zip(start).and_then(|(size, start)| start.checked_add(size));
        let range = match (start, end) {
            (Some(start), Some(end)) if end <= r.bytes.len() as u64 => start as usize..end as usize,
            _ => {
                let start = start.map_or(usize::MAX, |s| usize::try_from(s).unwrap_or(usize::MAX));
                return Err(GgufError::Truncated {
                    offset: start,
                    what: format!("the data of tensor `{name}`"),
                    need: size.unwrap_or(u64::MAX),
                    left: r.bytes.len().saturating_sub(start),
                });
            }
        };
        // The end lies within the file, so each dimension fits a usize unless another one is 0.
        let dims: Vec<usize> = dims.iter().map(|&d| usize::try_from(d).unwrap_or(usize::MAX)).collect();
        if tensors.contains_key(&name) {
            return Err(GgufError::Twice { offset: at, what: format!("tensor `{name}`") });
        }
        tensors.insert(name, Tensor { dims, ty, range });
    }
    Ok(tensors)
}

const VALUE_TYPES: &str =
    "0 to 12 (uint8, int8, uint16, int16, uint32, int32, float32, bool, string, array, uint64, int64, float64)";

/// Bytes of a value of a fixed-size type.
fn fixed_size(ty: u32) -> Option<u64> {
    match ty {
        0 | 1 | 7 => Some(1),
        2 | 3 => Some(2),
        4..=6 => Some(4),
        10..=12 => Some(8),
        _ => None,
    }
}

fn read_value(r: &mut Reader, ty: u32, key: &str, depth: u32) -> Result<Value, GgufError> {
    Ok(match ty {
        0 => Value::Unsigned(u64::from(r.array::<1>(key)?[0])),
        1 => Value::Signed(i64::from(r.array::<1>(key)?[0] as i8)),
        2 => Value::Unsigned(u64::from(u16::from_le_bytes(r.array(key)?))),
        3 => Value::Signed(i64::from(i16::from_le_bytes(r.array(key)?))),
        4 => Value::Unsigned(u64::from(r.u32(key)?)),
        5 => Value::Signed(i64::from(i32::from_le_bytes(r.array(key)?))),
        6 => Value::Float(f64::from(f32::from_le_bytes(r.array(key)?))),
        7 => Value::Bool(r.array::<1>(key)?[0] != 0),
        8 => Value::String(r.string(|| format!("`{key}`"))?),
        9 => read_array(r, key, depth)?,
        10 => Value::Unsigned(r.u64(key)?),
        11 => Value::Signed(i64::from_le_bytes(r.array(key)?)),
        12 => Value::Float(f64::from_le_bytes(r.array(key)?)),
        found => {
            let what = format!("the type of `{key}`");
            return Err(GgufError::Code { offset: r.at - 4, what, found, known: VALUE_TYPES });
        }
    })
}

fn read_array(r: &mut Reader, key: &str, depth: u32) -> Result<Value, GgufError> {
    let at = r.at;
    if depth >= MAX_DEPTH {
        let want = format!("at most {MAX_DEPTH}");
        return Err(GgufError::Range {
            offset: at,
            what: format!("the nesting of arrays in `{key}`"),
            found: u64::from(depth) + 1,
            want,
        });
    }
    let ty = r.u32(key)?;
    let count = r.u64(key)?;
    let what = || format!("the array `{key}` ({count} elements)");
    match (ty, fixed_size(ty)) {
        (8, _) => {
            r.room(count, 8, what)?;
            // Capacity follows the elements read: 24 bytes of String for at least 8 of file.
            let mut strings = Vec::new();
            for i in 0..count {
                strings.push(r.string(|| format!("element {i} of `{key}`"))?);
            }
            Ok(Value::Strings(strings))
        }
        (9, _) => {
            r.room(count, 12, what)?;
            for _ in 0..count {
                read_array(r, key, depth + 1)?;
            }
            Ok(Value::Other(count as usize))
        }
        (0..=5 | 10 | 11, Some(size)) => {
            r.room(count, size, what)?;
            let start = r.at;
            let mut integers = Vec::new();
            for _ in 0..count {
                match read_value(r, ty, key, depth)? {
                    Value::Signed(v) => integers.push(v),
                    Value::Unsigned(v) => match i64::try_from(v) {
                        Ok(v) => integers.push(v),
                        Err(_) => break,
                    },
                    _ => break,
                }
            }
            // Elements beyond i64 demote the array to a length.
            r.at = start + (count * size) as usize;
            Ok(if integers.len() as u64 == count { Value::Integers(integers) } else { Value::Other(count as usize) })
        }
        (_, Some(size)) => {
            r.room(count, size, what)?;
            r.at += (count * size) as usize;
            Ok(Value::Other(count as usize))
        }
        (found, None) => {
            Err(GgufError::Code { offset: at, what: format!("the element type of `{key}`"), found, known: VALUE_TYPES })
        }
    }
}

/// A cursor that never passes the end.
struct Reader<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    /// Fails unless `count` items of at least `each` bytes can follow.
    fn room(&self, count: u64, each: u64, what: impl FnOnce() -> String) -> Result<(), GgufError> {
        let left = self.bytes.len() - self.at;
        let need = count.saturating_mul(each);
        if need > left as u64 {
            return Err(GgufError::Truncated { offset: self.at, what: what(), need, left });
        }
        Ok(())
    }

    fn take(&mut self, n: u64, what: impl FnOnce() -> String) -> Result<&'a [u8], GgufError> {
        self.room(n, 1, what)?;
        let start = self.at;
        self.at += n as usize;
        Ok(&self.bytes[start..self.at])
    }

    fn array<const N: usize>(&mut self, what: &str) -> Result<[u8; N], GgufError> {
        let mut out = [0; N];
        out.copy_from_slice(self.take(N as u64, || format!("`{what}`"))?);
        Ok(out)
    }

    fn u32(&mut self, what: &str) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn u64(&mut self, what: &str) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    fn string(&mut self, what: impl Fn() -> String) -> Result<String, GgufError> {
        let length = u64::from_le_bytes({
            let mut out = [0; 8];
            out.copy_from_slice(self.take(8, || format!("the length of {}", what()))?);
            out
        });
        let offset = self.at;
        let text = self.take(length, &what)?;
        String::from_utf8(text.to_vec()).map_err(|_| GgufError::Text { offset, what: what() })
    }

    /// A string that error messages can quote.
    fn name(&mut self, what: impl Fn() -> String) -> Result<String, GgufError> {
        let offset = self.at;
        let name = self.string(&what)?;
        if name.chars().any(char::is_control) {
            return Err(GgufError::Text { offset, what: what() });
        }
        Ok(name)
    }
}
