//! What a kernel starts with, and in which registers.

use crate::descriptor::{FloatMode, SystemRegisters, UserSgprs};
use crate::metadata::Dim;

/// The inputs a kernel asks for. The default is the common case: the kernel-argument pointer in `s[0:1]`, the
/// workgroup id x in `s2`, the work-item id x in `v0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Abi {
    /// User SGPRs.
    pub user: UserSgprs,
    /// Workgroup ids and work-item ids.
    pub system: SystemRegisters,
    /// The float mode at entry.
    pub mode: FloatMode,
}

impl Default for Abi {
    fn default() -> Self {
        Abi {
            user: UserSgprs { kernarg_segment_ptr: true, ..UserSgprs::default() },
            system: SystemRegisters::default(),
            mode: FloatMode::default(),
        }
    }
}

impl Abi {
    /// With workgroup ids up to `last`.
    pub fn workgroup_ids(mut self, last: Dim) -> Self {
        self.system.workgroup_id = [true, last != Dim::X, last == Dim::Z];
        self
    }

    /// With work-item ids up to `last`.
    pub fn workitem_ids(mut self, last: Dim) -> Self {
        self.system.workitem_id_dims = last as u8;
        self
    }

    /// With the dispatch packet's address, which holds grid and workgroup sizes.
    pub fn dispatch_ptr(mut self) -> Self {
        self.user.dispatch_ptr = true;
        self
    }

    /// With scratch, which [`KernelBuilder::scratch`](crate::KernelBuilder::scratch) hands out. Before gfx942 this takes
    /// three SGPRs and two instructions at the start.
    pub fn scratch(mut self) -> Self {
        self.user.flat_scratch_init = true;
        self
    }

    /// With the first `dwords` of the kernel arguments in SGPRs from the start, where
    /// [`KernelBuilder::load_arg`](crate::KernelBuilder::load_arg) finds them (gfx90a and later; user SGPRs are at most 16).
    pub fn preload(mut self, dwords: u8) -> Self {
        self.user.kernarg_preload_length = dwords;
        self
    }

    /// With this float mode.
    pub fn float_mode(mut self, mode: FloatMode) -> Self {
        self.mode = mode;
        self
    }

    /// First SGPR of the dispatch packet's address.
    pub(crate) fn dispatch_ptr_at(&self) -> Option<u16> {
        let before = 4 * u16::from(self.user.private_segment_buffer);
        self.user.dispatch_ptr.then_some(before)
    }

    /// First SGPR of the kernel-argument pointer.
    pub(crate) fn kernarg_ptr_at(&self) -> Option<u16> {
        let u = &self.user;
        let before = 4 * u16::from(u.private_segment_buffer) + 2 * (u16::from(u.dispatch_ptr) + u16::from(u.queue_ptr));
        u.kernarg_segment_ptr.then_some(before)
    }

    /// First SGPR of the base of scratch.
    pub(crate) fn flat_scratch_init_at(&self) -> Option<u16> {
        let u = &self.user;
        let pairs = u16::from(u.dispatch_ptr) + u16::from(u.queue_ptr) + u16::from(u.kernarg_segment_ptr);
        let before = 4 * u16::from(u.private_segment_buffer) + 2 * (pairs + u16::from(u.dispatch_id));
        u.flat_scratch_init.then_some(before)
    }

    /// SGPR of the wave's offset in scratch, behind everything else.
    pub(crate) fn scratch_offset_at(&self) -> Option<u16> {
        self.user.flat_scratch_init.then(|| self.initial_sgprs() - 1)
    }

    /// First SGPR of the preloaded arguments.
    pub(crate) fn preload_at(&self) -> Option<u16> {
        let n = u16::from(self.user.kernarg_preload_length);
        (n > 0).then(|| self.user.count() as u16 - n)
    }

    /// SGPR of a workgroup id.
    pub(crate) fn workgroup_id_at(&self, dim: Dim) -> Option<u16> {
        let ids = self.system.workgroup_id;
        let before = ids[..dim as usize].iter().filter(|e| **e).count() as u16;
        ids[dim as usize].then_some(self.user.count() as u16 + before)
    }

    /// SGPRs that hold something at entry.
    pub(crate) fn initial_sgprs(&self) -> u16 {
        let ids = self.system.workgroup_id.iter().filter(|e| **e).count() as u16;
        let scratch = u16::from(self.user.flat_scratch_init);
        self.user.count() as u16 + ids + u16::from(self.system.workgroup_info) + scratch
    }

    /// VGPRs that hold something at entry.
    pub(crate) fn initial_vgprs(&self, packed: bool) -> u16 {
        if packed { 1 } else { u16::from(self.system.workitem_id_dims) + 1 }
    }
}
