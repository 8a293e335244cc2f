//! Arrays between NumPy files and device memory: element types, shapes, and bytes in C order.
//!
//! A kernel sees plain little-endian bytes in C order, so a file in Fortran order or with big-endian elements is put
//! in that form when it is read, and what is written is always in that form. Types that NumPy lacks (bf16, fp8, fp4)
//! travel as the unsigned integers of their size.

use half::f16;
use npyz::{DType, Endianness, NpyHeader, Order, TypeChar, WriterBuilder};
use std::fs::File;
use std::io::{BufRead, BufReader, BufWriter, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};

/// What can be wrong with an array or its file.
#[derive(Debug, thiserror::Error)]
pub enum ArrayError {
    /// The file cannot be read or written, or is no NumPy file.
    #[error("{}: {source}", .path.display())]
    File {
        /// Which.
        path: PathBuf,
        /// Why.
        source: std::io::Error,
    },
    /// No NumPy array, by how it begins or where it ends.
    #[error("{}: {reason}", .path.display())]
    NoArray {
        /// Which file.
        path: PathBuf,
        /// Why.
        reason: &'static str,
    },
    /// An element type that no kernel argument has.
    #[error("{}: elements of type {found} are not taken; these are: {}. bf16, fp8 and fp4 travel as unsigned integers (`a.view(np.uint16)`)", .path.display(), Element::names())]
    Element {
        /// Which file.
        path: PathBuf,
        /// Its type as NumPy describes it.
        found: String,
    },
    /// The header promises more elements than the file has.
    #[error("{}: shape {} takes {want} bytes, the file has {found} after its header", .path.display(), shape_text(.shape))]
    Short {
        /// Which file.
        path: PathBuf,
        /// The shape of its header.
        shape: Vec<u64>,
        /// Bytes that takes.
        want: u64,
        /// Bytes there are.
        found: u64,
    },
    /// More bytes than an address space has.
    #[error("shape {} has too many elements", shape_text(.0))]
    TooLarge(Vec<u64>),
    /// A header whose shape is more than an address space has.
    #[error("{}: shape {} has too many elements", .path.display(), shape_text(.shape))]
    FileTooLarge {
        /// Which file.
        path: PathBuf,
        /// The shape of its header.
        shape: Vec<u64>,
    },
}

