//! How far a pull has come, for whoever draws a bar.

/// What a pull is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Stage {
    /// Reads what is there already to check or to resume it.
    Checking,
    /// Fetches.
    Fetching,
}

/// How far a pull has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Progress {
    /// What it is doing.
    pub stage: Stage,
    /// The bytes of the model that are done in this stage.
    pub done_bytes: u64,
    /// The bytes of the model.
    pub total_bytes: u64,
}
