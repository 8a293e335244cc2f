//! The arguments of a launch: values into the kernarg segment, arrays into device memory and back.

use super::array::{Array, Element, byte_count};
use super::spec::{Spec, Value};
use anyhow::{Context, bail};
use std::ops::Range;
use std::path::PathBuf;
use wavesmith_asm::Target;
use wavesmith_loader::code_object::{Arg, Kernel, ValueKind};
use wavesmith_loader::kernarg::{KernargError, explicit_args};
use wavesmith_loader::{Agent, Buffer, Kernargs, MemoryKind};

/// Arguments being gathered.
pub struct Arguments<'k> {
    kernel: &'k Kernel,
    /// The segment, without the hidden arguments.
    pub kernargs: Kernargs,
    arrays: Vec<DeviceArray>,
    /// Arguments given in order so far.
    in_order: usize,
    /// Bytes of the segment that each argument took, in the order of the command line.
    taken: Vec<Range<usize>>,
    /// Bytes of the segment, if the command line or the file tells.
    size: Option<usize>,
    /// What to tell on stderr.
    notes: Vec<String>,
    /// Where the next one in order goes when the metadata does not say.
    end: usize,
    static_lds: u32,
    dynamic_lds: u32,
}

/// An array in device memory.
struct DeviceArray {
    /// Which `--arg` it is, from 1.
    number: usize,
    buffer: Buffer,
    before: Before,
    save: Option<Save>,
}

impl DeviceArray {
    fn size(&self) -> usize {
        match &self.before {
            Before::Bytes(bytes) => bytes.len(),
            Before::Unwritten(size) => *size,
        }
    }
}

/// What the memory holds before each launch.
enum Before {
    Bytes(Vec<u8>),
    Unwritten(usize),
}

/// Where it goes afterwards.
struct Save {
    element: Element,
    shape: Vec<u64>,
    path: PathBuf,
}

