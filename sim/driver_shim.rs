//! A library to preload under programs that look for AMD's kernel driver by themselves before they ask HSA, as
//! `rocminfo` does: it opens `/dev/kfd` and looks for `amdgpu` in the output of `lsmod`. With this in front, the first
//! opens `/dev/null` and the second finds a line. Everything else goes where it went before.
//!
//! The build script compiles this file on its own, without the standard library: what is preloaded runs in somebody
//! else's process and should bring as little along as it can.
#![no_std]

use core::ffi::{CStr, c_char, c_int, c_uint, c_void};

unsafe extern "C" {
    fn openat(directory: c_int, path: *const c_char, flags: c_int, mode: c_uint) -> c_int;
    fn dlsym(handle: *mut c_void, name: *const c_char) -> *mut c_void;
    fn abort() -> !;
}

/// `AT_FDCWD` of Linux.
const HERE: c_int = -100;
/// `RTLD_NEXT`: the definition that this library stands in front of.
const NEXT: *mut c_void = -1_isize as *mut c_void;

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    // SAFETY: takes nothing and does not return.
    unsafe { abort() }
}

/// # Safety
/// The path must be null or NUL-terminated.
unsafe fn elsewhere(path: *const c_char) -> *const c_char {
    // SAFETY: the caller vouches for the path.
    if !path.is_null() && unsafe { CStr::from_ptr(path) } == c"/dev/kfd" { c"/dev/null".as_ptr() } else { path }
}

/// The C library's `open`, whose optional mode travels like a third argument.
///
/// # Safety
/// As `open`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller passes what `open` takes.
    unsafe { openat(HERE, elsewhere(path), flags, mode) }
}

/// The same under the name that programs with large file offsets use; on 64-bit hosts there is no difference.
///
/// # Safety
/// As `open64`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn open64(path: *const c_char, flags: c_int, mode: c_uint) -> c_int {
    // SAFETY: the caller passes what `open64` takes.
    unsafe { openat(HERE, elsewhere(path), flags, mode) }
}

/// # Safety
/// As `popen`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn popen(command: *const c_char, mode: *const c_char) -> *mut c_void {
    // SAFETY: the name is NUL-terminated.
    let next = unsafe { dlsym(NEXT, c"popen".as_ptr()) };
    if next.is_null() {
        return core::ptr::null_mut();
    }
    // SAFETY: the C library's function of that name has this type.
    let next: unsafe extern "C" fn(*const c_char, *const c_char) -> *mut c_void =
        unsafe { core::mem::transmute(next) };
    // SAFETY: the caller passes a C string.
    let asks = !command.is_null() && unsafe { CStr::from_ptr(command) } == c"lsmod | grep amdgpu";
    let command = if asks { c"echo amdgpu".as_ptr() } else { command };
    // SAFETY: the caller passes what `popen` takes.
    unsafe { next(command, mode) }
}
