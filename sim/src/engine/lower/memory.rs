//! Vector memory and LDS instructions.

use super::{Lower, Refusal, Result};
use crate::engine::ir::{Access, Address, MemOp, S, Uop, V};
use crate::engine::lanes::LaneOp as L;
use wavesmith_asm::inst::Inst;
use wavesmith_asm::sem::{Ds, Mem, Sem, Space};
use wavesmith_asm::{Field, Format, Operand, RegClass};

impl Lower {
    fn registers(&mut self, inst: &Inst, slot: Field) -> Result<Option<V>> {
        match inst.slot(slot) {
            None | Some(Operand::Off) => Ok(None),
            Some(Operand::Reg(r)) if matches!(r.class, RegClass::V | RegClass::A) => Ok(Some(self.vreg(r)?)),
            Some(other) => Err(Refusal::unsupported(format!("operand {other:?} of {}", inst.name()))),
        }
    }

    fn mem_op(&mut self, op: MemOp) {
        let at = self.seg.mems.len() as u32;
        self.seg.mems.push(op);
        self.push(Uop::Mem(at));
    }

    pub(super) fn vector_memory(&mut self, inst: &Inst) -> Result<()> {
        let (space, access) = match inst.row().sem {
            Sem::Load { space, mem, .. } => {
                (space, if inst.loads_lds() { Access::LoadLds(mem) } else { Access::Load(mem) })
            }
            Sem::Store { space, mem } => (space, Access::Store(mem)),
            Sem::Atomic { space, op, ty, ret } => {
                let ret = ret || (space != Space::Lds && inst.get(Field::Sc0) != 0);
                (space, Access::Atomic { op, ty, ret })
            }
            Sem::StoreLds => (Space::Buffer, Access::StoreLds),
            _ => return Err(Refusal::unsupported(inst.name())),
        };
        if space == Space::Lds {
            return self.lds_access(inst, access);
        }
        if crate::engine::typed::is_typed(access) {
            // How the silicon rounds where a format has fewer bits is not published.
            self.seg.unverified_rounding = true;
        }
        let zero = self.skonst(0);
        let (address, offset) = match space {
            Space::Flat | Space::Global => {
                let v = self.registers(inst, Field::Vaddr)?;
                let offset = if space == Space::Flat {
                    inst.get(Field::Offset) as i32 & 0xfff
                } else {
                    inst.get_signed(Field::Offset)
                };
                let address = match (inst.slot(Field::Saddr), v) {
                    (Some(Operand::Reg(r)), Some(v)) if space == Space::Global => {
                        Address::Base(S::reg(r.index as u8), v)
                    }
                    (_, Some(v)) => Address::Wide(v),
                    _ => return Err(Refusal::unsupported(format!("{} without an address", inst.name()))),
                };
                (address, offset)
            }
            Space::Scratch => {
                let v = self.registers(inst, Field::Vaddr)?;
                let s = match inst.slot(Field::Saddr) {
                    Some(Operand::Reg(r)) => Some(S::reg(r.index as u8)),
                    _ => None,
                };
                (Address::Scratch(v, s), inst.get_signed(Field::Offset))
            }
            Space::Buffer => {
                let (offen, idxen) = (inst.get(Field::Offen) != 0, inst.get(Field::Idxen) != 0);
                let v = self.registers(inst, Field::Vaddr)?;
                let resource = (inst.get(Field::Srsrc) * 4) as u8;
                if resource > 124 {
                    return Err(Refusal::unsupported("a buffer resource outside the scalar registers"));
                }
                let soffset = match (inst.slot(Field::Soffset), inst.row().operand(Field::Soffset)) {
                    (Some(op), Some(opd)) => self.scalar_operand(op, opd)?,
                    _ => zero,
                };
                let (index, offset) = match (idxen, offen, v) {
                    (true, true, Some(v)) => (Some(v), Some(v.next(1))),
                    (true, false, Some(v)) => (Some(v), None),
                    (false, true, Some(v)) => (None, Some(v)),
                    _ => (None, None),
                };
                (Address::Buffer { resource: S::reg(resource), soffset, index, offset }, inst.get(Field::Offset) as i32)
            }
            Space::Lds => return Err(Refusal::unsupported(inst.name())),
        };
        let none = V::reg(0);
        // MUBUF and MTBUF keep result and data in one place; FLAT has both.
        let is_buffer = space == Space::Buffer;
        let data = self.registers(inst, Field::Data0)?;
        let dst = if is_buffer { data } else { self.registers(inst, Field::Dst)? };
        let format =
            (inst.row().format == Format::MTBUF).then(|| (inst.get(Field::Dfmt) as u8, inst.get(Field::Nfmt) as u8));
        let needs_data = matches!(access, Access::Store(_) | Access::Atomic { .. });
        if needs_data && data.is_none() {
            return Err(Refusal::unsupported(format!("{} without data", inst.name())));
        }
        if matches!(access, Access::Load(_) | Access::Atomic { ret: true, .. }) && dst.is_none() {
            return Err(Refusal::unsupported(format!("{} without a destination", inst.name())));
        }
        self.mem_op(MemOp {
            access,
            space,
            address,
            offset,
            offset1: 0,
            data: data.unwrap_or(none),
            data1: none,
            dst: dst.unwrap_or(none),
            sc0: inst.get(Field::Sc0) != 0,
            sc1: inst.get(Field::Sc1) != 0,
            nt: inst.get(Field::Nt) != 0,
            format,
        });
        if let (Access::Load(m), true, Some(d)) = (access, inst.tfe(), dst) {
            // The status word after the data says that everything was resident.
            let words = match m {
                Mem::Dwords(n) | Mem::Format(n) => u16::from(n),
                Mem::FormatD16(n) => u16::from(n.div_ceil(2)),
                _ => 1,
            };
            let zero = self.konst(0)?;
            self.op1(L::Mov, d.next(words), zero);
        }
        Ok(())
    }

