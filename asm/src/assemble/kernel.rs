//! `.amdhsa_kernel`: a kernel descriptor from named fields.
//!
//! Field positions and defaults: AMDGPUUsage, "Kernel Descriptor" and "AMDHSA Kernel Assembler Directives".

use super::source::Origin;
use super::symbols::{Binding, SymbolKind, View, Visibility};
use super::{Assembler, Relocation, RelocationKind};
use crate::parse::{Cursor, Expr, ParseError, evaluate, nearest};
use crate::target::Target;

/// A kernel whose descriptor is computed at the end, when all symbols are known.
#[derive(Debug)]
pub(super) struct OpenKernel<'a> {
    pub(super) name: String,
    fields: Vec<(&'static str, Expr, (usize, usize), Origin<'a>)>,
    origin: Origin<'a>,
    span: (usize, usize),
    rodata: u64,
}

/// Where a directive's value goes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Place {
    /// A whole dword at this byte.
    Dword(usize),
    /// `width` bits at `bit` of the dword at `byte`.
    Bits { byte: usize, bit: u32, width: u32 },
    /// Bits, and this many user SGPRs when set.
    User { bit: u32, sgprs: u32 },
    /// Has a rule of its own.
    Special,
}

const RSRC3: usize = 44;
const RSRC1: usize = 48;
const RSRC2: usize = 52;
const PROPERTIES: usize = 56;

const fn bits(byte: usize, bit: u32, width: u32) -> Place {
    Place::Bits { byte, bit, width }
}

/// Directive, place, default, and whether gfx90a or gfx942 changes who has it: targets as a bit set.
const FIELDS: [(&str, Place, i64, u8); 44] = [
    (".amdhsa_group_segment_fixed_size", Place::Dword(0), 0, 15),
    (".amdhsa_private_segment_fixed_size", Place::Dword(4), 0, 15),
    (".amdhsa_kernarg_size", Place::Dword(8), 0, 15),
    (".amdhsa_user_sgpr_count", Place::Special, -1, 15),
    (".amdhsa_user_sgpr_private_segment_buffer", Place::User { bit: 0, sgprs: 4 }, 0, 3),
    (".amdhsa_user_sgpr_dispatch_ptr", Place::User { bit: 1, sgprs: 2 }, 0, 15),
    (".amdhsa_user_sgpr_queue_ptr", Place::User { bit: 2, sgprs: 2 }, 0, 15),
    (".amdhsa_user_sgpr_kernarg_segment_ptr", Place::User { bit: 3, sgprs: 2 }, 0, 15),
    (".amdhsa_user_sgpr_dispatch_id", Place::User { bit: 4, sgprs: 2 }, 0, 15),
    (".amdhsa_user_sgpr_flat_scratch_init", Place::User { bit: 5, sgprs: 2 }, 0, 3),
    (".amdhsa_user_sgpr_private_segment_size", Place::User { bit: 6, sgprs: 1 }, 0, 15),
    (".amdhsa_user_sgpr_kernarg_preload_length", Place::Special, 0, 14),
    (".amdhsa_user_sgpr_kernarg_preload_offset", Place::Special, 0, 14),
    (".amdhsa_uses_dynamic_stack", bits(PROPERTIES, 11, 1), 0, 15),
    (".amdhsa_system_sgpr_private_segment_wavefront_offset", bits(RSRC2, 0, 1), 0, 3),
    (".amdhsa_enable_private_segment", bits(RSRC2, 0, 1), 0, 12),
    (".amdhsa_system_sgpr_workgroup_id_x", bits(RSRC2, 7, 1), 1, 15),
    (".amdhsa_system_sgpr_workgroup_id_y", bits(RSRC2, 8, 1), 0, 15),
    (".amdhsa_system_sgpr_workgroup_id_z", bits(RSRC2, 9, 1), 0, 15),
    (".amdhsa_system_sgpr_workgroup_info", bits(RSRC2, 10, 1), 0, 15),
    (".amdhsa_system_vgpr_workitem_id", bits(RSRC2, 11, 2), 0, 15),
    (".amdhsa_next_free_vgpr", Place::Special, -1, 15),
    (".amdhsa_next_free_sgpr", Place::Special, -1, 15),
    (".amdhsa_accum_offset", Place::Special, -1, 14),
    (".amdhsa_reserve_vcc", Place::Special, 1, 15),
    (".amdhsa_reserve_flat_scratch", Place::Special, 1, 3),
    (".amdhsa_reserve_xnack_mask", Place::Special, 1, 15),
    (".amdhsa_float_round_mode_32", bits(RSRC1, 12, 2), 0, 15),
    (".amdhsa_float_round_mode_16_64", bits(RSRC1, 14, 2), 0, 15),
    (".amdhsa_float_denorm_mode_32", bits(RSRC1, 16, 2), 0, 15),
    (".amdhsa_float_denorm_mode_16_64", bits(RSRC1, 18, 2), 3, 15),
    (".amdhsa_dx10_clamp", bits(RSRC1, 21, 1), 1, 15),
    (".amdhsa_ieee_mode", bits(RSRC1, 23, 1), 1, 15),
    (".amdhsa_fp16_overflow", bits(RSRC1, 26, 1), 0, 15),
    (".amdhsa_tg_split", bits(RSRC3, 16, 1), 0, 14),
    (".amdhsa_exception_fp_ieee_invalid_op", bits(RSRC2, 24, 1), 0, 15),
    (".amdhsa_exception_fp_denorm_src", bits(RSRC2, 25, 1), 0, 15),
    (".amdhsa_exception_fp_ieee_div_zero", bits(RSRC2, 26, 1), 0, 15),
    (".amdhsa_exception_fp_ieee_overflow", bits(RSRC2, 27, 1), 0, 15),
    (".amdhsa_exception_fp_ieee_underflow", bits(RSRC2, 28, 1), 0, 15),
    (".amdhsa_exception_fp_ieee_inexact", bits(RSRC2, 29, 1), 0, 15),
    (".amdhsa_exception_int_div_zero", bits(RSRC2, 30, 1), 0, 15),
    (".amdhsa_named_barrier_count", Place::Special, 0, 0),
    (".amdhsa_inst_pref_size", Place::Special, 0, 0),
];

