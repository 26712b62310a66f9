//! The controllers that the studies recommend.

use counsel_advisor::PredictorSpec;
use counsel_decision::{
    BankrollSpec, Budget, CacheSpec, Execution, Gate, Invalidation, Pacing, Parser, Radius, Rationing, Seed, Settings,
};

use crate::{Books, BooksSpec, Controller, Error, RadiusInForce};

impl Controller {
    /// The controller that the studies recommend, the same in every world. Its values come from the agent's own steps. Situations
    /// with the same features are one state; one without features is a state by its context. Answers are kept, an answer heard in a
    /// like state is foretold and not bought again, and both are valued over all their expected uses. The advisor rests
    /// where it leads in circles, and is turned away where the agent knows better, and the agent leads where its own episodes return
    /// more. `price` is what a call costs in units of return;
    /// returns of about 0 to 1 are expected, so scale rewards where they are far from that.
    ///
    /// ```
    /// use counsel_controller::{Action, Budget, Controller, Outcome, Reply, Situation, Turn};
    ///
    /// let mut controller = Controller::recommended(0.01, Budget::calls(500), &["left", "right", "forward"])?;
    /// for episode in 0..3 {
    ///     controller.begin_episode()?;
    ///     for step in 0..4 {
    ///         let situation = Situation::of(format!("cell {step}")).proposing(Action(0));
    ///         // Numbers that describe the situation, where there are any, tell like ones from others.
    ///         let turn = controller.decide(situation.described_by(vec![f64::from(step)]))?;
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
        Self::recommended_from(price, budget, parser, Seed::root(0))
    }

    /// The recommended controller for several advisors, each with its name and the price of a call. They share one
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
        let controller = Self::recommended_from(price, budget, parser, Seed::root(0))?;
        controller.among(advisors.iter().map(|(name, price)| (name.as_ref().to_owned(), *price)).collect())
    }

    /// The recommended controller with answers in the form of this parser and randomness of its own.
    pub fn recommended_from(price: f64, budget: Budget, parser: Parser, seed: Seed) -> Result<Self, Error> {
        let books = Books::new(BooksSpec::recommended(), parser.words().len())?;
        let controller = Self::new(&recommended(budget), parser, price, books, seed)?;
        let radius = RadiusInForce::Declared(Radius::ZERO);
        Ok(controller.with_radius(radius).with_predictor(PredictorSpec::Chosen, None))
    }
}

/// The settings of the recommended controller. It needs no bankroll: the advisor is found out by the values of the states in which
/// it was heard. The calls of an episode go where its answer is most in doubt.
pub fn recommended(budget: Budget) -> Settings {
    Settings {
        cache: CacheSpec::Keep(vec![Invalidation::NoEffect]),
        pacing: Pacing { rationing: Some(Rationing::default()), ..Pacing::default() },
        ..Settings::new(Gate::Amortised, Execution::Improving, budget)
    }
}

/// The settings of the controller that was recommended before, for comparison. Its books are [`BooksSpec::by_context`], its
/// bankroll limits what advice may lose.
pub fn by_context(budget: Budget) -> Settings {
    Settings {
        bankroll: Some(BankrollSpec { start: 0.2, most: 0.7 }),
        pacing: Pacing::default(),
        ..recommended(budget)
    }
}
