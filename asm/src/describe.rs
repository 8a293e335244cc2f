//! What an operand may be, in words: for error messages and the reference.

use crate::format::Field;
use crate::row::{Class, Opd};

/// What may stand for the operand, in the words of the reference.
pub fn operand(o: &Opd) -> String {
    let n = o.ty.dwords();
    let run = |file: &str| if n == 1 { file.to_owned() } else { format!("{file}[{n}]") };
    match o.class {
        Class::V if o.slot == Field::Src1 => run("v"),
        Class::V => run("v"),
        Class::A => run("a"),
        Class::AV => format!("{}|{}", run("v"), run("a")),
        Class::AVC => format!("{}|{}|const", run("v"), run("a")),
        Class::VS | Class::VI => format!("{}|{}|const", run("v"), run("s")),
        Class::S => run("s"),
        Class::SS => format!("{}|const", run("s")),
        Class::SN => format!("{}|inline const", run("s")),
        Class::M => "vcc|s[2]".to_owned(),
        Class::K => "literal".to_owned(),
        Class::Imm => "imm".to_owned(),
        Class::Label => "label".to_owned(),
        Class::VAddr => "vaddr|off".to_owned(),
        Class::SAddr => "saddr|off".to_owned(),
        Class::SOff => "s|imm".to_owned(),
        Class::HwReg => "hwreg(…)".to_owned(),
        Class::Msg => "sendmsg(…)".to_owned(),
        Class::WaitCnt => "vmcnt(…) expcnt(…) lgkmcnt(…)".to_owned(),
        Class::GprIdx => "gpr_idx(…)".to_owned(),
        Class::ExpTgt => "target".to_owned(),
        Class::ExpSrc => "v|off".to_owned(),
        Class::Attr => "attr".to_owned(),
        Class::Param => "p10|p20|p0".to_owned(),
    }
}
