//! What cannot be run is refused with one clear error, before any work and without a panic.

use std::path::{Path, PathBuf};

use counsel_advisor::{Decoding, LanguageModel as _, Prompt, Request};
use counsel_local::{Error, Local, Options, Precision};

const FILE: &str = "tiny-qwen2-q8.gguf";

fn bytes() -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local").join(FILE)).unwrap()
}

fn open_with(bytes: &[u8], options: Options) -> Result<Local, Error> {
    let folder = tempfile::tempdir().unwrap();
    let path: PathBuf = folder.path().join("model.gguf");
    std::fs::write(&path, bytes).unwrap();
    Local::open(&path, options)
}

fn options() -> Options {
    Options::new("tiny").threads(1)
}

fn open(bytes: &[u8]) -> Result<Local, Error> {
    open_with(bytes, options())
}

/// Where `needle` ends in the file.
fn after(bytes: &[u8], needle: &str) -> usize {
    let at = bytes.windows(needle.len()).position(|window| window == needle.as_bytes());
    at.unwrap_or_else(|| panic!("the file has no {needle}")) + needle.len()
}

/// The file with `old` replaced by `new`, equally long, at its first occurrence after `key`.
fn replaced(key: &str, old: &str, new: &str) -> Vec<u8> {
    assert_eq!(old.len(), new.len());
    let mut bytes = bytes();
    let start = after(&bytes, key) - if key == old { key.len() } else { 0 };
    let at = start + after(&bytes[start..], old) - old.len();
    bytes[at..at + new.len()].copy_from_slice(new.as_bytes());
    bytes
}

fn renamed(old: &str, new: &str) -> Vec<u8> {
    replaced(old, old, new)
}

fn message(result: Result<Local, Error>) -> String {
    result.map(|_| ()).unwrap_err().to_string()
}

#[test]
fn files_that_are_no_models_are_refused() {
    let missing = Local::open(Path::new("/nowhere/model.gguf"), options());
    assert!(matches!(missing, Err(Error::File(_))));
    for foreign in [&b""[..], b"GG", b"{\"json\": true}", b"\x7fELF\x02\x01\x01"] {
        assert!(matches!(open(foreign), Err(Error::Foreign { .. })), "{foreign:?}");
    }
    assert!(matches!(Local::open(Path::new("/"), options()), Err(Error::File(_))));
}

#[test]
fn truncated_files_are_refused_wherever_they_end() {
    let whole = bytes();
    let lengths = (4..whole.len()).step_by(97).chain([whole.len() - 40]);
    for length in lengths {
        let refusal = open(&whole[..length]);
        assert!(matches!(refusal, Err(Error::Damaged { .. })), "{length} bytes: {refusal:?}");
    }
}

#[test]
fn what_this_engine_lacks_is_named_with_what_it_has() {
    let architecture = message(open(&replaced("general.architecture", "qwen2", "gemma")));
    assert!(architecture.contains("`gemma`") && architecture.contains("llama and qwen2"), "{architecture}");
    let split = message(open(&replaced("tokenizer.ggml.pre", "qwen2", "llama")));
    assert!(split.contains("`llama`") && split.contains("smollm"), "{split}");
    let tokenizer = message(open(&replaced("tokenizer.ggml.model", "gpt2", "bert")));
    assert!(tokenizer.contains("`bert`"), "{tokenizer}");
    let mut unknown = bytes();
    // After the name come the number of dimensions, two dimensions and the type.
    let kind = after(&unknown, "blk.0.attn_q.weight") + 4 + 16;
    unknown[kind] = 99;
    let kind = message(open(&unknown));
    assert!(kind.contains("99 of tensor blk.0.attn_q.weight") && kind.contains("Q4K"), "{kind}");
    let mut version = bytes();
    version[4] = 9;
    assert!(message(open(&version)).contains("GGUF version `9`"));
}

#[test]
fn what_the_file_lacks_is_named() {
    for (old, new) in [
        ("qwen2.block_count", "qwen2.block_mount"),
        ("qwen2.attention.layer_norm_rms_epsilon", "qwen2.attention.layer_norm_rms_epsilom"),
        ("tokenizer.chat_template", "tokenizer.chat_tempest"),
        ("tokenizer.ggml.merges", "tokenizer.ggml.mergex"),
        ("tokenizer.ggml.eos_token_id", "tokenizer.ggml.eos_token_ix"),
        ("blk.1.attn_q.weight", "blk.1.attn_x.weight"),
        ("output_norm.weight", "output_norm.weighs"),
    ] {
        let new = format!("{new:<width$}", width = old.len());
        let refusal = message(open(&renamed(old, &new)));
        assert!(refusal.contains("lacks") && refusal.contains(old), "{old}: {refusal}");
    }
}

