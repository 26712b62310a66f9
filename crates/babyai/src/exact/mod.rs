//! Exact labels: what every action is worth under a frozen policy, without a single rollout.
//!
//! Worlds are deterministic, so the states that one episode can still reach ([`Layout`]) and what each action does in
//! them make a table. For a policy pi0 and the clock t, from the last step back to the present ([`Values`]):
//!
//! Q(s, t, a) = r(s, t, a) + discount * V(s', t + 1), and V(s, t) = sum over a of pi0(a | s) Q(s, t, a),
//!
//! where r = 1 - 0.9 (t + 1) / max_steps if the action succeeds and else 0, and V is 0 once the episode has ended.

mod layout;
mod values;

pub use layout::{Layout, Next};
pub use values::Values;
