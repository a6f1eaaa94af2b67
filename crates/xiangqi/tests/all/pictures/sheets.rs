//! The parts that pages are built of.

use std::collections::HashSet;

use roxmltree::Document;
use xiangqi::pictures::{
    BOARD_SCRIPT, BOARD_STYLES, CoordinateStyle, PieceSet, SheetParts, remaining_sheet,
    symbol_sheet, theme_styles,
};

#[test]
fn the_sheet_has_every_symbol_that_the_script_names() {
    let sheet = symbol_sheet(SheetParts::ALL);
    let document = Document::parse(&sheet).expect("valid XML");
    let ids: Vec<_> = document.descendants().filter_map(|node| node.attribute("id")).collect();
    assert_eq!(ids.iter().collect::<HashSet<_>>().len(), ids.len(), "ids are unique");
    let mut wanted: Vec<String> =
        ["xq-board", "xq-board-wide", "xq-last-move", "xq-coordinates-1-10-flipped"]
            .map(String::from)
            .to_vec();
    wanted.extend(["xq-river", "xq-river-simplified"].map(String::from));
    for set in PieceSet::ALL {
        for piece in [
            "red-king",
            "black-advisor",
            "red-bishop",
            "black-knight",
            "red-rook",
            "black-cannon",
            "red-pawn",
        ] {
            wanted.push(format!("xq-{set}-{piece}"));
        }
    }
    for kind in ["plain", "chaser", "victim", "protector"] {
        wanted.push(format!("xq-mark-{kind}"));
    }
    for kind in ["best", "other", "chase", "protect"] {
        wanted.push(format!("xq-head-{kind}"));
    }
    for id in wanted {
        assert!(ids.contains(&id.as_str()), "{id}");
    }
    for prefix in [
        "#xq-board-wide",
        "#xq-river-simplified",
        "#xq-coordinates-",
        "#xq-last-move",
        "#xq-mark-",
        "#xq-head-",
    ] {
        assert!(BOARD_SCRIPT.contains(prefix), "the script uses {prefix}");
    }
}

/// The ids of a sheet and what its drawings use of other drawings.
fn ids_and_uses(sheet: &str) -> (Vec<String>, Vec<String>) {
    let document = Document::parse(sheet).expect("valid XML");
    let values = |name: &str| {
        let found = document.descendants().filter_map(|node| node.attribute(name));
        found.map(|value| value.trim_start_matches('#').to_owned()).collect()
    };
    (values("id"), values("href"))
}

#[test]
fn a_sheet_and_the_rest_are_the_whole_sheet() {
    let parts = SheetParts { sets: &[PieceSet::Chinese], coordinates: &[CoordinateStyle::Files] };
    let (first, used) = ids_and_uses(&symbol_sheet(parts));
    assert!(used.iter().all(|id| first.contains(id)), "the first part needs the rest");
    let (rest, used) = ids_and_uses(&remaining_sheet(parts));
    assert!(used.iter().all(|id| first.contains(id) || rest.contains(id)));
    let mut both = [first, rest].concat();
    let (mut whole, _) = ids_and_uses(&symbol_sheet(SheetParts::ALL));
    both.sort();
    whole.sort();
    assert_eq!(both, whole);
}

#[test]
fn every_variable_has_a_colour_in_both_themes() {
    let styles = theme_styles();
    let sheet = symbol_sheet(SheetParts::ALL);
    let mut variables = HashSet::new();
    for text in [sheet.as_str(), BOARD_STYLES] {
        for part in text.split("var(").skip(1) {
            variables.insert(part.split(')').next().expect("a name"));
        }
    }
    assert!(variables.len() > 10);
    for variable in variables {
        let pair =
            styles.split_once(&format!("{variable}: var(--xq-if-light, #")).expect(variable).1;
        let (_, dark) = pair.split_once(')').expect("its end");
        assert!(dark.starts_with(" var(--xq-if-dark, #"), "{variable} has no dark colour: {dark}");
    }
}

#[test]
fn the_board_needs_nothing_from_elsewhere() {
    for text in [BOARD_SCRIPT, BOARD_STYLES, theme_styles(), &symbol_sheet(SheetParts::ALL)] {
        let text = text.replace("http://www.w3.org/2000/svg", "");
        for foreign in
            ["http:", "https:", "//cdn", "import(", "fetch(", "eval(", "innerHTML", "@import"]
        {
            assert!(!text.contains(foreign), "{foreign}");
        }
    }
}
