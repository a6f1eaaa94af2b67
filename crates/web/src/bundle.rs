//! Joins the scripts of the page to one without comments, so that a browser asks once and reads
//! less.
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
    #[error("'{0}' begins a text of several lines, whose indentation would be lost")]
    Text(String),
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
        for line in code_lines(text) {
            if line.matches('`').count() % 2 == 1 {
                return Err(BundleError::Text(line.to_owned()));
            }
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
            "modules['{name}'] = (() => {{\n{body}return {{ {exports} }};\n}})();"
        );
        self.open.pop();
        self.written.push(name);
        Ok(())
    }
}

/// Returns a script without comments that fill whole lines, indentation and empty lines.
pub(super) fn compact(script: &str) -> String {
    code_lines(script).fold(String::new(), |text, line| text + line + "\n")
}

/// Returns the lines of a script that are not comments, without their indentation.
fn code_lines(script: &str) -> impl Iterator<Item = &str> {
    let mut is_comment = false;
    script.lines().map(str::trim).filter(move |line| {
        let begins = !is_comment && line.starts_with("/*");
        let is_code = !is_comment && !begins && !line.starts_with("//") && !line.is_empty();
        is_comment = (is_comment || begins) && !line.contains("*/");
        // A comment that ends before the end of its line stands before code.
        is_code || (begins && !is_comment && !line.ends_with("*/"))
    })
}

fn wrong(line: &str) -> BundleError {
    BundleError::Line(line.to_owned())
}

/// Returns the names in braces and the module of `{ a, b } from './c.js';`.
fn import_parts(import: &str) -> Option<(&str, &str)> {
    let (names, from) = import.split_once(" from './")?;
    let is_plain = names.starts_with('{') && names.ends_with('}') && !names.contains(" as ");
    Some((names, from.strip_suffix("';")?)).filter(|_| is_plain)
}

/// Returns the name that a declaration introduces.
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
        assert_eq!(text.matches("modules['a.js'] =").count(), 1);
        assert!(!text.contains("import ") && !text.contains("export ") && !text.contains("Unused"));
    }

    #[test]
    fn comments_and_indentation_are_left_out() {
        let script = "/** A.\n * @type {B} */\n// C\nconst a = 'b'; // d\n\n  if (a) {\n    \
                      /* e */\n    /** @type {F} */ (f)();\n    /*\n    g();\n    */\n  }\n";
        assert_eq!(compact(script), "const a = 'b'; // d\nif (a) {\n/** @type {F} */ (f)();\n}\n");
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
        let text = "const a = `b";
        assert_eq!(error(&[("app.js", text)]), BundleError::Text(text.into()));
        for line in
            ["import a from './a.js';", "export default 3;", "import { a as b } from './a.js';"]
        {
            assert_eq!(error(&[("app.js", line), ("a.js", "")]), BundleError::Line(line.into()));
        }
    }
}
