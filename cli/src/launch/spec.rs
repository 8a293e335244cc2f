//! `--arg SPEC`: what a kernel argument is, as the command line says it.

use super::array::Element;
use half::f16;
use std::path::PathBuf;

/// The forms there are, for messages.
pub const FORMS: &str = "u32:5 (also u8, u16, u64, i8 to i64, f16, f32, f64), in:A.npy, out:float32:64x128=C.npy, \
inout:A.npy=B.npy, lds:BYTES, null; each may be placed with @OFFSET= in front";

/// An argument, and where it goes if not in order.
#[derive(Clone, Debug, PartialEq)]
pub struct Spec {
    /// Byte offset in the kernarg segment; `None` is the next argument in order.
    pub offset: Option<usize>,
    /// What it is.
    pub value: Value,
}

/// What an argument is.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number, as little-endian bytes.
    Scalar(Vec<u8>),
    /// A null pointer.
    Null,
    /// Address of a device copy of the array.
    In(PathBuf),
    /// Address of new memory, saved after the run.
    Out {
        /// Type of its elements.
        element: Element,
        /// Its shape.
        shape: Vec<u64>,
        /// Where to save it.
        path: PathBuf,
    },
    /// Address of a device copy of the array, saved after the run.
    InOut {
        /// Where it comes from.
        from: PathBuf,
        /// Where to save it.
        to: PathBuf,
    },
    /// Offset of that much dynamic LDS (OpenCL's `__local` pointers).
    Lds(u32),
}

impl Spec {
    /// Whether it names a file to save to.
    pub fn saves(&self) -> bool {
        matches!(self.value, Value::Out { .. } | Value::InOut { .. })
    }
}

/// A SPEC that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{spec}`: {reason}. A SPEC is one of: {FORMS}")]
pub struct SpecError {
    spec: String,
    reason: String,
}

/// A number in decimal, or hexadecimal after `0x`.
pub fn unsigned(text: &str) -> Option<u64> {
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(hex) => u64::from_str_radix(hex, 16).ok(),
        None => text.parse().ok(),
    }
}

fn signed(text: &str) -> Option<i128> {
    match text.strip_prefix('-') {
        Some(digits) => unsigned(digits).map(|v| -i128::from(v)),
        None => unsigned(text).map(i128::from),
    }
}

fn scalar(kind: &str, text: &str) -> Option<Result<Vec<u8>, String>> {
    let integer = |bytes: usize, is_signed: bool| {
        let bits = 8 * bytes as u32;
        let (low, high) =
            if is_signed { (-(1_i128 << (bits - 1)), (1_i128 << (bits - 1)) - 1) } else { (0, (1_i128 << bits) - 1) };
        match signed(text) {
            Some(v) if (low..=high).contains(&v) => Ok(v.to_le_bytes()[..bytes].to_vec()),
            Some(v) => Err(format!("{v} does not fit {kind}, which holds {low} to {high}")),
            None => Err(format!("`{text}` is no whole number that fits {kind}")),
        }
    };
    let float = || text.parse::<f64>().map_err(|_| format!("`{text}` is no number"));
    Some(match kind {
        "u8" => integer(1, false),
        "u16" => integer(2, false),
        "u32" => integer(4, false),
        "u64" => integer(8, false),
        "i8" => integer(1, true),
        "i16" => integer(2, true),
        "i32" => integer(4, true),
        "i64" => integer(8, true),
        "f16" => float().map(|v| f16::from_f64(v).to_le_bytes().to_vec()),
        // Through f64 a decimal may be rounded twice.
        "f32" => text.parse::<f32>().map(|v| v.to_le_bytes().to_vec()).map_err(|_| format!("`{text}` is no number")),
        "f64" => float().map(|v| v.to_le_bytes().to_vec()),
        _ => return None,
    })
}

fn shape(text: &str) -> Option<Vec<u64>> {
    text.split('x').map(|d| d.parse().ok()).collect()
}

impl std::str::FromStr for Spec {
    type Err = SpecError;

    fn from_str(spec: &str) -> Result<Spec, SpecError> {
        let wrong = |reason: String| SpecError { spec: spec.to_owned(), reason };
        let (offset, rest) = match spec.strip_prefix('@') {
            None => (None, spec),
            Some(placed) => {
                let (offset, rest) =
                    placed.split_once('=').ok_or_else(|| wrong("`=` is missing after the offset".to_owned()))?;
                let number = unsigned(offset).and_then(|o| usize::try_from(o).ok());
                (Some(number.ok_or_else(|| wrong(format!("`{offset}` is no offset in bytes")))?), rest)
            }
        };
        let value = value(rest).map_err(wrong)?;
        Ok(Spec { offset, value })
    }
}

