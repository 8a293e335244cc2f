//! The metadata note: a MessagePack map of kernels and their arguments (AMDGPUUsage, "Code Object V3 Metadata" and
//! later). Missing entries are `None`, not errors: hand-written kernels leave out much. An entry of the wrong type is
//! an error with its path.

use super::CodeObjectError;
use rmpv::ValueRef;

/// Nesting of real metadata is five deep.
pub(super) const MAX_DEPTH: usize = 32;

/// What the note says.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct Metadata {
    /// `amdhsa.version`: major, minor.
    pub version: Option<(u32, u32)>,
    /// `amdhsa.target`, such as `amdgcn-amd-amdhsa--gfx942:sramecc+`.
    pub target: Option<String>,
    /// `amdhsa.kernels`.
    pub kernels: Vec<KernelMetadata>,
    /// `amdhsa.printf`.
    pub printf: Vec<String>,
}

/// What the note says of a kernel.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct KernelMetadata {
    /// `.name`.
    pub name: String,
    /// `.symbol`: the descriptor's symbol, `NAME.kd`.
    pub symbol: String,
    /// `.args` in order.
    pub args: Vec<Arg>,
    /// `.kernarg_segment_size` in bytes.
    pub kernarg_segment_size: Option<u32>,
    /// `.kernarg_segment_align` in bytes.
    pub kernarg_segment_align: Option<u32>,
    /// `.group_segment_fixed_size`: bytes of static LDS.
    pub group_segment_fixed_size: Option<u32>,
    /// `.private_segment_fixed_size`: bytes of scratch a work-item.
    pub private_segment_fixed_size: Option<u32>,
    /// `.wavefront_size`.
    pub wavefront_size: Option<u32>,
    /// `.sgpr_count`.
    pub sgpr_count: Option<u32>,
    /// `.vgpr_count`; on gfx90a and later it includes the AGPRs.
    pub vgpr_count: Option<u32>,
    /// `.agpr_count`.
    pub agpr_count: Option<u32>,
    /// `.sgpr_spill_count`.
    pub sgpr_spill_count: Option<u32>,
    /// `.vgpr_spill_count`.
    pub vgpr_spill_count: Option<u32>,
    /// `.max_flat_workgroup_size` in work-items.
    pub max_flat_workgroup_size: Option<u32>,
    /// `.reqd_workgroup_size` in work-items.
    pub reqd_workgroup_size: Option<[u32; 3]>,
    /// `.uses_dynamic_stack`.
    pub uses_dynamic_stack: Option<bool>,
    /// `.uniform_work_group_size`.
    pub uniform_work_group_size: Option<u32>,
    /// `.language`.
    pub language: Option<String>,
    /// `.kind`: `normal`, `init` or `fini`.
    pub kind: Option<String>,
    /// `wavesmith.refusals`: where the code ends itself for arguments that it was not generated for.
    pub refusals: Vec<Refusal>,
}

/// A place where a kernel of wavesmith's ends itself, and what is wrong then.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    /// `.offset` of the trap in bytes from the kernel's entry.
    pub offset: u32,
    /// `.message`: what the arguments would have to be.
    pub message: String,
}

/// An argument.
#[derive(Clone, Debug, PartialEq)]
pub struct Arg {
    /// `.name`.
    pub name: Option<String>,
    /// `.type_name`.
    pub type_name: Option<String>,
    /// `.offset` in the kernarg segment in bytes.
    pub offset: u32,
    /// `.size` in bytes.
    pub size: u32,
    /// `.value_kind`.
    pub value_kind: ValueKind,
    /// `.address_space`.
    pub address_space: Option<AddressSpace>,
    /// `.access`: what the source declares.
    pub access: Option<Access>,
    /// `.actual_access`: what the code does.
    pub actual_access: Option<Access>,
    /// `.pointee_align`: alignment of dynamic LDS.
    pub pointee_align: Option<u32>,
    /// `.is_const`.
    pub is_const: bool,
    /// `.is_restrict`.
    pub is_restrict: bool,
    /// `.is_volatile`.
    pub is_volatile: bool,
}

