//! MTBUF: typed buffers.

use super::prelude::*;

#[rustfmt::skip]
pub(super) const ROWS: &[Row] = &[
    op("tbuffer_load_format_x", MTBUF, 0x00, ALL, &[data(AV, B32).write(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::Format(1), lds: false }, Time::Vmem(1), Hazard::Vmem),
    op("tbuffer_load_format_xy", MTBUF, 0x01, ALL, &[data(AV, B32.x(2)).write(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::Format(2), lds: false }, Time::Vmem(2), Hazard::Vmem),
    op("tbuffer_load_format_xyz", MTBUF, 0x02, ALL, &[data(AV, B32.x(3)).write(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::Format(3), lds: false }, Time::Vmem(3), Hazard::Vmem),
    op("tbuffer_load_format_xyzw", MTBUF, 0x03, ALL, &[data(AV, B32.x(4)).write(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::Format(4), lds: false }, Time::Vmem(4), Hazard::Vmem),
    op("tbuffer_store_format_x", MTBUF, 0x04, ALL, &[data(AV, B32), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::Format(1) }, Time::Vmem(1), Hazard::Vmem),
    op("tbuffer_store_format_xy", MTBUF, 0x05, ALL, &[data(AV, B32.x(2)), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::Format(2) }, Time::Vmem(2), Hazard::Vmem),
    op("tbuffer_store_format_xyz", MTBUF, 0x06, ALL, &[data(AV, B32.x(3)), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::Format(3) }, Time::Vmem(3), Hazard::WideStore),
    op("tbuffer_store_format_xyzw", MTBUF, 0x07, ALL, &[data(AV, B32.x(4)), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::Format(4) }, Time::Vmem(4), Hazard::WideStore),
    op("tbuffer_load_format_d16_x", MTBUF, 0x08, ALL, &[data(AV, B32).rw(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::FormatD16(1), lds: false }, Time::Vmem(1), Hazard::Vmem),
    op("tbuffer_load_format_d16_xy", MTBUF, 0x09, ALL, &[data(AV, B32).rw(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::FormatD16(2), lds: false }, Time::Vmem(1), Hazard::Vmem),
    op("tbuffer_load_format_d16_xyz", MTBUF, 0x0a, ALL, &[data(AV, B32.x(2)).rw(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::FormatD16(3), lds: false }, Time::Vmem(2), Hazard::Vmem),
    op("tbuffer_load_format_d16_xyzw", MTBUF, 0x0b, ALL, &[data(AV, B32.x(2)).rw(), vaddr(), srsrc(), soffset()], Sem::Load { space: Space::Buffer, mem: Mem::FormatD16(4), lds: false }, Time::Vmem(2), Hazard::Vmem),
    op("tbuffer_store_format_d16_x", MTBUF, 0x0c, ALL, &[data(AV, B32), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::FormatD16(1) }, Time::Vmem(1), Hazard::Vmem),
    op("tbuffer_store_format_d16_xy", MTBUF, 0x0d, ALL, &[data(AV, B32), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::FormatD16(2) }, Time::Vmem(1), Hazard::Vmem),
    op("tbuffer_store_format_d16_xyz", MTBUF, 0x0e, ALL, &[data(AV, B32.x(2)), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::FormatD16(3) }, Time::Vmem(2), Hazard::Vmem),
    op("tbuffer_store_format_d16_xyzw", MTBUF, 0x0f, ALL, &[data(AV, B32.x(2)), vaddr(), srsrc(), soffset()], Sem::Store { space: Space::Buffer, mem: Mem::FormatD16(4) }, Time::Vmem(2), Hazard::Vmem),
];
