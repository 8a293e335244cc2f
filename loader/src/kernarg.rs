//! The kernarg segment of a launch: arguments where the metadata puts them, and the hidden ones that a runtime fills
//! in (AMDGPUUsage, "Kernel Argument Metadata" and the hidden `.value_kind`s).

use crate::code_object::{Arg, Kernel, ValueKind};
use crate::runtime::{Geometry, Queue};

/// The segment may be no larger than this: an offset beyond it is a slip, not a kernel.
pub const MAX_SIZE: usize = 64 << 10;

/// An argument that cannot be placed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum KernargError {
    /// There is no such argument.
    #[error("kernel `{kernel}` has {count} arguments, there is no argument {index} (counted from 0)")]
    NoSuchArgument {
        /// The kernel.
        kernel: String,
        /// The index asked for.
        index: usize,
        /// Arguments there are, hidden ones not counted.
        count: usize,
    },
    /// The value has another size than the argument.
    #[error("argument {index} of kernel `{kernel}`{} takes {want} bytes, the value has {found}", named(.name))]
    WrongSize {
        /// The kernel.
        kernel: String,
        /// The argument's index.
        index: usize,
        /// Its name, if the metadata has one.
        name: Option<String>,
        /// Bytes it takes.
        want: usize,
        /// Bytes given.
        found: usize,
    },
    /// The offset is too large.
    #[error("{size} bytes at offset {offset} end beyond {MAX_SIZE}, the largest kernarg segment")]
    TooFar {
        /// First byte.
        offset: usize,
        /// Bytes.
        size: usize,
    },
}

fn named(name: &Option<String>) -> String {
    name.as_ref().map_or_else(String::new, |n| format!(" (`{n}`)"))
}

/// A kernarg segment being filled.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Kernargs {
    bytes: Vec<u8>,
}

/// The arguments that a caller gives, in order.
pub fn explicit_args(kernel: &Kernel) -> impl Iterator<Item = &Arg> {
    kernel.metadata.iter().flat_map(|m| &m.args).filter(|a| !a.value_kind.is_hidden())
}

impl Kernargs {
    /// A zeroed segment of the kernel's size; `size` overrides it, for kernels whose object does not tell.
    ///
    /// # Errors
    /// [`KernargError::TooFar`] for a size that no segment has.
    pub fn new(kernel: &Kernel, size: Option<usize>) -> Result<Kernargs, KernargError> {
        let mut kernargs = Kernargs { bytes: Vec::new() };
        let size = size.unwrap_or(kernel.kernarg_size() as usize);
        kernargs.reach(0, size)?;
        Ok(kernargs)
    }

    /// Sets an argument by its index among those that a caller gives.
    ///
    /// # Errors
    /// [`KernargError::NoSuchArgument`] and [`KernargError::WrongSize`].
    pub fn set(&mut self, kernel: &Kernel, index: usize, value: &[u8]) -> Result<(), KernargError> {
        let Some(arg) = explicit_args(kernel).nth(index) else {
            let count = explicit_args(kernel).count();
            return Err(KernargError::NoSuchArgument { kernel: kernel.name.clone(), index, count });
        };
        if arg.size as usize != value.len() {
            return Err(KernargError::WrongSize {
                kernel: kernel.name.clone(),
                index,
                name: arg.name.clone(),
                want: arg.size as usize,
                found: value.len(),
            });
        }
        self.place(arg.offset as usize, value)
    }

    /// Puts bytes at an offset; the segment grows where it must.
    ///
    /// # Errors
    /// [`KernargError::TooFar`].
    pub fn place(&mut self, offset: usize, value: &[u8]) -> Result<(), KernargError> {
        self.reach(offset, value.len())?;
        self.bytes[offset..offset + value.len()].copy_from_slice(value);
        Ok(())
    }

    /// Fills the hidden arguments in: geometry, dynamic LDS, apertures and queue. Those that need a service of the
    /// host ([`host_services`]) stay zero, which device code takes as "not there".
    ///
    /// # Errors
    /// [`KernargError::TooFar`] where the metadata's offsets are absurd.
    pub fn fill_hidden(
        &mut self,
        kernel: &Kernel,
        geometry: &Geometry,
        dynamic_lds: u32,
        queue: &Queue,
    ) -> Result<(), KernargError> {
        let [shared, private] = queue.apertures();
        let workgroup = geometry.workgroup.map(u32::from);
        // A partial last workgroup is not counted: it is the remainder.
        let count = |i: usize| u64::from(geometry.grid[i] / workgroup[i].max(1));
        let remainder = |i: usize| u64::from(geometry.grid[i] % workgroup[i].max(1));
        let size = |i: usize| u64::from(workgroup[i]);
        for arg in kernel.metadata.iter().flat_map(|m| &m.args) {
            let value = match &arg.value_kind {
                ValueKind::HiddenBlockCountX => count(0),
                ValueKind::HiddenBlockCountY => count(1),
                ValueKind::HiddenBlockCountZ => count(2),
                ValueKind::HiddenGroupSizeX => size(0),
                ValueKind::HiddenGroupSizeY => size(1),
                ValueKind::HiddenGroupSizeZ => size(2),
                ValueKind::HiddenRemainderX => remainder(0),
                ValueKind::HiddenRemainderY => remainder(1),
                ValueKind::HiddenRemainderZ => remainder(2),
                ValueKind::HiddenGridDims => u64::from(geometry.dimensions()),
                ValueKind::HiddenDynamicLdsSize => u64::from(dynamic_lds),
                ValueKind::HiddenPrivateBase => u64::from(private),
                ValueKind::HiddenSharedBase => u64::from(shared),
                ValueKind::HiddenQueuePtr => queue.raw() as u64,
                _ => continue,
            };
            let bytes = value.to_le_bytes();
            self.place(arg.offset as usize, &bytes[..bytes.len().min(arg.size as usize)])?;
        }
        Ok(())
    }

    /// The segment.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    fn reach(&mut self, offset: usize, size: usize) -> Result<(), KernargError> {
        match offset.checked_add(size) {
            Some(end) if end <= MAX_SIZE => {
                self.bytes.resize(self.bytes.len().max(end), 0);
                Ok(())
            }
            _ => Err(KernargError::TooFar { offset, size }),
        }
    }
}

/// The hidden arguments through which a kernel asks the host for something that wavesmith does not offer: printf and
/// other host calls, device-side malloc, device enqueue, multi-device grids.
pub fn host_services(kernel: &Kernel) -> Vec<&ValueKind> {
    let args = kernel.metadata.iter().flat_map(|m| &m.args).map(|a| &a.value_kind);
    args.filter(|k| {
        matches!(
            k,
            ValueKind::HiddenPrintfBuffer
                | ValueKind::HiddenHostcallBuffer
                | ValueKind::HiddenHeapV1
                | ValueKind::HiddenDefaultQueue
                | ValueKind::HiddenCompletionAction
                | ValueKind::HiddenMultigridSyncArg
        )
    })
    .collect()
}
