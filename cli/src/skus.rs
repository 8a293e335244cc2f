//! `wavesmith skus`: the parts table.

use crate::outcome::{Outcome, print_line};
use serde_json::json;
use wavesmith_asm::sku::SKUS;

/// Arguments of `wavesmith skus`.
#[derive(clap::Args)]
pub struct Args {
    /// Print one JSON object on one line.
    #[arg(long)]
    json: bool,
}

/// Prints the table of parts.
pub fn run(args: &Args) -> anyhow::Result<Outcome> {
    if args.json {
        let skus: Vec<_> = SKUS
            .iter()
            .map(|s| {
                json!({
                    "name": s.name, "product": s.product, "target": s.target.name(), "cus": s.cus, "xcds": s.xcds,
                    "clock_mhz": s.clock_mhz, "hbm_gib": s.hbm_gib, "hbm_gbps": s.hbm_gbps,
                    "l2_bytes_per_xcd": s.l2_bytes, "mall_bytes": s.mall_bytes,
                    "lds_bytes_per_cu": s.target.max_lds(), "waves_per_simd": s.waves_per_simd,
                })
            })
            .collect();
        print_line(&json!({ "skus": skus }).to_string());
        return Ok(Outcome::Ok);
    }
    print_line("name    target  CUs  XCDs  MHz   HBM GiB  HBM GB/s  L2/XCD MiB  MALL MiB  LDS/CU KiB");
    for s in SKUS {
        let hbm_gbps = s.hbm_gbps.map_or("unknown".to_owned(), |g| g.to_string());
        print_line(&format!(
            "{:<7} {:<7} {:>3}  {:>4}  {:>4}  {:>7}  {:>8}  {:>10}  {:>8}  {:>10}",
            s.name,
            s.target.name(),
            s.cus,
            s.xcds,
            s.clock_mhz,
            s.hbm_gib,
            hbm_gbps,
            s.l2_bytes >> 20,
            s.mall_bytes >> 20,
            s.target.max_lds() >> 10
        ));
    }
    Ok(Outcome::Ok)
}
