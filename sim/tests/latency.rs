//! Programs that rely on how long loads into LDS and reads of it take, and on workgroups that start together, as shipping
//! kernels do.

mod bare;

use bare::Bare;
use proptest::prelude::*;
use wavesmith_asm::Target;
use wavesmith_asm::assemble::assemble;
use wavesmith_sim::EngineKind;

fn words(target: Target, text: &str) -> Vec<u32> {
    let a = assemble(text, target).unwrap_or_else(|d| panic!("{target}: {d:?}"));
    let code = a.sections.iter().find(|s| s.name == ".text").expect("code");
    code.data.chunks_exact(4).map(|b| u32::from_le_bytes(b.try_into().expect("four bytes"))).collect()
}

/// Runs a workgroup of four waves; s[6:7] is the result, `4 × item` is in v1, the resource s[8:11] has two kilobytes: 256
/// dwords of zero and then for each item the number of the item that is as far into the neighbouring wave.
fn run(target: Target, body: &str) -> [Vec<u32>; 2] {
    let text = format!(
        "s_load_dwordx4 s[4:7], s[0:1], 0x0\ns_mov_b32 s10, 0x800\ns_mov_b32 s11, 0x20000\nv_lshlrev_b32_e32 v1, 2, v0\n\
         v_xor_b32_e32 v3, 0x100, v1\nv_add_u32_e32 v4, 0x400, v1\nv_readfirstlane_b32 s12, v1\ns_waitcnt lgkmcnt(0)\n\
         s_mov_b32 s8, s4\ns_and_b32 s9, s5, 0xffff\n{body}\nglobal_store_dword v1, v2, s[6:7]\ns_endpgm\n"
    );
    [EngineKind::Interp, EngineKind::Jit].map(|engine| {
        let mut b = Bare::new(target, &words(target, &text), 4096);
        b.config.engine = engine;
        let input: Vec<u32> = (0..512).map(|i| if i < 256 { 0 } else { (i - 256) ^ 64 }).collect();
        let (input, out) = (b.buffer(&input), b.buffer(&[0xaaaa_aaaa; 256]));
        b.run(1, 256, &[input.base(), out.base()]).unwrap_or_else(|f| panic!("{target}: {f}"));
        Bare::words(&out)
    })
}

fn neighbours() -> Vec<u32> {
    (0..256).map(|i| i ^ 64).collect()
}

#[test]
fn all_waves_have_read_what_the_first_loads_over_without_a_barrier() {
    for target in Target::ALL {
        let body = "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v2, v3\ns_mov_b32 m0, s12\n\
                    buffer_load_dword v1, s[8:11], 0 offen lds\ns_waitcnt vmcnt(0)\ns_waitcnt lgkmcnt(0)";
        assert_eq!(run(target, body), [neighbours(), neighbours()], "{target}");
    }
}

#[test]
fn of_loads_to_the_same_place_the_later_request_stays() {
    for target in Target::ALL {
        // The second wave's first load goes where the first wave's second one does.
        let body = "s_add_u32 s13, s12, 0x400\ns_cmp_eq_u32 s12, 0x100\ns_cselect_b32 m0, 0, s13\ns_nop 0\n\
                    buffer_load_dword v1, s[8:11], 0 offen lds\ns_mov_b32 m0, s12\ns_nop 0\n\
                    buffer_load_dword v4, s[8:11], 0 offen lds\ns_waitcnt vmcnt(0)\ns_barrier\n\
                    ds_read_b32 v2, v1\ns_waitcnt lgkmcnt(0)";
        assert_eq!(run(target, body), [neighbours(), neighbours()], "{target}");
    }
}

#[test]
fn what_others_loaded_before_a_barrier_is_there_once_a_load_behind_it_has_come() {
    for target in Target::ALL {
        // The upper waves load for the lower ones, and wait for it only when those have read it.
        let body = "v_xor_b32_e32 v2, 64, v0\ns_sub_u32 s13, s12, 0x200\ns_cmp_lt_u32 s12, 0x200\ns_cbranch_scc1 lower\n\
                    s_mov_b32 m0, s13\ns_nop 0\nbuffer_load_dword v4, s[8:11], 0 offen lds\ns_barrier\ns_barrier\n\
                    s_waitcnt vmcnt(0)\ns_branch done\n\
                    lower:\ns_barrier\nbuffer_load_dword v5, v4, s[8:11], 0 offen\ns_waitcnt vmcnt(0)\n\
                    ds_read_b32 v2, v1\ns_waitcnt lgkmcnt(0)\ns_barrier\ndone:";
        let want: Vec<u32> = (0..256).map(|i| if i < 128 { (i + 128) ^ 64 } else { i ^ 64 }).collect();
        assert_eq!(run(target, body), [want.clone(), want], "{target}");
    }
}

