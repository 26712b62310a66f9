//! Enums of which every value has a word: the list of values and their words stand in one place.

/// Declares an enum whose values have words, with `ALL` in the order of declaration and `name`, the word of a value.
///
/// ```
/// counsel_world::named! {
///     /// A way to turn.
///     #[derive(Debug, Clone, Copy, PartialEq)]
///     pub enum Turn {
///         /// Against the clock.
///         Left => "left",
///         /// With the clock.
///         Right => "right",
///     }
/// }
///
/// assert_eq!(Turn::ALL.map(Turn::name), ["left", "right"]);
/// ```
#[macro_export]
macro_rules! named {
    ($(#[$about:meta])* $visibility:vis enum $name:ident {
        $($(#[$meaning:meta])* $value:ident $(= $number:literal)? => $word:literal,)+
    }) => {
        $(#[$about])*
        $visibility enum $name {
            $($(#[$meaning])* $value $(= $number)?,)+
        }

        impl $name {
            /// All of them, in the order in which they are declared.
            $visibility const ALL: [Self; [$($word),+].len()] = [$(Self::$value),+];

            /// The word for it.
            $visibility const fn name(self) -> &'static str {
                match self {
                    $(Self::$value => $word,)+
                }
            }
        }
    };
}
