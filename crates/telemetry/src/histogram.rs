//! Histograms with bounds that are declared, cumulative since the start.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::span::Attributes;

/// The bounds of durations, in seconds, that the conventions advise.
pub(crate) const SECONDS: &[f64] = &[0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1.0, 2.5, 5.0, 7.5, 10.0];
/// The bounds of counts of tokens that the conventions advise.
pub(crate) const TOKENS: &[f64] =
    &[1.0, 4.0, 16.0, 64.0, 256.0, 1024.0, 4096.0, 16_384.0, 65_536.0, 262_144.0, 1_048_576.0, 4_194_304.0];
/// Series of one histogram; further ones are left out.
const MOST_SERIES: usize = 256;

#[derive(Debug, Clone)]
struct Series {
    attributes: Attributes,
    counts: Vec<u64>,
    sum: f64,
}

/// One histogram and its series, by the text of their attributes.
#[derive(Debug)]
pub(crate) struct Histogram {
    name: &'static str,
    unit: &'static str,
    bounds: &'static [f64],
    series: BTreeMap<String, Series>,
}

impl Histogram {
    pub(crate) fn new(name: &'static str, unit: &'static str, bounds: &'static [f64]) -> Self {
        Self { name, unit, bounds, series: BTreeMap::new() }
    }

    pub(crate) fn record(&mut self, attributes: Attributes, value: f64) {
        let name = attributes.json().to_string();
        if !self.series.contains_key(&name) && self.series.len() >= MOST_SERIES {
            return;
        }
        let buckets = self.bounds.len() + 1;
        let series =
            self.series.entry(name).or_insert_with(|| Series { attributes, counts: vec![0; buckets], sum: 0.0 });
        // A bound belongs to the bucket below it.
        series.counts[self.bounds.partition_point(|bound| *bound < value)] += 1;
        series.sum += value;
    }

    /// The metric, between these moments; none where nothing was recorded.
    pub(crate) fn json(&self, [start, now]: [&str; 2]) -> Option<Value> {
        let points = self.series.values().map(|series| {
            let counts: Vec<String> = series.counts.iter().map(u64::to_string).collect();
            json!({
                "startTimeUnixNano": start, "timeUnixNano": now, "count": series.counts.iter().sum::<u64>().to_string(),
                "sum": series.sum, "bucketCounts": counts, "explicitBounds": self.bounds, "attributes": series.attributes.json(),
            })
        });
        let points: Vec<Value> = points.collect();
        (!points.is_empty()).then(|| {
            json!({ "name": self.name, "unit": self.unit, "histogram": { "aggregationTemporality": 2, "dataPoints": points } })
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_falls_into_the_bucket_up_to_its_bound() {
        let mut histogram = Histogram::new("h", "s", SECONDS);
        for value in [0.001, 0.005, 0.006, 11.0] {
            histogram.record(Attributes::default().with("a", "b"), value);
        }
        let point = histogram.json(["1", "2"]).unwrap()["histogram"]["dataPoints"][0].clone();
        assert_eq!(
            (&point["count"], &point["bucketCounts"][0], &point["bucketCounts"][1]),
            (&json!("4"), &json!("2"), &json!("1"))
        );
        assert_eq!(point["bucketCounts"][SECONDS.len()], "1");
        assert!((point["sum"].as_f64().unwrap() - 11.012).abs() < 1e-12);
    }
}