#[test]
fn a_load_that_nothing_waits_for_has_landed_before_what_is_written_there_later() {
    for target in Target::ALL {
        let body = "s_mov_b32 m0, s12\ns_nop 0\nbuffer_load_dword v1, s[8:11], 0 offen lds\ns_barrier\n\
                    ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nds_read_b32 v2, v3\ns_waitcnt lgkmcnt(0)";
        assert_eq!(run(target, body), [neighbours(), neighbours()], "{target}");
    }
}

#[test]
fn what_uses_a_register_sooner_than_lds_can_answer_has_the_old_contents() {
    let seven = vec![7; 256];
    for target in Target::ALL {
        let read = "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nv_mov_b32_e32 v5, 7\nds_read_b32 v5, v3\n";
        let soon = format!("{read}v_mov_b32_e32 v2, v5\ns_waitcnt lgkmcnt(0)");
        assert_eq!(run(target, &soon), [seven.clone(), seven.clone()], "{target}");
        let waits = format!("{read}s_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, v5");
        assert_eq!(run(target, &waits), [neighbours(), neighbours()], "{target}");
        // The data is there behind the use, and soon enough without a wait, too.
        let both = format!("{read}v_mov_b32_e32 v2, v5\ns_waitcnt lgkmcnt(0)\nv_add_u32_e32 v2, v2, v5");
        let sum: Vec<u32> = neighbours().iter().map(|i| i + 7).collect();
        assert_eq!(run(target, &both), [sum.clone(), sum], "{target}");
        let late = format!("{read}{}v_mov_b32_e32 v2, v5\ns_waitcnt lgkmcnt(0)", "v_mov_b32_e32 v6, v0\n".repeat(20));
        assert_eq!(run(target, &late), [neighbours(), neighbours()], "{target}");
    }
}

#[test]
fn a_read_is_not_put_behind_what_writes_lds_or_changes_its_address() {
    let seven = vec![7; 256];
    for target in Target::ALL {
        let read = "ds_write_b32 v1, v0\ns_waitcnt lgkmcnt(0)\ns_barrier\nv_mov_b32_e32 v5, 7\nds_read_b32 v5, v3\n";
        let body =
            format!("{read}v_mov_b32_e32 v2, v5\nv_mov_b32_e32 v3, v1\ns_waitcnt lgkmcnt(0)\nv_sub_u32_e32 v2, v5, v2");
        let want: Vec<u32> = neighbours().iter().zip(&seven).map(|(i, s)| i.wrapping_sub(*s)).collect();
        assert_eq!(run(target, &body), [want.clone(), want], "{target}");
    }
}

/// Parts of a sum that each clear what all of them add to, as products of split K do.
#[test]
fn workgroups_that_add_to_memory_have_all_begun_before_one_is_done() {
    for target in Target::ALL {
        let text = "s_load_dwordx2 s[6:7], s[0:1], 0x0\ns_waitcnt lgkmcnt(0)\nv_lshlrev_b32_e32 v1, 2, v0\nv_mov_b32_e32 v2, 0\n\
                    global_store_dword v1, v2, s[6:7]\ns_movk_i32 s8, 0x200\nagain:\ns_sub_u32 s8, s8, 1\n\
                    s_cmp_lg_u32 s8, 0\ns_cbranch_scc1 again\nv_add_u32_e32 v2, 1, v0\n\
                    global_atomic_add v1, v2, s[6:7]\ns_endpgm\n";
        for (engine, threads, items) in [
            (EngineKind::Interp, 1, 256),
            (EngineKind::Jit, 1, 256),
            (EngineKind::Jit, 2, 256),
            (EngineKind::Jit, 1, 64),
        ] {
            let mut b = Bare::new(target, &words(target, text), 0);
            (b.config.engine, b.config.threads) = (engine, threads);
            let out = b.buffer(&[7; 256]);
            b.run(40, items, &[out.base()]).unwrap_or_else(|f| panic!("{target}: {f}"));
            let want: Vec<u32> = (0..items).map(|i| 40 * (i + 1)).collect();
            assert_eq!(Bare::words(&out)[..items as usize], want, "{target} {engine:?} {threads}");
        }
    }
}

/// A step of a program that waits for no more than it needs, over six registers of addresses in LDS.
#[derive(Clone, Debug)]
enum Step {
    Read { to: usize, from: usize },
    ReadHalf { to: usize, from: usize },
    ReadTwo { to: usize, from: usize, apart: [u8; 2] },
    Xor { to: usize, a: usize, b: usize },
}

const REGISTERS: usize = 6;

