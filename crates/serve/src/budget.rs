//! The tree of budgets: team, policy, run, episode, child. A permit needs room at every node of its path, in every unit.
//!
//! Invariants: `spent + open <= limit` at every node and in every unit, whatever is reported afterwards; where a limit was lowered
//! below what was taken, nothing more is taken; what a settlement reports above its reservation is kept apart as `overrun` and
//! closes the node further; nothing that was reserved comes back but the difference to a smaller count of the same call.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::amount::{Amount, Limits, Usd};
use crate::problem::{Kind, Problem};

/// Which node of the tree.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum NodeId {
    /// A team or another budget that was declared by itself, or the budget of a policy.
    Named(String),
    /// All decisions of a policy in one run.
    Run(String, String),
    /// Those in one episode of it.
    Episode(String, String, String),
    /// Those of one child of an episode, such as a sub-agent.
    Child(String, String, String, String),
}

/// A budget as it is declared: by itself, or as that of a policy, which may limit its parts, too.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BudgetSpec {
    /// The budget that it is a part of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub parent: Option<String>,
    /// Calls.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub calls: Option<u64>,
    /// Tokens, sent and received.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tokens: Option<u64>,
    /// Dollars.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub usd: Option<Usd>,
    /// Of a policy: the limits of each run.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub run: Limits,
    /// The limits of each episode.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub episode: Limits,
    /// The limits of each child of an episode.
    #[serde(default, skip_serializing_if = "Limits::is_empty")]
    pub child: Limits,
}

impl BudgetSpec {
    pub(crate) fn limits(&self) -> Limits {
        Limits { calls: self.calls, tokens: self.tokens, usd: self.usd }
    }
}

/// One node.
#[derive(Debug, Clone, Default)]
pub(crate) struct Node {
    pub(crate) limits: Limits,
    pub(crate) parent: Option<String>,
    /// Whether it is the budget of a policy.
    pub(crate) of_policy: bool,
    pub(crate) spent: Amount,
    pub(crate) open: Amount,
    pub(crate) overrun: Amount,
    /// What was spent and open when the limits were declared.
    taken_before: Amount,
}

impl Node {
    /// Declares other limits. What was taken stays taken.
    fn limit(&mut self, limits: Limits) {
        if self.limits != limits {
            self.limits = limits;
            self.taken_before = self.spent.plus(self.open);
        }
    }

    fn taken(&self) -> Amount {
        self.spent.plus(self.open).plus(self.overrun)
    }

    /// What it says of itself.
    pub(crate) fn told(&self, name: &str) -> Value {
        let Self { limits, parent, spent, open, overrun, .. } = self;
        let calls = json!({ "limit": limits.calls, "spent": spent.calls, "open": open.calls });
        let tokens =
            json!({ "limit": limits.tokens, "spent": spent.tokens, "open": open.tokens, "overrun": overrun.tokens });
        let usd = json!({
            "limit": limits.usd.map(Usd::number), "spent": Usd(spent.usd).number(), "open": Usd(open.usd).number(),
            "overrun": Usd(overrun.usd).number(),
        });
        json!({ "budget": name, "parent": parent, "calls": calls, "tokens": tokens, "usd": usd })
    }
}

/// The node without room, and the unit that it has no room in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Blocked {
    pub(crate) node: NodeId,
    pub(crate) unit: &'static str,
}

/// The tree.
#[derive(Debug, Default)]
pub(crate) struct Budgets {
    nodes: BTreeMap<NodeId, Node>,
}

impl Budgets {
    pub(crate) fn get(&self, id: &NodeId) -> Option<&Node> {
        self.nodes.get(id)
    }

    pub(crate) fn named(&self, name: &str) -> Option<&Node> {
        self.nodes.get(&NodeId::Named(name.to_owned()))
    }

    /// All budgets with names, in order.
    pub(crate) fn all_named(&self) -> impl Iterator<Item = (&str, &Node)> {
        self.nodes.iter().filter_map(|(id, node)| match id {
            NodeId::Named(name) => Some((name.as_str(), node)),
            _ => None,
        })
    }

