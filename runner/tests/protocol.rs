//! The exchange protocol of the monokernel under memory as unkind as gfx942's model allows, on eight dies: the protocol
//! holds, and with one of its rules broken it is caught. `examples/protocol.rs` runs a thousand seeds.

#[path = "device/protocol.rs"]
#[allow(dead_code, reason = "each program uses its part")]
mod protocol;

use protocol::{Protocol, one_dword, plain_loads, two_generations, whole};
use wavesmith_kernels::monokernel::Monokernel;

#[test]
fn the_protocol_holds_whatever_memory_does() {
    let device = Protocol::new(8, whole);
    let plain = device.plain();
    let right = plain.logits.clone().unwrap();
    let device = device.with_fuel(200 * plain.instructions.max(1_000_000));
    for seed in 0..12 {
        let wrong = device.watched(seed).wrong(&right);
        assert_eq!(wrong, None, "seed {seed}");
    }
}

/// Runs seeds until one is caught; says how.
fn caught(edit: fn(&Monokernel) -> Vec<u8>) -> String {
    let plain = Protocol::new(8, whole).plain();
    let right = plain.logits.unwrap();
    for seed in 0..24 {
        // A faulted queue takes no more work.
        let device = Protocol::new(8, edit).with_fuel(6 * plain.instructions.max(200_000));
        if let Some(how) = device.watched(seed).wrong(&right) {
            return how;
        }
    }
    panic!("24 seeds, and nothing was caught");
}

#[test]
fn two_generations_are_caught() {
    let how = caught(two_generations);
    println!("{how}");
}

#[test]
fn a_plain_load_is_caught_as_a_race() {
    let how = caught(plain_loads);
    assert!(how.contains("global-race"), "{how}");
}

#[test]
fn one_dword_for_all_of_a_wide_store_is_caught() {
    let how = caught(one_dword);
    println!("{how}");
}
