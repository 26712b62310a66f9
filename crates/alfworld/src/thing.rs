//! The things of a game by number, in the order of their ids, and what never changes about them.

/// Declares a handle: a number that cannot be mistaken for that of another kind of thing.
macro_rules! handle {
    ($(#[$about:meta])* $name:ident) => {
        $(#[$about])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub(crate) u16);

        impl $name {
            /// Its place in tables with one entry for each.
            pub fn index(self) -> usize {
                usize::from(self.0)
            }
        }
    };
}

handle! {
    /// An object: what can be carried, or switched on.
    Object
}
handle! {
    /// A receptacle: what objects are in or on.
    Receptacle
}
handle! {
    /// Where the agent can stand.
    Location
}

/// What is so of an object for a whole game.
#[expect(clippy::struct_excessive_bools, reason = "each is a predicate of the domain, and they go together freely")]
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ObjectTraits {
    pub(crate) name: String,
    /// Its types, in lower case and without `type` at the end.
    pub(crate) types: Vec<String>,
    pub(crate) is_pickupable: bool,
    pub(crate) is_toggleable: bool,
    pub(crate) is_heatable: bool,
    pub(crate) is_coolable: bool,
    pub(crate) is_cleanable: bool,
    pub(crate) is_sliceable: bool,
    /// What is in it, where it is an object that holds others.
    pub(crate) holds: Option<Vec<Object>>,
}

impl ObjectTraits {
    pub(crate) fn is_knife(&self) -> bool {
        self.types.iter().any(|name| name == "knife" || name == "butterknife")
    }
}

/// What is so of a receptacle for a whole game.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct ReceptacleTraits {
    pub(crate) name: String,
    /// Its types, in lower case and without `type` at the end.
    pub(crate) types: Vec<String>,
    /// Where it is reached from; one that is reached from nowhere plays no part.
    pub(crate) location: Option<Location>,
    pub(crate) is_openable: bool,
}

impl ReceptacleTraits {
    pub(crate) fn is(&self, class: &str) -> bool {
        self.types.iter().any(|name| name == class)
    }
}
