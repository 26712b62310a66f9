//! What is refused, and how the message reads.

use counsel_decision::{Action, Seed};
use counsel_pixel::{Ends, Grid, Move, PixelSpec, Redraw, World};

fn refusal(change: impl FnOnce(&mut PixelSpec)) -> String {
    let mut spec = PixelSpec::default();
    change(&mut spec);
    let text = spec.check().expect_err("refused").to_string();
    assert_eq!(World::new(&spec, Seed::root(0)).unwrap_err().to_string(), text);
    assert_eq!(Grid::read(&spec, "").unwrap_err().to_string(), text);
    text
}

#[test]
fn specifications_that_describe_no_world_are_refused() {
    let text = refusal(|spec| spec.size = 4);
    assert_eq!(text, "the size of the grid is 4, but must be 5 to 64; give its cells on a side");
    let text = refusal(|spec| spec.window = 4);
    assert_eq!(text, "the window is 4 cells wide, but the agent stands in its middle; give an odd number");
    let text = refusal(|spec| spec.window = 11);
    assert!(text.starts_with("the window is 11, but must be 3 to 9; "), "{text}");
    let text = refusal(|spec| spec.walls = 0.5);
    assert_eq!(text, "the fraction of walls is 0.5, which is outside [0, 0.4]; leave a way to the goal");
    let text = refusal(|spec| spec.horizon = 15);
    assert_eq!(
        text,
        "the horizon is 15, but from corner to corner it takes 16 steps or more; raise the horizon or make the grid \
         smaller"
    );
    let text = refusal(|spec| spec.goal_reward = 0.0);
    assert_eq!(text, "the goal reward is 0, which is outside (0, 1000]; let the goal pay");
    let text = refusal(|spec| (spec.goal_moves_after, spec.redraw) = (Some(5), Redraw::EachEpisode));
    assert_eq!(
        text,
        "goal_moves_after is 5, but the goal is drawn with each grid; set ends = \"corners\" and redraw = \"never\", or \
         leave it out"
    );
    for text in [
        refusal(|spec| (spec.goal_moves_after, spec.ends) = (Some(5), Ends::Anywhere)),
        refusal(|spec| spec.goal_moves_after = Some(0)),
        refusal(|spec| spec.size = 65),
        refusal(|spec| spec.window = 1),
        refusal(|spec| spec.walls = -0.1),
        refusal(|spec| spec.walls = f64::NAN),
        refusal(|spec| (spec.ends, spec.horizon) = (Ends::Anywhere, 0)),
        refusal(|spec| spec.step_cost = -0.01),
        refusal(|spec| spec.step_cost = f64::NAN),
        refusal(|spec| spec.goal_reward = f64::INFINITY),
        refusal(|spec| spec.goal_reward = f64::NAN),
        refusal(|spec| spec.cell_pixels = 0),
        refusal(|spec| spec.cell_pixels = 33),
    ] {
        assert!(text.contains("; "), "no remedy in {text:?}");
    }
}

#[test]
fn the_ends_of_the_ranges_are_worlds() {
    let plain = PixelSpec::default();
    for spec in [
        PixelSpec { size: 5, window: 5, horizon: 8, ..plain },
        PixelSpec { size: 64, window: 63, horizon: 126, ..plain },
        PixelSpec { walls: 0.4, step_cost: 0.0, cell_pixels: 32, ..plain },
        PixelSpec { walls: 0.0, step_cost: 1.0, cell_pixels: 1, ..plain },
        PixelSpec { ends: Ends::Anywhere, horizon: 1, redraw: Redraw::EachEpisode, ..plain },
    ] {
        World::new(&spec, Seed::root(0)).unwrap();
    }
}

#[test]
fn a_specification_is_read_as_written_and_unknown_keys_are_refused() {
    let read = |text: &str| serde_json::from_str::<PixelSpec>(text);
    assert_eq!(read("{}").unwrap(), PixelSpec::default());
    let large = r#"{"size": 14, "walls": 0.25, "window": 5, "horizon": 160, "ends": "corners", "redraw": "never"}"#;
    assert_eq!(read(large).unwrap(), PixelSpec::large());
    let written = PixelSpec { ends: Ends::Anywhere, redraw: Redraw::EachEpisode, ..PixelSpec::large() };
    assert_eq!(read(&serde_json::to_string(&written).unwrap()).unwrap(), written);
    let text = read(r#"{"wals": 0.25}"#).unwrap_err().to_string();
    assert!(text.contains("unknown field `wals`"), "{text}");
    assert!(read(r#"{"ends": "middle"}"#).is_err());
}

#[test]
fn drawings_that_are_no_grid_are_refused() {
    let spec = PixelSpec { size: 5, window: 3, ..PixelSpec::default() };
    let refusal = |drawing: &str| Grid::read(&spec, drawing).unwrap_err().to_string();
    let refused =
        |why: &str| format!("the drawing is no grid of 5 x 5 cells: {why}; write # wall, . free, S start and G goal");
    assert_eq!(refusal("S...G"), refused("it has 1 rows"));
    assert_eq!(refusal("S...G\n.....\n....\n.....\n....."), refused(r#"row 2 is "....""#));
    assert_eq!(refusal("S...G\n.....\n..x..\n.....\n....."), refused("row 2 has 'x'"));
    assert_eq!(refusal("S...G\n.....\n..G..\n.....\n....."), refused("it has 1 starts and 2 goals"));
    assert_eq!(refusal("S#..G\n##...\n.....\n.....\n....."), refused("no way leads to the goal"));
}

#[test]
fn a_number_past_the_last_is_no_move() {
    for way in Move::ALL {
        assert_eq!(Move::try_from(Action::from(way)), Ok(way));
    }
    assert_eq!(
        Move::try_from(Action(4)).unwrap_err().to_string(),
        "there is no move 4; the moves are 0 (north), 1 (east), 2 (south) and 3 (west)"
    );
}
