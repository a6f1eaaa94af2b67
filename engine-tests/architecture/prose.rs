//! The wording of comments, help, documents and names of tests: they begin with a verb or a noun,
//! and use the field's terms.

use super::sources::{Source, sources, test_sources};
use crate::commands::manual;

/// Words that begin no doc comment and no name of a test.
const OPENINGS: [&str; 7] = ["What", "Who", "Whom", "Whose", "How", "Why", "Whether"];

/// Phrases that stand in no comment, document or name of a test, and their remedies.
const PHRASES: [(&str, &str); 8] = [
    ("nobody", "name the side, the client or the process"),
    ("anybody", "name the client or the process"),
    ("whoever", "name the side, the client or the process"),
    ("so many", "name the parameter, or write `this many`"),
    ("greatest", "write `maximum`"),
    ("least", "write `minimum`"),
    ("such a thing", "write `if any`"),
    ("see the module", "say what the item is"),
];

/// Terms that contain one of the [`PHRASES`].
const TERMS: [&str; 4] = ["at least", "least recently used", "least significant", "least squares"];

/// A run of comment lines with one marker.
struct Comment {
    /// The number of its first line, from 1.
    line: usize,
    marker: &'static str,
    text: String,
}

impl Comment {
    /// Describes the first fault of the comment, with its remedy.
    fn fault(&self) -> Option<String> {
        let first = self.text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
        if self.marker != "//" && OPENINGS.contains(&first) {
            return Some(format!(
                "a doc comment begins with `{first}`; begin with a verb in the third person, such \
                 as `Returns`, or with a noun"
            ));
        }
        let prose: String = self.text.split('`').step_by(2).collect();
        let (phrase, remedy) = phrase_in(&prose)?;
        Some(format!("a comment contains `{phrase}`; {remedy}"))
    }
}

/// Returns the first of the [`PHRASES`] in the text, with its remedy.
fn phrase_in(text: &str) -> Option<(&'static str, &'static str)> {
    let text = TERMS.iter().fold(text.to_lowercase(), |text, term| text.replace(term, ""));
    PHRASES.iter().copied().find(|(phrase, _)| contains(&text, phrase))
}

/// Returns whether the text contains the phrase as whole words.
fn contains(text: &str, phrase: &str) -> bool {
    text.match_indices(phrase).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + phrase.len()..].chars().next();
        !before.into_iter().chain(after).any(char::is_alphanumeric)
    })
}

fn comments(text: &str) -> Vec<Comment> {
    let mut comments: Vec<Comment> = Vec::new();
    let mut last_marker = None;
    for (index, line) in text.lines().enumerate() {
        let line = line.trim_start();
        let marker = ["///", "//!", "//"].into_iter().find(|marker| line.starts_with(marker));
        match (marker, comments.last_mut()) {
            (Some(marker), Some(comment)) if last_marker == Some(marker) => {
                comment.text.push(' ');
                comment.text.push_str(line[marker.len()..].trim());
            }
            (Some(marker), _) => {
                let text = line[marker.len()..].trim().to_owned();
                comments.push(Comment { line: index + 1, marker, text });
            }
            (None, _) => {}
        }
        last_marker = marker;
    }
    comments
}

/// Describes the faults of a file, each after the file and the line.
fn faults(source: &Source) -> impl Iterator<Item = String> {
    (comments(&source.text).into_iter()).filter_map(|comment| {
        Some(format!("{}:{}: {}", source.path, comment.line, comment.fault()?))
    })
}

#[test]
fn comments_have_the_wording_of_the_house() {
    let sources: Vec<Source> = all_sources().collect();
    let count: usize = sources.iter().map(|source| comments(&source.text).len()).sum();
    assert!(count > 3000, "only {count} comments were found");
    let wrong: Vec<String> = (sources.iter()).flat_map(faults).collect();
    assert!(wrong.is_empty(), "{} comments to rewrite:\n{}", wrong.len(), wrong.join("\n"));
}

/// Returns the first line of the doc comment of each function but tests, after its number.
fn comments_of_functions(text: &str) -> Vec<(usize, &str)> {
    let lines: Vec<&str> = text.lines().map(str::trim_start).collect();
    let starts = (0..lines.len()).filter(|&at| {
        lines[at].starts_with("///") && (at == 0 || !lines[at - 1].starts_with("///"))
    });
    let described = starts.filter_map(|at| {
        let rest = lines[at..].iter().skip_while(|line| line.starts_with("///"));
        let mut rest = rest.skip_while(|line| line.starts_with("#[") && **line != "#[test]");
        let words = rest.next()?.split([' ', '(']);
        let is_modifier =
            |word: &&str| matches!(*word, "pub" | "in" | "const" | "unsafe") || word.ends_with(')');
        let mut kept = words.skip_while(is_modifier);
        (kept.next() == Some("fn")).then(|| (at + 1, lines[at].trim_start_matches("/// ")))
    });
    described.collect()
}

