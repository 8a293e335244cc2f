//! The host side of the monokernel: shares, layouts and what does not fit. None of this needs a device.

use half::f16;
use proptest::prelude::*;
use wavesmith_asm::Sku;
use wavesmith_kernels::monokernel::exchange::{SENTINEL, Slot};
use wavesmith_kernels::monokernel::plan::{BLOCK, CHUNK, Plan, Stage, TILE, TOKENS};
use wavesmith_kernels::monokernel::weights::hidden_row;
use wavesmith_kernels::monokernel::{KvType, Params, monokernel};
use wavesmith_model::{LlamaConfig, Matrix, Weights, synthetic::SMALL};

fn mi300x() -> &'static Sku {
    Sku::named("mi300x").unwrap()
}

/// Shapes that the kernel accepts, small enough to make weights of.
fn shapes() -> impl Strategy<Value = LlamaConfig> {
    (1usize..3, 1usize..9, 1usize..3, 1usize..4, 1usize..3, 1usize..10, 3usize..200, any::<bool>()).prop_map(
        |(layers, d, kv_heads, group, head_dim, ffn, vocab, tied)| LlamaConfig {
            layers,
            d_model: 32 * d,
            heads: kv_heads * group,
            kv_heads,
            head_dim: 32 * head_dim,
            ffn: 32 * ffn,
            vocab,
            context: 256,
            tied,
            ..SMALL
        },
    )
}

fn plans() -> impl Strategy<Value = Plan> {
    (shapes(), 1u32..40, proptest::option::of(1u32..=8)).prop_map(|(config, workgroups, waves)| {
        let params = Params { waves, ..Params::new(workgroups, 64) };
        Plan::new(&config, mi300x(), &params).unwrap()
    })
}

