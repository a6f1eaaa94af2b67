//! Which source file imports from which, and the circles among them.
//!
//! An import counts for the file that defines the item: a re-export with `pub use` is followed and
//! is itself no import. Test modules do not count. Names that only a macro or a method call brings
//! in are not seen.

use std::collections::{BTreeMap, BTreeSet};

use super::sources::{Source, package_of};

/// A path in the module trees of the crates: `["xiangqi", "board", "fen"]`.
type ModulePath = Vec<String>;

/// A source file as a module.
struct Module {
    file: String,
    children: BTreeSet<String>,
    /// Names brought in by `use`, and the path that each of them stands for.
    bindings: BTreeMap<String, ModulePath>,
    /// Modules imported by `use path::*`.
    globs: Vec<ModulePath>,
    /// Every path that the file mentions, its `use` declarations included, its `pub use` excluded.
    mentions: Vec<ModulePath>,
}

/// The files that each file imports from.
pub struct Imports(BTreeMap<String, BTreeSet<String>>);

impl Imports {
    /// Reads the imports of all sources.
    pub fn of(sources: &[Source]) -> Imports {
        let modules: BTreeMap<ModulePath, Module> = sources
            .iter()
            // The binary is a crate of its own: its root must not stand for that of the library.
            .filter(|source| source.path != "src/main.rs")
            .map(|source| (module_path(&source.path), Module::read(source)))
            .collect();
        let mut imports = BTreeMap::new();
        for (path, module) in &modules {
            let targets = module.mentions.iter().filter_map(|mention| {
                let target = resolve(&modules, path, mention, 0)?;
                (target != module.file).then(|| target.to_owned())
            });
            imports.insert(module.file.clone(), targets.collect());
        }
        Imports(imports)
    }

    /// Each import: the file that imports, and the file from which it imports.
    pub fn arrows(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0
            .iter()
            .flat_map(|(from, targets)| targets.iter().map(move |to| (from.as_str(), to.as_str())))
    }

    /// The groups of files that import each other, directly or round about, each sorted.
    pub fn circles(&self) -> Vec<Vec<String>> {
        let reach: BTreeMap<&str, BTreeSet<&str>> =
            self.0.keys().map(|file| (file.as_str(), self.reachable(file))).collect();
        let mut circles = BTreeSet::new();
        for (file, targets) in &reach {
            if targets.contains(file) {
                let together = targets.iter().filter(|other| reach[*other].contains(file));
                circles.insert(together.map(|&file| file.to_owned()).collect::<Vec<_>>());
            }
        }
        circles.into_iter().collect()
    }

    /// The imports within a group of files, as `a -> b`.
    pub fn within(&self, group: &[String]) -> Vec<String> {
        let mut arrows = Vec::new();
        for from in group {
            for to in self.0[from].iter().filter(|to| group.contains(to)) {
                arrows.push(format!("{from} -> {to}"));
            }
        }
        arrows
    }

    /// The number of imports from one file to another.
    pub fn len(&self) -> usize {
        self.0.values().map(BTreeSet::len).sum()
    }

    fn reachable(&self, start: &str) -> BTreeSet<&str> {
        let mut found = BTreeSet::new();
        let mut open = vec![start];
        while let Some(file) = open.pop() {
            for target in self.0.get(file).into_iter().flatten() {
                if found.insert(target.as_str()) {
                    open.push(target);
                }
            }
        }
        found
    }
}

/// `crates/xiangqi/src/board/fen.rs` is `xiangqi::board::fen`, `src/search/pv.rs` is
/// `cannonade::search::pv`; `lib.rs` and `main.rs` are the roots.
fn module_path(file: &str) -> ModulePath {
    let (package, inside) = package_of(file);
    let inside = inside.trim_end_matches(".rs");
    let mut path: ModulePath =
        std::iter::once(package).chain(inside.split('/')).map(str::to_owned).collect();
    if matches!(path.last().map(String::as_str), Some("mod" | "lib" | "main")) {
        path.pop();
    }
    path
}

