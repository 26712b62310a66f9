//! Tabular fallback learners: optimistic with visit-count bounds, and posterior sampling.