/// Reads the block up to `.end_amdhsa_kernel`.
pub(super) fn read<'a>(
    a: &mut Assembler<'a>,
    c: &mut Cursor<'_>,
    span: (usize, usize),
    origin: &Origin<'a>,
) -> Result<(), ParseError> {
    let name = a.symbol_name(c)?;
    a.end_of_statement(c)?;
    if a.kernels.iter().any(|k| k.name == name) {
        return Err(ParseError::new(span, format!("kernel `{name}` already has a descriptor")));
    }
    let mut fields: Vec<(&'static str, Expr, (usize, usize), Origin<'a>)> = Vec::new();
    loop {
        let (line, at) = match a.source.next() {
            Some(Ok(x)) => x,
            _ => return Err(ParseError::new(span, "no matching `.end_amdhsa_kernel`")),
        };
        let mut c = Cursor::new(&line);
        if c.at_end() {
            continue;
        }
        let start = c.pos();
        let word = c.word().unwrap_or("").to_owned();
        let word_span = (start, c.pos());
        if word == ".end_amdhsa_kernel" {
            break;
        }
        // Conditions and symbol assignments may stand inside the block.
        if a.conditional(&word, &mut c, word_span, &at)? || !a.conditions.active() {
            continue;
        }
        let result = field(a, &word, &mut c, word_span).and_then(|f| match f {
            Some((name, e, span)) if fields.iter().any(|x| x.0 == name) => {
                let _ = (e, span);
                Err(ParseError::new(word_span, format!("{name} is given twice")))
            }
            Some((name, e, span)) => {
                fields.push((name, e, span, at.clone()));
                Ok(())
            }
            None => Ok(()),
        });
        if let Err(e) = result {
            a.report(e, &at);
        }
    }
    // The descriptor's place is fixed here, its contents at the end.
    let rodata = a.section(".rodata");
    let s = &mut a.sections[rodata];
    s.align = s.align.max(64);
    let at = s.size.next_multiple_of(64);
    s.data.resize(at as usize + 64, 0);
    s.size = at + 64;
    let kd = format!("{name}.kd");
    a.symbols.mention(&name);
    a.symbols.define_label(&kd, rodata as u32, at).map_err(|e| ParseError::new(span, e))?;
    a.symbols.kind(&kd, SymbolKind::Object);
    a.symbols.size(&kd, Expr::Int(64), (0, 0));
    a.kernels.push(OpenKernel { name, fields, origin: origin.clone(), span, rodata: at });
    Ok(())
}