macro_rules! elements {
    ($($(#[$doc:meta])* $name:ident = $text:literal, $char:ident, $ty:ty;)*) => {
        /// Type of an element.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum Element {
            $($(#[$doc])* $name,)*
        }

        impl Element {
            /// All of them.
            pub const ALL: &[Element] = &[$(Element::$name,)*];

            /// NumPy's name.
            pub const fn name(self) -> &'static str {
                match self { $(Element::$name => $text,)* }
            }

            /// Bytes of one.
            pub const fn size(self) -> usize {
                match self { $(Element::$name => size_of::<$ty>(),)* }
            }

            fn char(self) -> TypeChar {
                match self { $(Element::$name => TypeChar::$char,)* }
            }

            /// Writes elements given as little-endian bytes.
            fn write(self, bytes: &[u8], shape: &[u64], to: impl Write) -> std::io::Result<()> {
                match self {
                    $(Element::$name => {
                        let mut writer =
                            npyz::WriteOptions::<$ty>::new().default_dtype().shape(shape).writer(to).begin_nd()?;
                        let (elements, _) = bytes.as_chunks::<{ size_of::<$ty>() }>();
                        writer.extend(elements.iter().map(|e| <$ty as LittleEndian<{ size_of::<$ty>() }>>::from_le(*e)))?;
                        writer.finish()
                    })*
                }
            }
        }

        $(impl LittleEndian<{ size_of::<$ty>() }> for $ty {
            fn from_le(bytes: [u8; size_of::<$ty>()]) -> $ty {
                <$ty>::from_le_bytes(bytes)
            }
        })*
    };
}

/// The standard types' method of that name, as a trait.
trait LittleEndian<const N: usize> {
    fn from_le(bytes: [u8; N]) -> Self;
}

elements! {
    /// Half precision.
    F16 = "float16", Float, f16;
    /// Single precision.
    F32 = "float32", Float, f32;
    /// Double precision.
    F64 = "float64", Float, f64;
    /// A signed byte.
    I8 = "int8", Int, i8;
    /// Two signed bytes.
    I16 = "int16", Int, i16;
    /// Four signed bytes.
    I32 = "int32", Int, i32;
    /// Eight signed bytes.
    I64 = "int64", Int, i64;
    /// A byte.
    U8 = "uint8", Uint, u8;
    /// Two bytes.
    U16 = "uint16", Uint, u16;
    /// Four bytes.
    U32 = "uint32", Uint, u32;
    /// Eight bytes.
    U64 = "uint64", Uint, u64;
}

impl Element {
    /// The type of that name.
    pub fn named(name: &str) -> Option<Element> {
        Element::ALL.iter().copied().find(|e| e.name() == name)
    }

    /// The names, for messages.
    pub fn names() -> String {
        Element::ALL.iter().map(|e| e.name()).collect::<Vec<_>>().join(", ")
    }

    /// What unwritten output is made of: all ones, which in a float is a NaN.
    pub const UNWRITTEN: u8 = 0xff;
}

/// An array in the form that kernels see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Array {
    /// Type of its elements.
    pub element: Element,
    /// Lengths, the slowest dimension first; empty for a single element.
    pub shape: Vec<u64>,
    /// The elements, little-endian, in C order.
    pub bytes: Vec<u8>,
}

/// `64x128`.
pub fn shape_text(shape: &[u64]) -> String {
    if shape.is_empty() {
        return "()".to_owned();
    }
    shape.iter().map(u64::to_string).collect::<Vec<_>>().join("x")
}

/// Bytes of a shape.
pub fn byte_count(element: Element, shape: &[u64]) -> Result<usize, ArrayError> {
    shape
        .iter()
        .try_fold(element.size() as u64, |n, d| n.checked_mul(*d))
        .and_then(|n| usize::try_from(n).ok())
        .filter(|n| *n < 1 << 46)
        .ok_or_else(|| ArrayError::TooLarge(shape.to_vec()))
}

impl Array {
    /// Reads a `.npy` file.
    pub fn read(path: &Path) -> Result<Array, ArrayError> {
        let failed = |source| ArrayError::File { path: path.to_owned(), source };
        let mut file = BufReader::new(File::open(path).map_err(failed)?);
        let no_array = |reason| ArrayError::NoArray { path: path.to_owned(), reason };
        // What the reader finds at once, without taking it out: enough to tell what the file is.
        let begin = file.fill_buf().map_err(failed)?;
        if begin.is_empty() {
            return Err(no_array("the file is empty, a .npy file begins with a header"));
        }
        if begin.starts_with(b"PK") {
            return Err(no_array("an archive of arrays (.npz): save the one that is meant with `np.save`"));
        }
        let cut_off = "the .npy header is cut off";
        if b"\x93NUMPY".starts_with(begin) {
            return Err(no_array(cut_off));
        }
        let header = NpyHeader::from_reader(&mut file).map_err(|error| match error.kind() {
            ErrorKind::UnexpectedEof => no_array(cut_off),
            _ => failed(error),
        })?;
        let dtype = header.dtype();
        let foreign = || ArrayError::Element { path: path.to_owned(), found: dtype.descr() };
        let DType::Plain(text) = &dtype else { return Err(foreign()) };
        let bool_as_byte = text.type_char() == TypeChar::Bool;
        let element = Element::ALL
            .iter()
            .copied()
            .find(|e| {
                (e.char() == text.type_char() || bool_as_byte && *e == Element::U8)
                    && e.size() as u64 == text.size_field()
            })
            .ok_or_else(foreign)?;
        let shape = header.shape().to_vec();
        let Ok(want) = byte_count(element, &shape) else {
            return Err(ArrayError::FileTooLarge { path: path.to_owned(), shape });
        };
        let mut bytes = Vec::new();
        // One byte more than wanted is read, never what the header promises.
        file.take(want as u64).read_to_end(&mut bytes).map_err(failed)?;
        if bytes.len() != want {
            let found = bytes.len() as u64;
            return Err(ArrayError::Short { path: path.to_owned(), shape, want: want as u64, found });
        }
        if text.endianness() == Endianness::Big {
            bytes.chunks_exact_mut(element.size()).for_each(<[u8]>::reverse);
        }
        if header.order() == Order::Fortran {
            bytes = c_order(&bytes, element.size(), &shape);
        }
        Ok(Array { element, shape, bytes })
    }

    /// Writes a `.npy` file.
    pub fn write(&self, path: &Path) -> Result<(), ArrayError> {
        let failed = |source| ArrayError::File { path: path.to_owned(), source };
        let mut file = BufWriter::new(File::create(path).map_err(failed)?);
        self.element.write(&self.bytes, &self.shape, &mut file).map_err(failed)?;
        file.flush().map_err(failed)
    }
}

/// Elements in Fortran order, put in C order.
fn c_order(bytes: &[u8], size: usize, shape: &[u64]) -> Vec<u8> {
    let mut strides = vec![0; shape.len()];
    let mut stride = 1_usize;
    for (s, d) in strides.iter_mut().zip(shape) {
        *s = stride;
        stride *= *d as usize;
    }
    let mut out = Vec::with_capacity(bytes.len());
    let mut index = vec![0_u64; shape.len()];
    for _ in 0..bytes.len() / size {
        let from: usize = index.iter().zip(&strides).map(|(i, s)| *i as usize * s).sum();
        out.extend_from_slice(&bytes[from * size..(from + 1) * size]);
        for (i, d) in index.iter_mut().zip(shape).rev() {
            *i += 1;
            if *i < *d {
                break;
            }
            *i = 0;
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn round_trip(array: &Array) -> Array {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a.npy");
        array.write(&path).expect("writes");
        Array::read(&path).expect("reads")
    }

    #[test]
    fn every_element_type_is_read_as_it_was_written() {
        for element in Element::ALL {
            let bytes = (0..6 * element.size()).map(|i| (i * 37) as u8).collect();
            let array = Array { element: *element, shape: vec![2, 3], bytes };
            assert_eq!(round_trip(&array), array, "{}", element.name());
        }
    }

    #[test]
    fn a_single_element_and_an_empty_array_are_arrays() {
        let one = Array { element: Element::F32, shape: vec![], bytes: 1.5_f32.to_le_bytes().to_vec() };
        assert_eq!(round_trip(&one), one);
        let none = Array { element: Element::I16, shape: vec![0, 4], bytes: vec![] };
        assert_eq!(round_trip(&none), none);
    }

    /// A file as NumPy writes it, with that header dictionary.
    fn file(descr: &str, fortran: bool, shape: &str, data: &[u8]) -> Vec<u8> {
        let fortran = if fortran { "True" } else { "False" };
        let mut header = format!("{{'descr': '{descr}', 'fortran_order': {fortran}, 'shape': {shape}, }}");
        while !(10 + header.len() + 1).is_multiple_of(64) {
            header.push(' ');
        }
        header.push('\n');
        let mut bytes = b"\x93NUMPY\x01\x00".to_vec();
        bytes.extend_from_slice(&(header.len() as u16).to_le_bytes());
        bytes.extend_from_slice(header.as_bytes());
        bytes.extend_from_slice(data);
        bytes
    }

    fn read(bytes: &[u8]) -> Result<Array, ArrayError> {
        let folder = tempfile::tempdir().expect("temporary folder");
        let path = folder.path().join("a.npy");
        std::fs::write(&path, bytes).expect("writes");
        Array::read(&path)
    }

    #[test]
    fn fortran_order_and_big_endian_become_what_a_kernel_sees() {
        // Columns (0 1) (2 3) (4 5) of a 2x3 array: rows 0 2 4 and 1 3 5.
        let array = read(&file("|u1", true, "(2, 3)", &[0, 1, 2, 3, 4, 5])).expect("reads");
        assert_eq!(array.bytes, [0, 2, 4, 1, 3, 5]);
        let array = read(&file(">u2", false, "(2,)", &[1, 2, 3, 4])).expect("reads");
        assert_eq!(array.bytes, [2, 1, 4, 3]);
        let array = read(&file("|b1", false, "(2,)", &[1, 0])).expect("reads");
        assert_eq!((array.element, array.bytes), (Element::U8, vec![1, 0]));
    }

    #[test]
    fn a_file_shorter_than_its_header_says_and_foreign_types_are_told() {
        let error = read(&file("<f4", false, "(3,)", &[0; 8])).expect_err("short").to_string();
        assert!(error.contains("shape 3 takes 12 bytes, the file has 8"), "{error}");
        let error = read(&file("<c8", false, "(1,)", &[0; 8])).expect_err("complex").to_string();
        assert!(error.contains("c8") && error.contains("float16, float32"), "{error}");
        let error = read(&file("<f4", false, "(4611686018427387904, 4)", &[])).expect_err("huge").to_string();
        assert!(error.contains("a.npy: ") && error.contains("too many elements"), "{error}");
    }

    #[test]
    fn what_is_no_array_is_told_by_what_it_is() {
        let whole = file("<f4", false, "(3,)", &[0; 12]);
        let cases: [(&[u8], &str); 5] = [
            (b"PK\x03\x04", ".npz"),
            (b"", "the file is empty"),
            (&whole[..5], "header is cut off"),
            (&whole[..9], "header is cut off"),
            (&whole[..40], "header is cut off"),
        ];
        for (bytes, reason) in cases {
            let error = read(bytes).expect_err(reason).to_string();
            assert!(error.contains("a.npy: ") && error.contains(reason), "{error}");
        }
        assert!(matches!(read(b"hello, this is no array"), Err(ArrayError::File { .. })));
    }
}
