//! `hsa_status_t`: a number that the library may extend, so a transparent wrapper and not an enum.

use std::fmt;

/// A status code.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Status(pub u32);

macro_rules! statuses {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $header:literal;)*) => {
        impl Status {
            $($(#[$doc])* pub const $name: Status = Status($value);)*

            /// The name as the headers spell it, where the code is known.
            pub const fn name(self) -> Option<&'static str> {
                match self.0 {
                    $($value => Some($header),)*
                    _ => None,
                }
            }

            /// The same with a final NUL, for C.
            pub const fn c_name(self) -> Option<&'static std::ffi::CStr> {
                match self.0 {
                    $($value => match std::ffi::CStr::from_bytes_with_nul(concat!($header, "\0").as_bytes()) {
                        Ok(s) => Some(s),
                        Err(_) => None,
                    },)*
                    _ => None,
                }
            }
        }
    };
}

statuses! {
    /// All went well.
    SUCCESS = 0, "HSA_STATUS_SUCCESS";
    /// A callback ended an iteration.
    INFO_BREAK = 1, "HSA_STATUS_INFO_BREAK";
    /// Of no particular kind.
    ERROR = 0x1000, "HSA_STATUS_ERROR";
    /// An argument is wrong.
    INVALID_ARGUMENT = 0x1001, "HSA_STATUS_ERROR_INVALID_ARGUMENT";
    /// The agent cannot make such a queue.
    INVALID_QUEUE_CREATION = 0x1002, "HSA_STATUS_ERROR_INVALID_QUEUE_CREATION";
    /// A size that cannot be allocated.
    INVALID_ALLOCATION = 0x1003, "HSA_STATUS_ERROR_INVALID_ALLOCATION";
    /// No such agent.
    INVALID_AGENT = 0x1004, "HSA_STATUS_ERROR_INVALID_AGENT";
    /// No such region.
    INVALID_REGION = 0x1005, "HSA_STATUS_ERROR_INVALID_REGION";
    /// No such signal.
    INVALID_SIGNAL = 0x1006, "HSA_STATUS_ERROR_INVALID_SIGNAL";
    /// No such queue.
    INVALID_QUEUE = 0x1007, "HSA_STATUS_ERROR_INVALID_QUEUE";
    /// Memory, queues or devices ran out; also what `hsa_init` says without a GPU driver.
    OUT_OF_RESOURCES = 0x1008, "HSA_STATUS_ERROR_OUT_OF_RESOURCES";
    /// A packet is malformed.
    INVALID_PACKET_FORMAT = 0x1009, "HSA_STATUS_ERROR_INVALID_PACKET_FORMAT";
    /// A resource could not be freed.
    RESOURCE_FREE = 0x100a, "HSA_STATUS_ERROR_RESOURCE_FREE";
    /// `hsa_init` was not called.
    NOT_INITIALIZED = 0x100b, "HSA_STATUS_ERROR_NOT_INITIALIZED";
    /// Too many `hsa_init`.
    REFCOUNT_OVERFLOW = 0x100c, "HSA_STATUS_ERROR_REFCOUNT_OVERFLOW";
    /// Arguments contradict each other.
    INCOMPATIBLE_ARGUMENTS = 0x100d, "HSA_STATUS_ERROR_INCOMPATIBLE_ARGUMENTS";
    /// An index is out of range.
    INVALID_INDEX = 0x100e, "HSA_STATUS_ERROR_INVALID_INDEX";
    /// No such ISA.
    INVALID_ISA = 0x100f, "HSA_STATUS_ERROR_INVALID_ISA";
    /// Not a code object.
    INVALID_CODE_OBJECT = 0x1010, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT";
    /// No such executable.
    INVALID_EXECUTABLE = 0x1011, "HSA_STATUS_ERROR_INVALID_EXECUTABLE";
    /// The executable is frozen.
    FROZEN_EXECUTABLE = 0x1012, "HSA_STATUS_ERROR_FROZEN_EXECUTABLE";
    /// No symbol of that name.
    INVALID_SYMBOL_NAME = 0x1013, "HSA_STATUS_ERROR_INVALID_SYMBOL_NAME";
    /// The variable has a definition already.
    VARIABLE_ALREADY_DEFINED = 0x1014, "HSA_STATUS_ERROR_VARIABLE_ALREADY_DEFINED";
    /// A variable has no definition.
    VARIABLE_UNDEFINED = 0x1015, "HSA_STATUS_ERROR_VARIABLE_UNDEFINED";
    /// A kernel raised an exception.
    EXCEPTION = 0x1016, "HSA_STATUS_ERROR_EXCEPTION";
    /// No ISA of that name.
    INVALID_ISA_NAME = 0x1017, "HSA_STATUS_ERROR_INVALID_ISA_NAME";
    /// No such code symbol.
    INVALID_CODE_SYMBOL = 0x1018, "HSA_STATUS_ERROR_INVALID_CODE_SYMBOL";
    /// No such executable symbol.
    INVALID_EXECUTABLE_SYMBOL = 0x1019, "HSA_STATUS_ERROR_INVALID_EXECUTABLE_SYMBOL";
    /// The file cannot be read.
    INVALID_FILE = 0x1020, "HSA_STATUS_ERROR_INVALID_FILE";
    /// No such code object reader.
    INVALID_CODE_OBJECT_READER = 0x1021, "HSA_STATUS_ERROR_INVALID_CODE_OBJECT_READER";
    /// No such cache.
    INVALID_CACHE = 0x1022, "HSA_STATUS_ERROR_INVALID_CACHE";
    /// No such wavefront.
    INVALID_WAVEFRONT = 0x1023, "HSA_STATUS_ERROR_INVALID_WAVEFRONT";
    /// No such signal group.
    INVALID_SIGNAL_GROUP = 0x1024, "HSA_STATUS_ERROR_INVALID_SIGNAL_GROUP";
    /// Not in this state of the runtime.
    INVALID_RUNTIME_STATE = 0x1025, "HSA_STATUS_ERROR_INVALID_RUNTIME_STATE";
    /// The queue must be destroyed.
    FATAL = 0x1026, "HSA_STATUS_ERROR_FATAL";
    /// No such memory pool.
    INVALID_MEMORY_POOL = 40, "HSA_STATUS_ERROR_INVALID_MEMORY_POOL";
    /// A kernel accessed an aperture wrongly.
    MEMORY_APERTURE_VIOLATION = 41, "HSA_STATUS_ERROR_MEMORY_APERTURE_VIOLATION";
    /// A kernel executed an illegal instruction.
    ILLEGAL_INSTRUCTION = 42, "HSA_STATUS_ERROR_ILLEGAL_INSTRUCTION";
    /// A kernel touched memory that is not there.
    MEMORY_FAULT = 43, "HSA_STATUS_ERROR_MEMORY_FAULT";
    /// Fewer compute units were enabled than asked for.
    CU_MASK_REDUCED = 44, "HSA_STATUS_CU_MASK_REDUCED";
}

impl Status {
    /// Whether it is success.
    pub const fn is_ok(self) -> bool {
        self.0 == 0
    }
}

impl fmt::Display for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.name() {
            Some(name) => write!(f, "{name} ({:#x})", self.0),
            None => write!(f, "status {:#x}", self.0),
        }
    }
}

impl fmt::Debug for Status {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
