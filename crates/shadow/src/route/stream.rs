//! A weak advisor and a strong one, request by request: what a cascade with a bounded loss would have netted at a price.

use counsel_controller::Seed;
use counsel_controller::route::{BookSpec, Cascade, CascadeSpec, Heard, Shrinkage};
use counsel_stats::{Interval, mean_interval};

use super::table::RouteTable;
use super::weigh::RouteSettings;
use crate::Error;

/// A cascade at one price of the strong answer, in units of reward.
#[derive(Debug, Clone)]
pub struct Streamed {
    /// The price.
    pub price: f64,
    /// The net reward of never asking and of always asking.
    pub fixed: [f64; 2],
    /// That of the cascade, over orders.
    pub net: Interval,
    /// The share of requests at which the strong advisor was asked.
    pub asked: f64,
    /// The largest loss of an order against never asking; below zero where every order gained.
    pub worst_loss: f64,
    /// What the settings promise as the largest booked loss of a request.
    pub bound: f64,
}

/// Plays a cascade from the first advisor to the second at every price. Nothing where there are more advisors, outcomes that are not
/// known, or rewards outside [0, 1].
pub fn stream(table: &RouteTable, settings: &RouteSettings) -> Result<Vec<Streamed>, Error> {
    let fits = |reward: &Option<f64>| reward.is_some_and(|reward| (0.0..=1.0).contains(&reward));
    if table.advisors.len() != 2 || !table.rows.iter().all(|row| row.rewards.iter().all(fits)) {
        return Ok(Vec::new());
    }
    settings.prices().into_iter().map(|price| at(table, settings, price)).collect()
}

fn at(table: &RouteTable, settings: &RouteSettings, price: f64) -> Result<Streamed, Error> {
    let layout = table.layout(true, settings);
    let base = CascadeSpec::default();
    let shrinkage = Shrinkage { words: 5.0, ..Shrinkage::default() };
    let spec = CascadeSpec { book: BookSpec { layout, shrinkage, ..base.book }, ..base };
    let (rewards, _) = table.means();
    let count = table.rows.len() as f64;
    let (mut nets, mut asked, mut worst_loss) = (Vec::new(), 0.0, f64::NEG_INFINITY);
    for number in 0..settings.orders {
        let mut cascade = Cascade::new(spec, Seed::root(settings.seed).stream("cascade").index(number))?;
        let mut net = 0.0;
        for place in table.order(settings, number) {
            let row = &table.rows[place];
            let consultation = cascade.decide(&row.request, price)?;
            let reward = row.rewards[usize::from(consultation.asked)].unwrap_or_default();
            let agreed = row.agreed.filter(|_| consultation.asked);
            cascade.learn(consultation.step, Some(Heard { reward, agreed }))?;
            net += if consultation.asked { reward - price } else { reward };
            asked += f64::from(u8::from(consultation.asked));
        }
        nets.push(net / count);
        worst_loss = worst_loss.max(rewards[0] - net / count);
    }
    let mean = nets.iter().sum::<f64>() / nets.len() as f64;
    let exact = Interval { estimate: mean, half_width: 0.0, low: mean, high: mean };
    Ok(Streamed {
        price,
        fixed: [rewards[0], rewards[1] - price],
        net: mean_interval(&nets, 0.95)?.unwrap_or(exact),
        asked: asked / (count * settings.orders as f64),
        worst_loss,
        bound: spec.loss_bound(table.rows.len() as u64) / count,
    })
}