/// What is in LDS at a dword: an address again.
fn content(dword: u32) -> u32 {
    (dword % 256 * 52 + dword / 256 * 4) & 0x3fc
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let register = || 0..REGISTERS;
    let step = prop_oneof![
        2 => (register(), register()).prop_map(|(to, from)| Step::Read { to, from }),
        2 => (register(), register()).prop_map(|(to, from)| Step::ReadHalf { to, from }),
        3 => (0..REGISTERS / 2, register(), any::<[u8; 2]>())
            .prop_map(|(pair, from, apart)| Step::ReadTwo { to: 2 * pair, from, apart }),
        3 => (register(), register(), register()).prop_map(|(to, a, b)| Step::Xor { to, a, b }),
    ];
    proptest::collection::vec(step, 1..40)
}

/// The program's text, and what it leaves in the first register for each of 256 items.
fn program(steps: &[Step]) -> (String, Vec<u32>) {
    let mut text = String::from("v_mul_u32_u24_e32 v2, 52, v0\nv_and_b32_e32 v2, 0x3fc, v2\n");
    for at in 0..4 {
        let value = if at == 0 { "v2".into() } else { format!("v{}", 2 + at) };
        if at > 0 {
            text += &format!("v_add_u32_e32 {value}, {}, v2\nv_and_b32_e32 {value}, 0x3fc, {value}\n", 4 * at);
        }
        text += &format!("ds_write_b32 v1, {value} offset:{}\n", 1024 * at);
    }
    text += "s_waitcnt lgkmcnt(0)\ns_barrier\n";
    let name = |r: usize| format!("v{}", 8 + r);
    for r in 0..REGISTERS {
        text += &format!("v_xor_b32_e32 {}, {}, v1\n", name(r), 4 * r);
    }
    let mut items: Vec<[u32; REGISTERS]> =
        (0..256).map(|i| core::array::from_fn(|r| (4 * i as u32) ^ (4 * r as u32))).collect();
    // Destinations of the reads under way, oldest first.
    let mut under_way: Vec<Vec<usize>> = Vec::new();
    for step in steps {
        let (uses, writes, line): (Vec<usize>, Vec<usize>, String) = match step {
            Step::Read { to, from } => (vec![*from], vec![*to], format!("ds_read_b32 {}, {}", name(*to), name(*from))),
            Step::ReadHalf { to, from } => {
                (vec![*from], vec![*to], format!("ds_read_u16_d16 {}, {}", name(*to), name(*from)))
            }
            Step::ReadTwo { to, from, apart: [a, b] } => (
                vec![*from],
                vec![*to, to + 1],
                format!("ds_read2_b32 v[{}:{}], {} offset0:{a} offset1:{b}", 8 + to, 9 + to, name(*from)),
            ),
            Step::Xor { to, a, b } => {
                (vec![*a, *b], vec![*to], format!("v_xor_b32_e32 {}, {}, {}", name(*to), name(*a), name(*b)))
            }
        };
        // Reads answer in order, so that one may overwrite what another is still to write.
        let reads = !matches!(step, Step::Xor { .. });
        let awaited = |to: &Vec<usize>| to.iter().any(|r| uses.contains(r) || !reads && writes.contains(r));
        if let Some(last) = under_way.iter().rposition(awaited) {
            text += &format!("s_waitcnt lgkmcnt({})\n", (under_way.len() - 1 - last).min(15));
            under_way.drain(..=last);
        }
        if reads {
            under_way.push(writes);
        }
        text += &line;
        text.push('\n');
        for registers in &mut items {
            match step {
                // The other half is cleared, and addresses fit into one.
                Step::Read { to, from } | Step::ReadHalf { to, from } => {
                    registers[*to] = content(registers[*from] / 4);
                }
                Step::ReadTwo { to, from, apart } => {
                    let address = registers[*from] / 4;
                    for (k, a) in apart.iter().enumerate() {
                        registers[to + k] = content(address + u32::from(*a));
                    }
                }
                Step::Xor { to, a, b } => registers[*to] = registers[*a] ^ registers[*b],
            }
        }
    }
    text += "s_waitcnt lgkmcnt(0)\nv_mov_b32_e32 v2, 0\n";
    for r in 0..REGISTERS {
        text += &format!("v_lshl_add_u32 v2, v2, 3, {}\n", name(r));
    }
    let result = items.iter().map(|i| i.iter().fold(0u32, |all, r| (all << 3).wrapping_add(*r))).collect();
    (text, result)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    /// `lgkmcnt` counts every read, of which some have an address that a later one overwrites.
    #[test]
    fn programs_that_wait_for_just_what_they_need_get_it(steps in steps()) {
        let (text, want) = program(&steps);
        for target in Target::ALL {
            prop_assert_eq!(run(target, &text), [want.clone(), want.clone()], "{}:\n{}", target, text);
        }
    }
}
