//! A sample of the mutants of our own kernels; `examples/mutants.rs` runs them all.

#[path = "device/mutants.rs"]
#[allow(dead_code, reason = "the whole count takes more kernels")]
mod mutants;
#[path = "device/protocol.rs"]
#[allow(dead_code, reason = "each program uses its part")]
mod protocol;

#[test]
fn mutants_of_our_own_kernels_are_caught_but_for_the_harmless() {
    let (mut number, mut total, mut survivors) = (0, 0, Vec::new());
    for subject in mutants::multiplications().iter().chain(&mutants::monokernels()) {
        let score = subject.score(2, 97, None, &mut number);
        total += score.total;
        survivors.extend(score.survivors);
    }
    println!("{total} mutants, {} survive: {survivors:#?}", survivors.len());
    assert!(total >= 30, "{total} mutants");
    // `docs/findings.md` has what is known of all.
    assert!(8 * survivors.len() <= total, "{} of {total} survive: {survivors:#?}", survivors.len());
}
