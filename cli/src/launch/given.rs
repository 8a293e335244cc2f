//! What the command line gives a kernel besides its grid: for `launch` and `time` alike.

use super::arguments::Arguments;
use super::spec::Spec;
use super::three;
use wavesmith_asm::Target;
use wavesmith_loader::code_object::Kernel;
use wavesmith_loader::{Agent, Kernel as Loaded};

/// Block, arguments and LDS.
#[derive(clap::Args)]
pub struct Given {
    /// Work-items of a workgroup in each dimension [default: what the kernel was compiled for, if it says]
    #[arg(long, value_name = "X,Y,Z", value_parser = three::<u16>)]
    pub block: Option<[u16; 3]>,
    /// An argument, in order or at @OFFSET=: u32:5, f32:1.5, in:A.npy, out:float32:64x128=C.npy, inout:A.npy=B.npy,
    /// lds:BYTES, null.
    #[arg(long = "arg", value_name = "SPEC")]
    pub args: Vec<Spec>,
    /// Bytes of the kernarg segment, where the file does not tell or tells wrong.
    #[arg(long, value_name = "N")]
    pub kernarg_size: Option<usize>,
    /// Bytes of LDS beyond the kernel's own.
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub dynamic_lds: u32,
}

impl Given {
    /// The kernel's arguments, with device memory for arrays; what may be a mistake is told on stderr.
    ///
    /// # Errors
    /// Arguments that the kernel does not take, files that cannot be read, more LDS than a workgroup has.
    pub fn arguments<'k>(
        &self,
        kernel: &'k Kernel,
        loaded: &Loaded,
        agent: &Agent,
        target: Target,
    ) -> anyhow::Result<Arguments<'k>> {
        let mut arguments = Arguments::new(kernel, self.kernarg_size, loaded.group_size(), self.dynamic_lds)?;
        for spec in &self.args {
            arguments.add(spec, agent)?;
        }
        arguments.check_lds(target)?;
        for note in arguments.notes() {
            eprintln!("wavesmith: {note}");
        }
        Ok(arguments)
    }
}