type Field = Option<(&'static str, Expr, (usize, usize))>;

fn field(
    a: &mut Assembler<'_>,
    word: &str,
    c: &mut Cursor<'_>,
    word_span: (usize, usize),
) -> Result<Field, ParseError> {
    let Some(entry) = FIELDS.iter().find(|f| f.0 == word && f.3 != 0) else {
        if word == ".set" || word == ".equ" {
            a.directive(word, c, word_span, &a.source.end())?;
            return Ok(None);
        }
        let e = ParseError::new(word_span, format!("unknown .amdhsa_kernel directive `{word}`"));
        return Err(match nearest(word, FIELDS.iter().map(|f| f.0)) {
            Some(n) => e.help(format!("did you mean `{n}`?")),
            None => e,
        });
    };
    if entry.3 & (1 << a.target as u8) == 0 {
        return Err(ParseError::new(word_span, format!("directive is not supported on {}", a.target)));
    }
    c.skip_space();
    let at = c.pos();
    let e = crate::parse::expression(c)?;
    let span = (at, c.pos());
    a.end_of_statement(c)?;
    Ok(Some((entry.0, a.symbols.localize(e), span)))
}

impl<'a> Assembler<'a> {
    /// Fills in every descriptor.
    pub(super) fn emit_descriptors(&mut self) {
        let Some(&rodata) = self.by_name.get(".rodata") else { return };
        for i in 0..self.kernels.len() {
            match self.descriptor(&self.kernels[i]) {
                Ok(bytes) => {
                    let at = self.kernels[i].rodata as usize;
                    self.sections[rodata].data[at..at + 64].copy_from_slice(&bytes);
                }
                Err(errors) => errors.iter().for_each(|(e, origin)| self.report(e.clone(), origin)),
            }
            let (name, at) = (self.kernels[i].name.clone(), self.kernels[i].rodata);
            // The descriptor is seen as widely as its kernel.
            let (binding, visibility) = self.symbols.attributes(&name);
            let kd = format!("{name}.kd");
            self.symbols.binding(&kd, binding);
            self.symbols.visibility(&kd, visibility);
            // As LLVM has it, nobody replaces a kernel's code behind its descriptor.
            if visibility == Visibility::Default {
                self.symbols.visibility(&name, Visibility::Protected);
            }
            self.symbols.mention(&name);
            if binding == Binding::Local && !self.symbols.is_defined(&name) {
                let k = &self.kernels[i];
                let e = ParseError::new(k.span, format!("kernel `{name}` is not defined"));
                let origin = k.origin.clone();
                self.report(e, &origin);
            }
            self.sections[rodata].relocations.push(Relocation {
                offset: at + 16,
                kind: RelocationKind::Rel64,
                symbol: name,
                addend: 16,
            });
        }
    }

    /// The descriptor's bytes, or all that is wrong with its fields.
    fn descriptor(&self, k: &OpenKernel<'a>) -> Result<[u8; 64], Vec<(ParseError, Origin<'a>)>> {
        let view = View { table: &self.symbols, section: 0, offset: 0 };
        let mut values = [0i64; FIELDS.len()];
        let mut given = [false; FIELDS.len()];
        let mut errors = Vec::new();
        for (i, f) in FIELDS.iter().enumerate() {
            values[i] = f.2;
            let Some((_, e, span, origin)) = k.fields.iter().find(|x| x.0 == f.0) else { continue };
            given[i] = true;
            let most = match f.1 {
                Place::Dword(_) => u32::MAX as i64,
                Place::Bits { width, .. } => (1 << width) - 1,
                Place::User { .. } => 1,
                Place::Special => 512,
            };
            let value = match evaluate(e, &view) {
                Ok(v) if v.section.is_some() => Err("expected an absolute expression".to_owned()),
                Ok(v) if !(0..=most).contains(&v.number) => Err(format!("value out of range: 0 to {most}")),
                Ok(v) => Ok(v.number),
                Err(e) => Err(e.to_string()),
            };
            match value {
                Ok(v) => values[i] = v,
                Err(m) => errors.push((ParseError::new(*span, m), origin.clone())),
            }
        }
        let made = encode(self.target, &values, &given);
        match made {
            Ok(bytes) if errors.is_empty() => Ok(bytes),
            Err(m) => {
                // Where the message names a directive of the file, there.
                let field = k.fields.iter().find(|f| m.contains(f.0.trim_start_matches(".amdhsa_")));
                let (span, origin) = field.map_or((k.span, &k.origin), |f| (f.2, &f.3));
                // A field that is wrong by itself is told of once.
                if !errors.iter().any(|(e, o)| e.span == span && o.line == origin.line) {
                    errors.push((ParseError::new(span, m), origin.clone()));
                }
                Err(errors)
            }
            Ok(_) => Err(errors),
        }
    }
}

/// Values by the index of their directive in [`FIELDS`], and which of them the file gives.
type Values = [i64; FIELDS.len()];

fn index(name: &str) -> usize {
    FIELDS.iter().position(|f| f.0 == name).unwrap_or(0)
}

/// The descriptor of these values; the entry's offset is left 0.
fn encode(target: Target, values: &Values, given: &[bool; FIELDS.len()]) -> Result<[u8; 64], String> {
    let get = |name: &str| values[index(name)];
    for required in [".amdhsa_next_free_vgpr", ".amdhsa_next_free_sgpr"] {
        if !given[index(required)] {
            return Err(format!("{required} directive is required"));
        }
    }
    let mut d = [0u8; 64];
    let put = |d: &mut [u8; 64], byte: usize, bit: u32, value: u32| {
        let mut w = u32::from_le_bytes([d[byte], d[byte + 1], d[byte + 2], d[byte + 3]]);
        w |= value << bit;
        d[byte..byte + 4].copy_from_slice(&w.to_le_bytes());
    };
    let mut implied = 0;
    for (i, f) in FIELDS.iter().enumerate() {
        if f.3 & (1 << target as u8) == 0 {
            continue;
        }
        let v = values[i] as u32;
        match f.1 {
            Place::Dword(at) => put(&mut d, at, 0, v),
            Place::Bits { byte, bit, .. } => put(&mut d, byte, bit, v),
            Place::User { bit, sgprs } => {
                put(&mut d, PROPERTIES, bit, v);
                if v != 0 {
                    implied += sgprs;
                }
            }
            Place::Special => {}
        }
    }
    let preload = get(".amdhsa_user_sgpr_kernarg_preload_length") as u32;
    implied += preload;
    put(&mut d, PROPERTIES, 16, preload | (get(".amdhsa_user_sgpr_kernarg_preload_offset") as u32) << 7);
    let count = match get(".amdhsa_user_sgpr_count") {
        -1 => implied,
        n if (n as u32) < implied => {
            return Err("amdgpu_user_sgpr_count smaller than implied by enabled user SGPRs".to_owned());
        }
        n => n as u32,
    };
    if count > 31 {
        return Err("too many user SGPRs enabled".to_owned());
    }
    put(&mut d, RSRC2, 1, count);
    let vgprs = get(".amdhsa_next_free_vgpr") as u32;
    put(&mut d, RSRC1, 0, vgprs.max(1).div_ceil(target.vgpr_granule()) - 1);
    let sgprs = get(".amdhsa_next_free_sgpr") as u32;
    if sgprs > MOST_SGPRS {
        return Err(format!("too many SGPRs: at most {MOST_SGPRS}"));
    }
    let flat = matches!(target, Target::Gfx942 | Target::Gfx950) || get(".amdhsa_reserve_flat_scratch") != 0;
    let extra = if flat {
        EXTRA_SGPRS
    } else if get(".amdhsa_reserve_xnack_mask") != 0 {
        4
    } else {
        2 * get(".amdhsa_reserve_vcc") as u32
    };
    put(&mut d, RSRC1, 6, (sgprs + extra).max(1).div_ceil(8) - 1);
    if target.unified_vgprs() {
        let accum = get(".amdhsa_accum_offset");
        if accum < 0 {
            return Err(".amdhsa_accum_offset directive is required".to_owned());
        }
        if !(4..=256).contains(&accum) || accum % 4 != 0 {
            return Err("accum_offset should be in range [4..256] in increments of 4".to_owned());
        }
        if accum as u32 > vgprs.max(1).next_multiple_of(4) {
            return Err("accum_offset exceeds total VGPR allocation".to_owned());
        }
        put(&mut d, RSRC3, 0, accum as u32 / 4 - 1);
    }
    Ok(d)
}

/// SGPRs that a kernel may use by number.
const MOST_SGPRS: u32 = 102;
/// What VCC, FLAT_SCRATCH and XNACK add to them where all are reserved.
const EXTRA_SGPRS: u32 = 6;

/// The directives whose descriptor is `raw`, the entry's offset aside, defaults left out; `None` where no directives
/// give these bytes.
pub(crate) fn directives(raw: &[u8; 64], target: Target) -> Option<Vec<(&'static str, i64)>> {
    let word = |at: usize| u32::from_le_bytes([raw[at], raw[at + 1], raw[at + 2], raw[at + 3]]);
    let field = |at: usize, bit: u32, width: u32| i64::from(word(at) >> bit & ((1 << width) - 1));
    let mut values: Values = [0; FIELDS.len()];
    let mut given = [false; FIELDS.len()];
    let mut out = Vec::new();
    for (i, &(name, place, default, targets)) in FIELDS.iter().enumerate() {
        values[i] = default;
        if targets & (1 << target as u8) == 0 {
            continue;
        }
        let sgprs = |g: i64| (g * 8 + 8 - i64::from(EXTRA_SGPRS)).clamp(0, i64::from(MOST_SGPRS));
        let value = match (place, name) {
            (Place::Dword(at), _) => i64::from(word(at)),
            (Place::Bits { byte, bit, width }, _) => field(byte, bit, width),
            (Place::User { bit, .. }, _) => field(PROPERTIES, bit, 1),
            (_, ".amdhsa_user_sgpr_count") => field(RSRC2, 1, 5),
            (_, ".amdhsa_user_sgpr_kernarg_preload_length") => field(PROPERTIES, 16, 7),
            (_, ".amdhsa_user_sgpr_kernarg_preload_offset") => field(PROPERTIES, 23, 9),
            (_, ".amdhsa_next_free_vgpr") => (field(RSRC1, 0, 6) + 1) * i64::from(target.vgpr_granule()),
            (_, ".amdhsa_next_free_sgpr") => sgprs(field(RSRC1, 6, 4)),
            (_, ".amdhsa_accum_offset") => (field(RSRC3, 0, 6) + 1) * 4,
            _ => default,
        };
        (values[i], given[i]) = (value, true);
        if value != default {
            out.push((name, value));
        }
    }
    let mut made = encode(target, &values, &given).ok()?;
    made[ENTRY].copy_from_slice(&raw[ENTRY]);
    (made == *raw).then_some(out)
}

/// Where a descriptor keeps the distance to its kernel's first instruction.
const ENTRY: std::ops::Range<usize> = 16..24;
