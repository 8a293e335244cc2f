//! The smallest code object that has a kernel, put together byte by byte: it depends on no compiler and no writer.

/// Address of the first instruction.
pub const ENTRY: u64 = 0x1300;

const DESCRIPTOR: usize = 0x280;
const TEXT: usize = 0x300;
const DYNSYM: usize = 0x200;
const DYNSTR: usize = 0x260;
const SECTIONS: usize = 0x400;

struct Writer(Vec<u8>);

impl Writer {
    fn put(&mut self, at: usize, bytes: &[u8]) {
        self.0[at..at + bytes.len()].copy_from_slice(bytes);
    }

    fn words(&mut self, at: usize, words: &[u64]) {
        for (i, w) in words.iter().enumerate() {
            self.put(at + i * 8, &w.to_le_bytes());
        }
    }
}

/// The file: gfx942, v5, one kernel `k` whose code is `s_endpgm`.
pub fn object() -> Vec<u8> {
    let mut w = Writer(vec![0; SECTIONS + 3 * 64]);
    w.put(0, &[0x7f, b'E', b'L', b'F', 2, 1, 1, 64, 3]);
    w.put(16, &[3, 0, 224, 0, 1]);
    w.words(32, &[64, SECTIONS as u64]);
    w.put(48, &0x54c_u32.to_le_bytes());
    w.put(52, &[64, 0, 56, 0, 2, 0, 64, 0, 3, 0, 0, 0]);
    // PT_LOAD: headers, symbols and the descriptor, read-only; then the code, executable.
    w.words(64, &[1 | 4 << 32, 0, 0, 0, TEXT as u64, TEXT as u64, 0x1000]);
    w.words(64 + 56, &[1 | 5 << 32, TEXT as u64, ENTRY, ENTRY, 4, 4, 0x1000]);
    // k.kd (object), k (function).
    w.words(DYNSYM + 24, &[1 | 0x11 << 32 | 1 << 48, DESCRIPTOR as u64, 64]);
    w.words(DYNSYM + 48, &[6 | 0x12 << 32 | 2 << 48, ENTRY, 4]);
    w.put(DYNSTR, b"\0k.kd\0k\0");
    w.put(DESCRIPTOR, &1024_u32.to_le_bytes());
    w.put(DESCRIPTOR + 4, &16_u32.to_le_bytes());
    w.put(DESCRIPTOR + 8, &24_u32.to_le_bytes());
    w.words(DESCRIPTOR + 16, &[ENTRY - DESCRIPTOR as u64]);
    w.put(DESCRIPTOR + 44, &3_u32.to_le_bytes());
    w.put(DESCRIPTOR + 48, &(3_u32 | 3 << 16 | 3 << 18 | 1 << 21 | 1 << 23).to_le_bytes());
    w.put(DESCRIPTOR + 52, &(2_u32 << 1 | 1 << 7).to_le_bytes());
    w.put(DESCRIPTOR + 56, &8_u16.to_le_bytes());
    w.put(TEXT, &0xbf81_0000_u32.to_le_bytes());
    // Sections: null, .dynsym (type 11, link 2), .dynstr (type 3).
    w.words(SECTIONS + 64, &[11 << 32, 2, DYNSYM as u64, DYNSYM as u64, 72, 2, 8, 24]);
    w.words(SECTIONS + 128, &[3 << 32, 2, DYNSTR as u64, DYNSTR as u64, 8, 0, 1, 0]);
    w.0
}
