//! Every number of the model, one row a parameter, one column a part, each with its source and how far to trust it.
//!
//! Confidence is a letter for each part: `H` an AMD document, LLVM, or several measurements that agree; `M` one
//! measurement or one credible source; `L` inferred from a neighbouring part, or fitted to measurements of whole
//! kernels; `U` unknown, where the value is the slowest plausible one and every report says that it was used.

use wavesmith_asm::Sku;
use wavesmith_asm::sku::SKUS;

/// How far a number can be trusted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Confidence {
    /// A document, or measurements that agree.
    High,
    /// One measurement or credible source.
    Medium,
    /// Inferred or fitted.
    Low,
    /// Not known: the slowest plausible value.
    Unknown,
}

impl Confidence {
    const fn of(letter: u8) -> Confidence {
        match letter {
            b'H' => Confidence::High,
            b'M' => Confidence::Medium,
            b'L' => Confidence::Low,
            _ => Confidence::Unknown,
        }
    }

    /// The word that reports print.
    pub const fn name(self) -> &'static str {
        match self {
            Confidence::High => "high",
            Confidence::Medium => "medium",
            Confidence::Low => "low",
            Confidence::Unknown => "unknown",
        }
    }
}

/// One parameter over all parts.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// Name, as reports list it.
    pub name: &'static str,
    /// Unit.
    pub unit: &'static str,
    /// Value for each part, in the order of [`SKUS`].
    pub values: [f64; SKUS.len()],
    /// Confidence for each part, a letter each.
    letters: &'static [u8; SKUS.len()],
    /// What it is and where it comes from.
    pub source: &'static str,
}

impl Row {
    /// How far the value of a part can be trusted; unknown for a part that is not in the table.
    pub fn confidence(&self, sku: &Sku) -> Confidence {
        index(sku).map_or(Confidence::Unknown, |i| Confidence::of(self.letters[i]))
    }

    /// The value of a part.
    pub fn value(&self, sku: &Sku) -> f64 {
        self.values[index(sku).unwrap_or(0)]
    }
}

fn index(sku: &Sku) -> Option<usize> {
    SKUS.iter().position(|s| s.name == sku.name)
}

