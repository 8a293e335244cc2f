//! Where LDS and scratch appear in the flat address space. The high halves are what `SRC_SHARED_BASE`,
//! `SRC_PRIVATE_BASE`, the queue structure and the hidden arguments hold; both are far above any host address.

/// First flat address of LDS.
pub const SHARED_BASE: u64 = 0x0001_0000_0000_0000;
/// First flat address of scratch.
pub const PRIVATE_BASE: u64 = 0x0002_0000_0000_0000;
