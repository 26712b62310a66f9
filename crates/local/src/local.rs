//! A language model in this process.

use std::fmt::{self, Debug, Display, Formatter};
use std::fs::File;
use std::io::Read as _;
use std::path::Path;
use std::time::Instant;

use counsel_advisor::{Decoding, Digest, Identity, LanguageModel, Outage, Prompt, Request, Utterance};
use sha2::{Digest as _, Sha256};

use crate::chat::Chat;
use crate::choice::Choice;
use crate::decoder::{Decoder, as_floats, as_packed, embedding_bytes, matrix_bytes};
use crate::free_memory::free_bytes;
use crate::geometry::Geometry;
use crate::gguf::Gguf;
use crate::gpu::Gpu;
use crate::job::{Goal, Job, read, write};
use crate::matrix::Keeping;
use crate::stems::{CONTEXTS, Stems};
use crate::vocabulary::Vocabulary;
use crate::words::Words;
use crate::{Error, Options, Precision, Processor};

/// Requests that are answered together at most, as long as their tokens fit into one context.
const PACK: usize = 8;

/// Keys and values of so many contexts may be in memory: those of the stems, of a pack, and of the pass that reads it.
const MEMORIES: u64 = CONTEXTS as u64 + 2;

/// A language model in this process.
pub struct Local {
    identity: Identity,
    threads: rayon::ThreadPool,
    context: usize,
    vocabulary: Vocabulary,
    chat: Chat,
    decoder: Decoder,
    stems: Stems,
}

impl Debug for Local {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.debug_struct("Local")
            .field("identity", &self.identity)
            .field("context", &self.context)
            .finish_non_exhaustive()
    }
}

impl Local {
    /// Opens a model file. All that is wrong with it, and a lack of memory, shows here.
    pub fn open(path: &Path, options: Options) -> Result<Self, Error> {
        let gguf = Gguf::read(path)?;
        let geometry = Geometry::read(&gguf)?;
        let embeddings = gguf.tensor("token_embd.weight").map_or(0, |place| place.rows);
        let vocabulary = Vocabulary::read(&gguf, embeddings)?;
        let chat = Chat::new(gguf.text("tokenizer.chat_template")?.to_owned(), vocabulary.names().clone())?;
        let context = options.context.min(geometry.context);
        let keeping = keeping(&gguf, &geometry, context, &options)?;
        let version = options.digest.map_or_else(|| file_digest(path), Ok)?.to_string();
        let refuse =
            |error: rayon::ThreadPoolBuildError| Error::Threads { threads: options.threads, why: error.to_string() };
        let threads = rayon::ThreadPoolBuilder::new().num_threads(options.threads.max(1)).build().map_err(refuse)?;
        let decoder = threads.install(|| Decoder::load(&gguf, geometry, &keeping))?;
        let engine = format!("counsel-local {} f32", env!("CARGO_PKG_VERSION"));
        let identity = Identity { model: options.name, version, engine };
        Ok(Self { identity, threads, context, vocabulary, chat, decoder, stems: Stems::default() })
    }

    /// The tokens of a text, control tokens included.
    pub fn tokens(&self, text: &str) -> Vec<u32> {
        self.vocabulary.tokens(text)
    }

    /// What tokens say, control tokens left out.
    pub fn text(&self, tokens: &[u32]) -> String {
        self.vocabulary.text(tokens)
    }

    /// A prompt as the model reads it, from the model's own chat template.
    pub fn rendering(&self, prompt: &Prompt) -> Result<String, Error> {
        Ok(self.chat.render(prompt)?.text)
    }

    /// The tokens of a prompt as the model reads it.
    pub fn prompt_tokens(&self, prompt: &Prompt) -> Result<Vec<u32>, Error> {
        Ok(self.vocabulary.prompt(&self.rendering(prompt)?))
    }

    /// The logits of every token that could follow these.
    pub fn logits(&mut self, tokens: &[u32]) -> Result<Vec<f32>, Error> {
        let known = self.decoder.vocabulary();
        if let Some(token) = tokens.iter().copied().find(|token| *token as usize >= known) {
            return Err(Error::Token { token, known });
        }
        if tokens.is_empty() || tokens.len() > self.context {
            return Err(Error::Length { tokens: tokens.len(), context: self.context });
        }
        let goal = Goal::Write { choice: Choice::Likeliest, most: 1 };
        let mut jobs = [Job::new(tokens.to_vec(), 0, goal, self.decoder.no_memory())];
        let Self { threads, decoder, stems, context, .. } = self;
        threads.install(|| {
            read(decoder, stems, *context, &mut jobs)?;
            decoder.logits(jobs[0].hidden())
        })
    }

    /// Forgets all stems. The next prompt takes longer, and its answer is the same.
    pub fn forget(&mut self) {
        self.stems.clear();
    }

