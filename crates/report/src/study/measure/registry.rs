//! Which number each measure is.
//!
//! The match is exhaustive: a measure that is declared but not computed does not compile.

use counsel_calibration::{CoverageAudit, Share};
use counsel_log::study::{ChangeForecast, Measure};

use super::answer::AnswerKind;
use super::coverage::Truth;
use super::log::CellLog;
use super::query::Side;
use super::{
    allocation, answer, certificate, change, coverage, episode, potential, predictor, query, route, shift, stability,
    value,
};

/// This number of a cell; `None` if its log does not support it.
#[expect(clippy::too_many_lines, reason = "one line for each measure")]
pub(in crate::study) fn measure(measure: Measure, log: &CellLog<'_>) -> Option<f64> {
    match measure {
        Measure::ReturnAt(at) => episode::return_at(log, at),
        Measure::StepsTo(millionths) => episode::steps_to(log, millionths),
        Measure::Repriced(millionths) => episode::repriced(log, millionths),
        Measure::Return => episode::mean_return(log),
        Measure::LateReturn => episode::late_return(log),
        Measure::Success => episode::success(log),
        Measure::StepsOfSuccess => episode::steps_of_success(log),
        Measure::Achievements => episode::achievements(log),
        Measure::Resolutions => Some(episode::total_reward(log)),
        Measure::Calls => Some(episode::calls(log)),
        Measure::CallsPerEpisode => episode::calls_per_episode(log),
        Measure::Asked => episode::asked(log),
        Measure::AskedWherePaid => episode::asked_where_paid(log),
        Measure::CostAdjusted => episode::cost_adjusted(log),
        Measure::CalibrationCalls => Some(log.manifest.totals.calibration_calls as f64),
        Measure::SimulatedSteps => Some(episode::simulated_steps(log)),
        Measure::NetReturn => episode::net_return(log),
        Measure::TokensPerCall => episode::tokens_per_call(log),
        Measure::LatencyPerCall => episode::latency_per_call(log),
        Measure::Acceptance => answer::accepted(log, AnswerKind::Usable),
        Measure::ExecutionRate => answer::execution_rate(log),
        Measure::Unusable => answer::unusable(log),
        Measure::Overridden => Some(answer::overridden(log)),
        Measure::RightAnswers => answer::right_answers(log),
        Measure::Adherence => answer::adherence(log),
        Measure::ObstacleConflicts => answer::obstacle_conflicts(log),
        Measure::WrongAndExecuted => answer::wrong_and_executed(log),
        Measure::RightAndRejected => answer::right_and_rejected(log),
        Measure::AcceptedRight => answer::accepted(log, AnswerKind::Right),
        Measure::AcceptedWrong => answer::accepted(log, AnswerKind::Wrong),
        Measure::AcceptedWrongByEpisode => answer::accepted_by_episode(log, AnswerKind::Wrong),
        Measure::RightMinusWrong => answer::gap(log, AnswerKind::Right, AnswerKind::Wrong),
        Measure::AcceptedUntouched => answer::accepted(log, AnswerKind::Untouched),
        Measure::AcceptedCorrupted => answer::accepted(log, AnswerKind::Corrupted),
        Measure::UntouchedMinusCorrupted => answer::gap(log, AnswerKind::Untouched, AnswerKind::Corrupted),
        Measure::CorruptedAnswers => Some(answer::count(log, AnswerKind::Corrupted)),
        Measure::CorruptedAndExecuted => Some(answer::executed(log, AnswerKind::Corrupted)),
        Measure::CorruptedWithoutCertificate => answer::corrupted_without_certificate(log),
        Measure::ErrorRate => answer::error_rate(log),
        Measure::Errors => Some(answer::errors(log)),
        Measure::LostToWrong => answer::lost_to_wrong(log),
        Measure::ExecutedAndCertified => certificate::executed_and_certified(log),
        Measure::RightCertified => certificate::right_certified(log),
        Measure::CertifiedInRange => certificate::certified_in_range(log),
        Measure::OptimumCovered => certificate::optimum_covered(log),
        Measure::OptimaCovered => certificate::optima_covered(log),
        Measure::BoundWidth => certificate::width(log),
        Measure::QueryValueError => value::query_value_error(log),
        Measure::MeanResidual => value::residual(log),
        Measure::SurrogateLoss => value::surrogate_loss(log),
        Measure::SurrogateLossPerOpportunity => value::surrogate_loss_per_opportunity(log),
        Measure::CleanEpisodes => query::clean_episodes(log),
        Measure::LargestRadius => value::largest_radius(log),
        Measure::NegativeNet => allocation::negative_net(log),
        Measure::TopPrecision => allocation::top_precision(log),
        Measure::FrontierShare => allocation::frontier_share(log),
        Measure::CallLabel => allocation::call_label(log),
        Measure::RealizedPerCall => allocation::realized_per_call(log),
        Measure::Marginal => labelled(log)?.marginal.rate(),
        Measure::MarginalCovered => Some(labelled(log)?.marginal.count as f64),
        Measure::Decisions => Some(labelled(log)?.marginal.of as f64),
        Measure::Relevant => labelled(log)?.decision_relevant.rate(),
        Measure::RelevantCovered => Some(labelled(log)?.decision_relevant.count as f64),
        Measure::RelevantDecisions => Some(labelled(log)?.decision_relevant.of as f64),
        Measure::Trajectory => labelled(log)?.trajectory.rate(),
        Measure::WorstSubgroup => coverage::worst_subgroup(&labelled(log)?.by_group),
        Measure::MarginalConservative => staged(log, Truth::Conservative)?.marginal.rate(),
        Measure::RelevantConservative => staged(log, Truth::Conservative)?.decision_relevant.rate(),
        Measure::TrajectoryConservative => staged(log, Truth::Conservative)?.trajectory.rate(),
        Measure::WorstStage => {
            staged(log, Truth::Conservative)?.worst_group.map(|(_, share)| share).and_then(Share::rate)
        }
        Measure::MarginalExact => staged(log, Truth::Exact)?.marginal.rate(),
        Measure::TrajectoryExact => staged(log, Truth::Exact)?.trajectory.rate(),
        Measure::NearThreshold => query::near_threshold(log, Side::Both),
        Measure::NearThresholdBelow => query::near_threshold(log, Side::Above),
        Measure::NearThresholdDecisions => Some(query::near_threshold_decisions(log)),
        Measure::MedianRadius => value::median_radius(log),
        Measure::Abstained => value::abstained(log),
        Measure::PredictorError => predictor::law_error(log),
        Measure::Brier => predictor::brier(log),
        Measure::CalibrationError => predictor::calibration_error(log),
        Measure::LogLoss => predictor::log_loss(log),
        Measure::LogScore => value::log_score(log),
        Measure::Changed => change::changed(log),
        Measure::DisagreementError => change::change_error(log, ChangeForecast::Disagreement),
        Measure::NoveltyError => change::change_error(log, ChangeForecast::Novelty),
        Measure::PredictedChangeError => change::change_error(log, ChangeForecast::PredictedAnswer),
        Measure::ValueSpreadError => change::value_error(log),
        Measure::ReturnBeforeShift => shift::return_before(log),
        Measure::ReturnAfterShift => shift::return_after(log),
        Measure::CallsAfterShift => shift::calls_after(log),
        Measure::Recovery => shift::recovery(log),
        Measure::DetectionDelay => shift::detection_delay(log),
        Measure::FalseAlarms => Some(shift::false_alarms(log)),
        Measure::FalseAlarmRate => shift::false_alarm_rate(log),
        Measure::InitialPotential => potential::initial(log),
        Measure::DecreasePerQuery => potential::decrease_per_query(log),
        Measure::ChangeElsewhere => potential::change_elsewhere(log),
        Measure::PotentialLeft => potential::left(log),
        Measure::Reward => route::reward(log),
        Measure::Cost => route::cost(log),
        Measure::CostOverBudget => route::cost_over_budget(log),
        Measure::NetReward => route::net_reward(log),
        Measure::OverPublished => route::over_published(log),
        Measure::LossToNever => route::loss_to_never(log),
        Measure::StrongShare => route::strong_share(log),
        Measure::PerformanceGap => route::frontier(log).map(|frontier| frontier.recovered),
        Measure::CallsToHalf => route::frontier(log)?.calls_to(0.5),
        Measure::CallsToMost => route::frontier(log)?.calls_to(0.8),
        Measure::FallbackGap => stability::fallback_gap(log),
        Measure::WidthSum => stability::width_sum(log),
        Measure::GapWithinWidth => stability::gap_within_width(log),
        Measure::GrowthSlope => stability::growth_slope(log),
    }
}

fn labelled(log: &CellLog<'_>) -> Option<CoverageAudit> {
    coverage::by_quarter(log, Truth::Label)
}

fn staged(log: &CellLog<'_>, truth: Truth) -> Option<CoverageAudit> {
    coverage::by_stage(log, truth)
}
