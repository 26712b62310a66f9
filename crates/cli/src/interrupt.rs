//! What Ctrl-C leaves behind, in one line.

/// The exit status of a command that was interrupted, as shells have it.
const INTERRUPTED: i32 = 130;

/// From now on Ctrl-C says how to go on before it ends the command. Whatever is written is written whole or not at all, so the
/// command may end anywhere.
pub(crate) fn explain(how_to_go_on: impl Into<String>) {
    let how_to_go_on = how_to_go_on.into();
    let handler = move || {
        eprintln!("\ninterrupted; {how_to_go_on}");
        std::process::exit(INTERRUPTED);
    };
    // Where signals cannot be caught the command still ends, only without a word.
    let _ = ctrlc::set_handler(handler);
}
