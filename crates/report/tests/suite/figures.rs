//! Figures: what is refused when one is made, and that anything else is drawn within its canvas, the same every time.

use counsel_report::{Ends, Error, Figure, FigureFormat, FigureKind, Point, Series};
use insta::assert_snapshot;
use proptest::prelude::*;

fn figure(kind: FigureKind) -> Figure {
    Figure::new("lock-curve", "Lock", kind, "episode", "return").unwrap()
}

fn refusal(outcome: Result<(), Error>) -> String {
    outcome.unwrap_err().to_string()
}

/// The numbers of every attribute that is a coordinate, across and up, after checking that the text is XML.
fn places(svg: &str) -> (f64, f64, Vec<(f64, f64)>) {
    let document = roxmltree::Document::parse(svg).expect("the drawing is XML");
    let number = |text: &str| text.parse::<f64>().unwrap_or_else(|_| panic!("`{text}` is no number"));
    let root = document.root_element();
    let (width, height) = (number(root.attribute("width").unwrap()), number(root.attribute("height").unwrap()));
    let mut places = Vec::new();
    for node in root.descendants().filter(roxmltree::Node::is_element) {
        for (x, y) in [("x", "y"), ("x1", "y1"), ("x2", "y2"), ("cx", "cy")] {
            places.extend(node.attribute(x).zip(node.attribute(y)).map(|(x, y)| (number(x), number(y))));
        }
        for words in [node.attribute("points"), node.attribute("d")].into_iter().flatten() {
            let pairs = words.split([' ', 'M', 'L', 'Z']).filter(|word| !word.is_empty());
            places.extend(pairs.map(|pair| pair.split_once(',').expect("a pair")).map(|(x, y)| (number(x), number(y))));
        }
    }
    (width, height, places)
}

#[track_caller]
fn assert_drawn_within(figure: &Figure) {
    let svg = figure.render(FigureFormat::Svg);
    assert_eq!(svg, figure.render(FigureFormat::Svg));
    assert!(svg.starts_with(FigureFormat::Svg.opening()));
    let (width, height, places) = places(&svg);
    assert!(width > 0.0 && height > 0.0 && !places.is_empty());
    for (x, y) in places {
        assert!((0.0..=width).contains(&x) && (0.0..=height).contains(&y), "{x},{y} in {width}x{height}:\n{svg}");
    }
    let csv = figure.render(FigureFormat::Csv);
    assert!(csv.starts_with(FigureFormat::Csv.opening()));
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let points: usize = figure.series().iter().map(|series| series.points.len()).sum();
    assert_eq!(reader.records().map(Result::unwrap).count(), points);
}

