//! `own-world DIR`: runs the study of the signal box into a folder, audits it, and sums it up.

use std::error::Error;
use std::path::PathBuf;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = PathBuf::from(std::env::args().nth(1).unwrap_or_else(|| "runs/own-world".into()));
    own_world::run(&folder, 0..20)?;
    let (decisions, agreeing) = own_world::audit(&folder)?;
    print!("{}", own_world::summary(&folder)?);
    println!(
        "{agreeing} of {decisions} decisions agree; `counsel tables {}` has intervals and tests",
        folder.display()
    );
    Ok(())
}
