//! Tests with the real model files in the folder that COUNSEL_MODELS names; see `fixtures/local/compare.py` for the
//! comparison with other implementations.

use std::path::PathBuf;

use counsel_advisor::{Decoding, LanguageModel as _, Message, Prompt, Request, Role};
use counsel_local::{Local, Options};

#[expect(
    clippy::disallowed_methods,
    reason = "the files are too large for the repository; only the tester knows where"
)]
fn file(name: &str) -> PathBuf {
    PathBuf::from(std::env::var("COUNSEL_MODELS").expect("COUNSEL_MODELS names the folder of the models")).join(name)
}

const MODELS: [(&str, &str); 2] =
    [("SmolLM2-135M-Instruct.Q4_1.gguf", "Paris"), ("qwen2.5-coder-0.5b-instruct-q4_k_m.gguf", "Paris")];

#[test]
fn real_models_answer_and_their_scores_depend_on_nothing_but_the_prompt() {
    for (name, capital) in MODELS {
        let mut one = Local::open(&file(name), Options::new(name).threads(1)).unwrap();
        let question = Prompt::question("What is the capital of France? Answer in one word.");
        let answer = one.answer(&[Request { prompt: question, decoding: Decoding::greedy(8) }]).remove(0).unwrap();
        assert!(answer.text.contains(capital), "{name}: {}", answer.text);
        let stem = "You are an agent in a grid room.\n";
        let ask = |state: &str| Request {
            prompt: Prompt::new(vec![Message::new(Role::User, format!("{stem}{state}"))], stem.len()),
            decoding: Decoding::scored(["left", "right", "forward", "pickup", "drop", "toggle", "done"]),
        };
        let requests = ["The target is 2 steps ahead.", "The target is beside you.", "?"].map(ask);
        let scores = |model: &mut Local, requests: &[Request]| -> Vec<_> {
            model.answer(requests).into_iter().map(|answer| answer.unwrap().scores.unwrap()).collect()
        };
        let together = scores(&mut one, &requests);
        let mut two = Local::open(&file(name), Options::new(name).threads(2)).unwrap();
        for (request, expected) in requests.iter().zip(&together) {
            assert_eq!(&scores(&mut two, std::slice::from_ref(request))[0], expected, "{name}");
            assert!((expected.iter().map(|score| score.probability).sum::<f64>() - 1.0).abs() < 1e-12);
        }
    }
}
