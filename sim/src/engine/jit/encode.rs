//! The few x86-64 instruction forms that compiled runs are made of.
//!
//! Vector instructions are EVEX with 512 bits; memory operands are a base register and a 32-bit displacement.

/// Opcode maps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Map {
    /// `0F`
    M0f = 1,
    /// `0F 38`
    M0f38 = 2,
    /// `0F 3A`
    M0f3a = 3,
}

/// Mandatory prefixes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pp {
    /// None.
    None = 0,
    /// `66`
    P66 = 1,
    /// `F2`
    F2 = 3,
}

/// Base registers, by number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// Scalar file.
    Rcx = 1,
    /// Constants.
    Rdx = 2,
    /// Temporaries.
    Rsi = 6,
    /// Registers.
    Rdi = 7,
}

/// Code being written.
#[derive(Default)]
pub struct Asm(Vec<u8>);

impl Asm {
    /// Bytes so far.
    pub fn len(&self) -> usize {
        self.0.len()
    }
    /// The bytes.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
    fn put(&mut self, b: &[u8]) {
        self.0.extend_from_slice(b);
    }

    #[allow(clippy::too_many_arguments)]
    fn evex(&mut self, map: Map, pp: Pp, opcode: u8, reg: u8, vvvv: u8, rm_b: bool, rm_x: bool, mask: u8) {
        let inv = |b: bool| u8::from(!b);
        let p0 = inv(reg & 8 != 0) << 7 | inv(rm_x) << 6 | inv(rm_b) << 5 | inv(reg & 16 != 0) << 4 | map as u8;
        let p1 = (!vvvv & 15) << 3 | 4 | pp as u8;
        let p2 = 2 << 5 | inv(vvvv & 16 != 0) << 3 | mask;
        self.put(&[0x62, p0, p1, p2, opcode]);
    }

    fn memory(&mut self, reg: u8, base: Base, disp: i32) {
        self.put(&[0x80 | (reg & 7) << 3 | base as u8]);
        self.put(&disp.to_le_bytes());
    }

    /// `reg` = `x` op `y`, all registers.
    #[allow(clippy::too_many_arguments)]
    pub fn evex_rr(&mut self, map: Map, pp: Pp, opcode: u8, reg: u8, x: u8, y: u8, mask: u8) {
        self.evex(map, pp, opcode, reg, x, y & 8 != 0, y & 16 != 0, mask);
        self.put(&[0xc0 | (reg & 7) << 3 | y & 7]);
    }

    /// A comparison of `x` and `y` into mask register `k`, under `mask`.
    #[allow(clippy::too_many_arguments)]
    pub fn compare(&mut self, map: Map, pp: Pp, opcode: u8, k: u8, x: u8, y: u8, mask: u8, imm: u8) {
        self.evex_rr(map, pp, opcode, k, x, y, mask);
        self.put(&[imm]);
    }

    /// `vmovups zmm, [base + disp]`
    pub fn load(&mut self, reg: u8, base: Base, disp: i32) {
        self.evex(Map::M0f, Pp::None, 0x10, reg, 0, false, false, 0);
        self.memory(reg, base, disp);
    }

    /// `vmovups [base + disp]{mask}, zmm`
    pub fn store(&mut self, reg: u8, base: Base, disp: i32, mask: u8) {
        self.evex(Map::M0f, Pp::None, 0x11, reg, 0, false, false, mask);
        self.memory(reg, base, disp);
    }

    /// `vpbroadcastd zmm, eax`
    pub fn broadcast(&mut self, reg: u8) {
        self.evex_rr(Map::M0f38, Pp::P66, 0x7c, reg, 0, 0, 0);
    }

    /// `vpsrld d, x, imm`
    pub fn shift_right_imm(&mut self, d: u8, x: u8, imm: u8) {
        // The destination is in vvvv, the operation in the reg field.
        self.evex_rr(Map::M0f, Pp::P66, 0x72, 2, d, x, 0);
        self.put(&[imm]);
    }

    /// `mov eax, imm32`
    pub fn mov_eax(&mut self, v: u32) {
        self.put(&[0xb8]);
        self.put(&v.to_le_bytes());
    }

    /// A constant into rax or r10.
    pub fn mov_imm(&mut self, v: u64, r10: bool) {
        self.put(&[if r10 { 0x49 } else { 0x48 }, if r10 { 0xba } else { 0xb8 }]);
        self.put(&v.to_le_bytes());
    }

    /// `mov rax, [base + disp]`
    pub fn load_rax(&mut self, base: Base, disp: i32) {
        self.put(&[0x48, 0x8b]);
        self.memory(0, base, disp);
    }

    /// A word or a pair of the scalar file into rax or r10.
    pub fn load_scalar(&mut self, disp: i32, wide: bool, r10: bool) {
        let rex = 0x40 | u8::from(wide) << 3 | u8::from(r10) << 2;
        self.put(&[rex, 0x8b]);
        self.memory(if r10 { 2 } else { 0 }, Base::Rcx, disp);
    }

    /// r10 into the scalar file.
    pub fn store_r10(&mut self, disp: i32, wide: bool) {
        self.put(&[0x44 | u8::from(wide) << 3, 0x89]);
        self.memory(2, Base::Rcx, disp);
    }

    /// r11 into a pair of the scalar file.
    pub fn store_r11(&mut self, disp: i32) {
        self.put(&[0x4c, 0x89]);
        self.memory(3, Base::Rcx, disp);
    }

