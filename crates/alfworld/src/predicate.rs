//! The kinds of things and the predicates of the domain `alfred`.

use counsel_decision::refusal::find_named;
use counsel_world::named;

use crate::Error;
use Kind::{Agent, Location, Object, ObjectType, Receptacle, ReceptacleType};

named! {
    /// What a thing of a problem is: its type in PDDL.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Kind {
        Agent => "agent",
        Location => "location",
        Receptacle => "receptacle",
        Object => "object",
        ReceptacleType => "rtype",
        ObjectType => "otype",
    }
}

impl Kind {
    /// The kind with this name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.name() == name)
    }
}

/// Declares the predicates: variant, name in lower case, kinds of the arguments.
macro_rules! predicates {
    ($($variant:ident $name:literal [$($kind:ident),*];)*) => {
        named! {
            /// What can be said of things.
            #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
            pub(crate) enum Predicate {
                $($variant => $name,)*
            }
        }

        impl Predicate {
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
    /// The predicate with this name, or what is wrong with the name.
    pub(crate) fn find(name: &str) -> Result<Self, Error> {
        find_named(name, Self::ALL.map(|predicate| (predicate.name(), predicate))).map_err(Error::UnknownPredicate)
    }

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
