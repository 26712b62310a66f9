//! A sidecar with somebody who looks on: each call is handed to the onlooker once it is answered.

use std::sync::Arc;

use counsel_serve::{Onlooker, Origin, Request, Response, SeenRequest, Stopwatch, TraceContext};

use crate::Error;
use crate::sidecar::{Call, Replied, Sidecar, Verb};

/// Where calls come from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Caller {
    /// A tool of an agent: each call begins a piece of work.
    Tool,
    /// This piece of work.
    Within(TraceContext),
}

/// A sidecar that an onlooker watches.
#[derive(Debug)]
pub struct Watched<'a> {
    sidecar: &'a dyn Sidecar,
    onlooker: Option<&'a Arc<dyn Onlooker>>,
    caller: Caller,
}

impl<'a> Watched<'a> {
    /// This sidecar under the eyes of this onlooker; without one, the sidecar itself.
    pub fn new(sidecar: &'a dyn Sidecar, onlooker: Option<&'a Arc<dyn Onlooker>>, caller: Caller) -> Self {
        Self { sidecar, onlooker, caller }
    }
}

impl Sidecar for Watched<'_> {
    fn call(&self, call: &Call) -> Result<Replied, Error> {
        let trace = |onlooker: &Arc<dyn Onlooker>| match self.caller {
            Caller::Tool => onlooker.begin(None),
            Caller::Within(whole) => Some(onlooker.within(&whole)),
        };
        let Some((onlooker, trace)) = self.onlooker.and_then(|onlooker| Some((onlooker, trace(onlooker)?))) else {
            return self.sidecar.call(call);
        };
        let watch = Stopwatch::start();
        let replied = self.sidecar.call(&Call { trace: Some(trace), ..call.clone() });
        if let Ok(replied) = &replied {
            let body = if call.verb == Verb::Get { Vec::new() } else { call.body.to_string().into_bytes() };
            let request = Request { trace: Some(trace), ..Request::new(call.verb.method(), call.path.as_str(), body) };
            let response =
                Response { replayed: replied.replayed, ..Response::json(replied.status, replied.body.to_string()) };
            let (began, took) = watch.stop();
            let origin = if self.caller == Caller::Tool { Origin::Tool } else { Origin::Within };
            onlooker.saw(SeenRequest { request, response, began, took, origin });
        }
        replied
    }
}
