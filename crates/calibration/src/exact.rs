//! The exact value of a query, Eq. `eq:true-query-value`: Δ = Σ_y p(y) q^y(d(y)) - q⁰(a⁰).
//!
//! Where the environment can be enumerated, q is known and the Monte-Carlo term is zero.

use counsel_decision::refusal::{in_range, shape};
use counsel_decision::{Action, ResponseLaw};

use crate::Error;

/// Δ when a response changes the action alone: `decisions[y]` is d(y), in the order of the law (the actions, then the
/// unusable reply), and `values[a]` the exact continuation value of action a.
pub fn exact_value(law: &ResponseLaw, decisions: &[Action], values: &[f64], no_query: Action) -> Result<f64, Error> {
    shape("the exact values", values.len(), law.actions(), "action")?;
    let value = |action: Action| {
        values.get(action.index()).copied().ok_or(counsel_decision::Error::NoSuchAction {
            what: "a decision",
            action: action.index(),
            actions: values.len(),
        })
    };
    let by_response = decisions.iter().map(|&action| value(action)).collect::<Result<Vec<_>, _>>()?;
    let no_query = value(no_query)?;
    shape("the values by response", by_response.len(), law.actions() + 1, "action and one for an unusable reply")?;
    for &value in by_response.iter().chain([&no_query]) {
        in_range(value.is_finite(), "an exact value", value, "the finite numbers", "pass finite values")?;
    }
    // Differences are summed, so that responses which change nothing contribute exactly 0.
    Ok(law.as_slice().iter().zip(by_response).map(|(p, value)| p * (value - no_query)).sum())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_value_is_the_expected_improvement() {
        let law = ResponseLaw::new(2, vec![0.25, 0.5, 0.25]).unwrap();
        let [left, right] = [Action(0), Action(1)];
        assert_eq!(exact_value(&law, &[left, right, left], &[1.0, 3.0], left), Ok(1.0));
        assert_eq!(exact_value(&law, &[left, left, left], &[0.1, 0.3], left), Ok(0.0));
    }

    #[test]
    fn tables_that_do_not_fit_are_refused() {
        let law = ResponseLaw::uniform(2);
        assert!(exact_value(&law, &[Action(0)], &[1.0, 3.0], Action(0)).is_err());
        assert!(exact_value(&law, &[Action(0); 3], &[1.0], Action(0)).is_err());
        assert!(exact_value(&law, &[Action(2); 3], &[1.0, 3.0], Action(0)).is_err());
    }
}