/// Returns the file that defines `mention`, seen from the module at `from`; `None` for items of
/// other crates.
fn resolve<'a>(
    modules: &'a BTreeMap<ModulePath, Module>,
    from: &[String],
    mention: &[String],
    depth: usize,
) -> Option<&'a str> {
    let mut at = from.to_vec();
    let mut rest = mention;
    while let Some((first, others)) = rest.split_first() {
        match first.as_str() {
            "crate" => at.truncate(1),
            "self" => {}
            "super" => drop(at.pop()),
            _ => break,
        }
        rest = others;
    }
    if rest.len() == mention.len() && rest.len() > 1 && modules.contains_key(&rest[..1]) {
        at = rest[..1].to_vec();
        rest = &rest[1..];
    }
    let is_anchored = rest.len() < mention.len();
    let module = modules.get(&at)?;
    let Some((name, others)) = rest.split_first() else { return Some(&module.file) };
    if module.children.contains(name) {
        at.push(name.clone());
        let inside: ModulePath = [vec!["self".to_owned()], others.to_vec()].concat();
        return resolve(modules, &at, &inside, depth + 1);
    }
    // Circles of `use` are not valid Rust; the bound guards against what this reader misreads.
    if depth < 16 {
        if let Some(bound) = module.bindings.get(name).filter(|&bound| bound != mention) {
            let whole = [bound.as_slice(), others].concat();
            return resolve(modules, &at, &whole, depth + 1);
        }
        for glob in &module.globs {
            let whole = [glob.as_slice(), rest].concat();
            let found = resolve(modules, &at, &whole, depth + 1);
            if found.is_some() && found != resolve(modules, &at, glob, depth + 1) {
                return found;
            }
        }
    }
    is_anchored.then_some(&module.file)
}

impl Module {
    fn read(source: &Source) -> Module {
        let mut module = Module {
            file: source.path.clone(),
            children: BTreeSet::new(),
            bindings: BTreeMap::new(),
            globs: Vec::new(),
            mentions: Vec::new(),
        };
        let tokens = tokens(without_tests(&source.text));
        let mut i = 0;
        while i < tokens.len() {
            match tokens[i].as_str() {
                "mod" if tokens.get(i + 2).is_some_and(|next| next == ";") => {
                    module.children.insert(tokens[i + 1].clone());
                    i += 3;
                }
                // `impl Trait + use<..>` is not an import.
                "use" if tokens.get(i + 1).is_some_and(|next| next == "<") => i += 1,
                "use" => {
                    let own_mentions = module.mentions.len();
                    let is_public = i > 0 && matches!(tokens[i - 1].as_str(), "pub" | ")");
                    i = module.read_use(&tokens, i + 1, &[]);
                    if is_public {
                        module.mentions.truncate(own_mentions);
                    }
                }
                // The path of `pub(in path)` is no import.
                "in" if i >= 2 && tokens[i - 2] == "pub" && tokens[i - 1] == "(" => {
                    i += tokens[i..].iter().take_while(|token| *token != ")").count();
                }
                _ => i = module.read_mention(&tokens, i),
            }
        }
        module
    }

    /// Reads one tree of a `use` declaration after `prefix`; returns the index after it.
    fn read_use(&mut self, tokens: &[String], mut i: usize, prefix: &[String]) -> usize {
        let mut path = prefix.to_vec();
        while i < tokens.len() {
            match tokens[i].as_str() {
                "::" => i += 1,
                "{" => {
                    i += 1;
                    while i < tokens.len() && tokens[i] != "}" {
                        i = match tokens[i].as_str() {
                            "," => i + 1,
                            // At least one token further, also in what this reader misreads.
                            _ => self.read_use(tokens, i, &path).max(i + 1),
                        };
                    }
                    return i + 1;
                }
                "*" => {
                    self.mentions.push(path.clone());
                    self.globs.push(path);
                    return i + 1;
                }
                "as" => {
                    self.bind(tokens[i + 1].clone(), path);
                    return i + 2;
                }
                "," | "}" | ";" => break,
                segment => {
                    path.push(segment.to_owned());
                    i += 1;
                }
            }
        }
        if path.last().is_some_and(|last| last == "self") {
            path.pop();
        }
        if let Some(name) = path.last() {
            self.bind(name.clone(), path);
        }
        i
    }

    fn bind(&mut self, name: String, path: ModulePath) {
        self.mentions.push(path.clone());
        self.bindings.insert(name, path);
    }

    /// Reads a path outside of `use`, such as `super::table::probe`; returns the index after it.
    fn read_mention(&mut self, tokens: &[String], i: usize) -> usize {
        let is_start = tokens[i].starts_with(|c: char| c.is_alphabetic() || c == '_')
            && (i == 0 || tokens[i - 1] != "::");
        if !is_start {
            return i + 1;
        }
        let mut path = vec![tokens[i].clone()];
        let mut end = i + 1;
        while tokens.get(end).is_some_and(|token| token == "::")
            && tokens.get(end + 1).is_some_and(|next| next.starts_with(char::is_alphabetic))
        {
            path.push(tokens[end + 1].clone());
            end += 2;
        }
        if path.len() > 1 {
            self.mentions.push(path);
        }
        end
    }
}

/// The text before the module of unit tests, which stands last in a file.
fn without_tests(text: &str) -> &str {
    let end = text.find("#[cfg(test)]\nmod ").unwrap_or(text.len());
    &text[..end]
}

