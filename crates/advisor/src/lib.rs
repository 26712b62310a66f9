//! Advisors that can be simulated, and predictors of what an advisor will say.