    /// What a request means: its tokens, and what is wanted.
    fn job(&self, request: &Request) -> Result<Job, Error> {
        let rendering = self.chat.render(&request.prompt)?;
        let tokens = self.vocabulary.prompt(&rendering.text);
        let begun = self.vocabulary.prompt(&rendering.text[..rendering.stem]);
        let common = tokens.iter().zip(&begun).take_while(|(left, right)| left == right).count();
        let (goal, more) = match &request.decoding {
            Decoding::Generate { max_tokens, temperature, seed } => {
                let choice = Choice::new(*temperature, *seed, &request.prompt.digest())?;
                (Goal::Write { choice, most: *max_tokens as usize }, 0)
            }
            Decoding::Scored { words } => {
                let words = Words::new(words, &self.vocabulary)?;
                let more = words.nodes().len();
                (Goal::Score(words), more)
            }
        };
        if tokens.is_empty() || tokens.len() + more > self.context {
            return Err(Error::Length { tokens: tokens.len() + more, context: self.context });
        }
        let stem = common.min(tokens.len() - 1);
        Ok(Job::new(tokens, stem, goal, self.decoder.no_memory()))
    }
}

impl LanguageModel for Local {
    fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Requests are read in packs. What is said to one does not depend on the others; its latency is its share of the pack.
    fn answer(&mut self, requests: &[Request]) -> Vec<Result<Utterance, Outage>> {
        let mut answers = Vec::with_capacity(requests.len());
        while answers.len() < requests.len() {
            let began = Instant::now();
            let mut jobs: Vec<Job> = Vec::with_capacity(PACK);
            let mut fates: Vec<Result<(), Error>> = Vec::with_capacity(PACK);
            let mut tokens = 0;
            for request in requests[answers.len()..].iter().take(PACK) {
                let job = self.job(request);
                tokens += job.as_ref().map_or(0, |job| job.most_tokens(self.context));
                if tokens > self.context && !jobs.is_empty() {
                    break;
                }
                fates.push(job.map(|job| jobs.push(job)));
            }
            let Self { threads, decoder, stems, vocabulary, context, .. } = self;
            let worked = threads.install(|| {
                read(decoder, stems, *context, &mut jobs)?;
                write(decoder, vocabulary, *context, &mut jobs)
            });
            let utterance = |job: &Job| match &worked {
                Ok(()) => threads.install(|| job.utterance(decoder, vocabulary)).map_err(outage),
                Err(error) => Err(outage(error)),
            };
            let utterances: Vec<Result<Utterance, Outage>> = jobs.iter().map(utterance).collect();
            let share = began.elapsed().as_secs_f64() * 1e3 / utterances.len().max(1) as f64;
            let mut utterances = utterances.into_iter();
            for fate in fates {
                let answer =
                    fate.map_err(outage).and_then(|()| utterances.next().unwrap_or(Err(outage(Error::Numbers))));
                answers.push(answer.map(|utterance| Utterance { latency_ms: Some(share), ..utterance }));
            }
        }
        answers
    }
}

fn outage(error: impl Display) -> Outage {
    Outage::new(error.to_string())
}

/// How the weights are kept: as wished if they fit.
fn keeping(gguf: &Gguf, geometry: &Geometry, context: usize, options: &Options) -> Result<Keeping, Error> {
    let free = options.memory.or_else(free_bytes).unwrap_or(u64::MAX);
    let memory = 2 * 4 * geometry.layers as u64 * geometry.key_width() as u64 * context as u64;
    let (floats, packed) = (matrix_bytes(gguf, geometry, as_floats), matrix_bytes(gguf, geometry, as_packed));
    let need = |matrices: u64| embedding_bytes(gguf) + matrices + MEMORIES * memory;
    let fits = |matrices: u64, free: u64| match need(matrices) {
        need if need <= free => Ok(()),
        need => Err(Error::Memory { need, free }),
    };
    match (options.processor, options.precision) {
        (Processor::Cuda, Precision::Quantised) => {
            Err(Error::gpu("weights are kept there as 32-bit floats; do not ask for others"))
        }
        (Processor::Cuda, _) => {
            fits(0, free)?;
            let gpu = Gpu::open().map_err(Error::gpu)?;
            let (need, free) = (floats >> 20, gpu.free_bytes().map_err(Error::gpu)? >> 20);
            // Rows and products take some of it too.
            if need + 512 > free {
                let why = format!(
                    "the model needs {} MiB of its memory and {free} MiB are free; pass a smaller model",
                    need + 512
                );
                return Err(Error::gpu(why));
            }
            Ok(Keeping::Gpu(gpu))
        }
        // Others need memory too, so what is chosen unasked leaves some.
        (Processor::Cpu, Precision::Auto) if fits(floats, free / 4 * 3).is_ok() => Ok(Keeping::Floats),
        (Processor::Cpu, Precision::F32) => fits(floats, free).map(|()| Keeping::Floats),
        (Processor::Cpu, Precision::Auto | Precision::Quantised) => fits(packed, free).map(|()| Keeping::Packed),
    }
}

/// The SHA-256 digest of a file.
fn file_digest(path: &Path) -> Result<Digest, Error> {
    let unreadable = |cause| Error::Unreadable { path: path.to_owned(), cause };
    let mut file = File::open(path).map_err(unreadable)?;
    let mut hash = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        let count = file.read(&mut buffer).map_err(unreadable)?;
        if count == 0 {
            return Ok(Digest::from_bytes(hash.finalize().into()));
        }
        hash.update(&buffer[..count]);
    }
}
