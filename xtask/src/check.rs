//! The one test command: every step in order, up to the first that fails.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};

use crate::step::Step;

/// Which steps to run.
#[derive(Args)]
pub(crate) struct Check {
    /// Run this step only; may be given several times
    #[arg(long, value_name = "STEP")]
    only: Vec<Step>,
    /// Leave this step out; may be given several times
    #[arg(long, value_name = "STEP")]
    skip: Vec<Step>,
}

impl Check {
    pub(crate) fn run(&self) -> Result<()> {
        let steps = self.steps();
        if steps.is_empty() {
            bail!("--only and --skip leave no step to run; give fewer of them");
        }
        let mut passed: Vec<(Step, Duration)> = Vec::new();
        for &step in &steps {
            println!("\n== {} ({} of {})", step.name(), passed.len() + 1, steps.len());
            let start = Instant::now();
            let outcome = step.run();
            let time = start.elapsed();
            if let Err(error) = outcome {
                summary(&passed);
                println!("  {:<8} FAILED {:>7.1} s", step.name(), time.as_secs_f64());
                return Err(anyhow!("the step `{}` failed: {error:#}\n{}", step.name(), step.remedy()));
            }
            println!("== {} passed in {:.1} s", step.name(), time.as_secs_f64());
            passed.push((step, time));
        }
        summary(&passed);
        println!("all {} step(s) passed", passed.len());
        Ok(())
    }

    fn steps(&self) -> Vec<Step> {
        let wanted = |step: &Step| (self.only.is_empty() || self.only.contains(step)) && !self.skip.contains(step);
        Step::value_variants().iter().copied().filter(wanted).collect()
    }
}

fn summary(passed: &[(Step, Duration)]) {
    println!("\n== summary");
    for (step, time) in passed {
        println!("  {:<8} passed {:>7.1} s", step.name(), time.as_secs_f64());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn names(only: &[Step], skip: &[Step]) -> Vec<&'static str> {
        Check { only: only.to_vec(), skip: skip.to_vec() }.steps().into_iter().map(Step::name).collect()
    }

    #[test]
    fn steps_keep_their_order() {
        assert_eq!(names(&[], &[]), ["format", "lints", "docs", "tests", "python", "package"]);
        assert_eq!(names(&[Step::Tests, Step::Format], &[]), ["format", "tests"]);
        assert_eq!(names(&[], &[Step::Python, Step::Docs]), ["format", "lints", "tests", "package"]);
    }

    #[test]
    fn nothing_to_do_is_an_error() {
        let check = Check { only: vec![Step::Docs], skip: vec![Step::Docs] };
        assert!(check.run().unwrap_err().to_string().contains("leave no step"));
    }
}