impl Arguments<'_> {
    /// No arguments yet.
    pub fn new(
        kernel: &Kernel,
        size: Option<usize>,
        static_lds: u32,
        dynamic_lds: u32,
    ) -> anyhow::Result<Arguments<'_>> {
        let kernargs = Kernargs::new(kernel, size)?;
        // A file without metadata may leave the size 0: whatever is given makes the segment then.
        let told = kernel.metadata.iter().flat_map(|m| &m.args).map(|a| bytes_of(a).end);
        let told = told.chain([kernel.kernarg_size() as usize]).max();
        let size = size.or(told.filter(|s| *s != 0));
        Ok(Arguments {
            kernel,
            kernargs,
            arrays: Vec::new(),
            in_order: 0,
            taken: Vec::new(),
            size,
            notes: Vec::new(),
            end: 0,
            static_lds,
            dynamic_lds,
        })
    }

    /// Dynamic LDS: what the command line asked for, and what arguments took.
    pub fn dynamic_lds(&self) -> u32 {
        self.dynamic_lds
    }

    /// Adds an argument, with device memory where it is an array.
    pub fn add(&mut self, spec: &Spec, agent: &Agent) -> anyhow::Result<()> {
        let bytes = match &spec.value {
            Value::Scalar(bytes) => bytes.clone(),
            Value::Null => vec![0; 8],
            Value::In(path) => {
                let array = Array::read(path)?;
                self.array(agent, Before::Bytes(array.bytes), None)?
            }
            Value::InOut { from, to } => {
                let array = Array::read(from)?;
                let save = Save { element: array.element, shape: array.shape, path: to.clone() };
                self.array(agent, Before::Bytes(array.bytes), Some(save))?
            }
            Value::Out { element, shape, path } => {
                let save = Save { element: *element, shape: shape.clone(), path: path.clone() };
                self.array(agent, Before::Unwritten(byte_count(*element, shape)?), Some(save))?
            }
            Value::Lds(size) => self.lds(spec, *size)?,
        };
        match spec.offset {
            Some(offset) => {
                self.take(offset, bytes.len())?;
                self.kernargs.place(offset, &bytes)?;
                self.note_hidden(offset, bytes.len());
            }
            None if explicit_args(self.kernel).next().is_some() => {
                let index = self.in_order;
                let arg = explicit_args(self.kernel).nth(index);
                match (self.kernargs.set(self.kernel, index, &bytes), arg) {
                    (Err(error @ KernargError::WrongSize { .. }), Some(arg)) if arg.size > 8 => bail!(
                        "{error}: a structure by value is given member by member, each as @OFFSET=SPEC with an offset \
                         from {} to {}, and so are the arguments after it",
                        arg.offset,
                        arg.offset.saturating_add(arg.size - 1)
                    ),
                    (set, _) => set?,
                }
                if let Some(arg) = arg {
                    self.take(arg.offset as usize, bytes.len())?;
                }
                self.in_order += 1;
            }
            None => {
                // Without metadata: as the members of a C structure lie.
                let offset = self.end.next_multiple_of(bytes.len().max(1));
                self.take(offset, bytes.len())?;
                self.kernargs.place(offset, &bytes)?;
                self.end = offset + bytes.len();
                self.in_order += 1;
            }
        }
        Ok(())
    }

    /// Takes bytes of the segment for the next argument of the command line, which must be inside and free.
    fn take(&mut self, offset: usize, size: usize) -> anyhow::Result<()> {
        let number = self.taken.len() + 1;
        let range = offset..offset.saturating_add(size);
        if let Some(segment) = self.size.filter(|s| range.end > *s) {
            bail!(
                "--arg number {number} takes {size} bytes at offset {offset}, the kernarg segment of kernel `{}` has \
                 {segment}; --kernarg-size says otherwise where the file is wrong",
                self.kernel.name
            );
        }
        if let Some(other) = self.taken.iter().position(|t| overlap(t, &range)) {
            let taken = &self.taken[other];
            bail!(
                "--arg number {number} takes {size} bytes at offset {offset}, where --arg number {} has {} at offset {}",
                other + 1,
                taken.len(),
                taken.start
            );
        }
        self.taken.push(range);
        Ok(())
    }

    fn note_hidden(&mut self, offset: usize, size: usize) {
        let range = offset..offset + size;
        let args = self.kernel.metadata.iter().flat_map(|m| &m.args);
        let hidden: Vec<_> = args
            .filter(|a| a.value_kind.is_hidden() && overlap(&bytes_of(a), &range))
            .map(|a| a.value_kind.name())
            .collect();
        if !hidden.is_empty() {
            self.notes.push(format!(
                "--arg number {} at offset {offset} lies on hidden arguments of kernel `{}`, where what the launch \
                 itself sets replaces it: {}",
                self.taken.len(),
                self.kernel.name,
                hidden.join(", ")
            ));
        }
    }

    /// What the user should know of the arguments: those not given, and those that lie on hidden ones.
    pub fn notes(&self) -> Vec<String> {
        let given = |arg: &&Arg| self.taken.iter().any(|t| overlap(t, &bytes_of(arg)));
        // Hand-written kernels name the gaps between their arguments too.
        let gap = |arg: &&Arg| arg.name.as_deref().is_some_and(|n| n.trim_start_matches('_').starts_with("pad"));
        let missing: Vec<_> = explicit_args(self.kernel).filter(|a| !given(a) && !gap(a)).map(described).collect();
        let missing = (!missing.is_empty())
            .then(|| format!("arguments not given are zero: {} of kernel `{}`", missing.join(", "), self.kernel.name));
        self.notes.iter().cloned().chain(missing).collect()
    }

    /// Refuses more LDS than a workgroup of the target has.
    pub fn check_lds(&self, target: Target) -> anyhow::Result<()> {
        let (total, most) = (u64::from(self.static_lds) + u64::from(self.dynamic_lds), target.max_lds());
        if total > u64::from(most) {
            bail!(
                "{total} bytes of LDS ({} of kernel `{}` itself and {} dynamic): a workgroup has at most {most} on {target}",
                self.static_lds,
                self.kernel.name,
                self.dynamic_lds
            );
        }
        Ok(())
    }

    fn array(&mut self, agent: &Agent, before: Before, save: Option<Save>) -> anyhow::Result<Vec<u8>> {
        let size = match &before {
            Before::Bytes(bytes) => bytes.len(),
            Before::Unwritten(size) => *size,
        };
        // An empty array still has an address.
        let buffer = agent.allocate(MemoryKind::Device, size.max(1)).with_context(|| format!("{size} bytes"))?;
        let address = buffer.address().to_le_bytes().to_vec();
        self.arrays.push(DeviceArray { number: self.taken.len() + 1, buffer, before, save });
        Ok(address)
    }

    /// Offset of new dynamic LDS, in the width of the argument.
    fn lds(&mut self, spec: &Spec, size: u32) -> anyhow::Result<Vec<u8>> {
        let arg = match spec.offset {
            None => explicit_args(self.kernel).nth(self.in_order),
            Some(offset) => explicit_args(self.kernel).find(|a| a.offset as usize == offset),
        };
        if let Some(arg) = arg
            && arg.value_kind != ValueKind::DynamicSharedPointer
        {
            bail!("lds:{size} is for a pointer to LDS, {} is {}", described(arg), arg.value_kind.name());
        }
        let align = arg.and_then(|a| a.pointee_align).unwrap_or(16).clamp(1, 128);
        let end = self.static_lds.checked_add(self.dynamic_lds);
        let offset = end.and_then(|e| e.checked_next_multiple_of(align));
        let end = offset.and_then(|o| o.checked_add(size));
        let (Some(offset), Some(end)) = (offset, end) else { bail!("lds:{size} is more than any LDS") };
        self.dynamic_lds = end - self.static_lds;
        Ok(offset.to_le_bytes().to_vec())
    }

    /// Bytes of all arrays.
    pub fn array_bytes(&self) -> u64 {
        self.arrays.iter().map(|a| a.buffer.size() as u64).sum()
    }

    /// Where the arrays are: number of the `--arg`, address, bytes.
    pub fn places(&self) -> Vec<(usize, u64, u64)> {
        self.arrays.iter().map(|a| (a.number, a.buffer.address(), a.size() as u64)).collect()
    }

    /// Device memory (address, bytes) whose contents mean nothing before the kernel writes them.
    pub fn unwritten(&self) -> Vec<(u64, u64)> {
        let of = |a: &DeviceArray| match a.before {
            Before::Unwritten(size) => Some((a.buffer.address(), size as u64)),
            Before::Bytes(_) => None,
        };
        self.arrays.iter().filter_map(of).collect()
    }

    /// Puts every array in the state that a launch starts from.
    pub fn fill_memory(&self) -> anyhow::Result<()> {
        for array in &self.arrays {
            match &array.before {
                Before::Bytes(bytes) => array.buffer.write(0, bytes)?,
                Before::Unwritten(size) => {
                    array.buffer.fill(0, u32::from_ne_bytes([Element::UNWRITTEN; 4]), size / 4)?;
                    let rest = size % 4;
                    array.buffer.write(size - rest, &[Element::UNWRITTEN; 3][..rest])?;
                }
            }
        }
        Ok(())
    }

    /// Saves what the kernel wrote.
    pub fn save(&self) -> anyhow::Result<()> {
        for array in &self.arrays {
            let Some(Save { element, shape, path }) = &array.save else { continue };
            let mut bytes = vec![0; byte_count(*element, shape)?];
            array.buffer.read(0, &mut bytes)?;
            Array { element: *element, shape: shape.clone(), bytes }.write(path)?;
        }
        Ok(())
    }
}

/// An argument, for messages.
fn described(arg: &Arg) -> String {
    match &arg.name {
        Some(name) => format!("`{name}`"),
        None => format!("the one at offset {}", arg.offset),
    }
}

/// The bytes of the segment that an argument has.
fn bytes_of(arg: &Arg) -> Range<usize> {
    arg.offset as usize..arg.offset as usize + arg.size as usize
}

fn overlap(a: &Range<usize>, b: &Range<usize>) -> bool {
    a.start < b.end && b.start < a.end
}
