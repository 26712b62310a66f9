//! Calibrated radii for the predicted value of a query: scores, ranks, splits and coverage audits.
