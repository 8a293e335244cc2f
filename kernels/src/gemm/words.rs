//! Values of a GEMM's parameters as words: the spelling that the command line takes is the one that messages show.

use super::{Activation, GemmParams, Order, Schedule};
use std::fmt;
use std::str::FromStr;
use wavesmith_asm::sem::Elem;

impl Activation {
    /// Every one with the name that parameters use.
    pub const ALL: [(&'static str, Activation); 5] = [
        ("none", Activation::None),
        ("relu", Activation::Relu),
        ("gelu", Activation::Gelu),
        ("silu", Activation::Silu),
        ("sigmoid", Activation::Sigmoid),
    ];
}

impl Order {
    /// Every one with the name that parameters use.
    pub const ALL: [(&'static str, Order); 3] =
        [("tiles", Order::Tiles), ("persistent", Order::Persistent), ("streamk", Order::StreamK)];
}

/// The name that a list has for a value.
fn word<T: PartialEq>(words: &[(&'static str, T)], value: &T) -> &'static str {
    words.iter().find(|(_, v)| v == value).map_or("", |(name, _)| *name)
}

impl fmt::Display for Activation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(&Activation::ALL, self))
    }
}

impl fmt::Display for Order {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(word(&Order::ALL, self))
    }
}

impl fmt::Display for Schedule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Schedule::Plain => f.write_str("plain"),
            Schedule::List => f.write_str("list"),
            Schedule::PingPong => f.write_str("pingpong"),
            Schedule::Interleave { mfma_per_read, mfma_per_load } => {
                write!(f, "interleave:{mfma_per_read},{mfma_per_load}")
            }
            Schedule::Rotate { mfma_per_read, mfma_per_load } => write!(f, "rotate:{mfma_per_read},{mfma_per_load}"),
        }
    }
}

impl FromStr for Schedule {
    type Err = String;

    fn from_str(s: &str) -> Result<Self, String> {
        let wrong = || {
            "accepted are plain, list, pingpong, and interleave:READ,LOAD or rotate:READ,LOAD with numbers from 1 up, such as \
             interleave:2,4"
                .to_owned()
        };
        let (name, numbers) = s.split_once(':').map_or((s, None), |(name, numbers)| (name, Some(numbers)));
        let pair = || -> Option<[usize; 2]> {
            let (read, load) = numbers?.split_once(',')?;
            Some([read.parse().ok()?, load.parse().ok()?]).filter(|pair: &[usize; 2]| !pair.contains(&0))
        };
        Ok(match (name, numbers) {
            ("plain", None) => Schedule::Plain,
            ("list", None) => Schedule::List,
            ("pingpong", None) => Schedule::PingPong,
            ("interleave", Some(_)) => {
                let [mfma_per_read, mfma_per_load] = pair().ok_or_else(wrong)?;
                Schedule::Interleave { mfma_per_read, mfma_per_load }
            }
            ("rotate", Some(_)) => {
                let [mfma_per_read, mfma_per_load] = pair().ok_or_else(wrong)?;
                Schedule::Rotate { mfma_per_read, mfma_per_load }
            }
            _ => return Err(wrong()),
        })
    }
}

/// The name of an element type.
pub(crate) fn elem(elem: Elem) -> String {
    format!("{elem:?}").to_lowercase()
}

/// Every parameter with its value.
impl fmt::Display for GemmParams {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let p = self;
        write!(f, "dtype={}", p.dtype.name())?;
        if let Some(output) = p.output {
            write!(f, " output={}", elem(output))?;
        }
        write!(f, " trans_a={} trans_b={}", p.trans_a, p.trans_b)?;
        write!(f, " tile_m={} tile_n={} stage_bytes={}", p.tile_m, p.tile_n, p.stage_bytes)?;
        write!(f, " stages={} early_a={} waves_m={} waves_n={}", p.stages, p.early_a, p.waves_m, p.waves_n)?;
        write!(f, " mfma={}", p.mfma)?;
        write!(f, " load_bytes={} direct={}", p.load_bytes, p.direct)?;
        write!(f, " beta={} bias={} activation={}", p.extras.beta, p.extras.bias, p.extras.activation)?;
        write!(f, " schedule={} order={} split_k={}", p.schedule, p.order, p.split_k)?;
        write!(f, " workgroups={} xcd_chunk={} group_m={}", p.workgroups, p.xcd_chunk, p.group_m)
    }
}