macro_rules! named {
    ($(#[$doc:meta])* $name:ident { $($(#[$vdoc:meta])* $variant:ident = $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $($(#[$vdoc])* $variant,)*
            /// A name newer than this reader.
            Other(String),
        }

        impl $name {
            fn from_name(name: &str) -> Self {
                match name {
                    $($text => $name::$variant,)*
                    other => $name::Other(other.to_owned()),
                }
            }

            /// The name as the metadata spells it.
            pub fn name(&self) -> &str {
                match self {
                    $($name::$variant => $text,)*
                    $name::Other(name) => name,
                }
            }
        }
    };
}

named! {
    /// What an argument holds; `Hidden*` ones are filled in by the runtime.
    ValueKind {
        /// The value itself.
        ByValue = "by_value",
        /// A global pointer.
        GlobalBuffer = "global_buffer",
        /// A pointer to dynamic LDS: the offset is passed.
        DynamicSharedPointer = "dynamic_shared_pointer",
        /// A sampler.
        Sampler = "sampler",
        /// An image.
        Image = "image",
        /// A pipe.
        Pipe = "pipe",
        /// A queue.
        Queue = "queue",
        /// Workgroups in X.
        HiddenBlockCountX = "hidden_block_count_x",
        /// Workgroups in Y.
        HiddenBlockCountY = "hidden_block_count_y",
        /// Workgroups in Z.
        HiddenBlockCountZ = "hidden_block_count_z",
        /// Work-items of a workgroup in X.
        HiddenGroupSizeX = "hidden_group_size_x",
        /// Work-items of a workgroup in Y.
        HiddenGroupSizeY = "hidden_group_size_y",
        /// Work-items of a workgroup in Z.
        HiddenGroupSizeZ = "hidden_group_size_z",
        /// Work-items of the partial last workgroup in X.
        HiddenRemainderX = "hidden_remainder_x",
        /// Work-items of the partial last workgroup in Y.
        HiddenRemainderY = "hidden_remainder_y",
        /// Work-items of the partial last workgroup in Z.
        HiddenRemainderZ = "hidden_remainder_z",
        /// Dimensions of the grid.
        HiddenGridDims = "hidden_grid_dims",
        /// First global id in X.
        HiddenGlobalOffsetX = "hidden_global_offset_x",
        /// First global id in Y.
        HiddenGlobalOffsetY = "hidden_global_offset_y",
        /// First global id in Z.
        HiddenGlobalOffsetZ = "hidden_global_offset_z",
        /// Nothing.
        HiddenNone = "hidden_none",
        /// The printf buffer.
        HiddenPrintfBuffer = "hidden_printf_buffer",
        /// The hostcall buffer.
        HiddenHostcallBuffer = "hidden_hostcall_buffer",
        /// The default device queue.
        HiddenDefaultQueue = "hidden_default_queue",
        /// Completion of device enqueue.
        HiddenCompletionAction = "hidden_completion_action",
        /// Multi-grid synchronisation.
        HiddenMultigridSyncArg = "hidden_multigrid_sync_arg",
        /// The malloc heap, version 1.
        HiddenHeapV1 = "hidden_heap_v1",
        /// Bytes of dynamic LDS.
        HiddenDynamicLdsSize = "hidden_dynamic_lds_size",
        /// High half of the private aperture.
        HiddenPrivateBase = "hidden_private_base",
        /// High half of the LDS aperture.
        HiddenSharedBase = "hidden_shared_base",
        /// The `amd_queue_t`.
        HiddenQueuePtr = "hidden_queue_ptr",
    }
}

named! {
    /// What a pointer argument points to.
    AddressSpace {
        /// Scratch.
        Private = "private",
        /// Device memory.
        Global = "global",
        /// Constant memory.
        Constant = "constant",
        /// LDS.
        Local = "local",
        /// Any.
        Generic = "generic",
        /// A region.
        Region = "region",
    }
}

named! {
    /// What is done through a pointer or image.
    Access {
        /// Reads.
        ReadOnly = "read_only",
        /// Writes.
        WriteOnly = "write_only",
        /// Both.
        ReadWrite = "read_write",
    }
}

impl ValueKind {
    /// Whether the runtime fills it in.
    pub fn is_hidden(&self) -> bool {
        self.name().starts_with("hidden_")
    }
}

