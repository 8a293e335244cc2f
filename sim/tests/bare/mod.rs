//! Runs instructions given as words, without a code object: the engine alone, for tests and measurements.
#![allow(dead_code, clippy::result_large_err)]

use std::sync::Arc;
use wavesmith_asm::{Sku, Target};
use wavesmith_loader::code_object::KernelDescriptor;
use wavesmith_sim::memory::{Allocation, Kind};
use wavesmith_sim::{AgentId, Config, Dispatch, Fault, Memory, Stats, engine};

/// A part of each target.
pub fn sku(target: Target) -> &'static Sku {
    Sku::named(match target {
        Target::Gfx908 => "mi100",
        Target::Gfx90a => "mi210",
        Target::Gfx942 => "mi300x",
        Target::Gfx950 => "mi355x",
    })
    .expect("known part")
}

/// A kernel of bare words: kernarg pointer in s[0:1], workgroup id X in s2, work-item ids in v0.
pub struct Bare {
    /// Memory of the device.
    pub memory: Memory,
    /// How to run.
    pub config: Config,
    dispatch: Dispatch,
    code: Arc<Allocation>,
}

fn write(to: &Allocation, words: &[u32]) {
    assert!(4 * words.len() <= to.size());
    for (i, w) in words.iter().enumerate() {
        // SAFETY: within the allocation, which no dispatch uses now.
        unsafe { (to.base() as *mut u32).add(i).write(*w) };
    }
}

/// The agent that everything belongs to.
pub const AGENT: AgentId = AgentId(0);

impl Bare {
    /// A kernel with 256 VGPRs and 256 AGPRs.
    pub fn new(target: Target, words: &[u32], lds: u32) -> Bare {
        Bare::with_granules(target, words, lds, 64)
    }

    /// A kernel with so many granules of eight registers, all of them VGPRs as far as those go.
    pub fn with_granules(target: Target, words: &[u32], lds: u32, granules: u32) -> Bare {
        let memory = Memory::new();
        // Instruction fetch looks four dwords ahead.
        let code = memory.allocate(words.len() * 4 + 64, Kind::Code, Some(AGENT)).expect("code");
        write(&code, words);
        let mut raw = [0u8; KernelDescriptor::SIZE];
        let granules = granules - 1;
        // Denormals kept, DX10 clamp and IEEE mode, as compilers set them.
        let rsrc1 = granules | 3 << 16 | 3 << 18 | 1 << 21 | 1 << 23;
        let rsrc2 = 2u32 << 1 | 1 << 7 | 2 << 11;
        raw[44..48].copy_from_slice(&(2 * granules + 1).min(63).to_le_bytes());
        raw[48..52].copy_from_slice(&rsrc1.to_le_bytes());
        raw[52..56].copy_from_slice(&rsrc2.to_le_bytes());
        raw[56..58].copy_from_slice(&(1u16 << 3).to_le_bytes());
        let dispatch = Dispatch {
            sku: sku(target),
            agent: AGENT,
            kernel: "bare".into(),
            code: None,
            descriptor: KernelDescriptor::decode(&raw),
            descriptor_va: 0,
            entry_va: code.base(),
            grid: [64, 1, 1],
            workgroup: [64, 1, 1],
            dimensions: 1,
            kernarg_va: 0,
            group_bytes: lds,
            private_bytes: 0,
            packet_va: 0,
            queue_va: 0,
            dispatch_id: 0,
        };
        Bare { memory, config: Config::default(), dispatch, code }
    }

    /// Puts other words in place of the kernel's first ones.
    pub fn write_code(&mut self, words: &[u32]) {
        write(&self.code, words);
    }

    /// Where the kernel's words are.
    pub fn code(&self) -> u64 {
        self.code.base()
    }

    /// Gives each work-item that many bytes of scratch.
    pub fn set_scratch(&mut self, bytes: u32) {
        self.dispatch.private_bytes = bytes;
    }

    /// Device memory with these dwords.
    pub fn buffer(&self, words: &[u32]) -> Arc<Allocation> {
        let a = self.memory.allocate(words.len() * 4, Kind::Coarse, Some(AGENT)).expect("memory");
        write(&a, words);
        a
    }

    /// The dwords of an allocation.
    pub fn words(a: &Allocation) -> Vec<u32> {
        // SAFETY: within the allocation; the dispatch has ended.
        (0..a.size() / 4).map(|i| unsafe { (a.base() as *const u32).add(i).read() }).collect()
    }

    /// Runs `groups` workgroups of `items` work-items, arguments being 64-bit words.
    pub fn run(&mut self, groups: u32, items: u32, args: &[u64]) -> Result<Stats, Fault> {
        let words: Vec<u32> = args.iter().flat_map(|a| [*a as u32, (*a >> 32) as u32]).chain([0, 0]).collect();
        let kernargs = self.buffer(&words);
        self.dispatch.kernarg_va = kernargs.base();
        self.dispatch.grid = [groups * items, 1, 1];
        self.dispatch.workgroup = [items, 1, 1];
        let result = engine::run(&self.dispatch, &self.memory, &self.config);
        self.memory.free(kernargs.base()).expect("still there");
        result
    }
}
