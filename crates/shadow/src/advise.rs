//! What to log next to learn more.

use crate::{LogLevel, ShadowLog};

/// One sentence for each thing that would tell more, the most useful first.
pub(crate) fn advise(log: &ShadowLog) -> Vec<String> {
    let mut next = Vec::new();
    let mut add = |is_missing: bool, words: &str| {
        if is_missing {
            next.push(words.to_owned());
        }
    };
    add(
        !log.header.answers_act_only,
        "declare answers_act_only if an answer affects the agent through the action alone: it opens the exact tier and the bounds",
    );
    add(
        log.level() == LogLevel::Done,
        "log `values`, what the agent thinks each action is worth: the gate itself can be followed",
    );
    add(
        log.level() > LogLevel::Done && !log.has_law(),
        "log `law`, the answers that are expected before asking: a gate that expects the shares of all answers knows little",
    );
    add(
        log.predictor_learns() && log.level() > LogLevel::Done && !log.is_own(),
        "declare predictor_frozen if `law` never learned from answers: the gate can be followed beyond the first call that it leaves out",
    );
    add(
        log.level() == LogLevel::Values,
        "log `lower` and `upper`, bounds on each action's optimal value: certificates can be checked",
    );
    add(
        log.header.return_range.is_none(),
        "declare return_range, what an episode can return: what was not observed can be bounded",
    );
    add(
        log.header.reward_range.is_none() && !log.is_own(),
        "declare reward_range, what a step can bring: rewards earned before the log was left narrow the bounds",
    );
    add(
        log.header.max_steps.is_none() && !log.is_own(),
        "declare max_steps: calls after the log was left can be bounded",
    );
    add(
        !log.has_probabilities() && !log.is_own(),
        "ask by chance in a share of decisions, log `p_ask`, strictly between 0 and 1, and declare p_ask_drawn: returns can be estimated, not only bounded",
    );
    add(
        log.has_probabilities() && !log.header.p_ask_drawn,
        "declare p_ask_drawn if a random draw with probability `p_ask` decided on every call: returns can be estimated, not only bounded",
    );
    next
}
