//! The `NT_AMDGPU_METADATA` note: what the runtime must know to fill a kernel's arguments, as a msgpack map.
//!
//! Keys and value kinds: AMDGPUUsage, "Code Object V3 Metadata" and what V4 and V5 changed in it. The metadata version
//! is 1.1 for code object v4 and 1.2 for v5 and v6.

use crate::builder::Refusal;
use crate::object::{Features, ObjectVersion};
use rmpv::Value;
use wavesmith_asm::Target;

/// What an argument is to the runtime that fills it (`.value_kind`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum ValueKind {
    /// The bytes themselves.
    ByValue,
    /// The address of a device buffer.
    GlobalBuffer,
    /// An offset into dynamic LDS.
    DynamicSharedPointer,
    /// Number of workgroups in x, y or z (v5).
    HiddenBlockCount(Dim),
    /// Workgroup size in x, y or z (v5).
    HiddenGroupSize(Dim),
    /// Work-items of the last, partial workgroup in x, y or z (v5).
    HiddenRemainder(Dim),
    /// Dispatch offset in x, y or z.
    HiddenGlobalOffset(Dim),
    /// Number of grid dimensions (v5).
    HiddenGridDims,
    /// The heap `printf` and friends use.
    HiddenHostcallBuffer,
    /// Padding.
    HiddenNone,
    /// Dynamic LDS bytes (v5).
    HiddenDynamicLdsSize,
    /// The address of the queue (v5, without a queue pointer in SGPRs).
    HiddenQueuePtr,
}

/// A dimension of the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Dim {
    /// The fastest.
    X,
    /// The middle one.
    Y,
    /// The slowest.
    Z,
}

impl Dim {
    fn suffix(self) -> &'static str {
        match self {
            Dim::X => "x",
            Dim::Y => "y",
            Dim::Z => "z",
        }
    }
}

impl ValueKind {
    /// The string in the note.
    pub fn name(self) -> String {
        match self {
            ValueKind::ByValue => "by_value".into(),
            ValueKind::GlobalBuffer => "global_buffer".into(),
            ValueKind::DynamicSharedPointer => "dynamic_shared_pointer".into(),
            ValueKind::HiddenBlockCount(d) => format!("hidden_block_count_{}", d.suffix()),
            ValueKind::HiddenGroupSize(d) => format!("hidden_group_size_{}", d.suffix()),
            ValueKind::HiddenRemainder(d) => format!("hidden_remainder_{}", d.suffix()),
            ValueKind::HiddenGlobalOffset(d) => format!("hidden_global_offset_{}", d.suffix()),
            ValueKind::HiddenGridDims => "hidden_grid_dims".into(),
            ValueKind::HiddenHostcallBuffer => "hidden_hostcall_buffer".into(),
            ValueKind::HiddenNone => "hidden_none".into(),
            ValueKind::HiddenDynamicLdsSize => "hidden_dynamic_lds_size".into(),
            ValueKind::HiddenQueuePtr => "hidden_queue_ptr".into(),
        }
    }
}

/// One kernel argument.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Argument {
    /// Its name; empty leaves `.name` out, as hidden arguments do.
    pub name: String,
    /// Byte offset in the kernel-argument segment.
    pub offset: u32,
    /// Bytes.
    pub size: u32,
    /// What it is.
    pub kind: ValueKind,
}

/// What the note says of one kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct KernelMetadata {
    /// The kernel's name; its descriptor's symbol is this with `.kd`.
    pub name: String,
    /// Arguments by offset.
    pub args: Vec<Argument>,
    /// Kernel-argument bytes.
    pub kernarg_segment_size: u32,
    /// Kernel-argument alignment in bytes.
    pub kernarg_segment_align: u32,
    /// Static LDS bytes.
    pub group_segment_fixed_size: u32,
    /// Scratch bytes of a work-item.
    pub private_segment_fixed_size: u32,
    /// Allocated SGPRs, reserved ones included.
    pub sgpr_count: u32,
    /// Allocated VGPRs; AGPRs are in it on gfx90a and later.
    pub vgpr_count: u32,
    /// AGPRs.
    pub agpr_count: u32,
    /// Most work-items of a workgroup.
    pub max_flat_workgroup_size: u32,
    /// The exact workgroup size, where the code depends on it.
    pub reqd_workgroup_size: Option<[u32; 3]>,
    /// Scratch may grow at run time.
    pub uses_dynamic_stack: bool,
    /// Where the code ends itself for what it was given, and why: a vendor's key, which other readers pass over.
    pub refusals: Vec<Refusal>,
}

