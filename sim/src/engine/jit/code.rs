//! The buffer that compiled code is written to: dynasm's assembler, with AVX-512 instructions that iced encodes put
//! between its own.

use dynasmrt::{DynamicLabel, DynasmLabelApi, VecAssembler, x64::X64Relocation};
use iced_x86::{Encoder, Instruction};

/// Code being written.
pub struct Code {
    /// dynasm's part.
    pub ops: VecAssembler<X64Relocation>,
    encoder: Encoder,
    /// Whether some instruction could not be encoded; the code is then of no use.
    failed: bool,
}

impl Code {
    /// An empty buffer.
    pub fn new() -> Code {
        Code { ops: VecAssembler::new(0), encoder: Encoder::new(64), failed: false }
    }

    /// A label to be placed.
    pub fn label(&mut self) -> DynamicLabel {
        self.ops.new_dynamic_label()
    }

    /// Places a label here.
    pub fn bind(&mut self, label: DynamicLabel) {
        self.ops.dynamic_label(label);
    }

    /// Appends an instruction without jumps or addresses relative to the code.
    pub fn put(&mut self, made: Result<Instruction, iced_x86::IcedError>) {
        let encoded = made.and_then(|i| self.encoder.encode(&i, 0));
        self.failed |= encoded.is_err();
        let mut bytes = self.encoder.take_buffer();
        self.ops.extend(&bytes);
        bytes.clear();
        self.encoder.set_buffer(bytes);
    }

    /// The finished bytes, if everything could be encoded.
    pub fn finish(self) -> Option<Vec<u8>> {
        if self.failed { None } else { self.ops.finalize().ok() }
    }
}