macro_rules! parameters {
    ($($name:ident $unit:literal [$($value:expr),* $(,)?] $letters:literal $source:literal;)*) => {
        /// The parameters of one part.
        #[derive(Clone, Copy, Debug, PartialEq)]
        pub struct Machine {
            $(#[doc = $source] #[doc = concat!("In ", $unit, ".")] pub $name: f64,)*
        }

        /// The table.
        pub const ROWS: &[Row] = &[
            $(Row { name: stringify!($name), unit: $unit, values: [$($value as f64),*], letters: $letters, source: $source },)*
        ];

        impl Machine {
            /// The numbers of a part.
            pub fn of(sku: &Sku) -> Machine {
                let mut rows = ROWS.iter();
                let mut next = || rows.next().map_or(0.0, |r| r.value(sku));
                Machine { $($name: next(),)* }
            }
        }
    };
}

// Columns: MI100, MI210, MI250X (a GCD), MI300A, MI300X, MI308X, MI325X, MI350X, MI355X.
#[rustfmt::skip]
parameters! {
    // Compute unit: issue.
    slot "cycles" [4, 4, 4, 4, 4, 4, 4, 4, 4] b"HHHHHHHHH" "An issue slot of a SIMD: the arbiter visits one SIMD a clock, round robin (rocprofiler-compute documentation; add and MFMA traces of ASTER).";
    trans "cycles" [16, 16, 16, 16, 16, 16, 16, 8, 8] b"HHHHHHHMM" "VALU occupancy of a transcendental: 16.0 measured on gfx942 (pyhip). CDNA4's white paper claims twice CDNA3's rate: nobody measured it alone, but without it AITER's attention would be a sixth slower on MI355X than it is.";
    f64_valu "cycles" [8, 4, 4, 4, 4, 4, 4, 4, 4] b"MHHHHHHHH" "VALU occupancy of f64 add, multiply and FMA: from the published peak rates.";
    pk_after_mfma "cycles" [8, 8, 8, 8, 8, 8, 8, 8, 8] b"LLLHHHHMM" "Packed f32 never runs beside an MFMA: it waits for the pipe and this long (28, 32, 36, 40 cycles for an MFMA of 16 with 1 to 4 of them: pyhip; gfx950 by counters).";
    scalar_from_vector "cycles" [16, 16, 16, 16, 16, 16, 16, 16, 16] b"UUUUUUUUU" "From a VALU write of an SGPR or VCC to its use by the scalar unit or a branch; interlocked, cost unmeasured.";
    branch_taken "cycles" [16, 16, 16, 16, 16, 16, 16, 16, 16] b"UUUUUUUUU" "From a taken branch to the wave's next issue: the instruction buffer is refilled.";
    branch_not_taken "cycles" [8, 8, 8, 8, 8, 8, 8, 8, 8] b"UUUUUUUUU" "From a branch not taken to the wave's next issue.";
    misaligned_fetch "cycles" [1, 1, 1, 1, 1, 1, 1, 1, 1] b"LLLMMMMLL" "Extra for an 8-byte instruction at an address that is 4 modulo 8: 5 instead of 4 measured on gfx942 (pyhip).";
    barrier "cycles" [32, 32, 32, 32, 32, 32, 32, 32, 32] b"UUUUUUUUU" "From the last wave's arrival at s_barrier to the first issue after it; traces show 128 to 145 with imbalance (pyhip).";
    mfma_valu_states "wait states" [4, 3, 3, 3, 3, 3, 3, 4, 4] b"MHHHHHHHH" "From an MFMA's passes to the wait states before a VALU, store or other matrix operand may read its result (LLVM 22, ISA guides).";
    // Compute unit: LDS.
    lds_latency "cycles" [46, 46, 46, 48, 48, 48, 48, 48, 48] b"HHHMHHMUU" "An LDS read from issue to lgkmcnt, beyond its data cycles: 50 to 52 cycles for ds_read_b32 by pointer chase (mt4g, gcnasm).";
    lds_pair_bytes "B/cycle" [64, 64, 64, 64, 64, 64, 64, 128, 128] b"LLLMMMMMM" "LDS to a pair of SIMDs: 16 cycles for ds_read_b128 from one pair, 8 with both (pyhip); CDNA4 doubles reads.";
    lds_simd_bytes "B/cycle" [44, 44, 44, 44, 44, 44, 44, 56, 56] b"LLLMMMMMM" "LDS to one wave: 6.6, 11.7, 23.0 cycles a ds_read_b32, b64, b128 of a single wave (gcnasm on MI308X); 9.1 for b64 on MI350X (amd-shark-ai).";
    lds_write_issue "cycles" [4, 4, 4, 4, 4, 4, 4, 4, 4] b"LLLMMMMLL" "LDS write: this plus 4 a dword of data, of the pair's queue: 8 for b32, 20 for b128 (shark-ai guide, rocRoller's model).";
    lds_queue "instructions" [8, 8, 8, 8, 8, 8, 8, 8, 8] b"MMMMMMMMM" "LDS instructions that wait for a pair of SIMDs before issue stalls (rocRoller's model).";
    lds_permute "cycles" [50, 50, 50, 50, 50, 50, 50, 50, 50] b"LLLMMMMLL" "ds_swizzle, ds_permute, ds_bpermute from issue to lgkmcnt (shark-ai guide).";
    // Compute unit: vector memory.
    ta_cycles "cycles" [4, 4, 4, 4, 4, 4, 4, 4, 4] b"LLLLLLLLL" "Address processing of a vector memory instruction of 64 lanes at 16 lanes a clock.";
    vmem_queue "instructions" [16, 16, 16, 16, 16, 16, 16, 16, 16] b"LLLLLLLLL" "Vector memory instructions of a CU that wait for address processing before issue stalls (ASTER's model; 24 seen by pyhip).";
    l1_bytes "B/cycle" [64, 64, 64, 64, 64, 64, 64, 64, 64] b"HHHMMMMLL" "L1 to the registers: 60 to 61 B a clock and CU seen on MI300X (RRZE), specified 128.";
    l1_fill "cycles" [1, 1, 1, 1, 1, 1, 1, 1, 1] b"LLLMMMMLL" "What L2 sends is put into L1's memory before it goes out to lanes (rocprofiler-compute's documentation), and takes a cycle of it: 43 B a clock and CU are seen from L2 on MI300X where 61 are from L1, 27 TB/s in all (RRZE's gpu-cache), a line in three cycles instead of two.";
    l1_latency "cycles" [136, 124, 124, 120, 116, 116, 116, 120, 120] b"HHHMHMMUU" "Vector load that hits L1, by pointer chase (mt4g, RRZE).";
    l1_kib "KiB" [16, 16, 16, 32, 32, 32, 32, 32, 32] b"HHHHHHHHH" "Vector L1 of a CU.";
    l1_line "B" [64, 64, 64, 128, 128, 128, 128, 128, 128] b"HHHHHHHHH" "Line of the vector L1 (mt4g). It asks L2 for the 64 bytes that are wanted or for both halves of a line: L2 counts requests of 32, 64, 96 and 128 bytes of its own to memory (rocprofiler's counters of MI300), which it would not have if it were always asked for whole lines; that halves are requests of their own is inferred.";
    l1_ways "lines" [64, 64, 64, 64, 64, 64, 64, 64, 64] b"LLLMMMMLL" "Lines of a set of L1 (amd-shark-ai's guide: 64 ways, 4 sets; which set, by a hash). A miss takes its line when it is asked for, so that these bound what a CU has in flight: 256 lines, 32 KiB. Nobody measured that alone; a step of AITER's FP4 GEMMs of small tiles on MI355X takes as long as HBM's latency for its lines, that many at a time.";
    // Shared by two compute units (three on MI100).
    scalar_kib "KiB" [16, 16, 16, 16, 16, 16, 16, 16, 16] b"HHHHHHHHH" "Scalar data cache.";
    scalar_latency "cycles" [50, 53, 53, 48, 48, 48, 48, 53, 53] b"HHHMHMMUU" "Scalar load that hits (mt4g).";
    scalar_cycles "cycles" [8, 8, 8, 8, 8, 8, 8, 8, 8] b"UUUUUUUUU" "Occupancy of the scalar cache by a load, and again for each 64 bytes.";
    icache_kib "KiB" [32, 32, 32, 64, 64, 64, 64, 64, 64] b"HHHHHHHHH" "Instruction cache.";
    icache_line "B" [64, 64, 64, 128, 128, 128, 128, 128, 128] b"MMMHHHHLL" "Line of the instruction cache.";
    icache_ahead "lines" [4, 4, 4, 4, 4, 4, 4, 4, 4] b"LLLLLLLLL" "Lines fetched ahead of a wave: fitted so that straight-line code of short kernels starts as fast as measured.";
    // Accelerator die.
    l2_latency "cycles" [344, 250, 250, 213, 212, 212, 212, 288, 288] b"MMMMMMMUU" "Vector load that hits L2, by pointer chase (RRZE 212, mt4g 288 on MI300X; the slower for CDNA4, where none is published).";
    l2_channel_bytes "B/cycle" [64, 128, 128, 128, 128, 128, 128, 128, 128] b"MMMHHHHHH" "Read bandwidth of an L2 channel (white papers of CDNA2 and CDNA3; 4 to 5 TB/s seen on MI210 are more than the 64 B of rocprofiler-compute's documentation give).";
    l2_channels "channels" [32, 32, 32, 16, 16, 16, 16, 16, 16] b"HHHHHHHHH" "L2 channels of an XCD or GCD.";
    l2_line "B" [64, 128, 128, 128, 128, 128, 128, 128, 128] b"HHHHHHHHH" "Line of L2 (mt4g).";
    xcd_fabric_bytes "B/cycle" [2048, 2048, 2048, 1024, 1024, 1024, 1024, 1024, 1024] b"LLLHHHHHH" "An XCD's reads from the fabric: 16 times 64 B a clock (CDNA3 white paper); before, as many as L2 channels ask for.";
    xcd_write_bytes "B/cycle" [2048, 2048, 2048, 512, 512, 512, 512, 512, 512] b"LLLHHHHHH" "An XCD's writes to the fabric, half of its reads (CDNA3 white paper): at a dispatch's end what its L2 holds of written lines goes out this fast.";
    dispatch_workgroup "cycles" [10, 10, 10, 10, 8, 8, 8, 8, 8] b"UUULMLLLL" "Between two workgroups that an XCD starts. MI300A: 9.9 and 10.7 cycles for each workgroup of 256 of a die, fitted to additions of 16.7 M floats in 51.5 us and a rectifier over 1.07 G in 3.56 ms (mgpusim's data). MI300X: at most 8.3, as fast as RRZE's gpu-l2-stream goes through workgroups of 128 and 256.";
    dispatch_wave "cycles" [1.09, 1.09, 1.09, 1.09, 1.09, 1.09, 1.09, 1.09, 1.09] b"LLLMMMMLL" "Between two waves that an XCD starts, where a workgroup has so many that this is longer: reads from L2 of one load a lane go at 7.87 TB/s in workgroups of 10, 12, 14 and 16 waves alike (RRZE's gpu-l2-stream on MI300X), a wave in 1.09 cycles of each XCD.";
    workgroup_turn "cycles" [300, 300, 300, 300, 300, 300, 300, 300, 300] b"LLLLMMMLL" "From a workgroup's end to the first instruction of the one that takes its place on a compute unit. On MI300X a workgroup that reads 8 bytes a lane from L2 takes 293 ns with its successor's start, one at a time on a compute unit (RRZE's gpu-l2-stream: 96 lanes); the kernel itself takes the rest.";
    // Device memory, in nanoseconds: its clocks are its own.
    mall_mib "MiB" [0, 0, 0, 256, 256, 64, 256, 256, 256] b"HHHHHLHHH" "Infinity Cache. MI308X, of whose size nobody tells: AITER's times there show nothing of 105 MB left by launches before, where those of MI355X show 180 MB left.";
    mall_ns "ns" [0, 0, 0, 218, 218, 258, 218, 218, 218] b"HHHMHUMLL" "Load that hits the Infinity Cache (RRZE 218, another checklist 258 on MI300X). CDNA4 as MI300X: with it AITER's FP8 GEMMs whose arrays are still in that cache take as long as measured.";
    mall_gbps "GB/s" [1, 1, 1, 11900, 11900, 8000, 11900, 11900, 11900] b"HHHLMULUU" "Infinity Cache bandwidth, of its slices together: 11.9 TB/s (Chips and Cheese) of 17.2 specified.";
    fabric_gbps "GB/s" [1, 1, 1, 5800, 5800, 5800, 5800, 6700, 6900] b"HHHLMLLLL" "What all XCDs together read over the fabric, from Infinity Cache and HBM. MI300X: 5.4 to 5.8 TB/s, of arrays of 45 to 260 MB that are read over and over, each line by one workgroup (RRZE's gpu-l2-stream, 32 and 28 waves a compute unit; its gpu-cache, whose workgroups all read the same, comes down to that too). Not a limit of each XCD: the four of MI308X read 1.14 TB/s each. MI355X: of 17,225 GEMMs of 30 MB and more in AITER's tables, of every library, none reads more than 6.63 TB/s on average from its first wave to its last, 524 MB in 79 µs, which is 6.9 without the time around it; MI350X in proportion to HBM.";
    hbm_ns "ns" [421, 353, 353, 346, 375, 391, 375, 375, 375] b"MMMMMMMLL" "Load from HBM that misses no TLB: pointer chases (RRZE, mt4g, gcnasm; 873 to 907 cycles on MI300X) less tlb_miss_ns; 342 ns on MI300X by a checklist. CDNA4 as MI300X: with it AITER's FP8 and bf16 GEMMs that wait for HBM once a step, and its FP4 ones that are bound by what L1 has in flight, take about as long as measured.";
    hbm_gbps "GB/s" [1000, 1390, 1390, 4300, 4350, 4560, 4900, 6900, 7130] b"LMLLHMLLM" "HBM bandwidth that is reached: 4.2 to 4.3 TB/s reads on MI300X (RRZE, BabelStream), 4.56 on MI308X (pyhip), 7.13 on MI355X (Hyperloom), 1.39 on MI210 (rocprofiler-compute); others in proportion to the peak.";
    hbm_channels "channels" [32, 32, 32, 128, 128, 128, 128, 128, 128] b"HHHHHUHHH" "Channels of HBM.";
    hbm_chunk "B" [1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024, 1024] b"LLLLLLLLL" "Bytes that stay on a channel: with hashed channels it reproduces 2.59, 3.40, 3.74, 4.24 TB/s at 1, 2, 4, 8 loads a lane in flight.";
    tlb_entries "pages" [16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384, 16384] b"UUUMMMMUU" "Pages of 4 KiB that an XCD's second-level TLB holds (Chips and Cheese).";
    tlb_miss_ns "ns" [47, 47, 47, 47, 47, 47, 47, 47, 47] b"UUUMMMMUU" "A miss of it (Chips and Cheese).";
    // Coherence and atomics.
    atomic_ns "ns" [116, 116, 116, 116, 116, 116, 116, 116, 116] b"UUUMMMMUU" "Atomic round trip where the same XCD had the line (Chips and Cheese).";
    atomic_cross_ns "ns" [116, 116, 116, 202, 202, 202, 202, 202, 202] b"UUUMMMMUU" "Atomic round trip where another XCD had the line (Chips and Cheese).";
    atomic_bytes "B/cycle" [4, 4, 4, 4, 4, 4, 4, 4, 4] b"LLLLLLLLL" "Atomics that a channel of L2 passes on: a dword a cycle, from what split-K GEMMs take longer with more rows.";
    atomic_line_ns "ns" [28, 28, 28, 28, 28, 28, 28, 28, 28] b"UUUMMMMUU" "Between two atomics on a line, wherever they come from: the slope of a counter barrier over 304 and 608 workgroups, 8.61 and 17.3 us (ETX).";
    writeback_ns "ns" [181, 181, 181, 181, 181, 181, 181, 181, 181] b"UUUMMMMUU" "buffer_wbl2 sc1 and its wait (ETX, appendix C).";
    invalidate_ns "ns" [120, 120, 120, 120, 120, 120, 120, 120, 120] b"UUUMMMMUU" "buffer_inv sc1 (ETX, appendix C).";
    peer_ns "ns" [2000, 2000, 2000, 1000, 1000, 1000, 1000, 1000, 1000] b"UUUMMMMMM" "Access to a peer's memory over xGMI, one way about 1 us (ETX).";
    peer_gbps "GB/s" [37, 40, 40, 48, 48, 48, 48, 58, 58] b"LLLMMMMLL" "xGMI link and direction: 45 to 48 of 64 GB/s on MI300X (AMD blog), others in proportion.";
    host_ns "ns" [1500, 1500, 1500, 800, 1500, 1500, 1500, 1500, 1500] b"UUUUUUUUU" "Access to the host's memory.";
    // Launch.
    launch_us "us" [4.5, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5, 4.5] b"UUUMMMMUU" "A launch and its clean-up, back to back, all told (Kog on MI300X; 4.2 to 4.6 on MI300A, mgpusim's data).";
    start_ns "ns" [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000] b"UUULLLLLL" "From the start of a dispatch, as a profiler sees it, to its first wave: fitted to the shortest kernels.";
    end_ns "ns" [1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000, 1000] b"UUULLLLLL" "From the last wave's end to the dispatch's, as a profiler sees it; what L2 has to write back comes on top.";
    // Clocks.
    peak_mhz "MHz" [1502, 1700, 1700, 2100, 2100, 1850, 2100, 2200, 2400] b"HHHHHMHMH" "Peak engine clock (accelerator specification table); MI308X as seen by pyhip's probe under VALU load.";
    dense_f16_mhz "MHz" [1200, 1300, 1300, 1115, 1115, 1000, 1354, 1490, 1620] b"UUULHMHUL" "Clock that dense f16 MFMA settles at (rocm-blog on achievable FLOPS; pyhip on MI308X; MI355X fitted).";
    dense_bf16_mhz "MHz" [1200, 1300, 1300, 1207, 1207, 1000, 1447, 1490, 1620] b"UUULHMHUL" "The same for bf16.";
    dense_8bit_mhz "MHz" [1200, 1300, 1300, 1230, 1230, 1130, 1464, 1380, 1750] b"UUULHLHUL" "The same for 8-bit types; MI308X fitted, where the type of the measurement is not told; MI355X from the best FP8 GEMMs published (3506 TFLOPS: FlyDSL, pyhip).";
    dense_4bit_mhz "MHz" [1200, 1300, 1300, 1230, 1230, 1130, 1464, 1290, 1400] b"UUULLLLUL" "The same for 6- and 4-bit types.";
    wide_clock "fraction" [0.82, 0.82, 0.82, 1.0, 1.0, 1.0, 1.0, 0.82, 0.82] b"UUULLLLLL" "Clock under dense 32x32 matrix instructions, of that under 16x16: fitted to HipKittens' bf16 schedules (1291 and 1580 TFLOPS on MI355X, the same but for the instruction); its FP8 ones (2500 and 3066) have the same ratio. Power is the presumed cause. CDNA3 has none of it: AITER's attention on MI300X, all of it 32 by 32, is as fast as measured without, a sixth slower with it.";
    clock_slope "exponent" [0.33, 0.33, 0.33, 0.5, 0.5, 0.5, 0.5, 0.28, 0.28] b"UUULLMLLL" "How the clock rises as matrix instructions get fewer: their density to the power of minus this. 0.5 gives MI308X's peak just where throttling was seen to begin, at one MFMA of 16 cycles in 60 (pyhip); 0.28 fitted to MI355X's GEMMs.";
}

/// The parameters of a part that nobody has measured: what a report must list.
pub fn unknown(sku: &Sku) -> Vec<&'static str> {
    ROWS.iter().filter(|r| r.confidence(sku) == Confidence::Unknown).map(|r| r.name).collect()
}

