//! SVG and PNG.

use std::collections::{HashMap, HashSet};

use roxmltree::Document;
use xiangqi::board::{Position, START_FEN};
use xiangqi::pictures::{
    Arrow, ArrowKind, BoardPicture, CoordinateStyle, Mark, MarkKind, PieceSet, Theme, svg,
};

fn start() -> BoardPicture {
    BoardPicture::new(Position::from_fen(START_FEN).expect("the start").board().clone())
}

/// The start with a change.
fn with(change: impl FnOnce(&mut BoardPicture)) -> BoardPicture {
    let mut picture = start();
    change(&mut picture);
    picture
}

/// Returns the drawn pieces: the id of each symbol, x and y.
fn discs(text: &str) -> Vec<(String, i32, i32)> {
    let document = Document::parse(text).expect("valid XML");
    let number = |node: roxmltree::Node<'_, '_>, name| -> i32 {
        node.attribute(name).and_then(|value| value.parse().ok()).expect("a coordinate")
    };
    document
        .descendants()
        .filter(|node| node.has_tag_name(("http://www.w3.org/2000/svg", "use")))
        .map(|node| {
            let href = node.attribute("href").expect("a reference");
            (href.to_owned(), number(node, "x"), number(node, "y"))
        })
        .collect()
}

#[test]
fn all_pieces_are_on_their_points_in_every_style() {
    for pieces in PieceSet::ALL {
        for theme in Theme::ALL {
            for coordinates in CoordinateStyle::ALL {
                for flipped in [false, true] {
                    let picture = with(|picture| {
                        (picture.pieces, picture.theme) = (pieces, theme);
                        (picture.coordinates, picture.flipped) = (coordinates, flipped);
                    });
                    let found = discs(&svg(&picture));
                    assert_eq!(found.len(), 32, "{pieces} {theme} {coordinates}");
                    let king = if flipped { (400, 0) } else { (400, 900) };
                    let id = format!("#xq-{pieces}-{theme}-red-king");
                    assert!(found.contains(&(id, king.0, king.1)));
                    let points: HashSet<_> = found.iter().map(|(_, x, y)| (x, y)).collect();
                    assert_eq!(points.len(), 32, "two pieces on one point");
                }
            }
        }
    }
}

#[test]
fn every_reference_is_defined_once_and_nothing_comes_from_outside() {
    let picture = with(|picture| {
        picture.marks = MarkKind::ALL
            .map(|kind| Mark {
                square: "e4".parse().expect("a square"),
                kind,
                label: "??".to_owned(),
            })
            .to_vec();
        picture.arrows = ArrowKind::ALL
            .map(|kind| Arrow {
                mv: "h2e2".parse().expect("a move"),
                kind,
                label: "<1>".to_owned(),
            })
            .to_vec();
        picture.last_move = "h2e2".parse().ok();
    });
    let text = svg(&picture);
    let document = Document::parse(&text).expect("valid XML");
    let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "ids are unique");
    for (href, ..) in discs(&text) {
        assert!(ids.contains(&href.trim_start_matches('#')), "{href}");
    }
    let outside = text.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    assert!(!outside.contains("http"), "nothing is loaded");
    assert!(!outside.contains("<text") && !outside.contains("font"), "no font is needed");
    assert!(!outside.contains("url("), "nothing is referenced but symbols");
}

#[test]
fn pictures_in_one_page_share_no_id_of_different_drawings() {
    let mut drawings: HashMap<String, String> = HashMap::new();
    for pieces in PieceSet::ALL {
        for theme in Theme::ALL {
            let text = svg(&with(|picture| (picture.pieces, picture.theme) = (pieces, theme)));
            for line in text.lines().filter(|line| line.contains("id=\"")) {
                let (_, id) = line.split_once("id=\"").expect("an id");
                let (id, drawing) = id.split_once('"').expect("its end");
                let first = drawings.entry(id.to_owned()).or_insert_with(|| drawing.to_owned());
                assert_eq!(first, drawing, "{pieces} {theme}");
            }
        }
    }
}

#[test]
fn the_river_is_written_as_the_pieces() {
    let river = |pieces| {
        let text = svg(&with(|picture| picture.pieces = pieces));
        let paths = text.lines().find(|line| line.contains(" 450)")).expect("a river");
        paths.split("translate(").skip(1).map(str::to_owned).collect::<Vec<_>>()
    };
    let (traditional, simplified) = (river(PieceSet::Chinese), river(PieceSet::Simplified));
    assert_eq!((traditional.len(), simplified.len()), (4, 4));
    let same = traditional.iter().zip(&simplified).map(|(one, other)| one == other);
    assert_eq!(same.collect::<Vec<_>>(), [true, true, false, true]);
    assert_eq!(river(PieceSet::Filled), traditional);
}

