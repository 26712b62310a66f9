//! The tables of the paper, by number: a PDF shows numbers where its source has labels.

use crate::Error;

/// The labels of the paper's tables, in order. `tab:cost-real` has two captions, so it counts twice.
const TABLES: [&str; 41] = [
    "main:evidence",
    "main:tasks",
    "main:informative",
    "main:stability",
    "main:real",
    "main:matched",
    "main:calibration",
    "main:diagnostics",
    "tab:tasks",
    "tab:informative-advisor",
    "tab:stability-audit",
    "tab:main-real",
    "tab:alg1-real",
    "tab:matched-real",
    "tab:exact-random",
    "tab:alg1-7b",
    "tab:volume-real",
    "tab:beta-babyai",
    "tab:mondrian",
    "tab:eps-frontier",
    "tab:kappa-faithful",
    "tab:cost-real",
    "tab:cost-real",
    "tab:safety-real",
    "tab:calibration-real",
    "tab:beta-audit",
    "tab:predictor-real",
    "tab:component-main",
    "tab:shift-real",
    "tab:tabular-pilot",
    "tab:deep-pilot",
    "tab:pilot-advisor-audit",
    "tab:reliability-pilot",
    "tab:safety-pilot",
    "tab:calibration-pilot",
    "tab:cost-pilot",
    "tab:hard-pilot",
    "tab:shift-pilot",
    "tab:predictor-pilot",
    "tab:limits",
    "tab:variance-certificate",
];

/// The label of the table that a name such as `Table 13` means; any other name is itself. Refuses a number that no table has.
pub(crate) fn label(name: &str) -> Result<&str, Error> {
    let number = name.split_once(' ').filter(|(word, _)| word.eq_ignore_ascii_case("table"));
    let Some(number) = number.and_then(|(_, number)| number.trim().parse::<usize>().ok()) else { return Ok(name) };
    let label = number.checked_sub(1).and_then(|place| TABLES.get(place)).copied();
    label.ok_or(Error::NoTable { number, tables: TABLES.len() })
}

/// The labels in what a study says of its place in the paper, such as `tab:cost-real, fig:frontier-real`.
pub(crate) fn labels(said: &str) -> impl Iterator<Item = &str> {
    said.split([',', ' ']).filter(|word| word.contains(':') && !word.ends_with(':'))
}

/// The numbers of the tables with these labels, in order.
pub(crate) fn numbers(said: &str) -> Vec<usize> {
    let is_said = |label: &str| labels(said).any(|own| own == label);
    TABLES.iter().enumerate().filter(|(_, label)| is_said(label)).map(|(place, _)| place + 1).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_means_a_label() {
        assert_eq!(label("Table 13").unwrap(), "tab:alg1-real");
        assert_eq!(label("table 41").unwrap(), "tab:variance-certificate");
        for other in ["lock", "Table", "table x"] {
            assert_eq!(label(other).unwrap(), other);
        }
        for outside in ["Table 0", "Table 42"] {
            assert!(label(outside).unwrap_err().to_string().contains("the paper has 41 tables"));
        }
    }

    #[test]
    fn labels_have_numbers() {
        assert_eq!(numbers("tab:alg1-real, main:real"), [5, 13]);
        assert_eq!(numbers("tab:cost-real, fig:frontier-real"), [22, 23], "it has two captions");
        assert_eq!(numbers("none: beyond the paper"), [0; 0]);
    }

    #[test]
    fn words_around_labels_are_no_labels() {
        assert_eq!(
            labels("tab:main-real, tab:safety-real rows 1-4").collect::<Vec<_>>(),
            ["tab:main-real", "tab:safety-real"]
        );
        assert_eq!(labels("none: beyond the paper").count(), 0);
    }
}
