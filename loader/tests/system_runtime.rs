//! The real runtime, as far as the machine has one.

use wavesmith_loader::hsa::{HsaTable, OpenError, Status};
use wavesmith_loader::{Runtime, RuntimeError};

#[test]
fn a_missing_library_is_named_with_what_to_do() {
    let error = HsaTable::open("libhsa-runtime64-not-there.so.1").expect_err("must fail");
    assert!(matches!(error, OpenError::Library { .. }));
    let text = error.to_string();
    assert!(text.contains("libhsa-runtime64-not-there.so.1") && text.contains("--device embedded"), "{text}");
}

#[test]
fn a_library_that_is_no_hsa_runtime_is_named_with_the_missing_function() {
    match HsaTable::open("libc.so.6") {
        Err(OpenError::Function { function, .. }) => assert_eq!(function, "hsa_init"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn the_system_runtime_offers_a_gpu_or_says_what_hsa_init_returned() {
    match Runtime::open_system() {
        Ok(runtime) => assert!(!runtime.gpu_agents()[0].isa().is_empty()),
        Err(RuntimeError::Init { status, library }) => {
            assert_eq!(status, Status::OUT_OF_RESOURCES, "{library}");
            let text = RuntimeError::Init { status, library }.to_string();
            assert!(text.contains("HSA_STATUS_ERROR_OUT_OF_RESOURCES (0x1008)") && text.contains("--device embedded"));
        }
        Err(RuntimeError::NoGpu { .. }) => {}
        Err(RuntimeError::Open(e)) => {
            assert!(std::env::var_os("CI").is_none(), "CI has libhsa-runtime64-1: {e}");
            eprintln!("SKIPPED: needs libhsa-runtime64.so.1: {e}");
        }
        Err(e) => panic!("{e}"),
    }
}