#[test]
fn the_two_sides_differ_without_colour() {
    for pieces in PieceSet::ALL {
        let text = svg(&with(|picture| picture.pieces = pieces));
        let document = Document::parse(&text).expect("valid XML");
        let drawing = |id: &str| -> Vec<String> {
            let group = document.descendants().find(|node| node.attribute("id") == Some(id));
            let shapes = group.expect(id).descendants().filter(roxmltree::Node::is_element);
            shapes
                .map(|node| {
                    let form =
                        node.attributes().filter(|a| !["fill", "stroke", "id"].contains(&a.name()));
                    form.map(|a| format!("{}={}", a.name(), a.value()))
                        .collect::<Vec<_>>()
                        .join(" ")
                })
                .collect()
        };
        for kind in ["king", "advisor", "bishop", "knight", "rook", "cannon", "pawn"] {
            let of = |side: &str| drawing(&format!("xq-{pieces}-light-{side}-{kind}"));
            assert_ne!(of("red"), of("black"));
        }
    }
}

#[test]
fn kinds_of_marks_and_arrows_differ_without_colour() {
    let label = String::new();
    let marks = MarkKind::ALL.map(|kind| {
        let mark = Mark { square: "e4".parse().expect("a square"), kind, label: label.clone() };
        with(|picture| picture.marks.push(mark))
    });
    let arrows = ArrowKind::ALL.map(|kind| {
        let arrow = Arrow { mv: "h2e2".parse().expect("a move"), kind, label: label.clone() };
        with(|picture| picture.arrows.push(arrow))
    });
    for pictures in [marks, arrows] {
        let forms: HashSet<String> = pictures
            .iter()
            .map(|picture| {
                // The description names the kind; a colour is `#` and six digits.
                let text = svg(picture);
                let (_, drawing) = text.split_once("</desc>").expect("a description");
                let mut parts = drawing.split("=\"#");
                let first = parts.next().unwrap_or_default().to_owned();
                parts.fold(first, |form, part| form + part.get(6..).unwrap_or(part))
            })
            .collect();
        assert_eq!(forms.len(), pictures.len());
    }
}

#[test]
fn the_description_says_where_every_piece_is() {
    let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
    let mut picture = BoardPicture::new(position.board().clone());
    picture.last_move = "a1a0".parse().ok();
    let text = svg(&picture);
    let document = Document::parse(&text).expect("valid XML");
    let words = |tag: &str| {
        let node = document.descendants().find(|node| node.tag_name().name() == tag);
        node.and_then(|node| node.text()).expect(tag).to_owned()
    };
    assert_eq!(words("title"), "Xiangqi board, red to move");
    assert_eq!(words("desc"), "Red: king e0, rook a0, advisor e1. Black: king d9. Last move a1a0.");
}

#[test]
fn only_the_pieces_on_the_board_are_in_the_file() {
    let position = Position::from_fen("3k5/9/9/9/9/9/9/9/4A4/R3K4 w").expect("a position");
    let text = svg(&BoardPicture::new(position.board().clone()));
    assert_eq!(text.matches("<g id=").count(), 4);
}

#[cfg(feature = "png")]
#[test]
fn a_png_has_the_width_asked_for_and_shows_both_colours() {
    use xiangqi::pictures::png;
    let picture = start();
    for width in [16, 300, 977] {
        let bytes = png(&picture, width).expect("a picture");
        assert_eq!(bytes[..8], *b"\x89PNG\r\n\x1a\n");
        let number = |at: usize| u32::from_be_bytes(bytes[at..at + 4].try_into().expect("4 bytes"));
        let height = (f64::from(width) * 1076.0 / 976.0).round() as u32;
        assert_eq!((number(16), number(20)), (width, height));
    }
    for width in [0, 8001, u32::MAX] {
        assert!(png(&picture, width).is_err(), "{width}");
    }
    let flipped = png(&with(|picture| picture.flipped = true), 300).expect("a picture");
    assert_ne!(png(&picture, 300).expect("a picture"), flipped);
}

#[test]
fn annotations_are_read_as_they_are_written() {
    for (text, written) in [("e4", "e4"), ("e4:VICTIM", "e4:victim"), ("e4:plain", "e4")] {
        assert_eq!(text.parse::<Mark>().expect("a mark").to_string(), written);
    }
    let square = "e4".parse().expect("a square");
    let mv = "h2e2".parse().expect("a move");
    for label in ["", "?!"].map(str::to_owned) {
        for kind in MarkKind::ALL {
            let mark = Mark { square, kind, label: label.clone() };
            assert_eq!(mark.to_string().parse(), Ok(mark));
        }
        for kind in ArrowKind::ALL {
            let arrow = Arrow { mv, kind, label: label.clone() };
            assert_eq!(arrow.to_string().parse(), Ok(arrow));
        }
    }
}
