//! Addresses apart from bytes: a program reserves a range, and puts files of bytes into it piece by piece. New HIP
//! runtimes make their growing pools so.
//!
//! A piece that is taken out stays where it is until no engine holds a map that has it, as all memory does. Until then
//! another may have come to the same place, which then must not go with it: each knows its number.

use super::{Allocation, Kind, Memory, MemoryError, PAGE, map_shared};
use crate::agent::AgentId;
use parking_lot::Mutex;
use std::fs::File;
use std::os::fd::{AsRawFd, FromRawFd};
use std::sync::Arc;

/// Bytes without an address.
pub fn bytes(size: usize) -> Result<File, MemoryError> {
    if size == 0 || !size.is_multiple_of(PAGE) || size >= 1 << 46 {
        return Err(MemoryError::BadSize(size));
    }
    // SAFETY: the name is a C string.
    let fd = unsafe { libc::memfd_create(c"wavesmith".as_ptr(), libc::MFD_CLOEXEC) };
    if fd < 0 {
        return Err(MemoryError::OutOfMemory(size));
    }
    // SAFETY: the descriptor is new and nobody else's.
    let file = unsafe { File::from_raw_fd(fd) };
    file.set_len(size as u64).map_err(|_| MemoryError::OutOfMemory(size))?;
    Ok(file)
}

/// A reserved range of addresses.
#[derive(Debug)]
pub struct Range {
    base: u64,
    size: usize,
    pieces: Mutex<Pieces>,
}

/// What is in a range, the oldest first: number, base and size of each piece.
#[derive(Debug, Default)]
struct Pieces {
    next: u64,
    mapped: Vec<(u64, u64, usize)>,
}

/// Pages that hold nothing and that nothing else gets.
///
/// # Safety
/// With an address, the pages there must be the caller's, and nothing may rely on what they hold.
unsafe fn nothing(at: u64, size: usize, fixed: bool) -> Option<u64> {
    let flags = libc::MAP_PRIVATE | libc::MAP_ANONYMOUS | libc::MAP_NORESERVE | if fixed { libc::MAP_FIXED } else { 0 };
    // SAFETY: passed on; without `fixed` a new mapping touches nothing that exists.
    let base = unsafe { libc::mmap(at as *mut libc::c_void, size, libc::PROT_NONE, flags, -1, 0) };
    (base != libc::MAP_FAILED).then_some(base as u64)
}

impl Range {
    /// Reserves addresses, if it can be at the one that is wished for.
    ///
    /// # Errors
    /// [`MemoryError::BadSize`], also for an alignment that is none, and [`MemoryError::OutOfMemory`].
    pub fn reserve(size: usize, wished: u64, alignment: usize) -> Result<Arc<Range>, MemoryError> {
        let alignment = alignment.max(PAGE);
        let room = size.checked_add(alignment - PAGE).filter(|r| *r < 1 << 46);
        if size == 0 || !size.is_multiple_of(PAGE) || !alignment.is_power_of_two() {
            return Err(MemoryError::BadSize(size));
        }
        let room = room.ok_or(MemoryError::BadSize(size))?;
        let wished = if wished.is_multiple_of(alignment as u64) { wished } else { 0 };
        // SAFETY: a new mapping.
        let first = unsafe { nothing(wished, room, false) }.ok_or(MemoryError::OutOfMemory(size))?;
        let base = first.next_multiple_of(alignment as u64);
        let end = first + room as u64;
        // SAFETY: the ends of the mapping that was just made, which nobody has.
        unsafe {
            if base > first {
                libc::munmap(first as *mut libc::c_void, (base - first) as usize);
            }
            if base + (size as u64) < end {
                libc::munmap((base + size as u64) as *mut libc::c_void, (end - base) as usize - size);
            }
        }
        Ok(Arc::new(Range { base, size, pieces: Mutex::default() }))
    }

    /// First address.
    pub fn base(&self) -> u64 {
        self.base
    }

    /// Its bytes.
    pub fn size(&self) -> usize {
        self.size
    }

    /// Whether it has all of these addresses.
    pub fn holds(&self, address: u64, size: usize) -> bool {
        address >= self.base
            && (address - self.base) as usize <= self.size
            && size <= self.size - (address - self.base) as usize
    }
}

impl Drop for Range {
    fn drop(&mut self) {
        // SAFETY: the range was mapped in `reserve`, and every piece of it holds it.
        unsafe {
            libc::munmap(self.base as *mut libc::c_void, self.size);
        }
    }
}

/// A piece of a range.
#[derive(Debug)]
pub(super) struct Window {
    range: Arc<Range>,
    number: u64,
}

impl Drop for Window {
    fn drop(&mut self) {
        let mut pieces = self.range.pieces.lock();
        let Some(at) = pieces.mapped.iter().position(|p| p.0 == self.number) else { return };
        let (_, base, size) = pieces.mapped.remove(at);
        let later = |p: &(u64, u64, usize)| p.1 < base + size as u64 && base < p.1 + p.2 as u64;
        if !pieces.mapped[at..].iter().any(later) {
            // SAFETY: the pages are this piece's, no engine has a map with it any more, and nothing came in its place.
            unsafe { nothing(base, size, true) };
        }
    }
}

