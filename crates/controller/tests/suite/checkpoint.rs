//! A saved controller goes on as the one that was saved.

use counsel_controller::{Controller, Error, Reply};

use crate::advised::{Walker, episode, recommended};

#[test]
fn a_loaded_controller_makes_the_same_decisions() {
    let advisor = |cell: i64| Reply::live(if cell % 2 == 0 { "right" } else { "stay" });
    let (mut controller, mut walker) = (recommended(), Walker::new());
    for _ in 0..7 {
        episode(&mut controller, &mut walker, advisor);
    }
    let saved = controller.save().unwrap();
    let mut loaded = Controller::load(&saved).unwrap();
    assert_eq!(loaded.save().unwrap(), saved);
    let (mut walker, mut same_walker) = (Walker::new(), Walker::new());
    for number in 0..20 {
        let one = episode(&mut controller, &mut walker, advisor);
        let other = episode(&mut loaded, &mut same_walker, advisor);
        assert_eq!(one, other, "episode {number} after the checkpoint");
    }
    assert_eq!(controller.save().unwrap(), loaded.save().unwrap());
}

#[test]
fn what_is_no_checkpoint_is_refused() {
    let saved = recommended().save().unwrap();
    for text in ["", "{}", "{\"format\":99}", &saved[..saved.len() / 2], &saved.replace("\"prices\"", "\"prizes\"")] {
        assert!(matches!(Controller::load(text), Err(Error::Checkpoint { .. })), "{text:.60}");
    }
    let other = Controller::load("{\"format\":99}").unwrap_err().to_string();
    assert!(other.contains("format 99"), "{other}");
}
