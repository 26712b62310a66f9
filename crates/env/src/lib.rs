//! Small clonable worlds with exact values: chains, a combination lock, latent tasks.
