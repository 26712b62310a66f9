//! The kinds of things and the predicates of the domain `alfred`.

use Kind::{Agent, Location, Object, ObjectType, Receptacle, ReceptacleType};

/// What a thing of a problem is: its type in PDDL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Kind {
    Agent,
    Location,
    Receptacle,
    Object,
    ReceptacleType,
    ObjectType,
}

impl Kind {
    pub(crate) const ALL: [(&str, Self); 6] = [
        ("agent", Agent),
        ("location", Location),
        ("receptacle", Receptacle),
        ("object", Object),
        ("rtype", ReceptacleType),
        ("otype", ObjectType),
    ];

    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|(known, _)| *known == name).map(|(_, kind)| kind)
    }

    /// Its name in PDDL.
    pub(crate) fn name(self) -> &'static str {
        Self::ALL.into_iter().find(|(_, kind)| *kind == self).map_or("", |(name, _)| name)
    }
}

/// Declares the predicates: variant, name in lower case, kinds of the arguments.
macro_rules! predicates {
    ($($variant:ident $name:literal [$($kind:ident),*];)*) => {
        /// What can be said of things.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub(crate) enum Predicate {
            $($variant,)*
        }

        impl Predicate {
            /// All names.
            pub(crate) const NAMES: &[&str] = &[$($name),*];

            /// The predicate with this name.
            pub(crate) fn named(name: &str) -> Option<Self> {
                match name {
                    $($name => Some(Self::$variant),)*
                    _ => None,
                }
            }

            /// Its name.
            pub(crate) fn name(self) -> &'static str {
                match self {
                    $(Self::$variant => $name,)*
                }
            }

            /// The kinds of its arguments.
            pub(crate) fn kinds(self) -> &'static [Kind] {
                match self {
                    $(Self::$variant => &[$($kind),*],)*
                }
            }
        }
    };
}

predicates! {
    AtLocation "atlocation" [Agent, Location];
    CanContain "cancontain" [ReceptacleType, ObjectType];
    Checked "checked" [Receptacle];
    Cleanable "cleanable" [Object];
    Coolable "coolable" [Object];
    Examined "examined" [Location];
    Full "full" [Receptacle];
    Heatable "heatable" [Object];
    Holds "holds" [Agent, Object];
    HoldsAny "holdsany" [Agent];
    HoldsAnyReceptacleObject "holdsanyreceptacleobject" [Agent];
    InReceptacle "inreceptacle" [Object, Receptacle];
    InReceptacleObject "inreceptacleobject" [Object, Object];
    IsClean "isclean" [Object];
    IsCool "iscool" [Object];
    IsHot "ishot" [Object];
    IsOn "ison" [Object];
    IsReceptacleObject "isreceptacleobject" [Object];
    IsReceptacleObjectFull "isreceptacleobjectfull" [Object];
    IsSliced "issliced" [Object];
    IsToggled "istoggled" [Object];
    Moveable "moveable" [Object];
    ObjectAtLocation "objectatlocation" [Object, Location];
    HasObjectType "objecttype" [Object, ObjectType];
    Openable "openable" [Receptacle];
    Opened "opened" [Receptacle];
    Pickupable "pickupable" [Object];
    ReceptacleAtLocation "receptacleatlocation" [Receptacle, Location];
    HasReceptacleType "receptacletype" [Receptacle, ReceptacleType];
    Sliceable "sliceable" [Object];
    Toggleable "toggleable" [Object];
    WasInReceptacle "wasinreceptacle" [Object, Receptacle];
}

impl Predicate {
    /// Whether an action can change what it says, and a text or a goal may depend on it.
    pub(crate) fn is_changing(self) -> bool {
        use Predicate as P;
        matches!(
            self,
            P::AtLocation
                | P::Holds
                | P::HoldsAny
                | P::InReceptacle
                | P::ObjectAtLocation
                | P::Opened
                | P::IsClean
                | P::IsHot
                | P::IsCool
                | P::IsOn
                | P::IsToggled
                | P::IsSliced
        )
    }
}
