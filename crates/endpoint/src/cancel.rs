//! Stopping an endpoint from another thread.

use tokio::sync::watch::{self, Receiver, Sender};

/// How far an endpoint is stopped. It never goes back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Stage {
    Open,
    WindingDown,
    Stopped,
}

/// Stops an endpoint, for good.
#[derive(Debug, Clone)]
pub struct Cancel(Sender<Stage>);

impl Cancel {
    pub(crate) fn new() -> Self {
        Self(watch::channel(Stage::Open).0)
    }

    /// Stops the endpoint at once: what is under way ends as an outage, and nothing is sent any more.
    pub fn cancel(&self) {
        self.0.send_replace(Stage::Stopped);
    }

    /// Sends nothing any more, retries included; the reply to what was sent is waited for, since it may be paid for.
    pub fn wind_down(&self) {
        self.0.send_if_modified(|stage| std::mem::replace(stage, Stage::WindingDown.max(*stage)) != *stage);
    }

    /// Whether nothing is sent any more.
    pub fn is_cancelled(&self) -> bool {
        *self.0.borrow() > Stage::Open
    }

    pub(crate) fn watch(&self) -> Receiver<Stage> {
        self.0.subscribe()
    }
}

/// Returns when the endpoint is stopped at once, and never if nobody can stop it.
pub(crate) async fn stopped(watch: Receiver<Stage>) {
    reached(watch, Stage::Stopped).await;
}

/// Returns when nothing may be sent any more.
pub(crate) async fn closing(watch: Receiver<Stage>) {
    reached(watch, Stage::WindingDown).await;
}

async fn reached(mut watch: Receiver<Stage>, stage: Stage) {
    if watch.wait_for(|now| *now >= stage).await.is_err() {
        std::future::pending::<()>().await;
    }
}
