//! Offload bundles: the container in which compilers hand over code objects of several targets, plain
//! (`__CLANG_OFFLOAD_BUNDLE__`), compressed (`CCOB`), or as the `.hip_fatbin` section of a host program (Clang
//! documentation, "Clang Offload Bundler").

use goblin::elf::Elf;
use std::io::Read;
use wavesmith_asm::Target;

const PLAIN: &[u8] = b"__CLANG_OFFLOAD_BUNDLE__";
const COMPRESSED: &[u8] = b"CCOB";
/// `e_machine` of AMD GPUs.
const EM_AMDGPU: u16 = 224;
/// Alignment of bundles in a host program.
const PAGE: usize = 4096;
/// Entries of a bundle: compilers write one a target.
const MAX_ENTRIES: u64 = 4096;
/// Bytes of an unpacked bundle; a header may claim anything.
const MAX_UNPACKED: u64 = 1 << 30;

/// A file that is neither a code object nor a readable bundle.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BundleError {
    /// The file begins like nothing known.
    #[error("not a code object: {}, and a code object with 7f 45 4c 46, a bundle of them with `__CLANG_OFFLOAD_BUNDLE__` or `CCOB`", beginning(.0))]
    Unknown(Vec<u8>),
    /// A host program without device code.
    #[error("an ELF file of machine {machine:#x} without a `.hip_fatbin` section: it holds no device code")]
    NoDeviceCode {
        /// Its `e_machine`.
        machine: u16,
    },
    /// A host program that does not parse.
    #[error("the ELF headers do not parse: {0}")]
    Elf(String),
    /// A part reaches past the end.
    #[error("{what} needs {size} bytes at offset {offset:#x} of the bundle, which has {bundle} bytes")]
    OutOfBounds {
        /// The part.
        what: &'static str,
        /// Where it starts.
        offset: u64,
        /// Bytes it needs.
        size: u64,
        /// Bytes of the bundle.
        bundle: u64,
    },
    /// A field holds what it may not hold.
    #[error("{what} of the bundle is {found}: {want}")]
    Unexpected {
        /// The field.
        what: &'static str,
        /// Its value.
        found: u64,
        /// What would be right.
        want: &'static str,
    },
    /// The compressed part does not unpack.
    #[error("the compressed bundle does not unpack: {0}")]
    Corrupt(String),
}

/// How a file begins, in words.
fn beginning(bytes: &[u8]) -> String {
    let hex: Vec<_> = bytes.iter().map(|b| format!("{b:02x}")).collect();
    if hex.is_empty() { "the file is empty".to_owned() } else { format!("it begins with {}", hex.join(" ")) }
}

/// A code object of a bundle.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Its id, such as `hipv4-amdgcn-amd-amdhsa--gfx942:sramecc+`; empty for a file that is a code object itself.
    pub id: String,
    /// The target in the id, if it is one of ours. A bare code object's is found when it is parsed.
    pub target: Option<Target>,
    /// The code object's bytes.
    pub bytes: Vec<u8>,
}

/// Whether a file that begins with these bytes may be or hold code objects; a few dozen are enough.
///
/// # Errors
/// [`BundleError::Unknown`] where it cannot.
pub fn recognise(head: &[u8]) -> Result<(), BundleError> {
    if [b"\x7fELF", PLAIN, COMPRESSED].iter().any(|magic| head.starts_with(magic)) {
        return Ok(());
    }
    Err(BundleError::Unknown(head.iter().take(8).copied().collect()))
}

/// The code objects in a file: itself, or those of the bundle or host program that it is. Host entries are left out.
///
/// # Errors
/// [`BundleError`] says what is wrong and where.
pub fn open(bytes: &[u8]) -> Result<Vec<Entry>, BundleError> {
    if bytes.starts_with(b"\x7fELF") {
        let machine = bytes.get(18..20).map_or(0, |b| u16::from_le_bytes([b[0], b[1]]));
        // A truncated header is the code object reader's to name.
        if machine == EM_AMDGPU || bytes.len() < 64 {
            return Ok(vec![Entry { id: String::new(), target: None, bytes: bytes.to_vec() }]);
        }
        return fat_binary(bytes, machine);
    }
    recognise(bytes)?;
    let mut entries = Vec::new();
    each_bundle(bytes, &mut entries)?;
    Ok(entries)
}

/// The entries of a target, in order.
pub fn for_target(entries: &[Entry], target: Target) -> impl Iterator<Item = &Entry> {
    entries.iter().filter(move |e| e.target.is_none_or(|t| t == target))
}

fn fat_binary(bytes: &[u8], machine: u16) -> Result<Vec<Entry>, BundleError> {
    let elf = Elf::parse(bytes).map_err(|e| BundleError::Elf(e.to_string()))?;
    let mut entries = Vec::new();
    let mut found = false;
    for section in &elf.section_headers {
        if elf.shdr_strtab.get_at(section.sh_name) != Some(".hip_fatbin") {
            continue;
        }
        found = true;
        let section = part(bytes, ".hip_fatbin", section.sh_offset, section.sh_size)?;
        each_bundle(section, &mut entries)?;
    }
    if found { Ok(entries) } else { Err(BundleError::NoDeviceCode { machine }) }
}

