//! OpenSimplex noise in three dimensions, with the bits of PyPI `opensimplex` 0.4.5.1.
//!
//! Space is cut into stretched cubes, and each cube into two tetrahedra and an octahedron between them. A point is pulled by
//! the gradients at the corners of its part and at two more lattice points outside of it that lie near. Sums are taken in the
//! original's order, since another order has other last bits.

const STRETCH: f64 = -1.0 / 6.0;
const SQUISH: f64 = 1.0 / 3.0;
const NORM: f64 = 103.0;

/// By number: three signs, and which axis is the long one.
const GRADIENTS: [[f64; 3]; 24] = gradients();

/// A field of noise.
#[derive(Debug, Clone)]
pub(crate) struct Noise {
    order: [u8; 256],
}

/// A lattice point, seen from the origin of a cube, and the way from it to the point whose noise is wanted.
#[derive(Debug, Clone, Copy)]
struct Vertex {
    offset: [i64; 3],
    way: [f64; 3],
}

/// A cube of the lattice.
struct Cube {
    base: [i64; 3],
    /// The way from its origin to the point.
    way: [f64; 3],
    /// Where the point lies inside it, each in `[0, 1)`.
    inside: [f64; 3],
}

impl Noise {
    pub(crate) fn new(seed: u32) -> Self {
        let next = |state: i64| state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let mut state = next(next(next(i64::from(seed))));
        let mut source: [u8; 256] = std::array::from_fn(|place| u8::try_from(place).unwrap_or(u8::MAX));
        let mut order = [0; 256];
        for place in (0..256_usize).rev() {
            state = next(state);
            // Wide enough that adding 31 does not wrap, as it does not in Python.
            let drawn = (i128::from(state) + 31).rem_euclid(place as i128 + 1);
            let drawn = usize::try_from(drawn).unwrap_or_default();
            order[place] = source[drawn];
            source[drawn] = source[place];
        }
        Self { order }
    }

    /// The noise at a point, from about -1 to 1.
    pub(crate) fn at(&self, x: f64, y: f64, z: f64) -> f64 {
        let stretch = (x + y + z) * STRETCH;
        let stretched = [x + stretch, y + stretch, z + stretch];
        let base = stretched.map(floor);
        let floor = base.map(|base| base as f64);
        let squish = (floor[0] + floor[1] + floor[2]) * SQUISH;
        let point = [x, y, z];
        let cube = Cube {
            base,
            way: std::array::from_fn(|axis| point[axis] - (floor[axis] + squish)),
            inside: std::array::from_fn(|axis| stretched[axis] - floor[axis]),
        };
        let sum = cube.inside[0] + cube.inside[1] + cube.inside[2];
        let value = if sum <= 1.0 {
            let corners = [[0, 0, 0], [1, 0, 0], [0, 1, 0], [0, 0, 1]];
            self.pulls(&cube, corners, cube.beyond_origin(1.0 - sum))
        } else if sum >= 2.0 {
            let corners = [[1, 1, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]];
            self.pulls(&cube, corners, cube.beyond_far_corner(3.0 - sum))
        } else {
            let corners = [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0], [1, 0, 1], [0, 1, 1]];
            self.pulls(&cube, corners, cube.beyond_octahedron())
        };
        value / NORM
    }

    fn pulls<const N: usize>(&self, cube: &Cube, corners: [[i64; 3]; N], beyond: [Vertex; 2]) -> f64 {
        let mut sum = 0.0;
        for corner in corners {
            sum += self.pull(cube, cube.vertex(corner));
        }
        for vertex in beyond {
            sum += self.pull(cube, vertex);
        }
        sum
    }

    fn pull(&self, cube: &Cube, Vertex { offset, way: [dx, dy, dz] }: Vertex) -> f64 {
        let reach = 2.0 - dx * dx - dy * dy - dz * dz;
        if reach <= 0.0 {
            return 0.0;
        }
        let mut hashed = 0;
        for (base, offset) in cube.base.into_iter().zip(offset) {
            let lattice = i64::from(hashed) + base + offset;
            hashed = self.order[usize::from(lattice.to_le_bytes()[0])];
        }
        let [gx, gy, gz] = GRADIENTS[usize::from(hashed) % GRADIENTS.len()];
        let squared = reach * reach;
        squared * squared * (gx * dx + gy * dy + gz * dz)
    }
}

impl Cube {
    fn vertex(&self, offset: [i64; 3]) -> Vertex {
        self.squished(offset, offset.iter().sum())
    }

    /// The vertex at an offset, with the way squished as if its coordinates had this sum.
    fn squished(&self, offset: [i64; 3], sum: i64) -> Vertex {
        let squish = sum as f64 * SQUISH;
        Vertex { offset, way: std::array::from_fn(|axis| self.way[axis] - offset[axis] as f64 - squish) }
    }

