//! A number as the sum of two doubles, of which the second is what the first lacks: about 32 digits.

/// What pi lacks as a double.
const PI_LOW: f64 = 1.224_646_799_147_353_2e-16;

#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct Double {
    pub(crate) high: f64,
    pub(crate) low: f64,
}

impl From<f64> for Double {
    fn from(number: f64) -> Self {
        Self { high: number, low: 0.0 }
    }
}

impl Double {
    /// The cosine of an angle between 0 and 2 pi, by its series around pi.
    pub(crate) fn cosine(angle: f64) -> Self {
        let offset = sum(angle, -std::f64::consts::PI).plus(Self::from(-PI_LOW));
        let square = offset.times(offset);
        let mut term = Self::from(-1.0);
        let mut total = term;
        // The terms alternate and fall below the last digit within 20 of them.
        for n in 1..=20 {
            let n = f64::from(n);
            term = term.times(square).over(-(2.0 * n - 1.0) * (2.0 * n));
            total = total.plus(term);
        }
        total
    }

    pub(crate) fn plus(self, other: Self) -> Self {
        let Self { high, low } = sum(self.high, other.high);
        sum(high, low + (self.low + other.low))
    }

    pub(crate) fn times(self, other: Self) -> Self {
        let Self { high, low } = product(self.high, other.high);
        sum(high, low + (self.high * other.low + self.low * other.high))
    }

    fn over(self, divisor: f64) -> Self {
        let high = self.high / divisor;
        let Self { high: back, low } = product(high, divisor);
        sum(high, (self.high - back - low + self.low) / divisor)
    }

    /// The nearest double.
    pub(crate) fn rounded(self) -> f64 {
        self.high + self.low
    }
}

/// Two doubles, added without loss.
fn sum(a: f64, b: f64) -> Double {
    let high = a + b;
    let from_a = high - b;
    let from_b = high - from_a;
    Double { high, low: (a - from_a) + (b - from_b) }
}

/// Two doubles, multiplied without loss.
fn product(a: f64, b: f64) -> Double {
    let high = a * b;
    Double { high, low: libm::fma(a, b, -high) }
}
