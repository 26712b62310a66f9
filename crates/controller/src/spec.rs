//! What a controller keeps books of, as declared.

use counsel_decision::refusal::at_least;
use serde::{Deserialize, Serialize};

use crate::{
    Error, ExperienceSpec, ForetellingSpec, GuardSpec, LabelSpec, ShiftSpec, TrackRecordSpec, Vetting, Weight,
};

/// Values that are kept by context, and what is made of them.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `values` | see its type | |
/// | `acts` | false | true or false |
/// | `track_record` | none | see [`TrackRecordSpec`] |
/// | `vetting` | none | see [`Vetting`] |
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ByContext<T> {
    /// How the values are found.
    pub values: T,
    /// Whether their greedy action is proposed in the place of the agent's: in contexts without a held answer, and everywhere
    /// once advice was given up.
    pub acts: bool,
    /// How the advisor's word is trusted where little is known; not at all where none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub track_record: Option<TrackRecordSpec>,
    /// How the advisor is judged by the values; not at all where none is given.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub vetting: Option<Vetting>,
}

impl<T> ByContext<T> {
    /// What is made of the values, without how they are found.
    fn made(self) -> ByContext<()> {
        let Self { acts, track_record, vetting, .. } = self;
        ByContext { values: (), acts, track_record, vetting }
    }
}

/// Where the values come from by which advice is judged.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum Values {
    /// Whoever asks for a decision hands them in.
    #[default]
    HandedIn,
    /// Labels of the agent's own behaviour, by context, from copies of the world.
    Labels(ByContext<LabelSpec>),
    /// The agent's own steps, by context: an empirical MDP. No copy of the world is needed.
    Experience(ByContext<ExperienceSpec>),
}

impl Values {
    /// What is made of them; nothing of values that are handed in.
    pub(crate) fn made(self) -> ByContext<()> {
        match self {
            Self::HandedIn => ByContext::default(),
            Self::Labels(table) => table.made(),
            Self::Experience(table) => table.made(),
        }
    }
}

/// What the books tell apart: the states of the agent's own values, and of what the advisor was heard to say.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum States {
    /// Contexts: what the advisor would be shown.
    #[default]
    Contexts,
    /// What describes the situation ([`Situation::described_by`](crate::Situation::described_by)): contexts with the same
    /// features are one state. A situation without features is a state by its context.
    Features,
}

/// What a controller keeps books of.
///
/// | Name | Default | Range |
/// |---|---|---|
/// | `values` | handed in | see [`Values`] |
/// | `states` | `contexts` | `contexts`, `features` |
/// | `foretelling` | none | see [`ForetellingSpec`]; needs answers that are kept |
/// | `shift_detector` | none | see [`ShiftSpec`] |
/// | `guard` | none | see [`GuardSpec`] |
/// | `patience` | none | visits to a context in one episode after which the choice made there gives way, 1 or more |
///
/// ```
/// use counsel_controller::{Books, BooksSpec, ByContext, Values};
///
/// // Values from the agent's own steps; the agent proposes, and nothing judges the advisor.
/// let spec = BooksSpec { values: Values::Experience(ByContext::default()), ..BooksSpec::default() };
/// let books = Books::new(spec, 3)?;
/// assert!(books.remembers_steps());
/// # Ok::<(), counsel_controller::Error>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BooksSpec {
    /// Where values come from, and what is made of them.
    pub values: Values,
    /// Which situations are one state.
    pub states: States,
    /// When an answer is known before it is bought; never where none is given.
    pub foretelling: Option<ForetellingSpec>,
    /// How answers are found out that stopped delivering.
    pub shift_detector: Option<ShiftSpec>,
    /// How the agent is guarded against values that are worse than its own; not at all where none is given.
    pub guard: Option<GuardSpec>,
    /// How often an episode may be in a context before the choice made there is taken to lead nowhere: a held answer gives way to
    /// the values, and they to the agent.
    pub patience: Option<u64>,
}

impl BooksSpec {
    /// The books of the recommended controller.
    pub fn recommended() -> Self {
        // Hardly any state need come back: the record must not decay without evidence.
        let record = TrackRecordSpec {
            weight: Some(Weight::Comparisons),
            least_trust: Some(0.02),
            ..TrackRecordSpec::default()
        };
        let vetting = Vetting { circles: Some(2), ..Vetting::default() };
        let values = ByContext {
            values: ExperienceSpec::default(),
            acts: true,
            track_record: Some(record),
            vetting: Some(vetting),
        };
        Self {
            values: Values::Experience(values),
            states: States::Features,
            foretelling: Some(ForetellingSpec { probability: Some(0.3), ..ForetellingSpec::default() }),
            shift_detector: None,
            guard: Some(GuardSpec::default()),
            patience: Some(4),
        }
    }

    /// The books of the controller that was recommended before, for comparison: contexts stand for themselves, no answer is
    /// foretold, and advice may lead in circles.
    pub fn by_context() -> Self {
        let values = ByContext {
            values: ExperienceSpec::default(),
            acts: true,
            track_record: Some(TrackRecordSpec::default()),
            vetting: Some(Vetting::default()),
        };
        Self {
            values: Values::Experience(values),
            states: States::Contexts,
            foretelling: None,
            guard: None,
            ..Self::recommended()
        }
    }

    /// Refuses books that cannot be kept.
    pub fn check(&self) -> Result<(), Error> {
        match self.values {
            Values::HandedIn => {}
            Values::Labels(labels) => labels.values.check()?,
            Values::Experience(experience) => experience.values.check()?,
        }
        let ByContext { track_record, vetting, .. } = self.values.made();
        track_record.iter().try_for_each(TrackRecordSpec::check)?;
        vetting.iter().try_for_each(Vetting::check)?;
        self.foretelling.iter().try_for_each(ForetellingSpec::check)?;
        self.shift_detector.iter().try_for_each(ShiftSpec::check)?;
        self.guard.iter().try_for_each(GuardSpec::check)?;
        let patience = self.patience.map_or(usize::MAX, |visits| usize::try_from(visits).unwrap_or(usize::MAX));
        Ok(at_least("patience", patience, 1, "pass at least one visit")?)
    }
}
