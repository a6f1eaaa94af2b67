//! Joins the scripts of the page to one, so that a browser asks once.
//!
//! Each module becomes a function that returns its exports and runs after the ones that it imports.

use std::fmt::Write as _;

use thiserror::Error;

/// The reason why modules cannot be joined.
#[derive(Debug, PartialEq, Eq, Error)]
pub(super) enum BundleError {
    #[error("'{0}' is imported and not there")]
    Missing(String),
    #[error("'{0}' imports itself, perhaps by way of others")]
    Circle(String),
    #[error("'{0}' cannot be joined; write imports and exports in one line each, by name")]
    Line(String),
}

struct Bundle<'a> {
    modules: &'a [(&'a str, &'a str)],
    /// Modules that are being written, each imported by the one before.
    open: Vec<&'a str>,
    written: Vec<&'a str>,
    text: String,
}

/// Joins the modules that `entry` needs to a classic script. Each is a name with its text.
///
/// # Errors
/// If a module is missing, two import each other, or a line has another form than the page's.
pub(super) fn bundle(modules: &[(&str, &str)], entry: &str) -> Result<String, BundleError> {
    let mut bundle = Bundle { modules, open: Vec::new(), written: Vec::new(), text: String::new() };
    bundle.add(entry)?;
    Ok(format!("(() => {{\n'use strict';\nconst modules = {{}};\n{}}})();\n", bundle.text))
}

impl Bundle<'_> {
    fn add(&mut self, name: &str) -> Result<(), BundleError> {
        let found = self.modules.iter().find(|(known, _)| *known == name);
        let &(name, text) = found.ok_or_else(|| BundleError::Missing(name.to_owned()))?;
        if self.written.contains(&name) {
            return Ok(());
        }
        if self.open.contains(&name) {
            return Err(BundleError::Circle(name.to_owned()));
        }
        self.open.push(name);
        let (mut body, mut exports) = (String::new(), Vec::new());
        for line in text.lines() {
            if let Some(import) = line.strip_prefix("import ") {
                let (names, from) = import_parts(import).ok_or_else(|| wrong(line))?;
                self.add(from)?;
                let _ = writeln!(body, "const {names} = modules['{from}'];");
            } else if let Some(export) = line.strip_prefix("export ") {
                exports.push(exported_name(export).ok_or_else(|| wrong(line))?);
                body.push_str(export);
                body.push('\n');
            } else {
                body.push_str(line);
                body.push('\n');
            }
        }
        let exports = exports.join(", ");
        let _ = writeln!(
            self.text,
            "// {name}\nmodules['{name}'] = (() => {{\n{body}return {{ {exports} }};\n}})();"
        );
        self.open.pop();
        self.written.push(name);
        Ok(())
    }
}

fn wrong(line: &str) -> BundleError {
    BundleError::Line(line.to_owned())
}

/// The names in braces and the module of `{ a, b } from './c.js';`.
fn import_parts(import: &str) -> Option<(&str, &str)> {
    let (names, from) = import.split_once(" from './")?;
    let is_plain = names.starts_with('{') && names.ends_with('}') && !names.contains(" as ");
    Some((names, from.strip_suffix("';")?)).filter(|_| is_plain)
}

/// The name that a declaration introduces.
fn exported_name(declaration: &str) -> Option<&str> {
    let declaration = declaration.strip_prefix("async ").unwrap_or(declaration);
    let kinds = ["function ", "class ", "const "];
    let rest = kinds.iter().find_map(|kind| declaration.strip_prefix(kind))?;
    let end = rest.find(|c: char| !(c.is_ascii_alphanumeric() || c == '_'))?;
    rest.get(..end).filter(|name| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn modules_run_after_those_that_they_import() {
        let modules = [
            ("app.js", "import { b } from './b.js';\nimport { a } from './a.js';\nb(a);\n"),
            ("a.js", "export const a = 1;\n"),
            (
                "b.js",
                "import { a } from './a.js';\nexport async function b(x) {\n  return x + a;\n}\n",
            ),
            ("unused.js", "export class Unused {}\n"),
        ];
        let text = bundle(&modules, "app.js").expect("sound modules");
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("no {part} in {text}"));
        assert!(at("modules['a.js'] =") < at("modules['b.js'] ="));
        assert!(at("modules['b.js'] =") < at("modules['app.js'] ="));
        assert!(at("async function b(x)") < at("return { b };"));
        assert_eq!(text.matches("// a.js").count(), 1);
        assert!(!text.contains("import ") && !text.contains("export ") && !text.contains("Unused"));
    }

    #[test]
    fn wrong_modules_are_named() {
        let error = |modules: &[(&str, &str)]| bundle(modules, "app.js").expect_err("an error");
        let missing = error(&[("app.js", "import { a } from './a.js';")]);
        assert_eq!(missing, BundleError::Missing("a.js".into()));
        let circle = [
            ("app.js", "import { a } from './a.js';"),
            ("a.js", "import { app } from './app.js';"),
        ];
        assert_eq!(error(&circle), BundleError::Circle("app.js".into()));
        for line in
            ["import a from './a.js';", "export default 3;", "import { a as b } from './a.js';"]
        {
            assert_eq!(error(&[("app.js", line), ("a.js", "")]), BundleError::Line(line.into()));
        }
    }
}
