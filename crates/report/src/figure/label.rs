//! A free place for the words beside a point.

/// A rectangle on the canvas; `top` is above `bottom`, so it is the smaller number.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Rectangle {
    pub(super) left: f64,
    pub(super) top: f64,
    pub(super) right: f64,
    pub(super) bottom: f64,
}

impl Rectangle {
    /// Around two corners, with this much on every side.
    pub(super) fn around(one: (f64, f64), other: (f64, f64), margin: f64) -> Self {
        Self {
            left: one.0.min(other.0) - margin,
            top: one.1.min(other.1) - margin,
            right: one.0.max(other.0) + margin,
            bottom: one.1.max(other.1) + margin,
        }
    }

    fn overlaps(&self, other: &Self) -> bool {
        self.left < other.right && other.left < self.right && self.top < other.bottom && other.top < self.bottom
    }

    fn lies_in(&self, area: &Self) -> bool {
        self.left >= area.left && self.right <= area.right && self.top >= area.top && self.bottom <= area.bottom
    }
}

/// From the point to the nearer edge of its words.
const GAP: f64 = 8.0;

/// The first of the places around a point that lies in the area and on no obstacle.
pub(super) fn free_place(
    (x, y): (f64, f64),
    (width, height): (f64, f64),
    area: &Rectangle,
    obstacles: &[Rectangle],
) -> Option<Rectangle> {
    let (beside, level) = ([x + GAP, x - GAP - width], y - 0.5 * height);
    let (above, below, middle) = (y - GAP - height, y + GAP, x - 0.5 * width);
    let corners = [
        (beside[0], level),
        (beside[1], level),
        (beside[0], above),
        (beside[1], above),
        (beside[0], below),
        (beside[1], below),
        (middle, above),
        (middle, below),
        (beside[0], above - GAP),
        (beside[1], above - GAP),
        (beside[0], below + GAP),
        (beside[1], below + GAP),
    ];
    corners
        .into_iter()
        .map(|(left, top)| Rectangle { left, top, right: left + width, bottom: top + height })
        .find(|place| place.lies_in(area) && obstacles.iter().all(|obstacle| !place.overlaps(obstacle)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_avoid_edges_and_obstacles() {
        let area = Rectangle::around((0.0, 0.0), (100.0, 100.0), 0.0);
        let words = (30.0, 10.0);
        let right = free_place((50.0, 50.0), words, &area, &[]).unwrap();
        assert_eq!((right.left, right.top), (58.0, 45.0));
        let left = free_place((50.0, 50.0), words, &area, &[right]).unwrap();
        assert_eq!(left.right, 42.0);
        assert_eq!(free_place((90.0, 50.0), words, &area, &[]).unwrap().right, 82.0);
        assert_eq!(free_place((50.0, 50.0), words, &area, &[area]), None);
    }
}
