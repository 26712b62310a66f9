//! Load on loopback, client and server in one process: `load DIR [MODE [RATE [SECONDS [CONNECTIONS [IDLE [CONTEXTS]]]]]]`.
//!
//! Decisions are due at a fixed rate, whatever the server does, and their time is counted from when they were due. They are about so many
//! contexts in turn, and a question is resumed on the same connection; that time is not counted. With 0 contexts each decision is in one
//! of its own, so that all of them ask, and nothing is resumed. IDLE connections are open beside.

use std::error::Error;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

use counsel_serve::{Listener, Service, Surroundings, serve};
use serde_json::{Value, json};

struct Client {
    stream: BufReader<TcpStream>,
    address: String,
}

impl Client {
    fn connect(address: &str) -> std::io::Result<Self> {
        let stream = TcpStream::connect(address)?;
        stream.set_nodelay(true)?;
        Ok(Self { stream: BufReader::new(stream), address: address.to_owned() })
    }

    fn post(&mut self, target: &str, key: &str, body: &str) -> Result<Value, Box<dyn Error + Send + Sync>> {
        let (address, length) = (&self.address, body.len());
        let head = format!(
            "POST {target} HTTP/1.1\r\nHost: {address}\r\nIdempotency-Key: {key}\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        self.stream.get_mut().write_all(head.as_bytes())?;
        let (mut line, mut length) = (String::new(), 0);
        loop {
            line.clear();
            self.stream.read_line(&mut line)?;
            if let Some(said) = line.strip_prefix("content-length: ") {
                length = said.trim().parse()?;
            }
            if line.len() <= 2 {
                break;
            }
        }
        let mut bytes = vec![0; length];
        self.stream.read_exact(&mut bytes)?;
        Ok(serde_json::from_slice(&bytes)?)
    }
}

fn main() -> Result<(), Box<dyn Error + Send + Sync>> {
    let mut arguments = std::env::args().skip(1);
    let dir = PathBuf::from(arguments.next().ok_or("name a folder")?);
    let mode = arguments.next().unwrap_or_else(|| "apply".into());
    let mut number = |default: u64| arguments.next().map_or(Ok(default), |text| text.parse());
    let (rate, seconds, connections) = (number(2000)?, number(20)?, number(32)?);
    let (idle, contexts) = (number(0)?, number(0)?);
    let clock = Box::new(|| {
        SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .map_or(0, |since| u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    });
    let report = Box::new(|error: &counsel_serve::Error| eprintln!("{error}"));
    let service = Arc::new(Service::open(&dir, Surroundings { clock, report })?);
    let policy = format!(
        "price = 0.01\nmode = \"{mode}\"\nactions = [\"left\", \"right\", \"forward\"]\n[budget]\ncalls = 100000000\n"
    );
    service.declare("policies", "p", policy.as_bytes())?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_io().enable_time().build()?;
    let listener = runtime.block_on(Listener::bind("127.0.0.1:0", false))?;
    let (address, guard) = (listener.url().replace("http://", ""), listener.guard(None));
    runtime.spawn(async move { match serve(listener, guard, service).await {} });
    let waiting: Vec<TcpStream> = (0..idle).map(|_| TcpStream::connect(&address)).collect::<Result<_, _>>()?;

    let began = Instant::now();
    let due = Duration::from_secs(seconds);
    let clients: Vec<_> = (0..connections)
        .map(|client| {
            let address = address.clone();
            std::thread::spawn(move || -> Result<(Vec<f64>, u64), Box<dyn Error + Send + Sync>> {
                let mut connection = Client::connect(&address)?;
                let (mut times, mut asked) = (Vec::new(), 0);
                for turn in 0.. {
                    let at = Duration::from_secs_f64((turn * connections + client) as f64 / rate as f64);
                    if at >= due {
                        break;
                    }
                    std::thread::sleep(at.saturating_sub(began.elapsed()));
                    let name = format!("{client}-{turn}");
                    let decision = turn * connections + client;
                    let context = if contexts == 0 { decision } else { decision % contexts };
                    let body = json!({ "policy": "p", "episode": format!("{client}-{}", turn / 10), "context": { "key": context }, "fallback": { "action": "left" } });
                    let decision = connection.post("/v1/decisions", &name, &body.to_string())?;
                    times.push((began.elapsed().saturating_sub(at)).as_secs_f64() * 1e3);
                    if let Some(permit) = decision["permit"]["id"].as_str() {
                        asked += 1;
                        if contexts == 0 {
                            continue;
                        }
                        let target = format!("/v1/decisions/{}/resume", decision["decision"].as_str().unwrap_or(""));
                        let reply = json!({ "permit": permit, "reply": { "text": "right" } });
                        connection.post(&target, &format!("r{name}"), &reply.to_string())?;
                    }
                }
                Ok((times, asked))
            })
        })
        .collect();
    let (mut times, mut asked) = (Vec::new(), 0);
    for client in clients {
        let (took, of) = client.join().map_err(|_| "a client failed")??;
        times.extend(took);
        asked += of;
    }
    let took = began.elapsed().as_secs_f64();
    times.sort_by(f64::total_cmp);
    // The place of a share, in thousandths.
    let at = |thousandths: usize| times[(times.len() - 1) * thousandths / 1000];
    println!(
        "{mode}: {} decisions in {took:.1} s ({:.0}/s), {asked} asked, {} connections idle; p50 {:.2} ms, p99 {:.2} ms, p99.9 {:.2} ms, most {:.1} ms",
        times.len(),
        times.len() as f64 / took,
        waiting.len(),
        at(500),
        at(990),
        at(999),
        at(1000)
    );
    Ok(())
}