/// Row `r` of a stage's tiles as the model has it.
fn row<'w>(weights: &'w Weights, stage: Stage, layer: usize, r: usize) -> Option<&'w [f16]> {
    let l = &weights.layers[layer];
    let at = |m: &'w Matrix, r: usize| (r < m.rows).then(|| m.row(r));
    match stage {
        Stage::Qkv => {
            at(&l.wq, r).or_else(|| at(&l.wk, r - l.wq.rows)).or_else(|| at(&l.wv, r - l.wq.rows - l.wk.rows))
        }
        Stage::Out => at(&l.wo, r),
        Stage::GateUp => {
            let h = hidden_row(r);
            at(if h.up { &l.up } else { &l.gate }, h.index)
        }
        Stage::Down => at(&l.down, r),
        Stage::Head => at(weights.head(), r),
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn workgroups_share_all_tiles_and_heads_without_overlap(plan in plans()) {
        let workgroups = plan.params.workgroups as usize;
        for stage in Stage::ALL {
            let mut next = 0;
            for w in 0..workgroups {
                let share = plan.share(stage, w);
                prop_assert_eq!(share.first, next);
                next += share.count;
                let even = plan.shape(stage).tiles / workgroups;
                prop_assert!(share.count == even || share.count == even + 1);
            }
            prop_assert_eq!(next, plan.shape(stage).tiles);
        }
        let mut next = 0;
        for w in 0..workgroups {
            let (first, count) = plan.jobs(w);
            prop_assert!(count == 0 || first == next, "{first} {count} {next}");
            next += count;
            prop_assert!(count <= plan.config.kv_heads.div_ceil(workgroups));
        }
        prop_assert_eq!(next, plan.config.kv_heads);
    }

    #[test]
    fn waves_find_every_weight_once_in_the_order_they_read(plan in plans(), seed: u64) {
        let weights = Weights::synthetic(&plan.config, seed).unwrap();
        let bytes = plan.relay(&weights);
        prop_assert_eq!(bytes.len(), plan.weights_bytes());
        let half = |at: usize| f16::from_bits(u16::from_le_bytes([bytes[at], bytes[at + 1]]));
        for w in 0..plan.params.workgroups as usize {
            let extent = plan.extent(w);
            for stage in Stage::ALL {
                let (share, chunks) = (plan.share(stage, w), plan.shape(stage).chunks);
                let layers = if stage == Stage::Head { 1 } else { plan.config.layers };
                for layer in 0..layers {
                    let mut at = match stage {
                        Stage::Head => extent.head,
                        _ => extent.base + layer * extent.layer + extent.stage[stage as usize],
                    };
                    for wave in 0..plan.waves {
                        for tile in 0..share.count {
                            for chunk in 0..chunks {
                                for lane in 0..64 {
                                    for i in 0..8 {
                                        let r = (share.first + tile) * TILE + lane % 16;
                                        let column = (wave * chunks + chunk) * CHUNK + 8 * (lane / 16) + i;
                                        let want = row(&weights, stage, layer, r)
                                            .and_then(|v| v.get(column))
                                            .copied()
                                            .unwrap_or(f16::ZERO);
                                        prop_assert_eq!(half(at + 16 * lane + 2 * i), want);
                                    }
                                }
                                at += BLOCK;
                            }
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn exchange_buffers_start_as_sentinels_exactly_where_something_is_published(plan in plans()) {
        let x = plan.exchange;
        let image = x.image(&plan);
        prop_assert_eq!(image.len(), x.bytes());
        let published = plan.config.layers * TOKENS * Slot::ALL.iter().map(|s| x.values[*s as usize]).sum::<usize>()
            + 2 * plan.params.workgroups as usize * plan.params.top_k as usize
            + 1;
        let sentinels = image.chunks_exact(4).filter(|d| **d == SENTINEL.to_le_bytes()).count();
        prop_assert_eq!(sentinels, published * x.generations);
        let zeros = image.chunks_exact(4).filter(|d| **d == [0; 4]).count();
        prop_assert_eq!(sentinels + zeros, image.len() / 4);
        // Rows are long enough for whoever loads them in whole vectors.
        for (slot, stage) in [(Slot::Attention, Stage::Out), (Slot::Hidden, Stage::Down)] {
            let slice = plan.shape(stage).chunks * CHUNK;
            let end = (plan.waves - 1) * slice + plan.slice(stage).padded();
            prop_assert!(end * 4 <= x.stride[slot as usize]);
        }
        prop_assert!(plan.row.padded() * 4 <= x.stride[Slot::Out as usize]);
    }

    #[test]
    fn kernels_of_any_shape_can_be_made(config in shapes(), workgroups in 1u32..305, f32_cache: bool, draw: bool) {
        let kv = if f32_cache { KvType::F32 } else { KvType::F16 };
        let params = Params { kv, top_k: if draw { 40 } else { 1 }, ..Params::new(workgroups, 64) };
        let made = monokernel(&config, mi300x(), &params).unwrap();
        prop_assert!(made.plan.lds.bytes <= 65536);
        prop_assert!(!made.object.is_empty());
    }
}

#[test]
fn the_default_model_pads_nothing_with_three_waves() {
    let plan = Plan::new(&LlamaConfig::SMOLLM2_135M, mi300x(), &Params::new(16, 512)).unwrap();
    assert_eq!(plan.waves, 3);
    let weights = LlamaConfig::SMOLLM2_135M.parameters() * 2;
    assert_eq!(plan.blocks_per_token() * BLOCK, weights);
    assert_eq!(plan.weights_bytes() - weights, 24 * BLOCK);
}

#[test]
fn what_does_not_fit_is_named_with_what_would() {
    let c = LlamaConfig::SMOLLM2_135M;
    let say = |c: LlamaConfig, p: Params| Plan::new(&c, mi300x(), &p).unwrap_err().to_string();
    let p = Params::new(16, 512);
    assert!(say(LlamaConfig { head_dim: 48, ..c }, p).contains("multiple of 32 and at most 128"));
    assert!(say(LlamaConfig { head_dim: 160, ..c }, p).contains("at most 128"));
    assert!(say(LlamaConfig { d_model: 600, ..c }, p).contains("the model width is 600"));
    assert!(say(LlamaConfig { heads: 51, ..c }, p).contains("at most 16"));
    assert!(say(c, Params { workgroups: 305, ..p }).contains("1..=304"));
    assert!(say(c, Params { workgroups: 0, ..p }).contains("1..=304"));
    assert!(say(c, Params { top_k: 65, ..p }).contains("1..=64"));
    assert!(say(c, Params { generations: 2, ..p }).contains("3..=16"));
    assert!(say(LlamaConfig { ffn: 1 << 16, ..c }, p).contains("columns fit in 8 waves"));
    assert!(say(c, Params { waves: Some(1), ..p }).contains("2 waves would fit"));
    assert!(say(LlamaConfig { d_model: 2048, ..c }, p).contains("LDS"));
    let many = Params { context: 1 << 20, kv: KvType::F32, ..p };
    assert!(say(LlamaConfig { layers: 60, ..c }, many).contains("under 4 GiB"));
    let old = Plan::new(&c, Sku::named("mi210").unwrap(), &p).unwrap_err().to_string();
    assert!(old.contains("mi210 is gfx90a"), "{old}");
}

#[test]
fn every_part_of_the_family_gets_a_kernel_of_its_own() {
    let c = LlamaConfig::SMOLLM2_135M;
    for name in ["mi300x", "mi300a", "mi308x", "mi325x", "mi355x"] {
        let sku = Sku::named(name).unwrap();
        for workgroups in [1, sku.xcds, sku.cus] {
            let made = monokernel(&c, sku, &Params::new(workgroups, 128)).unwrap();
            assert_eq!(made.plan.params.workgroups, workgroups);
        }
        let error = Plan::new(&c, sku, &Params::new(sku.cus + 1, 128)).unwrap_err().to_string();
        assert!(error.contains(&format!("1..={}", sku.cus)), "{error}");
    }
}

#[test]
fn a_model_that_fits_no_wave_count_is_told_what_the_nearest_one_lacks() {
    let config = LlamaConfig { d_model: 64, heads: 32, kv_heads: 4, head_dim: 128, ffn: 160, ..SMALL };
    // More local memory than 16-bit offsets reach does not help.
    for sku in ["mi300x", "mi350x"] {
        let sku = Sku::named(sku).unwrap();
        let error = monokernel(&config, sku, &Params::new(32, 80)).unwrap_err().to_string();
        assert!(error.contains("the kernel can use 65536: a smaller model width would fit"), "{error}");
    }
}
