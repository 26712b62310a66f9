//! The controllers that the studies recommend.

use counsel_advisor::PredictorSpec;
use counsel_decision::{
    BankrollSpec, Budget, CacheSpec, Execution, Gate, Invalidation, Pacing, Parser, Radius, Rationing, Seed, Settings,
};

use crate::{Books, BooksSpec, Controller, Error, FeatureSpec, RadiusInForce, States};

impl Controller {
    /// The controller that the studies recommend (`babyai-deploy/counsel`): values from the agent's own steps, answers that
    /// are kept and valued over all their expected uses, a track record and a vetting of the advisor, and a bankroll that
    /// limits what advice may lose. `price` is what a call costs in units of return; returns of about 0 to 1 are expected,
    /// so scale rewards where they are far from that.
    ///
    /// ```
    /// use counsel_controller::{Action, Budget, Controller, Outcome, Reply, Situation, Turn};
    ///
    /// let mut controller = Controller::recommended(0.01, Budget::calls(500), &["left", "right", "forward"])?;
    /// for episode in 0..3 {
    ///     controller.begin_episode()?;
    ///     for step in 0..4 {
    ///         let turn = controller.decide(Situation::of(format!("cell {step}")).proposing(Action(0)))?;
    ///         let act = match turn {
    ///             Turn::Act(act) => act,
    ///             Turn::Ask(ask) => controller.resume(ask, Reply::live("right"))?,
    ///         };
    ///         let reward = if act.action == Action(1) { 0.25 } else { 0.0 };
    ///         controller.outcome(Outcome::reward(reward).terminated(step == 3))?;
    ///     }
    /// }
    /// assert!(controller.engine().calls_made() > 0);
    /// println!("{}", controller.diagnose());
    /// # Ok::<(), counsel_controller::Error>(())
    /// ```
    pub fn recommended(price: f64, budget: Budget, actions: &[impl AsRef<str>]) -> Result<Self, Error> {
        let parser = Parser::new(actions.iter().map(AsRef::as_ref))?;
        Self::recommended_from(price, budget, parser, Seed::root(0), States::Contexts)
    }

    /// The controller that the study `foretold` recommends where situations are described by features
    /// ([`Situation::described_by`](crate::Situation::described_by)) and there are many contexts: its values and its record of the advisor are kept by features,
    /// and an answer heard in a like state is not bought again.
    ///
    /// ```
    /// use counsel_controller::{Action, Budget, Controller, Outcome, Reply, Situation, Turn};
    ///
    /// let mut controller = Controller::recommended_by_features(0.01, Budget::calls(500), &["left", "right"])?;
    /// controller.begin_episode()?;
    /// for prompt in ["a red wall is ahead", "a blue wall is ahead", "a green wall is ahead"] {
    ///     let situation = Situation::of(prompt).proposing(Action(0)).described_by(vec![1.0]);
    ///     let act = match controller.decide(situation)? {
    ///         Turn::Act(act) => act,
    ///         Turn::Ask(ask) => controller.resume(ask, Reply::live("right"))?,
    ///     };
    ///     println!("{:?}", act.record.evidence.foretold());
    ///     controller.outcome(Outcome::reward(0.0))?;
    /// }
    /// # Ok::<(), counsel_controller::Error>(())
    /// ```
    pub fn recommended_by_features(price: f64, budget: Budget, actions: &[impl AsRef<str>]) -> Result<Self, Error> {
        let parser = Parser::new(actions.iter().map(AsRef::as_ref))?;
        Self::recommended_from(price, budget, parser, Seed::root(0), States::Features)
    }

    /// The recommended controller by features for several advisors, each with its name and the price of a call. They share one
    /// budget. [`Ask::advisor`](crate::Ask::advisor) says whom to ask, by its place in the list; where an answer is in hand, another advisor is asked
    /// only if that is expected to gain more than its price.
    ///
    /// ```
    /// use counsel_controller::{Action, Budget, Controller, Outcome, Reply, Situation, Turn};
    ///
    /// let models = [("small", 0.01), ("large", 0.05)];
    /// let mut controller = Controller::recommended_among(&models, Budget::calls(500), &["left", "right"])?;
    /// controller.begin_episode()?;
    /// for prompt in ["a red wall is ahead", "a blue wall is ahead"] {
    ///     let situation = Situation::of(prompt).proposing(Action(0)).described_by(vec![1.0]);
    ///     let act = match controller.decide(situation)? {
    ///         Turn::Act(act) => act,
    ///         Turn::Ask(ask) => {
    ///             let text = match models[ask.advisor()].0 {
    ///                 "small" => "left",
    ///                 _ => "right",
    ///             };
    ///             controller.resume(ask, Reply::live(text))?
    ///         }
    ///     };
    ///     println!("{:?}", act.record.panel);
    ///     controller.outcome(Outcome::reward(0.0))?;
    /// }
    /// # Ok::<(), counsel_controller::Error>(())
    /// ```
    pub fn recommended_among(
        advisors: &[(impl AsRef<str>, f64)],
        budget: Budget,
        actions: &[impl AsRef<str>],
    ) -> Result<Self, Error> {
        let parser = Parser::new(actions.iter().map(AsRef::as_ref))?;
        let price = advisors.first().map_or(0.0, |(_, price)| *price);
        let controller = Self::recommended_from(price, budget, parser, Seed::root(0), States::Features)?;
        controller.among(advisors.iter().map(|(name, price)| (name.as_ref().to_owned(), *price)).collect())
    }

    /// The recommended controller for books of this kind, with answers in the form of this parser and randomness of its own.
    pub fn recommended_from(
        price: f64,
        budget: Budget,
        parser: Parser,
        seed: Seed,
        states: States,
    ) -> Result<Self, Error> {
        let books = Books::new(BooksSpec::recommended(states), parser.words().len())?;
        let controller = Self::new(&recommended(budget, states), parser, price, books, seed)?;
        let radius = RadiusInForce::Declared(Radius::ZERO);
        let predictor = match states {
            States::Contexts => PredictorSpec::Feature(FeatureSpec::default()),
            States::Features => PredictorSpec::Chosen,
        };
        Ok(controller.with_radius(radius).with_predictor(predictor, None))
    }
}

/// The settings of the recommended controller for books of this kind. By features a bankroll is not needed: the advisor is
/// found out by the values of the states in which it was heard. The calls of an episode go where its answer is most in doubt.
pub fn recommended(budget: Budget, states: States) -> Settings {
    let by_features = states == States::Features;
    Settings {
        cache: CacheSpec::Keep(vec![Invalidation::NoEffect]),
        bankroll: (!by_features).then_some(BankrollSpec { start: 0.2, most: 0.7 }),
        pacing: Pacing { rationing: by_features.then(Rationing::default), ..Pacing::default() },
        ..Settings::new(Gate::Amortised, Execution::Improving, budget)
    }
}
