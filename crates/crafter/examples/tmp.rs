use counsel_crafter::*;
use std::time::Instant;
use std::hint::black_box;
fn main() {
    let mut s = State::begin(0, 1, 10000);
    let mut p = Picture::black();
    for n in 0..260u32 {
        s.step(Act::ALL[(n * 7 % 5) as usize]);
        if n % 40 == 0 {
            let t = Instant::now();
            for _ in 0..3000 { black_box(&mut p).draw(black_box(&s)); }
            let d = t.elapsed().as_secs_f64() * 1e3/3.0;
            println!("{n} dark {} draw {d:.2} us ", s.is_dark());
        }
    }
}
