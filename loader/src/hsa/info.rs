//! Attribute numbers and small enumerations of the headers, as plain constants: both sides of the interface may meet
//! numbers that they do not know.

#![allow(missing_docs)] // Names are the headers', without their common prefix; the headers say what each is.

/// `hsa_system_info_t`.
pub mod system {
    pub const VERSION_MAJOR: u32 = 0;
    pub const VERSION_MINOR: u32 = 1;
    pub const TIMESTAMP: u32 = 2;
    pub const TIMESTAMP_FREQUENCY: u32 = 3;
    pub const SIGNAL_MAX_WAIT: u32 = 4;
    pub const ENDIANNESS: u32 = 5;
    pub const MACHINE_MODEL: u32 = 6;
    pub const EXTENSIONS: u32 = 7;
    pub const AMD_BUILD_VERSION: u32 = 0x200;
    pub const AMD_SVM_SUPPORTED: u32 = 0x201;
    pub const AMD_SVM_ACCESSIBLE_BY_DEFAULT: u32 = 0x202;
    /// From here on newer than the 5.2 headers: `hsa.h` of the public repository ROCm/rocm-systems
    /// (projects/rocr-runtime), read in 2026.
    pub const AMD_MWAITX_ENABLED: u32 = 0x203;
    pub const AMD_DMABUF_SUPPORTED: u32 = 0x204;
    pub const AMD_VIRTUAL_MEM_API_SUPPORTED: u32 = 0x205;
    pub const AMD_XNACK_ENABLED: u32 = 0x206;
}

/// `hsa_agent_info_t` and `hsa_amd_agent_info_t`.
pub mod agent {
    pub const NAME: u32 = 0;
    pub const VENDOR_NAME: u32 = 1;
    pub const FEATURE: u32 = 2;
    pub const MACHINE_MODEL: u32 = 3;
    pub const PROFILE: u32 = 4;
    pub const DEFAULT_FLOAT_ROUNDING_MODE: u32 = 5;
    pub const WAVEFRONT_SIZE: u32 = 6;
    pub const WORKGROUP_MAX_DIM: u32 = 7;
    pub const WORKGROUP_MAX_SIZE: u32 = 8;
    pub const GRID_MAX_DIM: u32 = 9;
    pub const GRID_MAX_SIZE: u32 = 10;
    pub const FBARRIER_MAX_SIZE: u32 = 11;
    pub const QUEUES_MAX: u32 = 12;
    pub const QUEUE_MIN_SIZE: u32 = 13;
    pub const QUEUE_MAX_SIZE: u32 = 14;
    pub const QUEUE_TYPE: u32 = 15;
    pub const NODE: u32 = 16;
    pub const DEVICE: u32 = 17;
    pub const CACHE_SIZE: u32 = 18;
    pub const ISA: u32 = 19;
    pub const EXTENSIONS: u32 = 20;
    pub const VERSION_MAJOR: u32 = 21;
    pub const VERSION_MINOR: u32 = 22;
    pub const BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: u32 = 23;
    pub const FAST_F16_OPERATION: u32 = 24;
    pub const IMAGE_1D_MAX: u32 = 0x3000;
    pub const IMAGE_1DB_MAX: u32 = 0x3002;
    pub const IMAGE_2D_MAX: u32 = 0x3003;
    pub const IMAGE_2DA_DEPTH_MAX: u32 = 0x3006;
    pub const IMAGE_3D_MAX: u32 = 0x3007;
    pub const IMAGE_ARRAY_MAX_LAYERS: u32 = 0x3008;
    pub const IMAGE_SAMPLERS_MAX: u32 = 0x300b;
    pub const AMD_CHIP_ID: u32 = 0xa000;
    pub const AMD_CACHELINE_SIZE: u32 = 0xa001;
    pub const AMD_COMPUTE_UNIT_COUNT: u32 = 0xa002;
    pub const AMD_MAX_CLOCK_FREQUENCY: u32 = 0xa003;
    pub const AMD_DRIVER_NODE_ID: u32 = 0xa004;
    pub const AMD_MAX_ADDRESS_WATCH_POINTS: u32 = 0xa005;
    pub const AMD_BDFID: u32 = 0xa006;
    pub const AMD_MEMORY_WIDTH: u32 = 0xa007;
    pub const AMD_MEMORY_MAX_FREQUENCY: u32 = 0xa008;
    pub const AMD_PRODUCT_NAME: u32 = 0xa009;
    pub const AMD_MAX_WAVES_PER_CU: u32 = 0xa00a;
    pub const AMD_NUM_SIMDS_PER_CU: u32 = 0xa00b;
    pub const AMD_NUM_SHADER_ENGINES: u32 = 0xa00c;
    pub const AMD_NUM_SHADER_ARRAYS_PER_SE: u32 = 0xa00d;
    pub const AMD_HDP_FLUSH: u32 = 0xa00e;
    pub const AMD_DOMAIN: u32 = 0xa00f;
    pub const AMD_COOPERATIVE_QUEUES: u32 = 0xa010;
    pub const AMD_UUID: u32 = 0xa011;
    pub const AMD_ASIC_REVISION: u32 = 0xa012;
    pub const AMD_SVM_DIRECT_HOST_ACCESS: u32 = 0xa013;
    pub const AMD_COOPERATIVE_COMPUTE_UNIT_COUNT: u32 = 0xa014;
    /// From here on newer than the 5.2 headers: `hsa_ext_amd.h` of the public repository ROCm/rocm-systems
    /// (projects/rocr-runtime), read in 2026.
    pub const AMD_MEMORY_AVAIL: u32 = 0xa015;
    pub const AMD_TIMESTAMP_FREQUENCY: u32 = 0xa016;
    pub const AMD_ASIC_FAMILY_ID: u32 = 0xa107;
    pub const AMD_UCODE_VERSION: u32 = 0xa108;
    pub const AMD_SDMA_UCODE_VERSION: u32 = 0xa109;
    pub const AMD_NUM_SDMA_ENG: u32 = 0xa10a;
    pub const AMD_NUM_SDMA_XGMI_ENG: u32 = 0xa10b;
    pub const AMD_IOMMU_SUPPORT: u32 = 0xa110;
    pub const AMD_NUM_XCC: u32 = 0xa111;
    pub const AMD_DRIVER_UID: u32 = 0xa112;
    pub const AMD_NEAREST_CPU: u32 = 0xa113;
    pub const AMD_MEMORY_PROPERTIES: u32 = 0xa114;
    pub const AMD_AQL_EXTENSIONS: u32 = 0xa115;
    pub const AMD_SCRATCH_LIMIT_MAX: u32 = 0xa116;
    pub const AMD_SCRATCH_LIMIT_CURRENT: u32 = 0xa117;
    pub const AMD_CLOCK_COUNTERS: u32 = 0xa118;
}