#[test]
fn comments_of_functions_begin_with_a_verb() {
    let mut wrong = Vec::new();
    let mut seen = 0;
    for source in sources() {
        for (line, comment) in comments_of_functions(&source.text) {
            seen += 1;
            let first = comment.split([' ', ',']).next().unwrap_or_default();
            // Steps of a node begin with their number, functions of one contract with `# Safety`.
            if !first.ends_with('s') && !matches!(first, "Step" | "#") {
                wrong.push(format!("{}:{line}: {comment}", source.path));
            }
        }
    }
    assert!(seen > 1500, "only {seen} functions were found");
    assert!(wrong.is_empty(), "begin with a verb such as `Returns`:\n{}", wrong.join("\n"));
}

/// Returns all source files but this one, which names the faults.
fn all_sources() -> impl Iterator<Item = Source> {
    (sources().into_iter().chain(test_sources()))
        .filter(|source| source.path != "engine-tests/architecture/prose.rs")
}

/// Returns the names of the tests of a file.
fn tests_of(text: &str) -> impl Iterator<Item = &str> {
    let functions = text.split("#[test]").skip(1).filter_map(|rest| rest.split_once("fn "));
    functions.filter_map(|(_, name)| name.split('(').next())
}

#[test]
fn names_of_tests_have_the_wording_of_the_house() {
    let sources: Vec<Source> = all_sources().collect();
    let names: Vec<&str> = sources.iter().flat_map(|source| tests_of(&source.text)).collect();
    assert!(names.len() > 500, "only {} tests were found", names.len());
    let fault = |name: &&str| {
        let words = name.replace('_', " ");
        let first = words.split(' ').next().unwrap_or_default();
        if OPENINGS.iter().any(|opening| opening.eq_ignore_ascii_case(first)) {
            return Some(format!("{name} begins with a question word"));
        }
        phrase_in(&words).map(|(phrase, remedy)| format!("{name} contains `{phrase}`; {remedy}"))
    };
    let wrong: Vec<String> = names.iter().filter_map(fault).collect();
    assert!(wrong.is_empty(), "names of tests: {wrong:#?}");
}

#[test]
fn documents_have_the_wording_of_the_house() {
    let documents = manual::documents();
    let mut wrong = Vec::new();
    // Entries of the changelog are not written again.
    for document in documents.iter().filter(|document| *document != "CHANGELOG.md") {
        for paragraph in manual::prose(&manual::read(document)).split("\n\n") {
            if let Some((phrase, remedy)) = phrase_in(&paragraph.replace('\n', " ")) {
                let line = paragraph.trim().lines().next().unwrap_or_default();
                wrong.push(format!("{document}: `{phrase}` in the paragraph `{line}`; {remedy}"));
            }
        }
    }
    assert!(documents.len() > 30, "only {} documents were found", documents.len());
    assert!(wrong.is_empty(), "{wrong:#?}");
}

#[test]
fn comments_of_functions_are_found_under_attributes() {
    let text = "\
        /// Ends.\n\
        /// Really.\n\
        #[inline]\n\
        pub(in crate::web) const fn end() {}\n\
        /// No function.\n\
        struct End;\n\
        /// A test.\n\
        #[test]\n\
        fn ends() {}\n";
    assert_eq!(comments_of_functions(text), [(1, "Ends.")]);
}

#[test]
fn faults_name_line_and_remedy() {
    let text = "\
        //! Returns at least one.\n\
        \n\
        /// How it ends, among\n\
        /// others.\n\
        fn end() {}\n\
        /// The least of a set.\n\
        fn minimum() {}\n\
        // Nobody waits for so\n\
        // many.\n\
        // How, leasts and `least` are no faults.\n";
    let source = Source { path: "src/a.rs".to_owned(), text: text.to_owned(), code: String::new() };
    let faults: Vec<String> = faults(&source).collect();
    let begins = [
        "src/a.rs:3: a doc comment begins with `How`; begin with a verb",
        "src/a.rs:6: a comment contains `least`; write `minimum`",
        "src/a.rs:8: a comment contains `nobody`; name the side",
    ];
    assert_eq!(faults.len(), begins.len(), "{faults:#?}");
    for (fault, begin) in faults.iter().zip(begins) {
        assert!(fault.starts_with(begin), "{fault}");
    }
}
