//! Word probabilities from the tokens that are listed for the first place.

use counsel_advisor::{Outage, WordScore};

use crate::chat::{Candidate, NO_LOG_PROBABILITIES};

/// The law over `words`, exact for words that are one token, or why it is unknown.
pub(crate) fn scores(words: &[String], candidates: &[Candidate]) -> Result<Vec<WordScore>, Outage> {
    if candidates.is_empty() {
        return Err(Outage::systematic(NO_LOG_PROBABILITIES));
    }
    let listed = words.iter().map(|word| {
        let found = candidates.iter().find(|candidate| candidate.token == *word);
        found.map(|candidate| candidate.log_probability).ok_or_else(|| {
            Outage::new(format!(
                "`{word}` is not among the {} likeliest first tokens, so its probability is unknown; use generate",
                candidates.len()
            ))
        })
    });
    let listed = listed.collect::<Result<Vec<f64>, Outage>>()?;
    let highest = listed.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let weights: Vec<f64> = listed.iter().map(|value| (value - highest).exp()).collect();
    let total: f64 = weights.iter().sum();
    let scores = words.iter().zip(weights);
    Ok(scores.map(|(word, weight)| WordScore { word: word.clone(), probability: weight / total }).collect())
}

/// The likeliest word, the first of equals.
pub(crate) fn likeliest(scores: &[WordScore]) -> String {
    let best = scores.iter().reduce(|best, score| if score.probability > best.probability { score } else { best });
    best.map(|score| score.word.clone()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use counsel_advisor::Fault;

    use super::*;

    fn candidates(of: &[(&str, f64)]) -> Vec<Candidate> {
        of.iter().map(|(token, p)| Candidate { token: (*token).to_owned(), log_probability: p.ln() }).collect()
    }

    fn words(of: &[&str]) -> Vec<String> {
        of.iter().map(|word| (*word).to_owned()).collect()
    }

    #[test]
    fn listed_words_are_normalised_over_the_set() {
        let listed = candidates(&[(" left", 0.5), ("forward", 0.3), ("left", 0.1), ("right", 0.1)]);
        let scores = scores(&words(&["left", "right", "forward"]), &listed).unwrap();
        let expected = [0.2, 0.2, 0.6];
        assert!(scores.iter().zip(expected).all(|(score, p)| (score.probability - p).abs() < 1e-15), "{scores:?}");
        assert_eq!(likeliest(&scores), "forward");
        assert_eq!(likeliest(&scores[..2]), "left");
    }

    #[test]
    fn a_word_that_is_not_listed_has_no_invented_score() {
        let listed = candidates(&[("left", 0.9), ("tog", 0.1)]);
        let Outage { reason, fault } = scores(&words(&["left", "toggle"]), &listed).unwrap_err();
        assert!(reason.starts_with("`toggle` is not among the 2 likeliest first tokens"), "{reason}");
        assert_eq!(fault, Fault::Passing, "another question may have its words listed");
        assert_eq!(scores(&words(&["left"]), &[]).unwrap_err(), Outage::systematic(NO_LOG_PROBABILITIES));
    }

    #[test]
    fn words_so_unlikely_that_they_underflow_still_have_a_law() {
        let listed = [("a", -900.0), ("b", -900.0)]
            .map(|(token, log_probability)| Candidate { token: token.to_owned(), log_probability });
        let scores = scores(&words(&["a", "b"]), &listed).unwrap();
        assert_eq!(scores[0].probability + scores[1].probability, 1.0);
    }
}