    /// The named budgets from this one up, itself first. A loop cannot be declared.
    pub(crate) fn upwards(&self, name: &str) -> Vec<String> {
        let mut path = vec![name.to_owned()];
        while let Some(parent) = path.last().and_then(|name| self.named(name)).and_then(|node| node.parent.clone()) {
            path.push(parent);
        }
        path
    }

    /// Refuses a parent that is not there, or that is below the budget itself.
    pub(crate) fn check_parent(&self, name: &str, parent: Option<&str>) -> Result<(), Problem> {
        let Some(parent) = parent else { return Ok(()) };
        match self.named(parent) {
            None => Err(Problem::value(format!(
                "the parent budget `{parent}` is not declared; PUT /v1/budgets/{parent} first"
            ))),
            Some(node) if node.of_policy => Err(Problem::value(format!(
                "the budget `{parent}` belongs to a policy; declare a budget of its own above both"
            ))),
            Some(_) if self.upwards(parent).iter().any(|above| above == name) => {
                Err(Problem::value(format!("the budget `{parent}` is a part of `{name}` already; a tree has no loops")))
            }
            Some(_) => Ok(()),
        }
    }

    /// Refuses a budget of its own under the name of a policy, or the other way round.
    pub(crate) fn check_name(&self, name: &str, of_policy: bool) -> Result<(), Problem> {
        match self.named(name) {
            Some(node) if node.of_policy != of_policy => {
                let other = if node.of_policy { "a policy" } else { "a budget" };
                Err(Problem::new(Kind::Taken, format!("`{name}` is the name of {other}; choose another one")))
            }
            _ => Ok(()),
        }
    }

    /// Declares a named budget, or other limits of one. What was spent stays spent.
    pub(crate) fn declare(&mut self, name: &str, spec: &BudgetSpec, of_policy: bool) {
        let node = self.nodes.entry(NodeId::Named(name.to_owned())).or_default();
        node.limit(spec.limits());
        node.parent.clone_from(&spec.parent);
        node.of_policy = of_policy;
    }

    /// Makes a node of a run, an episode or a child with these limits.
    pub(crate) fn limit(&mut self, id: &NodeId, limits: Limits) {
        self.nodes.entry(id.clone()).or_default().limit(limits);
    }

    /// Forgets a node that nothing can be spent from any more.
    pub(crate) fn forget(&mut self, id: &NodeId) {
        self.nodes.remove(id);
    }

    /// Whether all nodes of a path have room for so much.
    pub(crate) fn covers(&self, path: &[NodeId], amount: Amount) -> Result<(), Blocked> {
        for id in path {
            let Some(node) = self.nodes.get(id) else { continue };
            if let Some(unit) = node.limits.exceeded_by(node.taken().plus(amount)) {
                return Err(Blocked { node: id.clone(), unit });
            }
        }
        Ok(())
    }

    /// Takes so much off every node of a path. The caller has seen that it is covered.
    pub(crate) fn reserve(&mut self, path: &[NodeId], amount: Amount) {
        for id in path {
            if let Some(node) = self.nodes.get_mut(id) {
                node.open = node.open.plus(amount);
            }
        }
    }

    /// Turns what was reserved into what was spent.
    pub(crate) fn settle(&mut self, path: &[NodeId], reserved: Amount, actual: Amount) {
        let spent = actual.at_most(reserved);
        let overrun = actual.minus(reserved);
        for id in path {
            if let Some(node) = self.nodes.get_mut(id) {
                node.open = node.open.minus(reserved);
                node.spent = node.spent.plus(spent);
                node.overrun = node.overrun.plus(overrun);
            }
        }
    }

    /// Whether every node keeps within its limits, or within what was taken before they were lowered.
    pub(crate) fn holds(&self) -> bool {
        self.nodes
            .values()
            .all(|node| node.limits.at_least(node.taken_before).exceeded_by(node.spent.plus(node.open)).is_none())
    }
}