fn value(text: &str) -> Result<Value, String> {
    if text == "null" {
        return Ok(Value::Null);
    }
    let (kind, rest) = text.split_once(':').ok_or_else(|| "there is no `:`".to_owned())?;
    let path = |text: &str, what: &str| {
        if text.is_empty() { Err(format!("the file {what} is missing")) } else { Ok(PathBuf::from(text)) }
    };
    match kind {
        "in" => Ok(Value::In(path(rest, "to read")?)),
        "inout" => {
            let (from, to) =
                rest.split_once('=').ok_or_else(|| "`=` and the file to save to are missing".to_owned())?;
            Ok(Value::InOut { from: path(from, "to read")?, to: path(to, "to save to")? })
        }
        "out" => {
            let (what, to) =
                rest.split_once('=').ok_or_else(|| "`=` and the file to save to are missing".to_owned())?;
            let (element, dimensions) =
                what.split_once(':').ok_or_else(|| "the shape is missing after the type".to_owned())?;
            let element = Element::named(element)
                .ok_or_else(|| format!("`{element}` is none of the types {}", Element::names()))?;
            let shape = shape(dimensions).ok_or_else(|| format!("`{dimensions}` is no shape such as 64x128"))?;
            Ok(Value::Out { element, shape, path: path(to, "to save to")? })
        }
        "lds" => {
            let bytes = unsigned(rest).and_then(|b| u32::try_from(b).ok());
            bytes.map(Value::Lds).ok_or_else(|| format!("`{rest}` is no number of bytes"))
        }
        _ => match scalar(kind, rest) {
            Some(bytes) => bytes.map(Value::Scalar),
            None => Err(format!("`{kind}` is no kind of argument")),
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parsed(text: &str) -> Spec {
        text.parse().unwrap_or_else(|e| panic!("{e}"))
    }

    fn bytes(text: &str) -> Vec<u8> {
        match parsed(text).value {
            Value::Scalar(bytes) => bytes,
            other => panic!("{text} is {other:?}"),
        }
    }

    #[test]
    fn numbers_are_little_endian_bytes_of_their_type() {
        assert_eq!(bytes("u32:5"), 5_u32.to_le_bytes());
        assert_eq!(bytes("i32:-1"), (-1_i32).to_le_bytes());
        assert_eq!(bytes("u64:0xdeadbeef12345678"), 0xdead_beef_1234_5678_u64.to_le_bytes());
        assert_eq!(bytes("f32:1.5"), 1.5_f32.to_le_bytes());
        assert_eq!(bytes("f64:-0.1"), (-0.1_f64).to_le_bytes());
        assert_eq!(bytes("f16:1"), [0, 0x3c]);
        assert_eq!(bytes("i8:-0x80"), [0x80]);
        assert_eq!(bytes("u8:255"), [255]);
        assert!(f32::from_le_bytes(bytes("f32:nan").try_into().expect("four bytes")).is_nan());
    }

    #[test]
    fn a_placed_argument_has_its_offset() {
        assert_eq!(parsed("@0x10=u8:1"), Spec { offset: Some(16), value: Value::Scalar(vec![1]) });
        assert_eq!(parsed("@24=inout:a.npy=b.npy").offset, Some(24));
    }

    #[test]
    fn arrays_have_files_types_and_shapes() {
        assert_eq!(parsed("in:a.npy").value, Value::In("a.npy".into()));
        assert_eq!(
            parsed("out:float32:64x128=c.npy").value,
            Value::Out { element: Element::F32, shape: vec![64, 128], path: "c.npy".into() }
        );
        assert_eq!(parsed("inout:a.npy=b.npy").value, Value::InOut { from: "a.npy".into(), to: "b.npy".into() });
        assert_eq!(parsed("null").value, Value::Null);
        assert_eq!(parsed("lds:1024").value, Value::Lds(1024));
    }

    #[test]
    fn what_is_no_spec_is_refused_with_what_would_be_one() {
        let cases = [
            ("", "no `:`"),
            ("u32", "no `:`"),
            ("u32:-1", "holds 0 to 4294967295"),
            ("u8:256", "holds 0 to 255"),
            ("i16:32768", "holds -32768 to 32767"),
            ("u32:1.5", "no whole number"),
            ("f32:x", "no number"),
            ("q7:1", "`q7` is no kind"),
            ("in:", "file to read is missing"),
            ("inout:a.npy", "file to save to"),
            ("out:float32=c.npy", "shape is missing"),
            ("out:bfloat16:4=c.npy", "none of the types float16"),
            ("out:float32:4y4=c.npy", "no shape"),
            ("out:float32:4x4", "file to save to"),
            ("@5", "`=` is missing"),
            ("@x=u32:5", "no offset"),
            ("lds:-1", "no number of bytes"),
        ];
        for (text, reason) in cases {
            let error = text.parse::<Spec>().expect_err(text).to_string();
            assert!(error.contains(reason) && error.contains("inout:A.npy=B.npy"), "{text}: {error}");
        }
    }
}
