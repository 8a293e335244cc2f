//! The address map: lookups against a plain list, and what happens to views while memory comes and goes.

use proptest::prelude::*;
use wavesmith_sim::AgentId;
use wavesmith_sim::memory::{BadAccess, Kind, Memory, PAGE};

const ME: AgentId = AgentId(3);

#[test]
fn an_access_may_use_the_rest_of_the_page_unless_bytes_are_counted() {
    let memory = Memory::new();
    let a = memory.allocate(100, Kind::Coarse, Some(ME)).expect("allocates");
    let mut view = memory.view(ME);
    assert!(view.resolve(a.base() + 96, 8).is_ok());
    assert!(matches!(view.resolve_exact(a.base() + 96, 8), Err(BadAccess::PastEnd { allocation: 100, .. })));
    assert!(view.resolve_exact(a.base() + 92, 8).is_ok());
    assert!(matches!(view.resolve(a.base() + PAGE as u64 - 4, 8), Err(BadAccess::PastEnd { .. })));
}

#[test]
fn freed_memory_is_refused_but_stays_readable_for_who_holds_an_older_map() {
    let memory = Memory::new();
    let a = memory.allocate(PAGE, Kind::Coarse, Some(ME)).expect("allocates");
    let base = a.base();
    drop(a);
    let old = memory.snapshot();
    let mut view = memory.view(ME);
    let pointer = view.resolve(base, 4).expect("resolves");
    memory.free(base).expect("frees");
    // SAFETY: `old` keeps the pages.
    unsafe { pointer.cast::<u32>().write_volatile(1) };
    assert!(old.find(base).is_some());
    assert!(matches!(view.resolve(base, 4), Err(BadAccess::Unmapped { .. })));
    assert!(memory.free(base).is_err());
}

#[test]
fn taking_access_away_is_seen_by_a_view_that_just_used_it() {
    let memory = Memory::new();
    let a = memory.allocate(PAGE, Kind::HostFine, None).expect("allocates");
    let mut view = memory.view(ME);
    assert!(matches!(view.resolve(a.base(), 4), Err(BadAccess::NotAllowed { .. })));
    a.allow(ME);
    assert!(view.resolve(a.base(), 4).is_ok());
    a.disallow_all();
    memory.touch();
    assert!(matches!(view.resolve(a.base(), 4), Err(BadAccess::NotAllowed { .. })));
}

#[test]
fn registered_memory_is_found_to_the_byte_and_must_not_overlap() {
    let memory = Memory::new();
    let mut bytes = vec![0_u8; 1000];
    let base = std::ptr::NonNull::new(bytes.as_mut_ptr()).expect("not null");
    // SAFETY: the vector outlives its registration.
    let a = unsafe { memory.register(base, 1000) }.expect("registers");
    a.allow(ME);
    let mut view = memory.view(ME);
    assert!(view.resolve(a.base() + 996, 4).is_ok());
    assert!(view.resolve(a.base() + 997, 4).is_err());
    // SAFETY: as above.
    assert!(unsafe { memory.register(base, 10) }.is_err());
    memory.free(a.base()).expect("frees");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn lookups_agree_with_a_plain_list(
        sizes in prop::collection::vec(1_usize..20_000, 1..20),
        frees in prop::collection::vec(any::<prop::sample::Index>(), 0..10),
        probes in prop::collection::vec((any::<prop::sample::Index>(), -5000_i64..25_000, 1_usize..600), 1..50),
    ) {
        let memory = Memory::new();
        let mut list: Vec<(u64, usize)> = Vec::new();
        let mut all = Vec::new();
        for size in sizes {
            let a = memory.allocate(size, Kind::Coarse, Some(ME)).expect("allocates");
            list.push((a.base(), size));
            all.push(a.base());
        }
        let mut view = memory.view(ME);
        for free in frees {
            if !list.is_empty() {
                let (base, _) = list.remove(free.index(list.len()));
                memory.free(base).expect("frees");
            }
        }
        for (pick, offset, size) in probes {
            let address = pick.get(&all).wrapping_add_signed(offset);
            let inside = list.iter().any(|(base, len)| {
                let mapped = len.next_multiple_of(PAGE) as u64;
                address >= *base && address + size as u64 <= base + mapped
            });
            prop_assert_eq!(view.resolve(address, size).is_ok(), inside);
        }
    }
}
