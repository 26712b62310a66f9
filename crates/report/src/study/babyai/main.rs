//! `babyai-main`: Algorithm 1 with language-model advisors.

use super::block::Block;
use super::column::{effort, outcome, remarks};
use super::difference::{Contrast, Versus};
use super::family::{Family, Member, everywhere};
use super::layout::{ADVISOR, Layout, Rows, TASK};
use crate::number::fixed;
use crate::study::claim::Claim;

pub(super) fn layout() -> Layout {
    let against_never = Contrast {
        versus: Versus::Baseline("never"),
        heading: "return",
        families: &[&["beta-conf"], &["always"], &["ask"], &["content-free"]],
    };
    let mut remarks = remarks();
    remarks.push(
        "oracle-gate asks where the query's exact value pays and is no deployable gate; random-policy never learns; \
         content-free repeats the learner's own choice"
            .into(),
    );
    Layout {
        settings: vec![TASK, ADVISOR],
        columns: outcome().into_iter().chain(effort()).collect(),
        rows: Rows::Arms { contrasts: vec![against_never], derived: Vec::new() },
        claims,
        remarks,
    }
}

fn claims(blocks: &[Block<'_>]) -> Vec<Claim> {
    let ours = Family::of(blocks, &[("beta-conf", "never")], "return");
    let always = Family::of(blocks, &[("always", "never")], "return");
    let formal = blocks.iter().map(|block| {
        let silent = block.values("beta-form", "calls").map(|calls| calls.iter().all(|calls| *calls == 0.0));
        let both = silent.zip(block.equal("beta-form", "never", "return"));
        (block.label(), both.map(|(silent, equal)| silent && equal))
    });
    let fractions = blocks.iter().filter_map(|block| {
        let always = block.mean("always", "calls").filter(|calls| *calls > 0.0)?;
        let share = 100.0 * block.mean("beta-conf", "calls")? / always;
        Some((format!("{} ({} %)", block.label(), fixed(share, 1)), Some(share <= 3.0)))
    });
    let empty = Family::of(blocks, &[("content-free", "never")], "return");
    let ask = Family::of(blocks, &[("ask", "never")], "return");
    let cheaper = blocks.iter().filter_map(|block| {
        let (ours, raw) = (block.mean("beta-conf", "calls")?, block.mean("beta-0", "calls")?);
        Some((format!("{} ({} against {})", block.label(), fixed(ours, 1), fixed(raw, 1)), Some(ours < raw)))
    });
    vec![
        ours.claim("beta-conf beats never-query on GoToObj", |member| member.task == "GoToObj", Member::above),
        ours.claim(
            "beta-conf does not differ clearly from never-query on GoToLocal, the paper's null",
            |member| member.task == "GoToLocal",
            Member::unclear,
        ),
        always.claim("always-query loses against never-query", |_| true, Member::below),
        everywhere("beta-conf makes at most 3 % of always-query's calls", fractions),
        everywhere("beta-conf makes fewer calls than beta-0", cheaper),
        everywhere("beta-form makes no call and returns exactly what never-query does, seed by seed", formal),
        empty.claim("an advisor without content does not beat never-query", |_| true, |m| m.above().map(|it| !it)),
        ask.claim("the uncertainty gate does not beat never-query", |_| true, |member| member.above().map(|it| !it)),
    ]
}