    fn lds_access(&mut self, inst: &Inst, access: Access) -> Result<()> {
        if inst.get(Field::Gds) != 0 {
            return Err(Refusal::undefined("HSA gives a process no global data share"));
        }
        let address = match self.registers(inst, Field::Vaddr)? {
            Some(v) => Address::Lds(v),
            None => Address::LdsM0,
        };
        let access = match access {
            Access::Atomic { op, ty, .. } if inst.name().contains("src2") => Access::Src2 { op, ty },
            other => other,
        };
        let (offset, offset1) = match inst.row().sem {
            Sem::DsLoad2 { dwords, st64 } | Sem::DsStore2 { dwords, st64 } | Sem::DsXchg2 { dwords, st64 } => {
                let unit = i32::from(dwords) * 4 * if st64 { 64 } else { 1 };
                (inst.get(Field::Offset0) as i32 * unit, inst.get(Field::Offset1) as i32 * unit)
            }
            _ => (inst.get(Field::Offset) as i32, 0),
        };
        let none = V::reg(0);
        let data = self.registers(inst, Field::Data0)?.unwrap_or(none);
        let data1 = self.registers(inst, Field::Data1)?.unwrap_or(none);
        let dst = self.registers(inst, Field::Dst)?.unwrap_or(none);
        self.mem_op(MemOp {
            access,
            space: Space::Lds,
            address,
            offset,
            offset1,
            data,
            data1,
            dst,
            sc0: false,
            sc1: false,
            nt: false,
            format: None,
        });
        Ok(())
    }

    pub(super) fn lds(&mut self, inst: &Inst) -> Result<()> {
        let access = match inst.row().sem {
            Sem::DsLoad2 { dwords, .. } => Access::Load2(dwords),
            Sem::DsStore2 { dwords, .. } => Access::Store2(dwords),
            Sem::DsXchg2 { dwords, .. } => Access::Exchange2(dwords),
            Sem::Ds(Ds::ReadAddtid) => Access::Load(Mem::Dwords(1)),
            Sem::Ds(Ds::WriteAddtid) => Access::Store(Mem::Dwords(1)),
            Sem::Ds(d @ (Ds::Swizzle | Ds::Permute | Ds::Bpermute | Ds::Append | Ds::Consume | Ds::ReadTr { .. })) => {
                Access::Ds(d)
            }
            Sem::Ds(Ds::OrderedCount) => {
                return Err(Refusal::undefined("ordered counts need an ordered queue, and HSA makes none"));
            }
            _ => return Err(Refusal::unsupported(inst.name())),
        };
        self.lds_access(inst, access)
    }

    /// Global wave sync.
    pub(super) fn gws(&mut self, inst: &Inst, op: Ds, leaders: &std::collections::BTreeMap<u64, u32>) -> Result<()> {
        // The count is in the place of the address.
        let data = self.registers(inst, Field::Vaddr)?.unwrap_or(V::reg(0));
        let offset = inst.get(Field::Offset) as u16;
        let ends = super::waits(op);
        let next = if ends { leaders.get(&self.next_pc).copied().unwrap_or(0) } else { 0 };
        self.push(Uop::Gws { op, offset, data, next, ends });
        Ok(())
    }
}