/// Reads bundles that follow one another, as those of several translation units do: each at a page boundary, or with nothing but
/// zeros before it. What follows the last is not looked at.
fn each_bundle(bytes: &[u8], entries: &mut Vec<Entry>) -> Result<(), BundleError> {
    let mut at = 0;
    while at < bytes.len() {
        let rest = &bytes[at..];
        if let Some(length) = one_bundle(rest, entries)? {
            at += length.max(1);
            continue;
        }
        let zeros = rest.iter().take_while(|b| **b == 0).count();
        at = if zeros > 0 { at + zeros } else { (at + 1).next_multiple_of(PAGE) };
    }
    Ok(())
}

/// Reads a bundle at the beginning of the bytes, and gives its length; `None` where none begins there.
fn one_bundle(bytes: &[u8], entries: &mut Vec<Entry>) -> Result<Option<usize>, BundleError> {
    if bytes.starts_with(COMPRESSED) {
        let (unpacked, length) = unpack(bytes)?;
        if !unpacked.starts_with(PLAIN) {
            return Err(BundleError::Unknown(unpacked.iter().take(8).copied().collect()));
        }
        plain(&unpacked, entries)?;
        return Ok(Some(length));
    }
    if bytes.starts_with(PLAIN) {
        return plain(bytes, entries).map(Some);
    }
    Ok(None)
}

fn part<'a>(bytes: &'a [u8], what: &'static str, offset: u64, size: u64) -> Result<&'a [u8], BundleError> {
    let end = offset.checked_add(size).filter(|e| *e <= bytes.len() as u64);
    let end = end.ok_or(BundleError::OutOfBounds { what, offset, size, bundle: bytes.len() as u64 })?;
    Ok(&bytes[offset as usize..end as usize])
}

/// A little-endian number of up to eight bytes.
fn number(bytes: &[u8], what: &'static str, offset: u64, size: u64) -> Result<u64, BundleError> {
    Ok(part(bytes, what, offset, size)?.iter().rev().fold(0, |n, b| n << 8 | u64::from(*b)))
}

/// Reads a plain bundle, and gives its length.
fn plain(bytes: &[u8], entries: &mut Vec<Entry>) -> Result<usize, BundleError> {
    let mut at = PLAIN.len() as u64;
    let count = number(bytes, "the number of entries", at, 8)?;
    if count > MAX_ENTRIES {
        let want = "compilers write one entry a target, at most 4096 are read";
        return Err(BundleError::Unexpected { what: "the number of entries", found: count, want });
    }
    at += 8;
    let mut end = at;
    for _ in 0..count {
        let offset = number(bytes, "an entry", at, 8)?;
        let size = number(bytes, "an entry", at + 8, 8)?;
        let length = number(bytes, "an entry", at + 16, 8)?;
        let id = String::from_utf8_lossy(part(bytes, "an entry's id", at + 24, length)?).into_owned();
        at += 24 + length;
        end = end.max(at);
        // A host entry has no bytes, and its offset may be anything.
        if id.starts_with("host-") || size == 0 {
            continue;
        }
        let code = part(bytes, "an entry's code object", offset, size)?;
        end = end.max(offset + size);
        entries.push(Entry { target: id.parse().ok(), id, bytes: code.to_vec() });
    }
    Ok(end as usize)
}

/// Unpacks a compressed bundle, and gives the length that it had.
fn unpack(bytes: &[u8]) -> Result<(Vec<u8>, usize), BundleError> {
    let version = number(bytes, "the version", 4, 2)?;
    let method = number(bytes, "the method", 6, 2)?;
    // Version 1 does not tell its own size; the numbers grew to 64 bits with version 3.
    let (total, size_at, width) = match version {
        1 => (None, 8, 4),
        2 => (Some(number(bytes, "the total size", 8, 4)?), 12, 4),
        3 => (Some(number(bytes, "the total size", 8, 8)?), 16, 8),
        found => {
            return Err(BundleError::Unexpected { what: "the version", found, want: "1, 2 and 3 are known" });
        }
    };
    let size = number(bytes, "the unpacked size", size_at, width)?;
    if size > MAX_UNPACKED {
        let want = "at most 4 GiB are unpacked";
        return Err(BundleError::Unexpected { what: "the unpacked size", found: size, want });
    }
    // A 64-bit hash follows the size.
    let begin = size_at + width + 8;
    let end = total.unwrap_or(bytes.len() as u64);
    part(bytes, "the header", 0, begin)?;
    if end <= begin {
        return Err(BundleError::Corrupt(format!("nothing follows its header of {begin} bytes")));
    }
    let packed = part(bytes, "the packed bundle", begin, end - begin)?;
    let corrupt = |e: &dyn std::fmt::Display| BundleError::Corrupt(e.to_string());
    // The buffer grows with what really comes out, whatever the header claims.
    let mut out = Vec::new();
    match method {
        0 => {
            let mut from = flate2::read::ZlibDecoder::new(packed).take(size + 1);
            from.read_to_end(&mut out).map_err(|e| corrupt(&e))?;
        }
        1 => {
            let from = ruzstd::decoding::StreamingDecoder::new(packed).map_err(|e| corrupt(&e))?;
            from.take(size + 1).read_to_end(&mut out).map_err(|e| corrupt(&e))?;
        }
        found => {
            let want = "0 (zlib) and 1 (zstd) are known";
            return Err(BundleError::Unexpected { what: "the method", found, want });
        }
    }
    if out.len() as u64 != size {
        return Err(BundleError::Corrupt(format!("{size} bytes were announced, {} came out", out.len())));
    }
    Ok((out, end as usize))
}
