//! The endpoint: batches of requests, as many at once as may be, answered in order.

use std::sync::{Arc, mpsc};

use counsel_advisor::{Identity, LanguageModel, Outage, Request, Utterance};
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use crate::Ledger;
use crate::cancel::Cancel;
use crate::connection::Connection;
use crate::{EndpointSettings, Error};

/// A language model behind an OpenAI-compatible endpoint.
///
/// It has a thread of its own for the network, so that it can be called from anywhere; [`LanguageModel::answer`] blocks.
#[derive(Debug)]
pub struct Endpoint {
    connection: Arc<Connection>,
    runtime: Option<Runtime>,
}

impl Endpoint {
    /// An endpoint that is called as `settings` say, within the budget of `ledger`. Nothing is sent yet.
    pub fn new(settings: EndpointSettings, ledger: Ledger) -> Result<Self, Error> {
        let connection = Connection::new(settings, ledger)?;
        // Last, since a runtime may not be dropped everywhere.
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build();
        let runtime = runtime.map_err(|error| Error::Client { reason: error.to_string() })?;
        Ok(Self { connection: Arc::new(connection), runtime: Some(runtime) })
    }

    /// A handle that stops this endpoint from another thread.
    pub fn cancel(&self) -> Cancel {
        self.connection.cancel.clone()
    }

    /// The ledger it spends from.
    pub fn ledger(&self) -> &Ledger {
        &self.connection.ledger
    }

    /// Runs tasks, as many at once as the settings allow, and gives their results in order; none for one that panicked.
    pub(crate) fn run<T, F>(&self, tasks: impl IntoIterator<Item = F>) -> Vec<Option<T>>
    where
        T: Send + 'static,
        F: Future<Output = T> + Send + 'static,
    {
        let Some(runtime) = &self.runtime else { return Vec::new() };
        let places = Arc::new(Semaphore::new(self.connection.settings.concurrency));
        let (send, receive) = mpsc::channel();
        let mut results = Vec::new();
        for (at, task) in tasks.into_iter().enumerate() {
            let (places, send) = (Arc::clone(&places), send.clone());
            results.push(None);
            runtime.spawn(async move {
                let _place = places.acquire().await;
                // Nobody listens any more only if the caller is gone.
                let _ = send.send((at, task.await));
            });
        }
        drop(send);
        for (at, result) in receive {
            results[at] = Some(result);
        }
        results
    }

    pub(crate) fn connection(&self) -> Arc<Connection> {
        Arc::clone(&self.connection)
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.connection.cancel.cancel();
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

impl LanguageModel for Endpoint {
    fn identity(&self) -> &Identity {
        &self.connection.identity
    }

    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let tasks = requests.iter().map(|request| {
            let (connection, request) = (self.connection(), request.clone());
            let number = connection.number();
            async move { connection.ask(number, &request).await }
        });
        let lost = || Err(Outage::new("the request was lost inside the endpoint; please report this"));
        self.run(tasks).into_iter().map(|answer| answer.unwrap_or_else(lost)).collect()
    }
}