impl KernelMetadata {
    fn to_value(&self) -> Value {
        let mut map = Vec::new();
        let mut put = |key: &str, value: Value| map.push((Value::from(key), value));
        put(".agpr_count", self.agpr_count.into());
        put(".args", Value::Array(self.args.iter().map(argument_value).collect()));
        put(".group_segment_fixed_size", self.group_segment_fixed_size.into());
        put(".kernarg_segment_align", self.kernarg_segment_align.into());
        put(".kernarg_segment_size", self.kernarg_segment_size.into());
        put(".max_flat_workgroup_size", self.max_flat_workgroup_size.into());
        put(".name", self.name.as_str().into());
        put(".private_segment_fixed_size", self.private_segment_fixed_size.into());
        if let Some(size) = self.reqd_workgroup_size {
            put(".reqd_workgroup_size", Value::Array(size.map(Value::from).to_vec()));
        }
        put(".sgpr_count", self.sgpr_count.into());
        put(".sgpr_spill_count", 0.into());
        put(".symbol", format!("{}.kd", self.name).into());
        put(".uses_dynamic_stack", self.uses_dynamic_stack.into());
        put(".vgpr_count", self.vgpr_count.into());
        put(".vgpr_spill_count", 0.into());
        put(".wavefront_size", 64.into());
        if !self.refusals.is_empty() {
            put("wavesmith.refusals", Value::Array(self.refusals.iter().map(refusal_value).collect()));
        }
        Value::Map(map)
    }
}

fn argument_value(arg: &Argument) -> Value {
    let mut map = Vec::new();
    if arg.kind == ValueKind::GlobalBuffer {
        map.push((".address_space".into(), "global".into()));
    }
    if !arg.name.is_empty() {
        map.push((".name".into(), arg.name.as_str().into()));
    }
    map.push((".offset".into(), arg.offset.into()));
    map.push((".size".into(), arg.size.into()));
    map.push((".value_kind".into(), arg.kind.name().into()));
    Value::Map(map)
}

fn refusal_value(refusal: &Refusal) -> Value {
    Value::Map(vec![(".message".into(), refusal.message.as_str().into()), (".offset".into(), refusal.offset.into())])
}

/// The target id: the triple, the processor and what it requires of XNACK and SRAMECC.
pub fn target_id(target: Target, features: Features) -> String {
    let sign = |name: &str, f| match f {
        crate::Feature::Any => String::new(),
        crate::Feature::Off => format!(":{name}-"),
        crate::Feature::On => format!(":{name}+"),
    };
    format!("amdgcn-amd-amdhsa--{target}{}{}", sign("sramecc", features.sramecc), sign("xnack", features.xnack))
}

/// The note's payload: msgpack of everything said about `kernels`.
pub fn note(kernels: &[&KernelMetadata], target: Target, features: Features, version: ObjectVersion) -> Vec<u8> {
    let minor = if version == ObjectVersion::V4 { 1 } else { 2 };
    let root = Value::Map(vec![
        ("amdhsa.kernels".into(), Value::Array(kernels.iter().map(|k| k.to_value()).collect())),
        ("amdhsa.target".into(), target_id(target, features).into()),
        ("amdhsa.version".into(), Value::Array(vec![1.into(), minor.into()])),
    ]);
    let mut out = Vec::new();
    rmpv::encode::write_value(&mut out, &root).expect("writing to a Vec cannot fail");
    out
}
