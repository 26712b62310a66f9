//! Runs of this program: their logs have everything but the range of returns, which a user declares.

use counsel_decision::Parser;
use counsel_log::Cell;

use crate::{Error, LogHeader, ShadowLog};

/// The decisions of these cells, which are one arm at several seeds. `answers_act_only` declares that an answer affects the agent
/// through the action alone, where the settings do not say so; `return_range` bounds the return of an episode.
pub fn own(cells: &[Cell], return_range: Option<[f64; 2]>, answers_act_only: bool) -> Result<ShadowLog, Error> {
    let asked = |reason: &str| Error::Asked { reason: reason.to_owned() };
    let first = cells.first().ok_or_else(|| asked("no cell is named; pass --cell STUDY/ARM/SEED"))?;
    let manifest = &first.manifest;
    if cells.iter().any(|cell| (&cell.manifest.words, &cell.manifest.spec) != (&manifest.words, &manifest.spec)) {
        return Err(asked("the cells have different settings; pass seeds of one arm"));
    }
    // A frozen agent learns nothing from an answer, nor from an episode; a predictor that never learns nothing from answers.
    let setting = |name: &str| manifest.spec.get(name).and_then(serde_json::Value::as_str);
    let frozen = setting("learning") == Some("frozen");
    let header = LogHeader {
        format: LogHeader::FORMAT.into(),
        words: manifest.words.clone(),
        return_range,
        reward_range: None,
        max_steps: None,
        discount: 1.0,
        price_unit: "return".into(),
        pacing: manifest.settings.pacing.factor,
        answers_act_only: answers_act_only || frozen,
        agent_learns: !frozen,
        predictor_frozen: frozen,
        p_ask_drawn: false,
    };
    header.check().map_err(|reason| Error::Asked { reason })?;
    let parser = Parser::new(manifest.words.iter().cloned())?.in_form(manifest.form);
    let run = |cell: &Cell| Ok((cell.manifest.engine_seed, cell.decisions()?));
    let runs = cells.iter().map(run).collect::<Result<_, Error>>()?;
    let log = ShadowLog::own(header, parser, runs);
    if let Some([low, high]) = return_range
        && let Some(gained) =
            log.episodes.iter().map(|e| log.return_of(e)).find(|gained| !(low..=high).contains(gained))
    {
        return Err(asked(&format!(
            "an episode returned {gained}, outside of --return-range {low},{high}; pass the range that holds"
        )));
    }
    Ok(log)
}
