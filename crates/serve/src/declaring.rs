//! Policies and budgets as they are declared. A policy is versioned by its digest; what was spent under a version stays spent.

use serde_json::json;

use crate::budget::{BudgetSpec, NodeId};
use crate::decision::Answer;
use crate::deployment::Deployment;
use crate::event::Event;
use crate::policy::PolicySpec;
use crate::problem::{Kind, Problem};
use crate::state::{Policy, State};

/// How many versions of policies there can be: each has a controller of its own.
const MOST_DEPLOYMENTS: usize = 1000;

impl State {
    /// Checks a policy that is declared; none where this version is in force already.
    pub(crate) fn check_policy(&self, name: &str, spec: PolicySpec) -> Result<Option<Event>, Problem> {
        if self.policies.get(name).is_some_and(|policy| policy.spec == spec) {
            return Ok(None);
        }
        self.budgets.check_name(name, true)?;
        self.budgets.check_parent(name, spec.budget.parent.as_deref())?;
        for above in spec.budget.parent.iter().flat_map(|parent| self.budgets.upwards(parent)) {
            if let Some(node) = self.budgets.named(&above) {
                spec.bears(&node.limits, &above)?;
            }
        }
        if self.deployments.len() >= MOST_DEPLOYMENTS && !self.deployments.contains_key(&arm(name, &spec.digest())) {
            return Err(Problem::new(
                Kind::Taken,
                format!(
                    "there are {MOST_DEPLOYMENTS} versions of policies; start a server with another --dir for more"
                ),
            ));
        }
        Ok(Some(Event::Policy { name: name.to_owned(), spec: Box::new(spec) }))
    }

    /// Checks a budget that is declared.
    pub(crate) fn check_budget(&self, name: &str, spec: BudgetSpec) -> Result<Event, Problem> {
        self.budgets.check_name(name, false)?;
        if [spec.run, spec.episode, spec.child].iter().any(|limits| !limits.is_empty()) {
            return Err(Problem::value(
                "runs, episodes and children belong to a policy; limit them under its [budget]",
            ));
        }
        self.budgets.check_parent(name, spec.parent.as_deref())?;
        // What is above this one counts for the policies below it, too.
        let mut limits = vec![(name.to_owned(), spec.limits())];
        for above in spec.parent.iter().flat_map(|parent| self.budgets.upwards(parent)) {
            limits.extend(self.budgets.named(&above).map(|node| (above.clone(), node.limits)));
        }
        for (policy, declared) in &self.policies {
            if self.budgets.upwards(policy).iter().any(|above| above == name) {
                limits.iter().try_for_each(|(whose, limits)| declared.spec.bears(limits, whose))?;
            }
        }
        Ok(Event::Budget { name: name.to_owned(), spec })
    }

    pub(crate) fn declare_policy(&mut self, name: &str, spec: &PolicySpec) -> Answer {
        let digest = spec.digest();
        self.budgets.declare(name, &spec.budget, true);
        let taken = self.budgets.named(name).map_or(0, |node| node.spent.calls + node.open.calls);
        let left = spec.budget.calls.map(|calls| calls.saturating_sub(taken));
        let (applied, observed) = (arm(name, &digest), format!("{}-observed", arm(name, &digest)));
        for arm in [&applied, &observed] {
            if self.deployments.contains_key(arm) {
                continue;
            }
            // The books go on where the actions and the advisors are the same.
            let before =
                self.policies.get(name).map(|policy| if *arm == applied { &policy.applied } else { &policy.observed });
            let before = before.and_then(|before| self.deployments.get(before));
            let alike = before.filter(|before| {
                let names = |of: &PolicySpec| of.advisors().into_iter().map(|advisor| advisor.name).collect::<Vec<_>>();
                before.spec.actions == spec.actions && names(&before.spec) == names(spec)
            });
            let (books, features) =
                (alike.map(|before| before.controller.books().clone()), alike.and_then(|before| before.features));
            let left = if *arm == applied { left } else { None };
            // The policy was checked with the same settings before.
            if let Ok(controller) = spec.controller(left, books) {
                let deployment = Deployment::new(arm.clone(), spec.clone(), controller, features);
                self.deployments.insert(arm.clone(), deployment);
            }
        }
        let version = self.policies.get(name).map_or(0, |policy| policy.version) + 1;
        let policy = Policy { spec: spec.clone(), digest, version, applied, observed };
        let answer = Answer { status: if version == 1 { 201 } else { 200 }, body: told(name, &policy).into() };
        self.policies.insert(name.to_owned(), policy);
        answer
    }

    pub(crate) fn told_budget(&self, name: &str) -> Answer {
        let told = self.budgets.get(&NodeId::Named(name.to_owned())).map(|node| node.told(name).to_string());
        Answer { status: 200, body: told.unwrap_or_default().into() }
    }
}

/// The arm of a version of a policy.
fn arm(name: &str, digest: &str) -> String {
    format!("{name}-{}", digest.get(..8).unwrap_or(digest))
}

/// What a policy says of itself.
pub(crate) fn told(name: &str, policy: &Policy) -> String {
    let Policy { spec, digest, version, applied, observed } = policy;
    json!({
        "policy": name, "digest": digest, "version": version, "mode": spec.mode,
        "cells": { "applied": format!("serve/{applied}/0"), "observed": format!("serve/{observed}/0") }, "spec": spec,
    })
    .to_string()
}
