//! Products of matrices on an NVIDIA GPU, equal to the processor's to the last bit.
//!
//! [`Gpu::open`] finds the first GPU, [`Gpu::panels`] keeps a matrix in its memory, and [`Panels::times`] multiplies rows with it. Every
//! element is the fused multiply-add over the columns in their order, as `counsel-local` computes it on the processor, so it does not
//! matter to an answer where it was computed. The price is that a sum is never split among threads.
//!
//! Building this crate needs no CUDA; running it needs only the driver. The kernel is compiled ahead (`times.ptx`, made of
//! `times.cu` by `fixtures/cuda/ptx.py`), and the driver's library is looked for when a GPU is opened.

use std::fmt::{self, Debug, Formatter};
use std::sync::Arc;

use cudarc::driver::{
    CudaContext, CudaFunction, CudaSlice, CudaStream, DriverError, LaunchConfig, PushKernelArg as _, sys,
};
use cudarc::nvrtc::Ptx;

/// The weights of so many outputs lie side by side.
pub const PANEL: u32 = 32;
/// Panels that a block of threads works on.
const WARPS: u32 = 4;
/// Rows that a block of threads works on, where there are several.
const ROWS: u32 = 16;
/// Blocks that can be started side by side.
const BLOCKS: u32 = 65_535;

/// What can go wrong with a GPU.
#[derive(Debug, thiserror::Error)]
pub enum Error {
    /// There is no driver.
    #[error("no NVIDIA driver is found (libcuda); install it, or compute without a GPU")]
    NoDriver,
    /// The driver refuses.
    #[error("the GPU cannot be used: {0}; look at nvidia-smi, or compute without a GPU")]
    Driver(#[from] DriverError),
    /// Numbers and sizes do not go together.
    #[error("{numbers} numbers are no {what}")]
    Shape {
        /// How many numbers there are.
        numbers: usize,
        /// What they should be.
        what: String,
    },
}

/// A GPU that is ready to multiply.
#[derive(Clone)]
pub struct Gpu {
    stream: Arc<CudaStream>,
    one: CudaFunction,
    many: CudaFunction,
}

impl Debug for Gpu {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Gpu").field("ordinal", &self.stream.context().ordinal()).finish_non_exhaustive()
    }
}

impl Gpu {
    /// The first GPU that the driver lists; `CUDA_VISIBLE_DEVICES` decides which that is.
    pub fn open() -> Result<Self, Error> {
        #[expect(unsafe_code, reason = "looking for the driver's library runs its initialisation")]
        // SAFETY: the library of that name is NVIDIA's driver, whose initialisation asks nothing of the caller.
        let present = unsafe { sys::is_culib_present() };
        if !present {
            return Err(Error::NoDriver);
        }
        let context = CudaContext::new(0)?;
        let module = context.load_module(Ptx::from_src(include_str!("times.ptx")))?;
        let (one, many) = (module.load_function("times_one")?, module.load_function("times_many")?);
        Ok(Self { stream: context.new_stream()?, one, many })
    }

    /// The bytes of the GPU's memory that are free.
    pub fn free_bytes(&self) -> Result<u64, Error> {
        Ok(self.stream.context().mem_get_info()?.0 as u64)
    }

    /// Keeps a matrix of so many outputs and columns, given as panels: the weights of [`PANEL`] outputs side by side, column by
    /// column; outputs past the end are there and ignored.
    pub fn panels(&self, weights: &[f32], outputs: usize, columns: usize) -> Result<Panels, Error> {
        let size = |number: usize| u32::try_from(number).ok().filter(|number| *number > 0);
        let padded = outputs.next_multiple_of(PANEL as usize);
        match (size(outputs), size(columns)) {
            (Some(outputs), Some(columns)) if padded.checked_mul(columns as usize) == Some(weights.len()) => {
                let weights = self.stream.clone_htod(weights)?;
                self.stream.synchronize()?;
                Ok(Panels { gpu: self.clone(), weights, outputs, columns })
            }
            _ => {
                let what = format!("panels of {outputs} outputs and {columns} columns");
                Err(Error::Shape { numbers: weights.len(), what })
            }
        }
    }
}

/// A matrix of weights in the memory of a GPU.
pub struct Panels {
    gpu: Gpu,
    weights: CudaSlice<f32>,
    outputs: u32,
    columns: u32,
}

impl Debug for Panels {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Panels").field("outputs", &self.outputs).field("columns", &self.columns).finish_non_exhaustive()
    }
}

impl Panels {
    /// The products of the rows of `input` and this matrix, row by row.
    pub fn times(&self, input: &[f32]) -> Result<Vec<f32>, Error> {
        let columns = self.columns as usize;
        let rows = u32::try_from(input.len() / columns).ok().filter(|rows| rows.div_ceil(ROWS) <= BLOCKS);
        let rows = rows.filter(|_| input.len().is_multiple_of(columns));
        match rows {
            Some(0) => Ok(Vec::new()),
            Some(rows) => self.multiply(input, rows),
            None => Err(Error::Shape { numbers: input.len(), what: format!("rows of {columns}") }),
        }
    }

    /// The products of so many rows.
    fn multiply(&self, input: &[f32], rows: u32) -> Result<Vec<f32>, Error> {
        let Gpu { stream, one, many } = &self.gpu;
        let (kernel, high) = if rows == 1 { (one, 1) } else { (many, ROWS) };
        let shape = LaunchConfig {
            grid_dim: (self.outputs.div_ceil(PANEL * WARPS), rows.div_ceil(high), 1),
            block_dim: (PANEL * WARPS, 1, 1),
            shared_mem_bytes: 0,
        };
        let input = stream.clone_htod(input)?;
        let mut output = stream.alloc_zeros::<f32>(rows as usize * self.outputs as usize)?;
        let mut launch = stream.launch_builder(kernel);
        launch.arg(&input).arg(&self.weights).arg(&mut output).arg(&rows).arg(&self.columns).arg(&self.outputs);
        #[expect(unsafe_code, reason = "kernels are foreign code")]
        // SAFETY: the arguments are those of the kernel in number, order and type. It reads `rows` rows of `columns`
        // numbers, which `input` has, and all panels, whose size was checked when they were kept; it writes `rows` rows of
        // `outputs` numbers, which `output` has.
        unsafe {
            launch.launch(shape)?;
        }
        Ok(stream.clone_dtoh(&output)?)
    }
}
