//! The per-decision log: schema, writer, reader, and the recomputation of every decision.