    /// `kmovw k, eax`
    pub fn kmov_from_eax(&mut self, k: u8) {
        self.put(&[0xc5, 0xf8, 0x92, 0xc0 | k << 3]);
    }
    /// `kmovw eax, k`
    pub fn kmov_to_eax(&mut self, k: u8) {
        self.put(&[0xc5, 0xf8, 0x93, 0xc0 | k]);
    }
    /// `korw d, x, y`
    pub fn kor(&mut self, d: u8, x: u8, y: u8) {
        self.put(&[0xc5, 0x80 | (!x & 15) << 3 | 4, 0x45, 0xc0 | d << 3 | y]);
    }
    /// `kortestw x, y`
    pub fn kortest(&mut self, x: u8, y: u8) {
        self.put(&[0xc5, 0xf8, 0x98, 0xc0 | x << 3 | y]);
    }
    /// `shr rax, n`
    pub fn shr_rax(&mut self, n: u8) {
        self.put(&[0x48, 0xc1, 0xe8, n]);
    }
    /// `shl r10, n`
    pub fn shl_r10(&mut self, n: u8) {
        self.put(&[0x49, 0xc1, 0xe2, n]);
    }
    /// `xor r10d, r10d`
    pub fn zero_r10(&mut self) {
        self.put(&[0x45, 0x31, 0xd2]);
    }
    /// `or r10, rax`
    pub fn or_r10_rax(&mut self) {
        self.put(&[0x49, 0x09, 0xc2]);
    }
    /// `and r10, rax`
    pub fn and_r10_rax(&mut self) {
        self.put(&[0x49, 0x21, 0xc2]);
    }
    /// `xor r10, rax`
    pub fn xor_r10_rax(&mut self) {
        self.put(&[0x49, 0x31, 0xc2]);
    }
    /// `not rax`
    pub fn not_rax(&mut self) {
        self.put(&[0x48, 0xf7, 0xd0]);
    }
    /// `add r10d, eax`
    pub fn add_r10d_eax(&mut self) {
        self.put(&[0x41, 0x01, 0xc2]);
    }
    /// `sub r10d, eax`
    pub fn sub_r10d_eax(&mut self) {
        self.put(&[0x41, 0x29, 0xc2]);
    }
    /// `imul r10d, eax`
    pub fn imul_r10d_eax(&mut self) {
        self.put(&[0x44, 0x0f, 0xaf, 0xd0]);
    }
    /// r10d += eax + SCC.
    pub fn adc_r10d_eax_from_scc(&mut self) {
        // cmp byte [r8], 1 sets the carry where SCC is 0: invert it.
        self.put(&[0x41, 0x80, 0x38, 0x01, 0xf5, 0x41, 0x11, 0xc2]);
    }
    /// `cmp r10, rax`
    pub fn cmp_r10_rax(&mut self, wide: bool) {
        self.put(&[0x41 | u8::from(wide) << 3, 0x39, 0xc2]);
    }
    /// `mov r11, rax`
    pub fn mov_r11_rax(&mut self) {
        self.put(&[0x49, 0x89, 0xc3]);
    }
    /// `mov r11, r10`
    pub fn mov_r11_r10(&mut self) {
        self.put(&[0x4d, 0x89, 0xd3]);
    }
    /// r10 shifted by r11, whose upper bits the instruction ignores as the ISA does.
    pub fn shift_r10_by_r11(&mut self, left: bool, arithmetic: bool, wide: bool) {
        // VEX.L0.0F38 F7 shlx (66), sarx (F3), shrx (F2): r10 = r10 shifted by r11.
        let pp = if left {
            1
        } else if arithmetic {
            2
        } else {
            3
        };
        // C4 [R' X' B' map] [W vvvv' L pp]; reg and rm are r10, vvvv is r11.
        self.put(&[0xc4, 0x42, u8::from(wide) << 7 | (!11u8 & 15) << 3 | pp, 0xf7, 0xd2]);
    }
    /// SCC = condition of the flags.
    pub fn set_scc(&mut self, cc: u8) {
        self.put(&[0x41, 0x0f, 0x90 | cc, 0x00]);
    }
    /// SCC = carry.
    pub fn scc_carry(&mut self) {
        self.set_scc(0x2);
    }
    /// SCC = overflow.
    pub fn scc_overflow(&mut self) {
        self.set_scc(0x0);
    }
    /// SCC = r10 ≠ 0.
    pub fn scc_not_zero(&mut self, wide: bool) {
        self.put(&[0x45 | u8::from(wide) << 3, 0x85, 0xd2]);
        self.set_scc(0x5);
    }
    /// A jump if not zero, whose target is given later: the place to patch.
    pub fn jnz(&mut self) -> usize {
        self.put(&[0x0f, 0x85, 0, 0, 0, 0]);
        self.len()
    }
    /// Makes the jump at `place` go here.
    pub fn patch(&mut self, place: usize) {
        let to = (self.len() - place) as u32;
        self.0[place - 4..place].copy_from_slice(&to.to_le_bytes());
    }
    /// `vzeroupper`
    pub fn vzeroupper(&mut self) {
        self.put(&[0xc5, 0xf8, 0x77]);
    }
    /// `ret`
    pub fn ret(&mut self) {
        self.put(&[0xc3]);
    }
}
