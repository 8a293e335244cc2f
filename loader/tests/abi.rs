//! The Rust types against the C headers: a C program prints every size, offset and number, and they must agree.
//! Needs a C compiler and the headers of `libhsa-runtime-dev`; without them it says so, and fails in CI.

use std::fmt::Write as _;
use std::mem::offset_of;
use std::process::Command;
use wavesmith_loader::hsa::abi::{AgentHandle, AmdQueue, AmdSignal, Dim3, HsaQueue, ProfilingTime, SignalHandle};
use wavesmith_loader::hsa::packet::{BarrierPacket, BarrierValuePacket, KernelDispatchPacket, amd, kind};
use wavesmith_loader::hsa::{Status, info};

/// What C says of an expression, and what we say.
struct Fact {
    c: String,
    ours: u64,
}

macro_rules! layout {
    ($facts:ident, $ty:ty = $c:literal { $($field:ident = $cfield:literal),* $(,)? }) => {
        $facts.push(Fact { c: format!("sizeof({})", $c), ours: size_of::<$ty>() as u64 });
        $facts.push(Fact { c: format!("_Alignof({})", $c), ours: align_of::<$ty>() as u64 });
        $($facts.push(Fact { c: format!("offsetof({}, {})", $c, $cfield), ours: offset_of!($ty, $field) as u64 });)*
    };
}

macro_rules! numbers {
    ($facts:ident, $($ours:expr => $c:literal),* $(,)?) => {
        $($facts.push(Fact { c: $c.to_owned(), ours: u64::from($ours) });)*
    };
}

fn facts() -> Vec<Fact> {
    let mut f = Vec::new();
    layout!(f, AgentHandle = "hsa_agent_t" { handle = "handle" });
    layout!(f, SignalHandle = "hsa_signal_t" { handle = "handle" });
    layout!(f, Dim3 = "hsa_dim3_t" { x = "x", y = "y", z = "z" });
    layout!(f, HsaQueue = "hsa_queue_t" {
        kind = "type", features = "features", base_address = "base_address", doorbell_signal = "doorbell_signal",
        size = "size", reserved1 = "reserved1", id = "id",
    });
    layout!(f, AmdQueue = "amd_queue_t" {
        hsa_queue = "hsa_queue", write_dispatch_id = "write_dispatch_id",
        group_segment_aperture_base_hi = "group_segment_aperture_base_hi",
        private_segment_aperture_base_hi = "private_segment_aperture_base_hi",
        max_cu_id = "max_cu_id", max_wave_id = "max_wave_id",
        max_legacy_doorbell_dispatch_id_plus_1 = "max_legacy_doorbell_dispatch_id_plus_1",
        legacy_doorbell_lock = "legacy_doorbell_lock", read_dispatch_id = "read_dispatch_id",
        read_dispatch_id_field_base_byte_offset = "read_dispatch_id_field_base_byte_offset",
        compute_tmpring_size = "compute_tmpring_size", scratch_resource_descriptor = "scratch_resource_descriptor",
        scratch_backing_memory_location = "scratch_backing_memory_location",
        scratch_backing_memory_byte_size = "scratch_backing_memory_byte_size",
        scratch_wave64_lane_byte_size = "scratch_wave64_lane_byte_size", queue_properties = "queue_properties",
        queue_inactive_signal = "queue_inactive_signal",
    });
    layout!(f, AmdSignal = "amd_signal_t" {
        kind = "kind", value = "value", event_mailbox_ptr = "event_mailbox_ptr", event_id = "event_id",
        start_ts = "start_ts", end_ts = "end_ts", queue_ptr = "queue_ptr",
    });
    layout!(f, ProfilingTime = "hsa_amd_profiling_dispatch_time_t" { start = "start", end = "end" });
    layout!(f, ProfilingTime = "hsa_amd_profiling_async_copy_time_t" { start = "start", end = "end" });
    layout!(f, BarrierValuePacket = "hsa_amd_barrier_value_packet_t" {
        header = "header.header", amd_format = "header.AmdFormat", signal = "signal", value = "value", mask = "mask",
        condition = "cond", completion_signal = "completion_signal",
    });
    numbers!(f, amd::BARRIER_VALUE => "HSA_AMD_PACKET_TYPE_BARRIER_VALUE",
        info::priority::LOW => "HSA_AMD_QUEUE_PRIORITY_LOW", info::priority::HIGH => "HSA_AMD_QUEUE_PRIORITY_HIGH",
    );
    layout!(f, KernelDispatchPacket = "hsa_kernel_dispatch_packet_t" {
        header = "header", setup = "setup", workgroup_size_x = "workgroup_size_x",
        workgroup_size_y = "workgroup_size_y", workgroup_size_z = "workgroup_size_z", grid_size_x = "grid_size_x",
        grid_size_y = "grid_size_y", grid_size_z = "grid_size_z", private_segment_size = "private_segment_size",
        group_segment_size = "group_segment_size", kernel_object = "kernel_object",
        kernarg_address = "kernarg_address", completion_signal = "completion_signal",
    });
    layout!(f, BarrierPacket = "hsa_barrier_and_packet_t" {
        header = "header", dep_signal = "dep_signal", completion_signal = "completion_signal",
    });
    layout!(f, BarrierPacket = "hsa_barrier_or_packet_t" { dep_signal = "dep_signal" });
    numbers!(f,
        Status::OUT_OF_RESOURCES.0 => "HSA_STATUS_ERROR_OUT_OF_RESOURCES",
        Status::FATAL.0 => "HSA_STATUS_ERROR_FATAL",
        Status::INVALID_ISA_NAME.0 => "HSA_STATUS_ERROR_INVALID_ISA_NAME",
        Status::MEMORY_FAULT.0 => "HSA_STATUS_ERROR_MEMORY_FAULT",
        Status::ILLEGAL_INSTRUCTION.0 => "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION",
        Status::INVALID_MEMORY_POOL.0 => "HSA_STATUS_ERROR_INVALID_MEMORY_POOL",
        Status::MEMORY_APERTURE_VIOLATION.0 => "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION",
        info::system::TIMESTAMP_FREQUENCY => "HSA_SYSTEM_INFO_TIMESTAMP_FREQUENCY",
        info::agent::DEVICE => "HSA_AGENT_INFO_DEVICE",
        info::agent::QUEUE_MAX_SIZE => "HSA_AGENT_INFO_QUEUE_MAX_SIZE",
        info::agent::ISA => "HSA_AGENT_INFO_ISA",
        info::agent::FAST_F16_OPERATION => "HSA_AGENT_INFO_FAST_F16_OPERATION",
        info::agent::AMD_COMPUTE_UNIT_COUNT => "HSA_AMD_AGENT_INFO_COMPUTE_UNIT_COUNT",
        info::agent::AMD_PRODUCT_NAME => "HSA_AMD_AGENT_INFO_PRODUCT_NAME",
        info::agent::AMD_COOPERATIVE_COMPUTE_UNIT_COUNT => "HSA_AMD_AGENT_INFO_COOPERATIVE_COMPUTE_UNIT_COUNT",
        info::isa::NAME_LENGTH => "HSA_ISA_INFO_NAME_LENGTH",
        info::isa::GRID_MAX_SIZE => "HSA_ISA_INFO_GRID_MAX_SIZE",
        info::pool::RUNTIME_ALLOC_ALLOWED => "HSA_AMD_MEMORY_POOL_INFO_RUNTIME_ALLOC_ALLOWED",
        info::pool::ALLOC_MAX_SIZE => "HSA_AMD_MEMORY_POOL_INFO_ALLOC_MAX_SIZE",
        info::pool_flag::KERNARG_INIT => "HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_KERNARG_INIT",
        info::pool_flag::COARSE_GRAINED => "HSA_AMD_MEMORY_POOL_GLOBAL_FLAG_COARSE_GRAINED",
        info::pool_access::DISALLOWED_BY_DEFAULT => "HSA_AMD_MEMORY_POOL_ACCESS_DISALLOWED_BY_DEFAULT",
        info::symbol::KERNEL_OBJECT => "HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_OBJECT",
        info::symbol::KERNEL_KERNARG_SEGMENT_SIZE => "HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_KERNARG_SEGMENT_SIZE",
        info::symbol::KERNEL_PRIVATE_SEGMENT_SIZE => "HSA_EXECUTABLE_SYMBOL_INFO_KERNEL_PRIVATE_SEGMENT_SIZE",
        info::symbol::VARIABLE_ADDRESS => "HSA_EXECUTABLE_SYMBOL_INFO_VARIABLE_ADDRESS",
        info::condition::GTE => "HSA_SIGNAL_CONDITION_GTE",
        info::queue_type::SINGLE => "HSA_QUEUE_TYPE_SINGLE",
        info::wait::ACTIVE => "HSA_WAIT_STATE_ACTIVE",
        kind::BARRIER_OR => "HSA_PACKET_TYPE_BARRIER_OR",
        kind::KERNEL_DISPATCH => "HSA_PACKET_TYPE_KERNEL_DISPATCH",
    );
    f
}

