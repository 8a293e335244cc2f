//! Kernarg segments: explicit arguments by index, hidden ones as the ABI defines them.

// The engine returns the fault itself: once a dispatch, its size costs nothing.
#![allow(clippy::result_large_err)]

#[path = "../../loader/tests/minimal/mod.rs"]
mod minimal;

use wavesmith_asm::Sku;
use wavesmith_loader::code_object::{Arg, CodeObject, Kernel, KernelMetadata, ValueKind};
use wavesmith_loader::kernarg::{KernargError, Kernargs, host_services};
use wavesmith_loader::{Geometry, Queue, Runtime};
use wavesmith_sim::hsa::table_with_engine;
use wavesmith_sim::{Config, Dispatch, Fault, Memory, Stats};

fn idle(_: &Dispatch, _: &Memory, _: &Config) -> Result<Stats, Fault> {
    Ok(Stats::default())
}

fn queue() -> Queue {
    let sku = Sku::named("mi300x").expect("known SKU");
    let runtime = Runtime::start(table_with_engine(&[sku], idle)).expect("starts");
    runtime.gpu_agents()[0].queue(64).expect("queue")
}

fn arg(offset: u32, size: u32, value_kind: ValueKind) -> Arg {
    Arg {
        name: (!value_kind.is_hidden()).then(|| format!("a{offset}")),
        type_name: None,
        offset,
        size,
        value_kind,
        address_space: None,
        access: None,
        actual_access: None,
        pointee_align: None,
        is_const: false,
        is_restrict: false,
        is_volatile: false,
    }
}

fn kernel(args: Vec<Arg>) -> Kernel {
    let object = CodeObject::parse(&minimal::object()).expect("reads");
    let mut kernel = object.kernels[0].clone();
    kernel.descriptor.kernarg_size = 0;
    kernel.metadata = Some(KernelMetadata { args, ..KernelMetadata::default() });
    kernel
}

#[test]
fn explicit_arguments_go_where_the_metadata_says_and_hidden_ones_do_not_count() {
    let k = kernel(vec![
        arg(0, 8, ValueKind::GlobalBuffer),
        arg(16, 4, ValueKind::HiddenBlockCountX),
        arg(8, 4, ValueKind::ByValue),
    ]);
    let mut kernargs = Kernargs::new(&k, None).expect("fits");
    assert_eq!(kernargs.bytes().len(), 20);
    kernargs.set(&k, 0, &7_u64.to_le_bytes()).expect("sets");
    kernargs.set(&k, 1, &9_u32.to_le_bytes()).expect("sets");
    assert_eq!((kernargs.bytes()[0], kernargs.bytes()[8]), (7, 9));
    let error = kernargs.set(&k, 2, &[]).expect_err("must fail");
    assert_eq!(error, KernargError::NoSuchArgument { kernel: "k".to_owned(), index: 2, count: 2 });
    let text = kernargs.set(&k, 1, &[0; 8]).expect_err("must fail").to_string();
    assert_eq!(text, "argument 1 of kernel `k` (`a8`) takes 4 bytes, the value has 8");
}

#[test]
fn a_segment_without_metadata_grows_up_to_its_limit() {
    let mut k = kernel(Vec::new());
    k.metadata = None;
    let mut kernargs = Kernargs::new(&k, Some(16)).expect("fits");
    kernargs.place(40, &[1; 4]).expect("grows");
    assert_eq!(kernargs.bytes().len(), 44);
    assert!(matches!(kernargs.place(usize::MAX, &[1]), Err(KernargError::TooFar { .. })));
    assert!(kernargs.place(65532, &[1; 4]).is_ok());
    assert!(kernargs.place(65533, &[1; 4]).is_err());
}

#[test]
fn hidden_arguments_hold_whole_workgroups_remainders_sizes_and_apertures() {
    use ValueKind as V;
    let kinds = [
        (V::HiddenBlockCountX, 4),
        (V::HiddenBlockCountY, 4),
        (V::HiddenBlockCountZ, 4),
        (V::HiddenGroupSizeX, 2),
        (V::HiddenGroupSizeY, 2),
        (V::HiddenGroupSizeZ, 2),
        (V::HiddenRemainderX, 2),
        (V::HiddenRemainderY, 2),
        (V::HiddenRemainderZ, 2),
        (V::HiddenGridDims, 2),
        (V::HiddenDynamicLdsSize, 4),
        (V::HiddenSharedBase, 4),
        (V::HiddenPrivateBase, 4),
        (V::HiddenQueuePtr, 8),
        (V::HiddenGlobalOffsetX, 8),
        (V::HiddenHostcallBuffer, 8),
    ];
    let args = kinds.iter().enumerate().map(|(i, (kind, size))| arg(i as u32 * 8, *size, kind.clone())).collect();
    let (k, queue) = (kernel(args), queue());
    let mut kernargs = Kernargs::new(&k, None).expect("fits");
    let geometry = Geometry { grid: [1000, 3, 1], workgroup: [256, 2, 1] };
    kernargs.fill_hidden(&k, &geometry, 512, &queue).expect("fills");
    let words: Vec<u64> =
        kernargs.bytes().chunks_exact(8).map(|c| u64::from_le_bytes(c.try_into().expect("8 bytes"))).collect();
    let queue = queue.raw() as u64;
    assert_eq!(words, [3, 1, 1, 256, 2, 1, 232, 1, 0, 2, 512, 0x1_0000, 0x2_0000, queue, 0, 0]);
    assert_eq!(host_services(&k), [&V::HiddenHostcallBuffer]);
}