impl Metadata {
    /// Reads the note's contents; `offset` is where they are in the file, for errors.
    ///
    /// # Errors
    /// [`CodeObjectError::Metadata`] with the path of the entry.
    pub fn parse(bytes: &[u8], offset: usize) -> Result<Metadata, CodeObjectError> {
        let mut rest = bytes;
        let value = rmpv::decode::read_value_ref_with_max_depth(&mut rest, MAX_DEPTH).map_err(|e| {
            let at = offset + (bytes.len() - rest.len());
            CodeObjectError::Metadata {
                offset: at as u64,
                path: String::new(),
                found: format!("not MessagePack ({e})"),
                want: "a map",
            }
        })?;
        let root = Node { value: &value, path: String::new(), offset };
        Ok(Metadata {
            version: root.words("amdhsa.version")?.and_then(|v| Some((*v.first()?, *v.get(1)?))),
            target: root.text("amdhsa.target")?,
            kernels: root.list("amdhsa.kernels")?.iter().map(KernelMetadata::read).collect::<Result<_, _>>()?,
            printf: root
                .list("amdhsa.printf")?
                .iter()
                .map(|n| text(n.value).map(str::to_owned).ok_or_else(|| n.wrong("a string")))
                .collect::<Result<_, _>>()?,
        })
    }
}

impl Metadata {
    /// Takes in what another note of the file says.
    pub(super) fn extend(&mut self, more: Metadata) {
        self.version = self.version.or(more.version);
        self.target = self.target.take().or(more.target);
        self.kernels.extend(more.kernels);
        self.printf.extend(more.printf);
    }
}

impl KernelMetadata {
    fn read(node: &Node) -> Result<KernelMetadata, CodeObjectError> {
        node.map()?;
        let name = node.text(".name")?.unwrap_or_default();
        let reqd = match node.words(".reqd_workgroup_size")? {
            None => None,
            Some(v) => Some(<[u32; 3]>::try_from(v).map_err(|_| node.wrong("three numbers in .reqd_workgroup_size"))?),
        };
        Ok(KernelMetadata {
            symbol: node.text(".symbol")?.unwrap_or_else(|| format!("{name}.kd")),
            name,
            args: node.list(".args")?.iter().map(Arg::read).collect::<Result<_, _>>()?,
            kernarg_segment_size: node.word(".kernarg_segment_size")?,
            kernarg_segment_align: node.word(".kernarg_segment_align")?,
            group_segment_fixed_size: node.word(".group_segment_fixed_size")?,
            private_segment_fixed_size: node.word(".private_segment_fixed_size")?,
            wavefront_size: node.word(".wavefront_size")?,
            sgpr_count: node.word(".sgpr_count")?,
            vgpr_count: node.word(".vgpr_count")?,
            agpr_count: node.word(".agpr_count")?,
            sgpr_spill_count: node.word(".sgpr_spill_count")?,
            vgpr_spill_count: node.word(".vgpr_spill_count")?,
            max_flat_workgroup_size: node.word(".max_flat_workgroup_size")?,
            reqd_workgroup_size: reqd,
            uses_dynamic_stack: node.flag(".uses_dynamic_stack")?,
            uniform_work_group_size: node.word(".uniform_work_group_size")?,
            language: node.text(".language")?,
            kind: node.text(".kind")?,
            refusals: node.list("wavesmith.refusals")?.iter().map(Refusal::read).collect::<Result<_, _>>()?,
        })
    }
}

impl Refusal {
    fn read(node: &Node) -> Result<Refusal, CodeObjectError> {
        Ok(Refusal {
            offset: node.word(".offset")?.ok_or_else(|| node.wrong("a map with .offset"))?,
            message: node.text(".message")?.ok_or_else(|| node.wrong("a map with .message"))?,
        })
    }
}

impl Arg {
    fn read(node: &Node) -> Result<Arg, CodeObjectError> {
        node.map()?;
        Ok(Arg {
            name: node.text(".name")?,
            type_name: node.text(".type_name")?,
            offset: node.word(".offset")?.ok_or_else(|| node.wrong("a map with .offset"))?,
            size: node.word(".size")?.ok_or_else(|| node.wrong("a map with .size"))?,
            value_kind: ValueKind::from_name(
                &node.text(".value_kind")?.ok_or_else(|| node.wrong("a map with .value_kind"))?,
            ),
            address_space: node.text(".address_space")?.map(|s| AddressSpace::from_name(&s)),
            access: node.text(".access")?.map(|s| Access::from_name(&s)),
            actual_access: node.text(".actual_access")?.map(|s| Access::from_name(&s)),
            pointee_align: node.word(".pointee_align")?,
            is_const: node.flag(".is_const")?.unwrap_or(false),
            is_restrict: node.flag(".is_restrict")?.unwrap_or(false),
            is_volatile: node.flag(".is_volatile")?.unwrap_or(false),
        })
    }
}

