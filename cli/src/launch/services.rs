//! Services of the host that a kernel may ask for through hidden arguments: printf, malloc, device enqueue.
//!
//! Compilers list these arguments for every kernel that might use them, so that listing one is no reason to refuse a
//! kernel: most that list them never call. On the embedded device each gets an address that nothing can be mapped at,
//! above both apertures, and the fault of a kernel that does call is told by the service's name.

use wavesmith_loader::Kernargs;
use wavesmith_loader::code_object::{Kernel, ValueKind};
use wavesmith_loader::kernarg::{KernargError, host_services};
use wavesmith_sim::Fault;

/// No host maps memory here, and neither LDS nor scratch appears here. Scalar loads cut an address to 48 bits, and what
/// is left is above what a process maps too, so that it is still known for what it was.
const NOWHERE: u64 = 0x00ff_8001_0000_0000;
/// What a scalar load leaves of an address.
const SCALAR: u64 = (1 << 48) - 1;
/// Addresses of one service: what a kernel reads at an offset from the pointer is still the service's.
const SPAN: u64 = 1 << 32;

fn what(kind: &ValueKind) -> &'static str {
    match kind {
        ValueKind::HiddenPrintfBuffer => "printf",
        ValueKind::HiddenHostcallBuffer => "printf, assert and other host calls",
        ValueKind::HiddenHeapV1 => "malloc and free",
        ValueKind::HiddenDefaultQueue | ValueKind::HiddenCompletionAction => "device enqueue",
        _ => "multi-device grids",
    }
}

/// Points the kernel's service arguments nowhere.
pub fn place(kernargs: &mut Kernargs, kernel: &Kernel) -> Result<(), KernargError> {
    for (i, kind) in host_services(kernel).into_iter().enumerate() {
        let args = kernel.metadata.iter().flat_map(|m| &m.args).filter(|a| a.value_kind == *kind && a.size == 8);
        for arg in args {
            kernargs.place(arg.offset as usize, &(NOWHERE + i as u64 * SPAN).to_le_bytes())?;
        }
    }
    Ok(())
}

/// What to add to a fault that came of asking for a service.
pub fn explain(fault: &Fault, kernel: &Kernel) -> Option<String> {
    // Code may look behind the pointer too, as in a header before the buffer.
    let address = fault.address?;
    let address = if address <= SCALAR { address | NOWHERE & !SCALAR } else { address };
    let index = address.checked_sub(NOWHERE - SPAN / 2)? / SPAN;
    let kind = *host_services(kernel).get(usize::try_from(index).ok()?)?;
    Some(format!("the kernel uses {}, which wavesmith does not support: {}", kind.name(), what(kind)))
}