/// The table in Markdown, as the book prints it: values with their confidence, then what each is and its source.
pub fn markdown() -> String {
    let mut out = String::from("| parameter | unit |");
    SKUS.iter().for_each(|s| out += &format!(" {} |", s.name));
    out += "\n|---|---|";
    SKUS.iter().for_each(|_| out += "---|");
    out += "\n";
    for row in ROWS {
        out += &format!("| `{}` | {} |", row.name, row.unit);
        for sku in SKUS {
            let letter = match row.confidence(sku) {
                Confidence::High => "H",
                Confidence::Medium => "M",
                Confidence::Low => "L",
                Confidence::Unknown => "U",
            };
            out += &format!(" {} {letter} |", row.value(sku));
        }
        out += "\n";
    }
    out += "\n| parameter | what it is, and where it comes from |\n|---|---|\n";
    ROWS.iter().for_each(|r| out += &format!("| `{}` | {} |\n", r.name, r.source));
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_parameter_of_every_part_is_positive_or_absent_there() {
        for row in ROWS {
            for (value, sku) in row.values.iter().zip(SKUS) {
                let absent = row.name.starts_with("mall") && sku.mall_bytes == 0;
                assert!(*value > 0.0 || absent, "{} of {}", row.name, sku.name);
            }
        }
    }

    #[test]
    fn what_nobody_measured_on_cdna4_is_listed_and_what_was_on_mi300x_is_not() {
        let mi355x = Sku::named("mi355x").map(unknown).unwrap_or_default();
        let mi350x = Sku::named("mi350x").map(unknown).unwrap_or_default();
        let mi300x = Sku::named("mi300x").map(unknown).unwrap_or_default();
        assert!(mi355x.contains(&"l2_latency") && mi350x.contains(&"dense_bf16_mhz"));
        assert!(!mi300x.contains(&"l2_latency") && mi300x.contains(&"barrier"));
    }

    #[test]
    fn names_are_said_once() {
        let mut names: Vec<_> = ROWS.iter().map(|r| r.name).collect();
        names.sort_unstable();
        names.dedup();
        assert_eq!(names.len(), ROWS.len());
    }
}