/// `hsa_device_type_t`.
pub mod device {
    pub const CPU: u32 = 0;
    pub const GPU: u32 = 1;
}

/// `hsa_isa_info_t`.
pub mod isa {
    pub const NAME_LENGTH: u32 = 0;
    pub const NAME: u32 = 1;
    pub const CALL_CONVENTION_COUNT: u32 = 2;
    pub const CALL_CONVENTION_INFO_WAVEFRONT_SIZE: u32 = 3;
    pub const CALL_CONVENTION_INFO_WAVEFRONTS_PER_COMPUTE_UNIT: u32 = 4;
    pub const MACHINE_MODELS: u32 = 5;
    pub const PROFILES: u32 = 6;
    pub const DEFAULT_FLOAT_ROUNDING_MODES: u32 = 7;
    pub const BASE_PROFILE_DEFAULT_FLOAT_ROUNDING_MODES: u32 = 8;
    pub const FAST_F16_OPERATION: u32 = 9;
    pub const WORKGROUP_MAX_DIM: u32 = 12;
    pub const WORKGROUP_MAX_SIZE: u32 = 13;
    pub const GRID_MAX_DIM: u32 = 14;
    pub const GRID_MAX_SIZE: u32 = 16;
    pub const FBARRIER_MAX_SIZE: u32 = 17;
}

/// `hsa_amd_memory_pool_info_t`.
pub mod pool {
    pub const SEGMENT: u32 = 0;
    pub const GLOBAL_FLAGS: u32 = 1;
    pub const SIZE: u32 = 2;
    pub const RUNTIME_ALLOC_ALLOWED: u32 = 5;
    pub const RUNTIME_ALLOC_GRANULE: u32 = 6;
    pub const RUNTIME_ALLOC_ALIGNMENT: u32 = 7;
    pub const ACCESSIBLE_BY_ALL: u32 = 15;
    pub const ALLOC_MAX_SIZE: u32 = 16;
    /// Newer than the 5.2 headers.
    pub const LOCATION: u32 = 17;
    /// Newer than the 5.2 headers.
    pub const RUNTIME_ALLOC_REC_GRANULE: u32 = 18;
}