fn text<'a>(value: &'a ValueRef<'_>) -> Option<&'a str> {
    match value {
        ValueRef::String(s) => s.as_str(),
        _ => None,
    }
}

fn word(value: &ValueRef<'_>) -> Option<u32> {
    value.as_u64().and_then(|v| u32::try_from(v).ok())
}

/// What [`word`] wants.
const WORD: &str = "a 32-bit unsigned number";

/// A value with its path, so that errors say where.
struct Node<'a> {
    value: &'a ValueRef<'a>,
    path: String,
    offset: usize,
}

impl<'a> Node<'a> {
    fn map(&self) -> Result<&'a [(ValueRef<'a>, ValueRef<'a>)], CodeObjectError> {
        match self.value {
            ValueRef::Map(entries) => Ok(entries),
            _ => Err(self.wrong("a map")),
        }
    }

    /// The value of an entry, if there is one.
    fn get(&self, key: &str) -> Result<Option<&'a ValueRef<'a>>, CodeObjectError> {
        let entries = self.map()?;
        let named = |k: &ValueRef<'_>| matches!(k, ValueRef::String(s) if s.as_bytes() == key.as_bytes());
        Ok(entries.iter().find(|(k, _)| named(k)).map(|(_, value)| value))
    }

    /// An entry with its path, which only lists and errors need: there are many entries, and text is slow to put together.
    fn child(&self, key: &str, value: &'a ValueRef<'a>) -> Node<'a> {
        Node { value, path: format!("{}{key}", self.path), offset: self.offset }
    }

    fn list(&self, key: &str) -> Result<Vec<Node<'a>>, CodeObjectError> {
        let Some(value) = self.get(key)? else { return Ok(Vec::new()) };
        let node = self.child(key, value);
        let ValueRef::Array(items) = node.value else { return Err(node.wrong("an array")) };
        let entry = |(i, value)| Node { value, path: format!("{}[{i}]", node.path), offset: self.offset };
        Ok(items.iter().enumerate().map(entry).collect())
    }

    fn text(&self, key: &str) -> Result<Option<String>, CodeObjectError> {
        let Some(value) = self.get(key)? else { return Ok(None) };
        text(value).map(|s| Some(s.to_owned())).ok_or_else(|| self.child(key, value).wrong("a string"))
    }

    fn word(&self, key: &str) -> Result<Option<u32>, CodeObjectError> {
        let Some(value) = self.get(key)? else { return Ok(None) };
        word(value).map(Some).ok_or_else(|| self.child(key, value).wrong(WORD))
    }

    fn words(&self, key: &str) -> Result<Option<Vec<u32>>, CodeObjectError> {
        if self.get(key)?.is_none() {
            return Ok(None);
        }
        self.list(key)?.iter().map(Node::as_word).collect::<Result<_, _>>().map(Some)
    }

    fn as_word(&self) -> Result<u32, CodeObjectError> {
        word(self.value).ok_or_else(|| self.wrong(WORD))
    }

    /// Booleans are written as such or, by older compilers, as 0 and 1.
    fn flag(&self, key: &str) -> Result<Option<bool>, CodeObjectError> {
        let Some(value) = self.get(key)? else { return Ok(None) };
        let flag = match value {
            ValueRef::Boolean(b) => Some(*b),
            v => v.as_u64().map(|v| v != 0),
        };
        flag.map(Some).ok_or_else(|| self.child(key, value).wrong("a boolean"))
    }

    fn wrong(&self, want: &'static str) -> CodeObjectError {
        let found = match self.value {
            ValueRef::Map(entries) => format!("a map of {} entries", entries.len()),
            ValueRef::Array(items) => format!("an array of {} entries", items.len()),
            ValueRef::String(_) => "a string".to_owned(),
            ValueRef::Binary(b) => format!("{} bytes", b.len()),
            other => format!("{other}"),
        };
        CodeObjectError::Metadata { offset: self.offset as u64, path: self.path.clone(), found, want }
    }
}
