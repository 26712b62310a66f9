//! What is read out of a study that does not say it: what was won and paid, each arm against one of them, two figures.
//!
//! The baseline is the arm `never`, or the first arm where there is none of that name. All differences are one family, so
//! that their p-values are adjusted together.

use super::{
    Account, Baseline, ColumnSpec, Difference, Family, FigureSpec, Measure, Over, Pair, Rows, Setting, TableSpec,
};

/// The arm that others are set against where a study has it.
const BASELINE: &str = "never";

impl Account {
    /// The account of a study with these blocks and arms that declares nothing. Arms are named in full, with their block
    /// where there are blocks; the settings tell the blocks apart.
    pub fn generic<'a>(blocks: Vec<String>, settings: Vec<Setting>, arms: impl IntoIterator<Item = &'a str>) -> Self {
        let mut account = Self { blocks, ..Self::default() };
        let arms: Vec<&str> = arms.into_iter().map(|arm| account.split(arm).1).collect();
        let baseline = arms.iter().find(|arm| **arm == BASELINE).or(arms.first()).map(|arm| (*arm).to_owned());
        account.table = TableSpec {
            settings,
            differences: baseline.iter().map(|baseline| against(baseline)).collect(),
            ..won_and_paid()
        };
        // One arm has nothing to be compared with.
        account.families = baseline
            .iter()
            .filter(|only| arms.iter().any(|arm| arm != only))
            .map(|baseline| family(baseline))
            .collect();
        let (paid, gained) = (Measure::CallsPerEpisode, Measure::Return);
        account.figures = vec![FigureSpec::Curve { arms: Vec::new() }, FigureSpec::Frontier { paid, gained }];
        account
    }
}

/// A table of what was won and what was paid, without differences.
fn won_and_paid() -> TableSpec {
    let columns = [Measure::Return, Measure::CallsPerEpisode, Measure::CostAdjusted, Measure::Acceptance];
    let column = |measure| ColumnSpec { measure, show: None, decimals: None, heading: None, of: None };
    TableSpec { rows: Rows::Arms, columns: columns.map(column).to_vec(), ..TableSpec::default() }
}

fn against(baseline: &str) -> Difference {
    Difference {
        measure: Measure::Return,
        minus: Some(baseline.to_owned()),
        from: None,
        pairs: Vec::new(),
        against: None,
        decimals: Difference::DECIMALS,
    }
}

fn family(baseline: &str) -> Family {
    Family {
        name: format!("return against {baseline}"),
        measures: vec![Measure::Return],
        pairs: vec![Pair { treatment: "*".into(), baseline: Baseline::Arm(baseline.to_owned()) }],
        blocks: Vec::new(),
        charged: None,
        over: Over::EachBlock,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn baseline(arms: &[&str]) -> Option<String> {
        Account::generic(Vec::new(), Vec::new(), arms.iter().copied()).table.differences[0].minus.clone()
    }

    #[test]
    fn arms_are_set_against_never_or_else_against_the_first() {
        assert_eq!(baseline(&["always", "never"]).as_deref(), Some("never"));
        assert_eq!(baseline(&["cheap", "dear"]).as_deref(), Some("cheap"));
    }

    #[test]
    fn it_speaks_only_of_arms_that_there_are() {
        for arms in [&["b.never", "b.always"][..], &["b.only"]] {
            let account = Account::generic(vec!["b".into()], Vec::new(), arms.iter().copied());
            account.check(arms.iter().copied()).unwrap();
        }
    }
}
