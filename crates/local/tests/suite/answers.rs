//! What the engine promises about answers: exact scores, and the same bits whatever is asked along with them.

use std::path::Path;

use counsel_advisor::{Decoding, LanguageModel as _, Message, Prompt, Request, Role, Utterance};
use counsel_local::{Local, Options, Precision};

const STEM: &str = "You see the room.\nSay left, right or forward.\n";

fn open(model: &str, threads: usize, precision: Precision) -> Local {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local").join(model);
    Local::open(&path, Options::new("tiny").threads(threads).precision(precision)).unwrap()
}

fn prompt(text: &str) -> Prompt {
    let messages = vec![Message::new(Role::System, "Be terse."), Message::new(Role::User, format!("{STEM}{text}"))];
    Prompt::new(messages, STEM.len())
}

fn words() -> Decoding {
    Decoding::scored(["left", "right", "forward", "the ward", "the left", "done"])
}

fn requests() -> Vec<Request> {
    let texts =
        ["The door is 3 steps ahead.", "", "é 東京 🙂", "a", "A long line. ".repeat(20).as_str()].map(str::to_owned);
    let decodings = [
        words(),
        Decoding::greedy(6),
        Decoding::Generate { max_tokens: 6, temperature: 1.5, seed: 7 },
        Decoding::scored(["left", "right"]),
    ];
    let one = |text: &String, decoding: &Decoding| Request { prompt: prompt(text), decoding: decoding.clone() };
    let mut requests: Vec<Request> = texts.iter().flat_map(|text| decodings.iter().map(|at| one(text, at))).collect();
    requests.push(Request { prompt: Prompt::question("left?"), decoding: words() });
    requests
}

fn untimed(answers: Vec<Result<Utterance, counsel_advisor::Outage>>) -> Vec<Utterance> {
    answers.into_iter().map(|answer| Utterance { latency_ms: None, ..answer.unwrap() }).collect()
}

fn one_by_one(model: &mut Local, requests: &[Request]) -> Vec<Utterance> {
    requests.iter().flat_map(|request| untimed(model.answer(std::slice::from_ref(request)))).collect()
}

#[test]
fn the_same_bits_in_any_company_at_any_time_on_any_number_of_threads() {
    for file in ["tiny-qwen2.gguf", "tiny-llama.gguf", "tiny-qwen2-q8.gguf"] {
        let mut model = open(file, 1, Precision::F32);
        let requests = requests();
        let expected = one_by_one(&mut model, &requests);
        assert_eq!(untimed(model.answer(&requests)), expected, "{file}: in company");
        assert_eq!(one_by_one(&mut model, &requests), expected, "{file}: again");
        let backwards: Vec<Request> = requests.iter().rev().cloned().collect();
        let answers: Vec<Utterance> = untimed(model.answer(&backwards)).into_iter().rev().collect();
        assert_eq!(answers, expected, "{file}: in another company");
        model.forget();
        assert_eq!(untimed(model.answer(&requests[3..9])), expected[3..9], "{file}: after forgetting");
        for threads in [2, 3] {
            let mut model = open(file, threads, Precision::F32);
            assert_eq!(untimed(model.answer(&requests)), expected, "{file}: {threads} threads");
        }
        let mut packed = open(file, 2, Precision::Quantised);
        assert_eq!(untimed(packed.answer(&requests)), expected, "{file}: weights as in the file");
    }
}

#[test]
fn the_stem_changes_no_bit() {
    let mut model = open("tiny-qwen2.gguf", 1, Precision::F32);
    let whole = prompt("The door is 3 steps ahead.");
    let without = Prompt::new(whole.messages().to_vec(), 0);
    let ask = |model: &mut Local, prompt: &Prompt| {
        untimed(model.answer(&[Request { prompt: prompt.clone(), decoding: words() }]))
    };
    assert_eq!(ask(&mut model, &whole), ask(&mut model, &without));
}

