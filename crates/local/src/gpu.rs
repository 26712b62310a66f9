//! The GPU, where this build can use one.

#[cfg(feature = "cuda")]
pub(crate) use counsel_cuda::{Gpu, Panels};

// Both sides cut a matrix into the same panels.
#[cfg(feature = "cuda")]
const _: () = assert!(counsel_cuda::PANEL as usize == crate::product::PANEL);

#[cfg(not(feature = "cuda"))]
pub(crate) use absent::{Gpu, Panels};

#[cfg(not(feature = "cuda"))]
mod absent {
    /// There is none.
    #[derive(Debug, Clone)]
    pub(crate) enum Gpu {}

    /// There are none.
    #[derive(Debug)]
    pub(crate) enum Panels {}

    impl Gpu {
        pub(crate) fn open() -> Result<Self, &'static str> {
            Err("this program was built without it; build it with --features cuda, or compute without a GPU")
        }

        pub(crate) fn free_bytes(&self) -> Result<u64, &'static str> {
            match *self {}
        }

        pub(crate) fn panels(&self, _: &[f32], _: usize, _: usize) -> Result<Panels, &'static str> {
            match *self {}
        }
    }

    impl Panels {
        pub(crate) fn times(&self, _: &[f32]) -> Result<Vec<f32>, &'static str> {
            match *self {}
        }
    }
}