impl Allocation {
    /// The range that it is a piece of, if it is one.
    pub fn range(&self) -> Option<&Arc<Range>> {
        self.window.as_ref().map(|w| &w.range)
    }
}

impl Memory {
    /// Puts a file's bytes into a range. No agent may access them yet; [`Memory::free`] takes them out.
    ///
    /// # Errors
    /// [`MemoryError::BadSize`] where the range or the file has less, [`MemoryError::Overlaps`] where something is
    /// there, and [`MemoryError::OutOfMemory`].
    pub fn put(
        &self,
        range: &Arc<Range>,
        base: u64,
        (file, size): (&File, usize),
        kind: Kind,
        owner: Option<AgentId>,
    ) -> Result<Arc<Allocation>, MemoryError> {
        let pages = size > 0 && size.is_multiple_of(PAGE) && base.is_multiple_of(PAGE as u64);
        let enough = file.metadata().is_ok_and(|m| m.len() >= size as u64);
        if !pages || !enough || !range.holds(base, size) {
            return Err(MemoryError::BadSize(size));
        }
        let mut pieces = range.pieces.lock();
        let map = self.snapshot();
        if map.nearest_below(base + size as u64 - 1).is_some_and(|a| a.base() + a.mapped() as u64 > base) {
            return Err(MemoryError::Overlaps { base, size });
        }
        // SAFETY: the pages are the range's, and no map has anything there.
        unsafe { map_shared(base, size, file.as_raw_fd()) }.ok_or(MemoryError::OutOfMemory(size))?;
        let number = pieces.next;
        pieces.next += 1;
        pieces.mapped.push((number, base, size));
        let allocation = Arc::new(Allocation {
            base,
            host: base,
            size,
            mapped: size,
            kind,
            owner,
            access: Default::default(),
            _mapping: None,
            _reserved: None,
            window: Some(Window { range: range.clone(), number }),
            shared: Default::default(),
        });
        self.insert(allocation.clone());
        Ok(allocation)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const AGENT: AgentId = AgentId(0);

    #[test]
    fn the_same_bytes_are_at_every_place_they_are_put() {
        let memory = Memory::new();
        let range = Range::reserve(8 << 20, 0, 2 << 20).expect("addresses");
        assert_eq!(range.base() % (2 << 20), 0);
        let file = bytes(2 << 20).expect("bytes");
        let at = |i: u64| range.base() + (i << 21);
        for i in [0, 2] {
            memory.put(&range, at(i), (&file, 2 << 20), Kind::Coarse, Some(AGENT)).expect("room").allow(AGENT);
        }
        let mut view = memory.view(AGENT);
        let first = view.resolve(at(0) + 64, 4).expect("mapped").cast::<u32>();
        // SAFETY: mapped, aligned.
        unsafe { first.write(77) };
        let other = view.resolve(at(2) + 64, 4).expect("mapped").cast::<u32>();
        // SAFETY: mapped, aligned.
        assert_eq!(unsafe { other.read() }, 77);
        assert!(view.resolve(at(1), 4).is_err());
        assert!(matches!(
            memory.put(&range, at(2), (&file, 2 << 20), Kind::Coarse, None),
            Err(MemoryError::Overlaps { .. })
        ));
        assert!(memory.put(&range, at(3), (&file, 4 << 20), Kind::Coarse, None).is_err());
    }

    #[test]
    fn what_is_taken_out_stays_for_who_holds_an_older_map_and_leaves_what_came_in_its_place() {
        let memory = Memory::new();
        let range = Range::reserve(4 << 20, 0, 0).expect("addresses");
        let (old, new) = (bytes(1 << 20).expect("bytes"), bytes(1 << 20).expect("bytes"));
        memory.put(&range, range.base(), (&old, 1 << 20), Kind::Coarse, None).expect("room").allow(AGENT);
        let mut view = memory.view(AGENT);
        let p = view.resolve(range.base(), 4).expect("mapped").cast::<u32>();
        // SAFETY: mapped, aligned.
        unsafe { p.write(5) };
        memory.free(range.base()).expect("there");
        // SAFETY: the view holds a map that has it.
        assert_eq!(unsafe { p.read() }, 5);
        memory.put(&range, range.base(), (&new, 1 << 20), Kind::Coarse, None).expect("room").allow(AGENT);
        // The older map goes, and with it the old piece.
        let p = view.resolve(range.base(), 4).expect("mapped").cast::<u32>();
        // SAFETY: mapped, aligned.
        assert_eq!(unsafe { p.read() }, 0);
    }

    #[test]
    fn addresses_come_where_they_are_wished_for_if_they_are_free() {
        let range = Range::reserve(1 << 20, 0, 0).expect("addresses");
        let there = range.base();
        drop(range);
        let again = Range::reserve(1 << 20, there, 0).expect("addresses");
        let other = Range::reserve(1 << 20, there, 1 << 16).expect("addresses");
        assert_ne!(other.base(), again.base());
        assert!(Range::reserve(100, 0, 0).is_err() && Range::reserve(PAGE, 0, 3 * PAGE).is_err());
    }
}
