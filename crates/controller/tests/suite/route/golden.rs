//! The decisions of the Python prototype, request by request. Its sums are in another order, so a few choices between advisors that
//! are all but equal may differ; each of them is checked to be one.

use std::collections::BTreeMap;

use counsel_controller::Seed;
use counsel_controller::route::{BookSpec, Layout, Offer, Request, Router, RouterSpec, Spending};

pub(super) const ADVISORS: [&str; 3] = ["llama8b", "mistral_large", "gemini25pro"];
/// Dollars per million tokens in and out, and the most tokens of an answer.
const PRICES: [(f64, f64, f64); 3] = [(0.1, 0.1, 4096.0), (0.5, 1.5, 4096.0), (1.25, 10.0, 16384.0)];
const BUDGET: f64 = 2.345_365_663e-4;

fn table(path: &str) -> csv::Reader<std::io::Cursor<Vec<u8>>> {
    let packed = std::fs::read(format!("{}/{path}", env!("CARGO_MANIFEST_DIR"))).unwrap();
    csv::Reader::from_reader(std::io::Cursor::new(zstd::decode_all(packed.as_slice()).unwrap()))
}

pub(super) struct Row {
    pub(super) group: String,
    pub(super) rewards: [f64; 3],
    pub(super) costs: [f64; 3],
}

pub(super) fn rows() -> BTreeMap<String, Row> {
    let mut reader = table("../experiment/tables/pareto.csv.zst");
    let header = reader.headers().unwrap().clone();
    let column = |name: String| header.iter().position(|heading| heading == name).unwrap();
    let rewards = ADVISORS.map(|advisor| column(format!("r_{advisor}")));
    let costs = ADVISORS.map(|advisor| column(format!("c_{advisor}")));
    let read = |record: csv::StringRecord| {
        let number = |place: usize| record[place].parse().unwrap();
        let row = Row { group: record[2].into(), rewards: rewards.map(number), costs: costs.map(number) };
        (record[0].to_owned(), row)
    };
    reader.records().map(|record| read(record.unwrap())).collect()
}

fn router(groups: usize) -> Router {
    let layout = Layout { groups, ..Layout::default() };
    let offers: Vec<Offer> = ADVISORS
        .iter()
        .zip(PRICES)
        .map(|(name, (sent, received, most))| Offer {
            name: (*name).into(),
            list_price: (sent + received) * 300.0 / 1e6,
            worst: (received * most + sent * 1024.0) / 1e6,
        })
        .collect();
    let spec = RouterSpec {
        book: BookSpec { layout, ..BookSpec::default() },
        spending: Spending::Budget { per_request: BUDGET, requests: 1785 },
        coin: 1.0,
        ..RouterSpec::default()
    };
    Router::new(spec, &offers, Seed::root(0)).unwrap()
}

#[test]
fn the_golden_log_is_reproduced() {
    let rows = rows();
    let mut groups: Vec<&str> =
        rows.iter().filter(|(id, _)| id.starts_with("val")).map(|(_, row)| row.group.as_str()).collect();
    groups.sort_unstable();
    groups.dedup();
    let mut router = router(groups.len());
    let (mut reward, mut cost, mut tested) = (0.0, 0.0, 0.0);
    let mut near_ties = Vec::new();
    for record in table("../../fixtures/route/golden-b3-3000.csv.zst").records().map(Result::unwrap) {
        let (id, tests) = (&record[1], &record[2] == "2");
        if tests && tested == 0.0 {
            router.begin_period(BUDGET, 1824).unwrap();
        }
        let row = &rows[id];
        let request = Request { group: groups.iter().position(|group| *group == row.group), ..Request::default() };
        let route = router.decide(&request).unwrap();
        let golden = ADVISORS.iter().position(|advisor| *advisor == &record[3]).unwrap();
        let price: f64 = record[4].parse().unwrap();
        assert!((route.price - price).abs() <= 1e-6 * price, "{id}: price {} instead of {price}", route.price);
        if route.chosen != golden {
            let value = |advisor: usize| route.hopes[advisor] - route.price * route.costs[advisor];
            let apart = (value(route.chosen) - value(golden)).abs();
            assert!(apart < 1e-9, "{id}: {} instead of {golden}, which is {apart:e} apart", route.chosen);
            near_ties.push(id.to_owned());
        }
        router.settle(route.step, row.costs[route.chosen]).unwrap();
        router.learn(route.step, Some(row.rewards[route.chosen])).unwrap();
        if tests {
            reward += row.rewards[route.chosen];
            cost += row.costs[route.chosen];
            tested += 1.0;
        }
    }
    assert_eq!(near_ties, Vec::<String>::new(), "choices between equals that fall the other way");
    assert!((reward / tested - 0.87668).abs() < 5e-6, "reward {}", reward / tested);
    assert!((cost / tested / BUDGET - 0.98507).abs() < 5e-6, "cost over budget {}", cost / tested / BUDGET);
}
