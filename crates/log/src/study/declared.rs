//! Every measure, declared once: its name, how it is shown unless a table says otherwise, and what it means.

use super::Show;

/// A measure with its name and its meaning.
pub(super) struct Declared {
    pub(super) measure: Measure,
    pub(super) name: &'static str,
    pub(super) show: Show,
    pub(super) decimals: usize,
    pub(super) meaning: &'static str,
}

/// Makes the enumeration and the list of its variants out of one declaration each: variant, name, way of showing,
/// decimals, meaning.
macro_rules! measures {
    ($($variant:ident $name:literal $show:ident $decimals:literal $meaning:literal;)*) => {
        /// One number of a cell.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum Measure {
            /// Mean return of the ten episodes up to this one, counted from 1: `return at 60`.
            ReturnAt(u64),
            /// Return minus this many millionths per call, with the run as it was: `cost-adjusted at 0.02`.
            Repriced(u64),
            /// Steps until ten episodes in a row return this many millionths in the mean: `steps to a return of 0.5`.
            StepsTo(u64),
            $(#[doc = $meaning] $variant,)*
        }

        /// The measures that have no number of their own.
        pub(super) const DECLARED: &[Declared] = &[$(Declared {
            measure: Measure::$variant,
            name: $name,
            show: Show::$show,
            decimals: $decimals,
            meaning: $meaning,
        },)*];
    };
}

