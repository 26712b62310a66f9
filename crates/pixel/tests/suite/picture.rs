//! Pictures in the terminal and as pixels.

use std::sync::Arc;

use counsel_pixel::{Grid, Image, Look, PixelSpec, State};

use crate::{drawn, states};

const DRAWING: &str = "S.#..\n.....\n#..#.\n...G.\n.....";

fn state() -> State {
    let spec = PixelSpec { size: 5, window: 3, cell_pixels: 2, ..PixelSpec::default() };
    State::start(Arc::new(Grid::read(&spec, DRAWING).unwrap()))
}

#[test]
fn the_terminal_shows_the_grid_and_the_window() {
    let state = state();
    assert_eq!(state.grid().text(), DRAWING);
    assert_eq!(state.text(), DRAWING.replace('S', "A"));
    assert_eq!(state.observation().text(), "~~~\n~A.\n~..");
    let near = State::new(Arc::clone(state.grid()), 2, 3, 0).unwrap();
    assert_eq!(near.observation().text(), "..#\n.AG\n...");
    assert_eq!(near.text(), "..#..\n.....\n#..#.\n..AG.\n.....");
}

#[test]
fn the_window_is_a_picture_of_its_looks() {
    let near = State::new(Arc::clone(state().grid()), 2, 3, 0).unwrap();
    let image = near.observation().image(2);
    let expected = [
        [128, 128, 128, 128, 64, 64],
        [128, 128, 128, 128, 64, 64],
        [128, 128, 192, 192, 255, 255],
        [128, 128, 192, 192, 255, 255],
        [128, 128, 128, 128, 128, 128],
        [128, 128, 128, 128, 128, 128],
    ];
    assert_eq!(image, Image { side_pixels: 6, shades: expected.as_flattened().to_vec() });
    let mut over = state().observation().image(7);
    near.observation().render(2, &mut over);
    assert_eq!(over, image, "a picture can be drawn over another");
}

#[test]
fn windows_that_look_different_have_different_pixels() {
    let spec = PixelSpec { cell_pixels: 3, ..PixelSpec::large() };
    let grid = drawn(&spec, 1);
    for state in states(&grid, 0).filter(|state| state.end().is_none()) {
        let seen = state.observation();
        let image = seen.image(spec.cell_pixels);
        assert_eq!((image.side_pixels, image.shades.len()), (15, 225));
        for (pixel, &shade) in image.shades.iter().enumerate() {
            let (x, y) = (pixel % 15 / 3, pixel / 15 / 3);
            let look = seen.looks()[5 * y + x];
            assert_eq!(shade, if (x, y) == (2, 2) { 192 } else { look.shade() });
        }
    }
    let shades = [Look::Free, Look::Wall, Look::Goal, Look::Outside].map(Look::shade);
    assert!((0..4).all(|i| shades[i] != 192 && !shades[..i].contains(&shades[i])), "{shades:?}");
}