#[test]
fn a_small_line_figure() {
    let mut figure = figure(FigureKind::Line);
    figure.caption = "Returns of <two> arms & nothing else.".into();
    let point = |x: f64, y: f64| Point::new(x, y).y_within(Ends { low: y - 0.1, high: y + 0.1 });
    figure.push(Series::new("never", [point(1.0, 0.5), point(2.0, 0.6), point(3.0, 0.8)])).unwrap();
    figure.push(Series::new("controller", [Point::new(1.0, 0.7), point(2.0, 0.9), Point::new(3.0, 0.95)])).unwrap();
    assert_drawn_within(&figure);
    assert_snapshot!("line", figure.render(FigureFormat::Svg));
    assert_snapshot!(figure.render(FigureFormat::Csv), @"
    series,label,x,x_low,x_high,y,y_low,y_high
    never,,1.0,,,0.5,0.4,0.6
    never,,2.0,,,0.6,0.5,0.7
    never,,3.0,,,0.8,0.7000000000000001,0.9
    controller,,1.0,,,0.7,,
    controller,,2.0,,,0.9,0.8,1.0
    controller,,3.0,,,0.95,,
    ");
}

#[test]
fn a_small_scatter_figure() {
    let mut figure = Figure::new("frontier", "Frontier", FigureKind::Scatter, "calls", "return").unwrap();
    for (name, x, y) in [("never", 0.01, 0.5), ("controller", 0.4, 0.88), ("always", 16.0, 0.9)] {
        let x_ends = Some(Ends { low: 0.8 * x, high: 1.2 * x });
        let point = Point { x_ends, ..Point::new(x, y).labelled(name) };
        figure.push(Series::new(name, [point.y_within(Ends { low: y - 0.02, high: y + 0.02 })])).unwrap();
    }
    assert_drawn_within(&figure);
    assert_snapshot!("scatter", figure.render(FigureFormat::Svg));
}

#[test]
fn odd_data_is_drawn() {
    let shapes: [&[(f64, f64)]; 7] = [
        &[],
        &[(3.0, 0.5)],
        &[(0.0, 0.0), (0.0, 0.0)],
        &[(1.0, 0.7), (2.0, 0.7), (3.0, 0.7)],
        &[(-f64::MAX, -f64::MAX), (f64::MAX, f64::MAX)],
        &[(1.0, 5e-324), (2.0, 1e-323)],
        &[(1e15, 1.0), (1e15 + 1.0, 1.0 + f64::EPSILON)],
    ];
    for kind in [FigureKind::Line, FigureKind::Scatter] {
        let mut bare = figure(kind);
        assert!(bare.render(FigureFormat::Svg).contains("no points"));
        assert_drawn_within(&bare);
        bare.push(Series::new("empty", [])).unwrap();
        assert_drawn_within(&bare);
        for shape in shapes {
            let mut figure = figure(kind);
            figure.push(Series::new("s", shape.iter().map(|(x, y)| Point::new(*x, *y).labelled("here")))).unwrap();
            assert_drawn_within(&figure);
        }
    }
}

#[test]
fn numbers_without_a_place_are_refused() {
    let mut line = figure(FigureKind::Line);
    let push =
        |figure: &mut Figure, point: Point| refusal(figure.push(Series::new("a", [Point::new(1.0, 1.0), point])));
    assert_snapshot!(push(&mut line, Point::new(2.0, f64::NAN)), @"point 2 of series `a` in figure `lock-curve` has y = NaN; it must be a finite number");
    assert_snapshot!(push(&mut line, Point::new(f64::INFINITY, 0.0)), @"point 2 of series `a` in figure `lock-curve` has x = inf; it must be a finite number");
    assert_snapshot!(push(&mut line, Point::new(2.0, 0.0).y_within(Ends { low: f64::NEG_INFINITY, high: 1.0 })), @"point 2 of series `a` in figure `lock-curve` has y_low = -inf; it must be a finite number");
    assert_snapshot!(push(&mut line, Point::new(2.0, 0.0).y_within(Ends { low: 2.0, high: 1.0 })), @"point 2 of series `a` in figure `lock-curve` has y_low = 2; it must be at most the upper end of its interval");
    assert_snapshot!(push(&mut line, Point::new(0.5, 0.0)), @"point 2 of series `a` in figure `lock-curve` has x = 0.5; it must be at least that of the point before it on the line");
    assert!(line.series().is_empty());
    line.push(Series::new("a", [])).unwrap();
    assert_snapshot!(refusal(line.push(Series::new("a", []))), @"figure `lock-curve` has two series `a`; give each a name of its own");
}

#[test]
fn ids_are_fit_for_file_names() {
    for id in ["", "-a", "a-", "../a", "a/b", "A", "a b", "a.svg", "é", &"a".repeat(101)] {
        let made = Figure::new(id, "Title", FigureKind::Line, "x", "y");
        assert!(made.unwrap_err().to_string().starts_with(&format!("`{id}` cannot name a figure")), "{id}");
    }
}

#[test]
fn an_unknown_format_lists_the_known_ones() {
    assert_snapshot!("png".parse::<FigureFormat>().unwrap_err(), @"unknown format `png`; choose one of svg, csv");
}

fn finite() -> impl Strategy<Value = f64> {
    use prop::num::f64::{NEGATIVE, NORMAL, POSITIVE, SUBNORMAL, ZERO};
    prop_oneof![POSITIVE | NEGATIVE | NORMAL | SUBNORMAL | ZERO, -10.0..10.0]
}

fn ends() -> impl Strategy<Value = Option<Ends>> {
    prop::option::of((finite(), finite()).prop_map(|(a, b)| Ends { low: a.min(b), high: a.max(b) }))
}

prop_compose! {
    fn point()(x in finite(), y in finite(), x_ends in ends(), y_ends in ends(), label in any::<String>()) -> Point {
        Point { x, y, x_ends, y_ends, label }
    }
}

proptest! {
    #[test]
    fn finite_data_is_drawn_within_the_canvas(
        series in prop::collection::vec(prop::collection::vec(point(), 0..5), 0..9),
        words in any::<[String; 5]>(),
        is_line in any::<bool>(),
    ) {
        let [title, x, y, name, caption] = words;
        let kind = if is_line { FigureKind::Line } else { FigureKind::Scatter };
        let mut figure = Figure::new("any", title, kind, x, y).unwrap();
        figure.caption = caption;
        for (place, mut points) in series.into_iter().enumerate() {
            points.sort_by(|one, other| one.x.total_cmp(&other.x));
            figure.push(Series::new(format!("{name}{place}"), points)).unwrap();
        }
        assert_drawn_within(&figure);
    }
}