#[test]
fn scores_are_the_law_of_the_next_tokens_given_that_one_of_the_words_is_said() {
    for file in ["tiny-qwen2.gguf", "tiny-llama.gguf"] {
        let mut model = open(file, 1, Precision::F32);
        let prompt = prompt("Where?");
        let answer = untimed(model.answer(&[Request { prompt: prompt.clone(), decoding: words() }])).remove(0);
        let scores = answer.scores.unwrap();
        let total: f64 = scores.iter().map(|score| score.probability).sum();
        assert!((total - 1.0).abs() < 1e-12, "{total}");
        let mut sums = Vec::new();
        for score in &scores {
            let mut tokens = model.prompt_tokens(&prompt).unwrap();
            let mut sum = 0.0;
            for token in model.tokens(&score.word) {
                let logits = model.logits(&tokens).unwrap();
                let normaliser = logits.iter().map(|logit| f64::from(*logit).exp()).sum::<f64>().ln();
                sum += f64::from(logits[token as usize]) - normaliser;
                tokens.push(token);
            }
            sums.push(sum.exp());
        }
        for (score, sum) in scores.iter().zip(&sums) {
            let expected = sum / sums.iter().sum::<f64>();
            assert!((score.probability - expected).abs() < 1e-9, "{}: {} or {expected}", score.word, score.probability);
        }
        let best = scores.iter().max_by(|a, b| a.probability.total_cmp(&b.probability)).unwrap();
        assert_eq!(answer.text, best.word);
        assert_eq!(answer.response_tokens, Some(u32::try_from(model.tokens(&best.word).len()).unwrap()));
    }
}

#[test]
fn greedy_answers_take_the_likeliest_token_and_stop_where_they_must() {
    let mut model = open("tiny-llama.gguf", 1, Precision::F32);
    let prompt = prompt("Go.");
    let mut tokens = model.prompt_tokens(&prompt).unwrap();
    let sent = tokens.len();
    let mut written = Vec::new();
    for _ in 0..12 {
        let logits = model.logits(&tokens).unwrap();
        let best = (0..logits.len()).rev().max_by(|a, b| logits[*a].total_cmp(&logits[*b])).unwrap();
        tokens.push(u32::try_from(best).unwrap());
        written.push(u32::try_from(best).unwrap());
        if [0, 2].contains(&best) {
            break;
        }
    }
    for most in [0, 1, 12] {
        let request = Request { prompt: prompt.clone(), decoding: Decoding::greedy(most) };
        let answer = model.answer(&[request]).remove(0).unwrap();
        let expected = &written[..written.len().min(most as usize)];
        assert_eq!(answer.text, model.text(expected));
        assert_eq!(answer.request_tokens, Some(u32::try_from(sent).unwrap()));
        assert_eq!(answer.response_tokens, Some(u32::try_from(expected.len()).unwrap()));
        assert!(answer.latency_ms.unwrap() >= 0.0 && answer.scores.is_none());
    }
}

#[test]
fn draws_depend_on_the_seed_and_the_prompt_alone() {
    let mut model = open("tiny-qwen2.gguf", 1, Precision::F32);
    let mut ask = |text: &str, seed| {
        let decoding = Decoding::Generate { max_tokens: 16, temperature: 2.0, seed };
        model.answer(&[Request { prompt: prompt(text), decoding }]).remove(0).unwrap().text
    };
    assert_eq!(ask("a", 1), ask("a", 1));
    assert_ne!(ask("a", 1), ask("a", 2));
}

#[test]
fn the_template_of_the_file_speaks_where_there_is_no_system_message() {
    let model = open("tiny-qwen2.gguf", 1, Precision::F32);
    let rendering = model.rendering(&Prompt::question("Hi {{ 1 }}")).unwrap();
    let expected =
        "<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\nHi {{ 1 }}<|im_end|>\n<|im_start|>assistant\n";
    assert_eq!(rendering, expected);
    assert_eq!(model.text(&model.tokens(&rendering)), expected.replace("<|im_start|>", "").replace("<|im_end|>", ""));
}

#[test]
fn the_identity_names_the_file_by_its_digest() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local/tiny-qwen2.gguf");
    let digest = counsel_advisor::Digest::of(&std::fs::read(&path).unwrap());
    let model = Local::open(&path, Options::new("tiny")).unwrap();
    assert_eq!(model.identity().model, "tiny");
    assert_eq!(model.identity().version, digest.to_string());
    assert!(model.identity().engine.starts_with("counsel-local "), "{}", model.identity().engine);
}

#[cfg(feature = "cuda")]
mod on_a_gpu {
    use super::*;
    use counsel_local::{Error, Processor};

    fn open_there(model: &str) -> Result<Local, Error> {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fixtures/local").join(model);
        Local::open(&path, Options::new("tiny").threads(2).processor(Processor::Cuda))
    }

    #[test]
    #[ignore = "needs an NVIDIA GPU; cargo test -p counsel-local --features cuda -- --ignored"]
    fn a_gpu_gives_the_same_bits() {
        for file in ["tiny-qwen2.gguf", "tiny-llama.gguf", "tiny-qwen2-q8.gguf"] {
            let expected = untimed(open(file, 2, Precision::F32).answer(&requests()));
            let mut there = open_there(file).unwrap();
            assert_eq!(untimed(there.answer(&requests())), expected, "{file}");
            assert_eq!(one_by_one(&mut there, &requests()), expected, "{file}: one by one");
        }
    }
}
