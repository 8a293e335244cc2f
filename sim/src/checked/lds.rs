//! LDS of a workgroup: who touched which byte since which barrier, what nothing has written, and what LDS-DMA has on its
//! way.
//!
//! Waves of a workgroup are ordered by barriers and by nothing else, so two of them that touch a byte between the same two
//! barriers race, unless both only read or both are atomic.

/// What is known of one dword. Epochs count barriers from 1.
#[derive(Clone, Copy, Default)]
pub(crate) struct LdsCell {
    written_in: u32,
    read_in: u32,
    /// By byte: wave that wrote it in that epoch, from 1.
    writers: u32,
    /// By byte: waves that read it in that epoch, a bit each.
    readers: u64,
    /// The instruction that wrote it, and the issue that was.
    writer: u32,
    reader: u32,
    issue: u32,
    /// Bytes that nothing has written.
    pub undefined: u8,
    /// Wave with an LDS-DMA on its way there, from 1.
    dma: u8,
    /// Whether the write was atomic.
    atomic: bool,
}

/// Who touches.
#[derive(Clone, Copy)]
pub(crate) struct Toucher {
    /// Wave of the workgroup.
    pub wave: u8,
    pub number: u32,
    /// Counts issued instructions: lanes of one have the same.
    pub issue: u32,
    pub atomic: bool,
}

/// What a touch collides with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Collision {
    /// Another wave wrote it since the barrier.
    Written(u32),
    /// Another wave read it since the barrier.
    Read(u32),
    /// An LDS-DMA of this wave or another is on its way there.
    InFlight(u32, bool),
    /// Two lanes of one instruction wrote it.
    SameInstruction,
}

/// A workgroup's LDS.
pub(crate) struct Lds {
    pub cells: Vec<LdsCell>,
    /// Barriers passed, plus one.
    pub epoch: u32,
}

/// By a mask of four: the same with every bit as `width` bits.
const fn spread(width: u32) -> [u64; 16] {
    let mut t = [0; 16];
    let mut m = 0;
    while m < 16 {
        let mut b = 0;
        while b < 4 {
            if m >> b & 1 == 1 {
                t[m] |= ((1 << width) - 1) << (width * b);
            }
            b += 1;
        }
        m += 1;
    }
    t
}

/// Bytes of a dword, as a mask of its bits.
const BITS: [u64; 16] = spread(8);
/// Bytes of a dword, as a mask of their readers: sixteen waves a byte.
const READERS: [u64; 16] = spread(16);

impl Lds {
    pub fn new(bytes: u32) -> Lds {
        let cell = LdsCell { undefined: 15, ..LdsCell::default() };
        Lds { cells: vec![cell; bytes.div_ceil(4) as usize], epoch: 1 }
    }

    /// A read of bytes of a dword.
    #[inline]
    pub fn read(&mut self, dword: usize, bytes: u8, t: Toucher) -> Option<Collision> {
        let epoch = self.epoch;
        let c = self.cells.get_mut(dword)?;
        let mask = BITS[usize::from(bytes & 15)] as u32;
        let me = ((u32::from(t.wave) + 1) * 0x0101_0101) & mask;
        let mut hit = None;
        if c.dma != 0 {
            hit = Some(Collision::InFlight(c.writer, c.dma == t.wave + 1));
        } else if c.written_in == epoch {
            let w = c.writers & mask;
            // A byte that nobody wrote in this epoch is 0.
            if w != 0 && w != me && !(t.atomic && c.atomic) && other(w, me) {
                hit = Some(Collision::Written(c.writer));
            }
        }
        if c.read_in != epoch {
            c.read_in = epoch;
            c.readers = 0;
        }
        c.readers |= (0x0001_0001_0001_0001 << t.wave) & READERS[usize::from(bytes & 15)];
        c.reader = t.number;
        hit
    }

    /// A write of bytes of a dword.
    #[inline]
    pub fn write(&mut self, dword: usize, bytes: u8, t: Toucher) -> Option<Collision> {
        let epoch = self.epoch;
        let c = self.cells.get_mut(dword)?;
        let mask = BITS[usize::from(bytes & 15)] as u32;
        let me = ((u32::from(t.wave) + 1) * 0x0101_0101) & mask;
        let mut hit = None;
        let mine = 0x0001_0001_0001_0001u64 << t.wave;
        if c.dma != 0 {
            hit = Some(Collision::InFlight(c.writer, c.dma == t.wave + 1));
        } else {
            if c.read_in == epoch && c.readers & READERS[usize::from(bytes & 15)] & !mine != 0 && !t.atomic {
                hit = Some(Collision::Read(c.reader));
            }
            if c.written_in == epoch {
                let w = c.writers & mask;
                if w != 0 && w != me && !(t.atomic && c.atomic) && other(w, me) {
                    hit = Some(Collision::Written(c.writer));
                } else if w == me && c.issue == t.issue && !t.atomic {
                    hit = Some(Collision::SameInstruction);
                }
            }
        }
        if c.written_in != epoch {
            c.written_in = epoch;
            c.writers = 0;
        }
        c.writers = c.writers & !mask | me;
        c.writer = t.number;
        c.issue = t.issue;
        c.atomic = t.atomic;
        hit
    }

    /// An LDS-DMA is issued that will write a dword.
    pub fn send(&mut self, dword: usize, t: Toucher) -> Option<Collision> {
        let hit = self.write(dword, 15, t);
        if let Some(c) = self.cells.get_mut(dword) {
            c.dma = t.wave + 1;
        }
        hit.filter(|h| *h != Collision::SameInstruction && !matches!(h, Collision::InFlight(_, true)))
    }

    /// It lands: from now on a barrier is all that others need.
    pub fn land(&mut self, dword: usize, wave: u8) {
        let epoch = self.epoch;
        let Some(c) = self.cells.get_mut(dword) else { return };
        c.dma = 0;
        c.undefined = 0;
        if c.written_in != epoch {
            c.written_in = epoch;
            c.writers = 0;
        }
        c.writers = (u32::from(wave) + 1) * 0x0101_0101;
    }
}

/// Whether any byte has a writer other than `me`.
fn other(writers: u32, me: u32) -> bool {
    (0..4).any(|b| {
        let w = writers >> (8 * b) & 0xff;
        w != 0 && w != me >> (8 * b) & 0xff
    })
}
