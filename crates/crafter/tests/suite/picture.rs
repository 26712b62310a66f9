//! The picture, and what the terminal shows.

use counsel_crafter::{COLUMNS, PIXELS, Picture, ROWS, State};

use crate::played;

#[test]
fn a_picture_changes_nothing_and_can_be_drawn_over_another() {
    for steps in [0, 100, 200] {
        let state = played(2, steps);
        let before = state.clone();
        let picture = Picture::of(&state);
        assert_eq!(state, before);
        let mut over = Picture::of(&played(3, 150));
        over.draw(&state);
        assert_eq!(over, picture, "after {steps} steps");
    }
}

#[test]
fn the_last_column_and_row_are_black_and_the_night_is_noisy() {
    let day = Picture::of(&played(2, 1));
    let rows: Vec<&[u8]> = day.bytes().chunks(PIXELS * 3).collect();
    assert!(rows.iter().all(|row| row[PIXELS * 3 - 3..] == [0; 3]));
    assert!(rows[PIXELS - 1].iter().all(|&byte| byte == 0));
    let night = played(2, 210);
    assert!(night.is_dark());
    let colours = |picture: &Picture| {
        let view = &picture.bytes()[..ROWS * 7 * PIXELS * 3];
        let pixels: std::collections::BTreeSet<&[u8]> = view.chunks(3).collect();
        pixels.len()
    };
    assert!(colours(&Picture::of(&night)) > 4 * colours(&day));
}

#[test]
fn the_view_in_letters_has_the_player_in_its_middle() {
    let state = State::begin(1, 1, 10);
    let text = state.view_text();
    let rows: Vec<&str> = text.lines().collect();
    assert_eq!(rows.len(), ROWS);
    assert!(rows.iter().all(|row| row.chars().count() == COLUMNS));
    assert_eq!(rows[ROWS / 2].chars().nth(COLUMNS / 2), Some('@'));
}