/// Identifiers, `::` and single characters, without comments, strings and character literals.
fn tokens(text: &str) -> Vec<String> {
    let mut tokens = Vec::new();
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let length = if rest.starts_with("//") {
            rest.find('\n').unwrap_or(rest.len())
        } else if rest.starts_with("r#\"") {
            rest.find("\"#").map_or(rest.len(), |end| end + 2)
        } else if c == '"' {
            string_length(rest)
        } else if c == '\'' {
            quote_length(rest)
        } else if c.is_alphanumeric() || c == '_' {
            let length = rest.find(|c: char| !c.is_alphanumeric() && c != '_');
            let length = length.unwrap_or(rest.len());
            tokens.push(rest[..length].to_owned());
            length
        } else if rest.starts_with("::") {
            tokens.push("::".to_owned());
            2
        } else {
            if !c.is_whitespace() {
                tokens.push(c.to_string());
            }
            c.len_utf8()
        };
        rest = &rest[length..];
    }
    tokens
}

/// The length of the string literal that `text` begins with.
fn string_length(text: &str) -> usize {
    let mut escaped = false;
    for (i, c) in text.char_indices().skip(1) {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '"' => return i + 1,
            _ => {}
        }
    }
    text.len()
}

/// The length of a character literal, or 1 if the quote begins a lifetime.
fn quote_length(text: &str) -> usize {
    let mut chars = text.char_indices().skip(1);
    match chars.next() {
        Some((_, '\\')) => {
            chars.next();
            text[1..]
                .find('\'')
                .map_or(1, |_| chars.find(|&(_, c)| c == '\'').map_or(1, |(i, _)| i + 1))
        }
        Some(_) => match chars.next() {
            Some((i, '\'')) => i + 1,
            _ => 1,
        },
        None => 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(path: &str, text: &str) -> Source {
        Source { path: path.to_owned(), text: text.to_owned(), code: text.to_owned() }
    }

    #[test]
    fn a_circle_through_a_reexport_is_found() {
        let sources = [
            source("src/lib.rs", "mod a; mod b;"),
            source("src/a/mod.rs", "mod x;\nmod y;\npub use x::{Item, other};\npub use y::Y as Z;"),
            source("src/a/x.rs", "use super::Z;\nfn f() -> &'static str { \"super::none\" }"),
            source("src/a/y.rs", "fn g() { super::Item::new('\\'', 'b') }"),
            source(
                "src/b.rs",
                "use crate::a::{self, Item};\nuse std::fmt;\nfn h() { a::Z::new() }",
            ),
        ];
        let imports = Imports::of(&sources);
        assert_eq!(imports.circles(), [["src/a/x.rs", "src/a/y.rs"]]);
        assert_eq!(
            imports.within(&imports.circles()[0]),
            ["src/a/x.rs -> src/a/y.rs", "src/a/y.rs -> src/a/x.rs"]
        );
        assert!(imports.0["src/b.rs"].contains("src/a/y.rs"));
    }

    #[test]
    fn an_import_from_another_crate_counts_for_the_file_of_the_item() {
        let sources = [
            source("crates/xiangqi/src/lib.rs", "pub mod board; pub use board::Board;"),
            source("crates/xiangqi/src/board/mod.rs", "mod fen;\npub use fen::Fen;"),
            source("crates/xiangqi/src/board/fen.rs", "use crate::Board;"),
            source("src/lib.rs", "mod a;"),
            source("src/a.rs", "use xiangqi::board::Fen;\nuse xiangqi::Board;"),
        ];
        let imports = Imports::of(&sources);
        let [board, fen] = ["mod", "fen"].map(|name| format!("crates/xiangqi/src/board/{name}.rs"));
        assert_eq!(imports.0["src/a.rs"], BTreeSet::from([board.clone(), fen.clone()]));
        assert_eq!(imports.0[&fen], BTreeSet::from([board]));
    }

    #[test]
    fn text_that_looks_like_an_import_does_not_hold_the_reader_up() {
        let sources = [source("src/lib.rs", "macro_rules! m { () => { use a::{ ; b } } }")];
        assert!(Imports::of(&sources).circles().is_empty());
    }

    #[test]
    fn imports_of_tests_and_comments_do_not_count() {
        let sources = [
            source("src/lib.rs", "mod a; mod b;"),
            source("src/a.rs", "use crate::b::B;"),
            source("src/b.rs", "// use crate::a::A;\n#[cfg(test)]\nmod tests { use crate::a::A; }"),
        ];
        assert!(Imports::of(&sources).circles().is_empty());
    }
}