#[test]
fn sizes_offsets_and_numbers_are_those_of_the_c_headers() {
    let folder = tempfile::tempdir().expect("temporary folder");
    let facts = facts();
    let mut source = String::from(
        "#include <stdio.h>\n#include <stddef.h>\n#include <hsa/hsa.h>\n#include <hsa/hsa_ext_amd.h>\n\
         #include <hsa/amd_hsa_queue.h>\n#include <hsa/amd_hsa_signal.h>\nint main(void) {\n",
    );
    for fact in &facts {
        writeln!(source, "  printf(\"%llu\\n\", (unsigned long long)({}));", fact.c).expect("writes to a string");
    }
    source.push_str("  return 0;\n}\n");
    let (file, program) = (folder.path().join("abi.c"), folder.path().join("abi"));
    std::fs::write(&file, source).expect("writes");
    let compiled = Command::new("cc").arg(&file).arg("-o").arg(&program).output();
    let output = match compiled {
        Ok(o) if o.status.success() => Command::new(&program).output().expect("runs"),
        other => {
            let why = other.map_or_else(|e| e.to_string(), |o| String::from_utf8_lossy(&o.stderr).into_owned());
            assert!(std::env::var_os("CI").is_none(), "needs cc and libhsa-runtime-dev: {why}");
            eprintln!("SKIPPED: needs cc and libhsa-runtime-dev: {why}");
            return;
        }
    };
    let text = String::from_utf8(output.stdout).expect("text");
    let theirs: Vec<u64> = text.lines().map(|l| l.parse().expect("number")).collect();
    assert_eq!(theirs.len(), facts.len());
    for (fact, theirs) in facts.iter().zip(theirs) {
        assert_eq!(fact.ours, theirs, "{}", fact.c);
    }
}
