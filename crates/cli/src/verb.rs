//! The verbs of a command: each has a file, and its arguments know how to run it.

/// Declares verbs, in the order in which help lists them.
macro_rules! verbs {
    ($name:ident: $($(#[$about:meta])* $verb:ident($arguments:ty),)+) => {
        #[derive(Debug, clap::Subcommand)]
        enum $name {
            $($(#[$about])* $verb($arguments),)+
        }

        impl $name {
            fn run(&self) -> anyhow::Result<()> {
                match self {
                    $(Self::$verb(arguments) => arguments.run(),)+
                }
            }
        }
    };
}