measures! {
    // What an episode brought.
    Return "return" Interval 3 "mean undiscounted return of an episode";
    LateReturn "late return" Mean 3 "mean return of the last 15 episodes";
    Success "success" Mean 3 "share of episodes whose last step paid, as the one does that reaches a goal";
    StepsOfSuccess "steps of a success" Mean 1 "mean steps of the episodes that succeeded";
    Achievements "achievements" Mean 2 "mean steps of an episode that paid more than a quarter: in Crafter those with a new achievement";
    Resolutions "resolutions" Interval 2 "sum of all rewards: contexts whose right action was found";
    // What was paid.
    Calls "calls" Mean 1 "calls in a run";
    CallsPerEpisode "calls per episode" Mean 2 "mean calls of an episode";
    Asked "asked" Mean 3 "share of decisions with a call";
    AskedWherePaid "asked where the lower bound paid" Mean 3 "of the decisions with a call left where estimate minus radius reaches the price, the share with a call";
    CostAdjusted "cost-adjusted" Mean 3 "return minus the price of a call times calls per episode";
    CalibrationCalls "calibration calls" Mean 1 "calls before deployment, to fit the predictor and to calibrate";
    SimulatedSteps "simulated steps" Mean 0 "steps of copies of the world, before and during deployment";
    NetReturn "net return" Mean 3 "return minus the price of all calls, those before deployment included, per episode";
    TokensPerCall "tokens per call" Mean 0 "tokens sent and received per call, as recorded when the advisor was asked";
    LatencyPerCall "ms per call" Mean 0 "milliseconds per call, as recorded when the advisor was asked";
    // What became of answers.
    Acceptance "acceptance" Mean 3 "executed answers among those that named an action";
    ExecutionRate "execution rate" Mean 3 "executed answers among all answers, those that named no action included";
    Unusable "unusable" Mean 3 "share of answers that named no action";
    Overridden "overridden" Mean 1 "decisions at which somebody set another action in the place of the controller's";
    RightAnswers "right answers" Mean 3 "of the answers that named an action, the share that named a best one";
    Adherence "adherence" Mean 3 "of the answers of an advisor with a rule, the share that is what its rule says";
    ObstacleConflicts "obstacle conflicts" Mean 3 "of the answers that named an action, the share that runs into an obstacle";
    WrongAndExecuted "wrong and executed" Mean 3 "share of all answers that were wrong and executed";
    RightAndRejected "right and rejected" Mean 3 "share of the right answers that were not executed";
    AcceptedRight "accepted, right" Mean 3 "share of the right answers that were executed";
    AcceptedWrong "accepted, wrong" Mean 3 "share of the wrong answers that were executed";
    AcceptedWrongByEpisode "accepted, wrong, by episode" Interval 3 "share of its wrong answers that an episode executed, averaged over the episodes that have some: the chance of a wrong answer drawn from an episode";
    RightMinusWrong "right minus wrong" Mean 3 "how much more often right answers are executed than wrong ones, within a seed that has both";
    AcceptedUntouched "accepted, untouched" Mean 3 "share of the answers left as they were given that were executed";
    AcceptedCorrupted "accepted, corrupted" Mean 3 "share of the corrupted answers that were executed";
    UntouchedMinusCorrupted "untouched minus corrupted" Mean 3 "how much more often untouched answers are executed than corrupted ones, within a seed that has both";
    CorruptedAnswers "corrupted answers" Mean 1 "corrupted answers that named an action";
    CorruptedAndExecuted "corrupted and executed" Mean 1 "corrupted answers that were executed";
    CorruptedWithoutCertificate "certificate-off rule on the same corrupted answers" Mean 3 "share of the corrupted answers that the rule without a certificate executes at the very same opportunities";
    ErrorRate "error rate" Interval 3 "share of answers that are wrong or name no action";
    Errors "errors" Mean 1 "answers that are wrong or name no action";
    LostToWrong "lost to wrong advice" Mean 3 "what executed wrong answers give away against the best action, beyond what the fallback's own proposal would have given away, per episode; below zero where they were better than it";
    // The certificate.
    ExecutedAndCertified "executed and certified" Mean 3 "of the executed answers, the share that keeps the certificate";
    RightCertified "right action certified" Mean 3 "share of decisions at which the certificate would admit the right action";
    CertifiedInRange "certified where range > tolerance" Mean 3 "the same share, over decisions at which more value is left to win than the tolerance";
    OptimumCovered "optimal values within bounds" Mean 3 "share of the actions whose optimal value lies within its bounds, over the decisions at which it is known";
    OptimaCovered "all optimal values within bounds" Mean 3 "share of the decisions at which that holds for every action";
    BoundWidth "interval width" Mean 3 "mean of an action's upper bound minus its lower one";
    // The value of a query.
    QueryValueError "query-value error" Mean 3 "mean of |estimate - exact value|";
    MeanResidual "mean residual" Median 5 "mean of |estimate - label|";
    SurrogateLoss "surrogate loss" Interval 3 "what the myopic oracle gains over the gate, summed over decisions with a call left";
    SurrogateLossPerOpportunity "surrogate loss per opportunity" Mean 3 "what the myopic oracle gains over the gate, per decision with a call left";
    CleanEpisodes "clean episodes" Interval 3 "share of episodes without a query whose label is below its price";
    LargestRadius "radius" Mean 4 "the largest radius in force, where it is finite";
    NegativeNet "negative-net queries" Mean 1 "calls whose label is below the price";
    TopPrecision "precision among the top" Mean 3 "of the decisions with the highest labels, as many as there were calls, the share with a call";
    FrontierShare "share of the frontier" Mean 3 "what the calls were worth beyond their price, by their labels, as a share of what as many calls at the best decisions of the run would have been: the offline frontier at the run's own number of calls";
    CallLabel "improvement per call" Mean 4 "mean label of the calls: what a call was found to be worth, its price not counted";
    RealizedPerCall "realised gain per call" Mean 4 "mean over the calls of the optimal value of the executed action minus that of the action without a query";
    // Coverage.
    Marginal "marginal" Interval 3 "share of decisions with |estimate - label| within the radius";
    MarginalCovered "decisions covered" Mean 1 "decisions with |estimate - label| within the radius";
    Decisions "decisions" Mean 1 "decisions with a label";
    Relevant "decision-relevant" Interval 3 "the share covered, of the decisions with an estimate above zero";
    RelevantCovered "relevant decisions covered" Mean 1 "covered decisions with an estimate above zero";
    RelevantDecisions "relevant decisions" Mean 1 "decisions with a label and an estimate above zero";
    Trajectory "trajectory" Interval 3 "share of episodes on which every decision is covered";
    WorstSubgroup "worst subgroup" Mean 3 "lowest share covered among quarters of the horizon, estimate above zero or not, with 20 decisions or more";
    MarginalConservative "marginal, conservative" Interval 3 "share of decisions with |estimate - label| plus the label's own radius within the radius";
    RelevantConservative "decision-relevant, conservative" Interval 3 "the same share, of the decisions with an estimate above zero";
    TrajectoryConservative "trajectory, conservative" Interval 3 "share of episodes on which every decision is covered so";
    WorstStage "worst stage, conservative" Mean 3 "lowest share covered so among the steps of an episode";
    MarginalExact "marginal (exact)" Interval 3 "share of decisions with |estimate - exact value| within the radius";
    TrajectoryExact "trajectory (exact)" Interval 3 "share of episodes on which every decision is covered exactly";
    NearThreshold "near-threshold" Interval 3 "of the decisions at which the gate asked or came within calibration.near of asking, the share with |estimate - label| within the radius";
    NearThresholdBelow "near-threshold, one-sided" Interval 3 "of the same decisions, the share with estimate - label within the radius";
    NearThresholdDecisions "near-threshold decisions" Mean 1 "how many such decisions there are";
    MedianRadius "median radius" Mean 3 "median radius over the decisions";
    Abstained "abstain rate" Mean 3 "share of decisions at which the estimate reaches the price and the radius keeps the gate silent";
    // The predictor.
    PredictorError "predictor error" Mean 3 "mean absolute error of the predicted laws over all contexts, at the last query";
    Brier "Brier" Mean 3 "Brier score of the predicted responses at the queries";
    CalibrationError "ECE" Mean 3 "expected calibration error of the predicted responses at the queries, over ten bins";
    LogLoss "log loss" Mean 3 "mean negative logarithm of the probability that was given to a paid response";
    LogScore "posterior log score" Mean 3 "mean logarithm of the probability given to the true task after the decision";
    // How well it was foretold that an answer changes the greedy action.
    Changed "changes" Mean 3 "of the answers that named an action, the share that named another one than the greedy action";
    DisagreementError "ECE of disagreement" Interval 3 "expected calibration error, over ten bins, of the share of value samples whose best action is not the greedy one as the probability that an answer is not";
    NoveltyError "ECE of novelty" Interval 3 "the same of novelty, 1 / sqrt(1 + visits)";
    PredictedChangeError "ECE of the predicted change" Interval 3 "the same of the predicted probability that an answer names another action";
    ValueSpreadError "ECE of values" Interval 3 "mean over k of |share of optimal action values up to the k-th lowest of K value samples - k / (K + 1)|, over the decisions at which they are known";
    // A goal that moves.
    ReturnBeforeShift "return before the shift" Mean 3 "mean return of the last 15 episodes before the goal moves";
    ReturnAfterShift "return after the shift" Interval 3 "mean return of all episodes after the goal moves";
    CallsAfterShift "calls after the shift" Mean 1 "calls in the episodes after the goal moves";
    Recovery "recovery" Mean 1 "episodes after the goal moves until ten in a row return what the last 15 before did, up to 0.1; all of them where they never do";
    DetectionDelay "detection delay" Mean 1 "episodes after the goal moves until the shift detector drops an answer, where it does";
    FalseAlarms "false alarms" Mean 2 "answers that the shift detector dropped before the goal moved, or in a run in which it does not";
    FalseAlarmRate "false alarm rate" Mean 3 "the same as a share of the answers that were kept until then";
    // The potential.
    InitialPotential "initial potential" Mean 2 "potential before the first decision";
    DecreasePerQuery "decrease per query" Interval 3 "mean decrease of the potential at a query";
    ChangeElsewhere "change elsewhere" Interval 3 "total change of the potential outside queries";
    PotentialLeft "potential left by queries" Mean 2 "initial potential minus what the queries took of it";
    // Decisions without a world.
    Reward "reward" Interval 4 "mean reward of the requests that count";
    Cost "cost" Mean 6 "mean cost of the requests that count";
    CostOverBudget "cost over budget" Mean 3 "mean cost of the requests that count as a share of what one may cost";
    NetReward "net reward" Interval 4 "mean reward of the requests that count, less what their answers cost, where costs are in units of reward";
    OverPublished "over published" Interval 4 "reward less the mean reward that was published for the same order and budget";
    LossToNever "loss to never" Mean 4 "how much lower the net reward is than that of the first advisor alone, as a share of it; below zero for a gain";
    StrongShare "strong share" Mean 3 "share of the requests that count which another advisor answers than the first";
    PerformanceGap "APGR" Interval 3 "average share of the way from the weak advisor's reward to the strong one's that is recovered, over the share of strong answers at ten quantiles of the expected gain";
    CallsToHalf "CPT50" Interval 3 "share of strong answers at which half of that way is recovered";
    CallsToMost "CPT80" Interval 3 "share of strong answers at which 80 % of that way is recovered";
    // Stability of the fallback.
    FallbackGap "fallback gap" Interval 1 "summed Bellman gap of the fallback's proposals where no advice was executed";
    WidthSum "width sum" Interval 1 "summed confidence width of the same proposals, for an optimistic fallback";
    GapWithinWidth "gap <= width sum" Holds 0 "1 where the gap is at most the width sum";
    GrowthSlope "growth slope" Interval 3 "slope of the cumulative gap against steps on logarithmic axes";
}

impl Measure {
    /// Whether it counts something, so that it is never below zero and may span decades.
    pub fn is_count(self) -> bool {
        let paid = matches!(self, Self::Calls | Self::CallsPerEpisode | Self::CallsAfterShift | Self::CalibrationCalls);
        let spent = matches!(self, Self::SimulatedSteps | Self::TokensPerCall | Self::LatencyPerCall | Self::Cost);
        let took = matches!(
            self,
            Self::StepsOfSuccess | Self::StepsTo(_) | Self::Achievements | Self::Recovery | Self::DetectionDelay
        );
        let answers =
            matches!(self, Self::Errors | Self::CorruptedAnswers | Self::CorruptedAndExecuted | Self::FalseAlarms);
        let decisions = matches!(
            self,
            Self::Decisions
                | Self::MarginalCovered
                | Self::RelevantCovered
                | Self::RelevantDecisions
                | Self::NearThresholdDecisions
                | Self::NegativeNet
        );
        paid || spent || took || answers || decisions
    }
}
