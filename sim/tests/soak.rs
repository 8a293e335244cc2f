//! Ten thousand dispatches, most of which fault: nothing leaks, nothing crashes, and what follows a fault is right.

mod bare;

use bare::Bare;
use wavesmith_asm::Target;
use wavesmith_asm::build::{Build, Code};
use wavesmith_asm::reg::{s, v};
use wavesmith_sim::{EngineKind, FaultKind};

fn code(build: impl FnOnce(&mut Code)) -> Vec<u32> {
    let mut c = Code::new(Target::Gfx942);
    build(&mut c);
    c.s_endpgm(0);
    c.finish().expect("encodes")
}

/// Resident memory of the process in bytes, where the system tells.
fn resident() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/statm").ok()?;
    Some(text.split_whitespace().nth(1)?.parse::<u64>().ok()? * 4096)
}

#[test]
fn ten_thousand_dispatches_with_faults_leak_nothing() {
    let store = |c: &mut Code| {
        c.s_load_dwordx2(s(4), s(0), 0);
        c.v_lshlrev_b32(v(1), 2, v(0));
        c.s_waitcnt(0);
        c.global_store_dword(v::<1>(1), v::<1>(0), s::<2>(4));
    };
    let kernels = [
        (code(store), None),
        (
            code(|c| {
                store(c);
                c.global_load_dword(v::<1>(3), v::<1>(1), s::<2>(8));
            }),
            Some(FaultKind::Memory),
        ),
        (
            code(|c| {
                store(c);
                c.s_trap(2);
            }),
            Some(FaultKind::Trap),
        ),
        (
            code(|c| {
                store(c);
                c.s_setpc_b64(s::<2>(8));
            }),
            Some(FaultKind::Fetch),
        ),
        (
            {
                let mut w = code(store);
                let at = w.len() - 1;
                w[at] = 0xffff_ffff;
                w
            },
            Some(FaultKind::Instruction),
        ),
        (
            code(|c| {
                store(c);
                c.s_branch(-1);
            }),
            Some(FaultKind::Fuel),
        ),
    ];
    let mut devices: Vec<(Bare, Option<FaultKind>)> = kernels
        .iter()
        .map(|(words, kind)| {
            let mut b = Bare::new(Target::Gfx942, words, 1024);
            b.config.max_instructions = Some(5_000);
            (b, *kind)
        })
        .collect();
    let buffers: Vec<_> = devices.iter().map(|(b, _)| b.buffer(&[0; 256])).collect();
    let (mut before, devices_in_turn) = (None, devices.len());
    for i in 0..10_000usize {
        // The first thousand warm allocators and caches up.
        if i == 1_000 {
            before = resident();
        }
        let n = i % devices.len();
        let (b, kind) = &mut devices[n];
        b.config.threads = 1 + i % 3;
        b.config.engine = if i / devices_in_turn % 4 == 3 { EngineKind::Interp } else { EngineKind::Jit };
        let result = b.run(2, 128, &[buffers[n].base()]);
        assert_eq!(result.err().map(|f| f.kind), *kind, "dispatch {i}");
        if i % 997 == 0 && kind.is_none() {
            assert_eq!(Bare::words(&buffers[n])[..128], std::array::from_fn::<u32, 128, _>(|x| x as u32));
        }
    }
    if let (Some(before), Some(after)) = (before, resident()) {
        assert!(after < before + (32 << 20), "resident memory grew from {before} to {after} bytes");
    }
}