#[test]
fn a_template_that_cannot_be_read_is_refused() {
    let refusal = open(&replaced("tokenizer.chat_template", "{% endfor %}", "{% endfoo %}"));
    assert!(matches!(refusal, Err(Error::Template { .. })), "{refusal:?}");
}

#[test]
fn a_model_that_does_not_fit_is_refused_before_its_weights_are_read() {
    let open = |memory, precision| {
        let options = Options { memory: Some(memory), context: 64, ..options().precision(precision) };
        open_with(&bytes(), options)
    };
    assert!(matches!(open(10_000, Precision::Auto), Err(Error::Memory { free: 10_000, .. })));
    let Err(Error::Memory { need, .. }) = open(10_000, Precision::F32) else { panic!("it fits") };
    let Err(Error::Memory { need: frugal, .. }) = open(10_000, Precision::Quantised) else { panic!("it fits") };
    assert!(frugal < need, "{frugal} < {need}");
    assert!(open(need, Precision::F32).is_ok() && open(need - 1, Precision::F32).is_err());
    assert!(open(need - 1, Precision::Auto).is_ok() && open(frugal - 1, Precision::Auto).is_err());
}

#[test]
fn requests_that_cannot_be_answered_are_outages_and_the_others_are_answered() {
    let mut model = open_with(&bytes(), Options { context: 80, ..options() }).unwrap();
    let request = |text: &str, decoding| Request { prompt: Prompt::question(text), decoding };
    let good = || request("Where?", Decoding::scored(["left", "right"]));
    let bad = [
        (request(&"long ".repeat(100), Decoding::greedy(1)), "context holds 1 to 80"),
        (request("a", Decoding::Scored { words: vec![] }), "there are none"),
        (request("a", Decoding::scored(["left", ""])), "empty"),
        (request("a", Decoding::scored(["left", "right", "left"])), "`left` is there twice"),
        (request("a", Decoding::scored(["forward left", "forward"])), "`forward left` begins with `forward`"),
        (request("a", Decoding::Generate { max_tokens: 3, temperature: f64::NAN, seed: 0 }), "temperature NaN"),
        (request("a", Decoding::Generate { max_tokens: 3, temperature: -1.0, seed: 0 }), "temperature -1"),
    ];
    for (bad, why) in bad {
        let answers = model.answer(&[good(), bad, good()]);
        let reason = answers[1].as_ref().unwrap_err().to_string();
        assert!(reason.contains(why), "{reason}");
        assert_eq!(answers[0].as_ref().unwrap().scores, answers[2].as_ref().unwrap().scores);
    }
    assert!(model.answer(&[]).is_empty());
    let written = model.answer(&[request("abcdefgh", Decoding::greedy(1_000_000))]).remove(0).unwrap();
    assert!(written.request_tokens.unwrap() + written.response_tokens.unwrap() <= 80);
    assert!(matches!(model.logits(&[]), Err(Error::Length { .. })));
    assert!(matches!(model.logits(&[1, 9_999]), Err(Error::Token { token: 9_999, .. })));
}

#[test]
fn damaged_headers_never_bring_it_down() {
    let whole = bytes();
    let header = after(&whole, "output_norm.weight") + 24;
    let mut opened = 0;
    for at in (4..header).step_by(11) {
        for flip in [0xFF, 0x80, 0x01] {
            let mut bytes = whole.clone();
            bytes[at] ^= flip;
            if let Ok(mut model) = open(&bytes) {
                opened += 1;
                if at % 5 == 0 {
                    let decoding = Decoding::scored(["left", "right"]);
                    drop(model.answer(&[Request { prompt: Prompt::question("Where?"), decoding }]));
                }
            }
        }
    }
    assert!(opened > 0, "most flips spoil but a letter of the vocabulary");
}

#[test]
#[cfg(not(feature = "cuda"))]
fn a_build_without_a_gpu_says_how_to_get_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local/tiny-qwen2.gguf");
    let refused = Local::open(&path, options().processor(counsel_local::Processor::Cuda)).unwrap_err().to_string();
    assert!(refused.contains("--features cuda"), "{refused}");
}
