//! How wide characters are, in thousandths of the font's size.
//!
//! A page is drawn in the reader's own font, which nobody knows here. So each number is the larger of two common ones, DejaVu Sans and
//! Liberation Sans (as wide as Helvetica and Arial): words take at most the room that is kept for them.

/// How heavy letters are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Weight {
    Regular,
    Bold,
}

/// From the space to the tilde.
#[rustfmt::skip]
const REGULAR: [u16; 95] = [
    318, 401, 460, 838, 637, 951, 780, 275, 391, 391, 500, 838, 318, 361, 318, 337, 637, 637, 637,
    637, 637, 637, 637, 637, 637, 637, 337, 337, 838, 838, 838, 557, 1016, 685, 687, 723, 771, 667,
    611, 778, 752, 295, 500, 667, 558, 863, 749, 788, 667, 788, 723, 667, 611, 732, 685, 989, 686,
    667, 686, 391, 337, 391, 838, 557, 500, 613, 635, 550, 635, 616, 353, 635, 634, 278, 278, 580,
    278, 975, 634, 612, 635, 635, 412, 521, 393, 634, 592, 818, 592, 592, 525, 637, 337, 637, 838,
];

/// The same in bold.
#[rustfmt::skip]
const BOLD: [u16; 95] = [
    349, 457, 521, 838, 696, 1002, 873, 307, 458, 458, 523, 838, 380, 416, 380, 366, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 611, 1000, 774, 763, 734, 831, 684,
    684, 821, 837, 373, 557, 775, 638, 996, 837, 851, 733, 851, 771, 721, 683, 813, 774, 1104, 771,
    725, 726, 458, 366, 458, 838, 557, 500, 675, 716, 593, 716, 679, 436, 716, 712, 343, 343, 666,
    343, 1042, 712, 688, 716, 716, 494, 596, 479, 712, 652, 924, 646, 652, 583, 712, 366, 712, 838,
];

/// The width of a character in ems.
pub(super) fn advance(c: char, weight: Weight) -> f64 {
    let known = match weight {
        Weight::Regular => &REGULAR,
        Weight::Bold => &BOLD,
    };
    let place = u32::from(c).checked_sub(32).and_then(|place| usize::try_from(place).ok());
    match (place.and_then(|place| known.get(place)), c) {
        (Some(thousandths), _) => f64::from(*thousandths) / 1000.0,
        (None, '⁰' | '¹' | '²' | '³' | '⁴'..='⁹' | '·') => 0.44,
        (None, '⁻' | '–') => 0.56,
        (None, '−' | '±' | '×' | '≤' | '≥') => 0.84,
        (None, 'À'..='ɏ') => 0.9,
        _ => 1.05,
    }
}
