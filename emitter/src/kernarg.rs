//! The kernel-argument segment: a struct laid out as C would, field by field, with the metadata that describes it.
//!
//! A generator lays its arguments out one by one, or derives the layout from a struct, which then serves the launch as well:
//!
//! ```
//! use wavesmith_emitter::Kernargs;
//! use wavesmith_emitter::kernarg::Pointer;
//!
//! /// A vector addition's arguments.
//! #[derive(Kernargs)]
//! struct Vadd {
//!     a: Pointer,
//!     b: Pointer,
//!     c: Pointer,
//!     /// Elements.
//!     n: u32,
//! }
//!
//! let places = Vadd::places(&mut Kernargs::new());
//! assert_eq!(places.n.offset, 24);
//! let bytes = Vadd { a: Pointer(1), b: Pointer(2), c: Pointer(3), n: 4 }.to_bytes();
//! assert_eq!((bytes.len(), bytes[24]), (32, 4));
//! ```
//!
//! A field of a type that no argument has does not compile:
//!
//! ```compile_fail
//! #[derive(wavesmith_emitter::Kernargs)]
//! struct Vadd {
//!     a: String,
//! }
//! ```

use crate::metadata::{Argument, ValueKind};

/// One argument's place.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Arg {
    /// Byte offset in the segment.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
}

/// A kernel-argument layout under construction; offsets follow from sizes and natural alignment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Kernargs {
    args: Vec<Argument>,
    end: u32,
    align: u32,
}

impl Kernargs {
    /// No arguments yet.
    pub fn new() -> Self {
        Kernargs::default()
    }

    /// A 64-bit device address.
    pub fn pointer(&mut self, name: &str) -> Arg {
        self.push(name, 8, 8, ValueKind::GlobalBuffer)
    }

    /// A 32-bit value.
    pub fn u32(&mut self, name: &str) -> Arg {
        self.push(name, 4, 4, ValueKind::ByValue)
    }

    /// A 64-bit value.
    pub fn u64(&mut self, name: &str) -> Arg {
        self.push(name, 8, 8, ValueKind::ByValue)
    }

    /// An f32.
    pub fn f32(&mut self, name: &str) -> Arg {
        self.push(name, 4, 4, ValueKind::ByValue)
    }

    /// A value of any size and alignment (a power of two).
    pub fn value(&mut self, name: &str, size: u32, align: u32) -> Arg {
        self.push(name, size, align, ValueKind::ByValue)
    }

    /// An argument that the runtime fills (`ValueKind::Hidden…`).
    pub fn hidden(&mut self, kind: ValueKind, size: u32) -> Arg {
        self.push("", size, size.next_power_of_two(), kind)
    }

    fn push(&mut self, name: &str, size: u32, align: u32, kind: ValueKind) -> Arg {
        let offset = self.end.next_multiple_of(align);
        self.end = offset + size;
        self.align = self.align.max(align);
        self.args.push(Argument { name: name.to_owned(), offset, size, kind });
        Arg { offset, size }
    }

    /// Bytes of the segment, a multiple of its alignment.
    pub fn size(&self) -> u32 {
        self.end.next_multiple_of(self.align())
    }

    /// Alignment of the segment, at least 8 as the runtime expects.
    pub fn align(&self) -> u32 {
        self.align.max(8)
    }

    /// The arguments by offset.
    pub fn arguments(&self) -> &[Argument] {
        &self.args
    }

    /// The argument of that name.
    pub fn find(&self, name: &str) -> Option<Arg> {
        self.args.iter().find(|a| a.name == name).map(|a| Arg { offset: a.offset, size: a.size })
    }
}

/// A device address as an argument of a struct that derives [`Kernargs`](macro@crate::Kernargs).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Pointer(pub u64);

/// A type that a field may have in a struct that derives [`Kernargs`](macro@crate::Kernargs).
pub trait Field {
    /// Lays one out.
    fn place(k: &mut Kernargs, name: &str) -> Arg;
    /// Writes it where it lies.
    fn put(&self, at: &mut [u8]);
}

macro_rules! fields {
    ($($t:ty, $place:expr;)*) => {$(
        impl Field for $t {
            fn place(k: &mut Kernargs, name: &str) -> Arg {
                let place: fn(&mut Kernargs, &str) -> Arg = $place;
                place(k, name)
            }
            fn put(&self, at: &mut [u8]) {
                at.copy_from_slice(&self.to_le_bytes());
            }
        }
    )*};
}

fields! {
    u8, |k, name| k.value(name, 1, 1);
    u16, |k, name| k.value(name, 2, 2);
    u32, Kernargs::u32;
    i32, Kernargs::u32;
    f32, Kernargs::f32;
    u64, Kernargs::u64;
    i64, Kernargs::u64;
    f64, Kernargs::u64;
}

impl Field for Pointer {
    fn place(k: &mut Kernargs, name: &str) -> Arg {
        k.pointer(name)
    }
    fn put(&self, at: &mut [u8]) {
        self.0.put(at);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_placed_as_c_places_them() {
        let mut k = Kernargs::new();
        assert_eq!(k.u32("n").offset, 0);
        assert_eq!(k.pointer("p").offset, 8);
        assert_eq!(k.value("flag", 1, 1).offset, 16);
        assert_eq!(k.value("half", 2, 2).offset, 18);
        assert_eq!(k.f32("x").offset, 20);
        assert_eq!(k.value("quad", 16, 16).offset, 32);
        assert_eq!((k.size(), k.align()), (48, 16));
        assert_eq!(k.find("p"), Some(Arg { offset: 8, size: 8 }));
    }
}