/// `hsa_amd_segment_t`.
pub mod segment {
    pub const GLOBAL: u32 = 0;
    pub const READONLY: u32 = 1;
    pub const PRIVATE: u32 = 2;
    pub const GROUP: u32 = 3;
}

/// `hsa_amd_memory_pool_global_flag_t`.
pub mod pool_flag {
    pub const KERNARG_INIT: u32 = 1;
    pub const FINE_GRAINED: u32 = 2;
    pub const COARSE_GRAINED: u32 = 4;
    /// Newer than the 5.2 headers.
    pub const EXTENDED_SCOPE_FINE_GRAINED: u32 = 8;
}

/// `hsa_amd_agent_memory_pool_info_t`.
pub mod agent_pool {
    pub const ACCESS: u32 = 0;
    pub const NUM_LINK_HOPS: u32 = 1;
    pub const LINK_INFO: u32 = 2;
}

/// `hsa_amd_memory_pool_access_t`.
pub mod pool_access {
    pub const NEVER_ALLOWED: u32 = 0;
    pub const ALLOWED_BY_DEFAULT: u32 = 1;
    pub const DISALLOWED_BY_DEFAULT: u32 = 2;
}

/// `hsa_executable_symbol_info_t`.
pub mod symbol {
    pub const TYPE: u32 = 0;
    pub const NAME_LENGTH: u32 = 1;
    pub const NAME: u32 = 2;
    pub const MODULE_NAME_LENGTH: u32 = 3;
    pub const MODULE_NAME: u32 = 4;
    pub const LINKAGE: u32 = 5;
    pub const VARIABLE_ALLOCATION: u32 = 6;
    pub const VARIABLE_SEGMENT: u32 = 7;
    pub const VARIABLE_ALIGNMENT: u32 = 8;
    pub const VARIABLE_SIZE: u32 = 9;
    pub const VARIABLE_IS_CONST: u32 = 10;
    pub const KERNEL_KERNARG_SEGMENT_SIZE: u32 = 11;
    pub const KERNEL_KERNARG_SEGMENT_ALIGNMENT: u32 = 12;
    pub const KERNEL_GROUP_SEGMENT_SIZE: u32 = 13;
    pub const KERNEL_PRIVATE_SEGMENT_SIZE: u32 = 14;
    pub const KERNEL_DYNAMIC_CALLSTACK: u32 = 15;
    pub const IS_DEFINITION: u32 = 17;
    pub const KERNEL_CALL_CONVENTION: u32 = 18;
    pub const AGENT: u32 = 20;
    pub const VARIABLE_ADDRESS: u32 = 21;
    pub const KERNEL_OBJECT: u32 = 22;
}

/// `hsa_symbol_kind_t`.
pub mod symbol_kind {
    pub const VARIABLE: u32 = 0;
    pub const KERNEL: u32 = 1;
}

/// `hsa_queue_type_t`.
pub mod queue_type {
    pub const MULTI: u32 = 0;
    pub const SINGLE: u32 = 1;
    pub const COOPERATIVE: u32 = 2;
}

/// `hsa_signal_condition_t`.
pub mod condition {
    pub const EQ: u32 = 0;
    pub const NE: u32 = 1;
    pub const LT: u32 = 2;
    pub const GTE: u32 = 3;
}

/// `hsa_amd_queue_priority_t`.
pub mod priority {
    pub const LOW: u8 = 0;
    pub const NORMAL: u8 = 1;
    pub const HIGH: u8 = 2;
}

/// `hsa_wait_state_t`.
pub mod wait {
    pub const BLOCKED: u32 = 0;
    pub const ACTIVE: u32 = 1;
}

/// `hsa_profile_t`.
pub mod profile {
    pub const BASE: u32 = 0;
    pub const FULL: u32 = 1;
}

/// `hsa_default_float_rounding_mode_t`.
pub mod rounding {
    pub const DEFAULT: u32 = 0;
    pub const ZERO: u32 = 1;
    pub const NEAR: u32 = 2;
}
