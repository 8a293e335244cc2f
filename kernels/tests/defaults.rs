//! What `wavesmith gen gemm` makes of a shape alone, and of what may be asked for besides, must be a kernel: on every
//! part, for every type and transposition that it has.

use proptest::prelude::*;
use std::collections::HashSet;
use wavesmith_asm::sku::{SKUS, Sku};
use wavesmith_asm::{Target, sem::Elem};
use wavesmith_kernels::catalog::{CatalogError, generate};
use wavesmith_kernels::gemm::{Activation, Dtype, Extras, GemmError, GemmParams, GemmProblem, MX_BLOCK, Order, gemm};
use wavesmith_kernels::monokernel::Error;

const TRANSPOSITIONS: [[bool; 2]; 4] = [[false, false], [false, true], [true, false], [true, true]];

/// Whether there should be a kernel: not every target has every type, and microscaling formats are stored along K.
fn should_be(dtype: Dtype, [trans_a, trans_b]: [bool; 2], target: Target) -> bool {
    match dtype {
        Dtype::Mx(..) => target == Target::Gfx950 && !trans_a && trans_b,
        Dtype::Xf32 => target == Target::Gfx942,
        Dtype::Fp8 | Dtype::Bf8 => matches!(target, Target::Gfx942 | Target::Gfx950),
        Dtype::F64 => target != Target::Gfx908,
        _ => true,
    }
}

fn suited(sku: &'static Sku, dtype: Dtype, trans: [bool; 2], shape: [u32; 3]) -> GemmParams {
    GemmParams::suited(dtype, trans[0], trans[1], &GemmProblem::dense(shape, trans), sku)
}

#[test]
fn the_default_for_any_shape_is_a_kernel_on_every_part() {
    // Below and above each size at which the tile changes, of every alignment that loads know; the last is large
    // enough for the largest tiles on the largest part.
    let sides = [1, 63, 64, 65, 129, 4096];
    let lengths = [1, 2, 4, 8, 16, 32, 64, 100, 4096];
    let mut made: HashSet<(&str, GemmParams)> = HashSet::new();
    for sku in SKUS {
        for (dtype, trans) in Dtype::ALL.into_iter().flat_map(|d| TRANSPOSITIONS.map(|t| (d, t))) {
            for (m, n) in sides.into_iter().flat_map(|m| sides.map(|n| (m, n))) {
                for k in lengths {
                    let params = suited(sku, dtype, trans, [m, n, k]);
                    if !made.insert((sku.name, params)) {
                        continue;
                    }
                    match gemm(&params, sku) {
                        Ok(_) => assert!(should_be(dtype, trans, sku.target), "{} {params:?}", sku.name),
                        Err(e) => {
                            assert!(!should_be(dtype, trans, sku.target), "{} {m} {n} {k} {params:?}: {e}", sku.name)
                        }
                    }
                }
            }
        }
    }
    assert!(made.len() > 2000, "{}", made.len());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_surrounds_the_product_never_takes_the_default_its_registers(
        (sku, dtype, trans) in (0..SKUS.len(), 0..Dtype::ALL.len(), 0..4usize),
        shape in [1u32..5000, 1u32..5000, 1u32..5000],
        (order, split_k, workgroups) in (0..3usize, 1u32..5, 0u32..5),
        (beta, bias, activation, output) in (any::<bool>(), any::<bool>(), 0..Activation::ALL.len(), 0..4usize),
    ) {
        let (sku, dtype, trans) = (&SKUS[sku], Dtype::ALL[dtype], TRANSPOSITIONS[trans]);
        let k = if dtype.is_scaled() { shape[2].next_multiple_of(MX_BLOCK) } else { shape[2] };
        let order = [Order::Tiles, Order::Persistent, Order::StreamK][order];
        let activation = Activation::ALL[activation].1;
        let params = GemmParams {
            order,
            split_k: if order == Order::Tiles { split_k } else { 1 },
            workgroups,
            extras: Extras { beta, bias, activation },
            output: [None, Some(Elem::F16), Some(Elem::Bf16), Some(Elem::F32)][output],
            ..suited(sku, dtype, trans, [shape[0], shape[1], k])
        };
        let sums_in_f32 = !matches!(dtype, Dtype::F64 | Dtype::I8);
        let allowed = sums_in_f32 || !activation.takes_exponential() && params.output.is_none();
        match gemm(&params, sku) {
            Ok(_) => prop_assert!(allowed && should_be(dtype, trans, sku.target)),
            Err(GemmError::Parameter { .. } | GemmError::NoInstruction { .. }) => {
                prop_assert!(!allowed || !should_be(dtype, trans, sku.target), "{}: {:?}", sku.name, params);
            }
            Err(e) => prop_assert!(false, "{}: {:?}: {}", sku.name, params, e),
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 60, failure_persistence: None, ..ProptestConfig::default() })]

    /// How many waves a workgroup has is decided before registers are given out, from what fits LDS.
    #[test]
    fn the_wave_count_chosen_for_a_model_has_the_registers_it_needs(
        sku in 0..SKUS.len(),
        (d_model, ffn, head_dim) in (1usize..65, 1usize..200, 1usize..5),
        (kv_heads, group, vocab) in (1usize..6, 1usize..9, 1usize..60_000),
        (workgroups, f32_kv, top_k, counter) in (1u32..65, any::<bool>(), 1u32..65, any::<bool>()),
    ) {
        let values = [
            ("d_model", (32 * d_model).to_string()),
            ("ffn", (32 * ffn).to_string()),
            ("head_dim", (32 * head_dim).to_string()),
            ("kv_heads", kv_heads.to_string()),
            ("heads", (kv_heads * group).to_string()),
            ("vocab", vocab.to_string()),
            ("workgroups", workgroups.to_string()),
            ("top_k", top_k.to_string()),
            ("kv", if f32_kv { "f32" } else { "f16" }.to_owned()),
            ("sync", if counter { "counter" } else { "sentinel" }.to_owned()),
        ];
        let values: Vec<(String, String)> = values.map(|(k, v)| (k.to_owned(), v)).into();
        match generate("monokernel", &values, &SKUS[sku]) {
            Ok(_) => {}
            // What a plan refuses says why; what has a plan must have a kernel.
            Err(CatalogError::Monokernel(e)) if !matches!(e, Error::Emit(_)) => {}
            Err(e) => prop_assert!(false, "{}: {:?}: {}", SKUS[sku].name, values, e),
        }
    }
}
