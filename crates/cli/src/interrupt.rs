//! What Ctrl-C leaves behind, in one line, and that it loses no answer that is paid for.
//!
//! Whatever is written is written whole or not at all, so a command may end anywhere, except between a question and the place where its
//! answer is kept: who is there holds the end off. A second Ctrl-C waits for nobody.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError, RwLock, RwLockReadGuard};

use counsel_endpoint::Cancel;

/// The exit status of a command that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// Held for reading while an answer is under way, and for writing by the end.
static UNDER_WAY: RwLock<()> = RwLock::new(());
/// Set by the first Ctrl-C.
static IS_INTERRUPTED: AtomicBool = AtomicBool::new(false);
/// What sends nothing more once the command is interrupted.
static ENDPOINTS: Mutex<Vec<Cancel>> = Mutex::new(Vec::new());

/// What a command still does when it is interrupted.
type Farewell = Box<dyn FnOnce() + Send>;
static FAREWELL: Mutex<Option<Farewell>> = Mutex::new(None);

/// When the command is interrupted it does this before it ends.
pub(crate) fn at_end(farewell: impl FnOnce() + Send + 'static) {
    *FAREWELL.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(farewell));
}

/// From now on Ctrl-C says how to go on before it ends the command.
pub(crate) fn explain(how_to_go_on: impl Into<String>) {
    let how_to_go_on = how_to_go_on.into();
    let handler = move || {
        if IS_INTERRUPTED.swap(true, Ordering::SeqCst) {
            std::process::exit(INTERRUPTED);
        }
        let endpoints = ENDPOINTS.lock().unwrap_or_else(PoisonError::into_inner);
        endpoints.iter().for_each(Cancel::wind_down);
        if UNDER_WAY.try_write().is_err() {
            eprintln!("\nwaiting for the answer under way; once more ends it at once");
        }
        let how_to_go_on = how_to_go_on.clone();
        // The handler itself must be free for the second time.
        std::thread::spawn(move || {
            let _ended = UNDER_WAY.write();
            if let Some(farewell) = FAREWELL.lock().unwrap_or_else(PoisonError::into_inner).take() {
                farewell();
            }
            eprintln!("\ninterrupted; {how_to_go_on}");
            std::process::exit(INTERRUPTED);
        });
    };
    // Where signals cannot be caught the command still ends, only without a word.
    let _ = ctrlc::set_handler(handler);
}

/// What the command came to after an interruption is not its result: the interruption ends it, and says how to go on.
pub(crate) fn give_way() {
    while IS_INTERRUPTED.load(Ordering::SeqCst) {
        std::thread::park();
    }
}

/// The command does not end before this is dropped, unless it is interrupted twice.
pub(crate) fn hold_off() -> RwLockReadGuard<'static, ()> {
    UNDER_WAY.read().unwrap_or_else(PoisonError::into_inner)
}

/// An endpoint that sends nothing more once the command is interrupted.
pub(crate) fn wind_down(endpoint: Cancel) {
    ENDPOINTS.lock().unwrap_or_else(PoisonError::into_inner).push(endpoint);
}