    /// The two vertices outside of the tetrahedron at the origin.
    fn beyond_origin(&self, origin_score: f64) -> [Vertex; 2] {
        let [x, y, z] = self.inside;
        let (mut a, mut b) = ((0, x), (1, y));
        if x >= y && z > y {
            b = (2, z);
        } else if x < y && z > x {
            a = (2, z);
        }
        if origin_score > a.1 || origin_score > b.1 {
            let near = if b.1 > a.1 { b.0 } else { a.0 };
            let [first, second] = others(near);
            return [first, second].map(|other| {
                let mut offset = unit(near);
                offset[other] -= 1;
                self.vertex(offset)
            });
        }
        let mut offset = [0; 3];
        (offset[a.0], offset[b.0]) = (1, 1);
        let mut behind = offset;
        behind[3 - a.0 - b.0] = -1;
        [self.vertex(offset), self.vertex(behind)]
    }

    /// The two vertices outside of the tetrahedron at the far corner.
    fn beyond_far_corner(&self, corner_score: f64) -> [Vertex; 2] {
        // A point of this tetrahedron is known by the axis that it lacks.
        let [x, y, z] = self.inside;
        let (mut a, mut b) = ((0, x), (1, y));
        if x <= y && z < y {
            b = (2, z);
        } else if x > y && z < x {
            a = (2, z);
        }
        if corner_score < a.1 || corner_score < b.1 {
            let lacking = if b.1 < a.1 { b.0 } else { a.0 };
            let [first, second] = others(lacking);
            return [first, second].map(|other| {
                let mut offset = [1; 3];
                offset[lacking] = 0;
                if other == 1 {
                    // The original subtracts this 1 last, which rounds differently.
                    return self.squished(offset, 3).pushed(1, 1);
                }
                offset[other] = 2;
                self.vertex(offset)
            });
        }
        let shared = 3 - a.0 - b.0;
        let near = unit(shared);
        [self.vertex(near), self.vertex(near.map(|offset| 2 * offset))]
    }

    /// The two vertices outside of the octahedron.
    fn beyond_octahedron(&self) -> [Vertex; 2] {
        // Of each pair of opposite corners the nearer one: the corner on this axis, or the one that lacks it.
        let [x, y, z] = self.inside;
        let nearer = |axis: usize, sum: f64| {
            let is_far = sum > 1.0;
            (axis, is_far, if is_far { sum - 1.0 } else { 1.0 - sum })
        };
        let (mut a, mut b, third) = (nearer(2, x + y), nearer(1, x + z), nearer(0, y + z));
        if a.2 <= b.2 && a.2 < third.2 {
            a = third;
        } else if a.2 > b.2 && b.2 < third.2 {
            b = third;
        }
        let third_axis = 3 - a.0 - b.0;
        match (a.1, b.1) {
            (true, true) => [self.vertex([1; 3]), self.vertex(unit(third_axis).map(|offset| 2 * offset))],
            (false, false) => {
                let mut offset = [1; 3];
                offset[third_axis] = -1;
                [self.vertex([0; 3]), self.vertex(offset)]
            }
            (is_a_far, _) => {
                let (far, near) = if is_a_far { (a.0, b.0) } else { (b.0, a.0) };
                let mut offset = [1; 3];
                offset[far] = -1;
                // The original subtracts this 2 last, which rounds differently.
                [self.vertex(offset), self.squished([0; 3], 2).pushed(near, 2)]
            }
        }
    }
}

impl Vertex {
    fn pushed(mut self, axis: usize, by: i64) -> Self {
        self.offset[axis] += by;
        self.way[axis] -= by as f64;
        self
    }
}

/// The greatest whole number that is not above a small one; without vector instructions this is faster than `f64::floor`.
#[expect(clippy::cast_possible_truncation, reason = "the numbers are small")]
fn floor(number: f64) -> i64 {
    let cut = number as i64;
    cut - i64::from(cut as f64 > number)
}

fn unit(axis: usize) -> [i64; 3] {
    let mut offset = [0; 3];
    offset[axis] = 1;
    offset
}

/// The other two axes, in order.
fn others(axis: usize) -> [usize; 2] {
    [[1, 2], [0, 2], [0, 1]][axis]
}

const fn gradients() -> [[f64; 3]; 24] {
    let mut list = [[0.0; 3]; 24];
    let mut i = 0;
    while i < 24 {
        let signs = i / 3;
        let x = if signs & 1 == 0 { -1.0 } else { 1.0 };
        let y = if signs & 2 == 0 { 1.0 } else { -1.0 };
        let z = if signs & 4 == 0 { 1.0 } else { -1.0 };
        list[i] = [4.0 * x, 4.0 * y, 4.0 * z];
        list[i][i % 3] *= 11.0 / 4.0;
        i += 1;
    }
    list
}
