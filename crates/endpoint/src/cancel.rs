//! Stopping an endpoint from another thread.

use tokio::sync::watch::{self, Receiver, Sender};

/// Stops an endpoint: what is under way ends at once, as an outage, and nothing is sent any more. For good.
#[derive(Debug, Clone)]
pub struct Cancel(Sender<bool>);

impl Cancel {
    pub(crate) fn new() -> Self {
        Self(watch::channel(false).0)
    }

    /// Stops the endpoint.
    pub fn cancel(&self) {
        self.0.send_replace(true);
    }

    /// Whether it was stopped.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow()
    }

    pub(crate) fn watch(&self) -> Receiver<bool> {
        self.0.subscribe()
    }
}

/// Returns when the endpoint is stopped, and never if nobody can stop it.
pub(crate) async fn cancelled(watch: &mut Receiver<bool>) {
    if watch.wait_for(|stopped| *stopped).await.is_err() {
        std::future::pending::<()>().await;
    }
}
