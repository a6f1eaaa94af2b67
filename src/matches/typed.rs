//! The flags of `match` as people type them: with one dash and by the names of fastchess and
//! cutechess-cli, or kept in a file.

use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;

use anyhow::{Context as _, anyhow, bail, ensure};
use cannonade_tables::input_file;
use clap::{Args as _, Command};
use toml::{Table, Value};

use super::Arguments;
use crate::Failure;
use crate::output::write_file;

/// Flags of fastchess and cutechess-cli with the same meaning as one of ours.
const SYNONYMS: [(&str, &str); 6] = [
    ("srand", "seed"),
    ("pgnout", "pgn"),
    ("ratinginterval", "report-every"),
    ("force-concurrency", "force"),
    ("use-affinity", "affinity"),
    ("tb", "tables"),
];

/// Flags of fastchess and cutechess-cli without an equal, and what to do instead.
const WITHOUT_EQUAL: [(&str, &str); 22] = [
    ("quick", "give --engine twice, --each tc=10+0.1, --rounds and --openings"),
    ("seeds", "in a gauntlet only the first engine plays against all others"),
    ("noswap", "colours are always exchanged"),
    ("reverse", "colours are always exchanged; give the engines in another order"),
    ("wait", "games follow each other at once"),
    ("epdout", "'cannonade convert --format position' writes the moves of the games of --pgn"),
    ("tbpieces", "--tables uses every table of its folder"),
    ("tbignore50", "--natural-limit 0 turns the limit of moves without a capture off"),
    ("tbadjudicate", "--tables ends won, lost and drawn games"),
    ("scoreinterval", "the score is printed after every game"),
    ("outcomeinterval", "the result is printed after every game"),
    ("resultformat", "the list of several engines has one form"),
    ("autosaveinterval", "--pgn keeps every game at its end, and --resume continues from it"),
    ("show-latency", "every report has the delays, in the lines 'Timing of'"),
    ("report", "every report has the counts of game pairs if there are any"),
    ("crc32", "--json has the checksum of the openings; sha256sum checks the games"),
    ("testEnv", "the output is the same everywhere; --output cutechess changes its form"),
    ("compliance", "the first start of every engine before the match is such a check"),
    ("bookmode", "--openings reads a file of positions or games"),
    ("pgnin", "--openings reads a file of games"),
    ("pgndepth", "--openings takes plies=N"),
    ("debug", "--log FILE keeps the dialogue with the engines"),
];

/// A flag and the words after it.
struct Typed {
    /// The name without dashes; empty for a flag of one letter, and for words before a flag.
    name: String,
    words: Vec<OsString>,
}

/// Returns the flags of a command line of `match` by our names, with those of the files of
/// `--config` in front of the others; `words` are those after `match`.
///
/// # Errors
/// If a flag of another program has no equal here, or a file of flags is wrong.
pub(crate) fn flags(words: &[OsString]) -> Result<Vec<OsString>, Failure> {
    let typed = typed(words).map_err(Failure::Input)?;
    let mut kept = Vec::new();
    for flag in typed.iter().filter(|flag| flag.name == "config") {
        for file in &flag.words {
            kept.extend(read(Path::new(file)).map_err(Failure::Input)?);
        }
    }
    Ok(kept.into_iter().chain(typed).flat_map(Typed::into_words).collect())
}

/// Writes the flags to a file for `--config`; `words` are those that [`flags`] has returned.
///
/// # Errors
/// If the file has other flags or cannot be written.
pub(super) fn save(path: &Path, words: &[OsString]) -> Result<(), Failure> {
    let flags = typed(words).map_err(Failure::Input)?;
    let table = table(flags).map_err(Failure::Input)?;
    let text = format!("# Give these flags again by `cannonade match --config FILE`.\n{table}");
    match fs::read(path) {
        Ok(there) if there == text.as_bytes() => Ok(()),
        Ok(there) if !there.is_empty() => Err(Failure::Input(anyhow!(
            "--save-config: {} exists and does not hold these flags; give another file",
            path.display()
        ))),
        _ => write_file(path, text.as_bytes()),
    }
}

/// Divides words into flags by our names.
fn typed(words: &[OsString]) -> anyhow::Result<Vec<Typed>> {
    let mut flags = vec![Typed { name: String::new(), words: Vec::new() }];
    for word in words {
        match (name_and_value(word), flags.last_mut()) {
            (Some((name, value)), _) => {
                let words = value.map(OsString::from).into_iter().collect();
                flags.push(Typed { name: name.to_owned(), words });
            }
            (None, Some(flag)) if !is_letter(word) => flag.words.push(word.clone()),
            (None, _) => flags.push(Typed { name: String::new(), words: vec![word.clone()] }),
        }
    }
    let mut ours = Vec::new();
    for flag in flags {
        ours.extend(flag.translated()?);
    }
    Ok(ours)
}

/// Returns whether a word is a flag of one letter, such as `-h`.
fn is_letter(word: &OsStr) -> bool {
    matches!(word.as_encoded_bytes(), [b'-', letter] if letter.is_ascii_alphabetic())
}

/// Reads `--name`, `-name` and `--name=value`; a single letter, such as `-h`, and numbers below 0
/// are left as they are.
fn name_and_value(word: &OsStr) -> Option<(&str, Option<&str>)> {
    let word = word.to_str()?;
    let name =
        word.strip_prefix("--").or_else(|| word.strip_prefix('-').filter(|n| n.len() > 1))?;
    if !name.starts_with(|c: char| c.is_ascii_alphabetic()) {
        return None;
    }
    Some(name.split_once('=').map_or((name, None), |(name, value)| (name, Some(value))))
}

impl Typed {
    fn new(name: &str, words: impl IntoIterator<Item = impl Into<OsString>>) -> Typed {
        Typed { name: name.to_owned(), words: words.into_iter().map(Into::into).collect() }
    }

    fn into_words(self) -> Vec<OsString> {
        let flag = format!("--{}", self.name);
        match &self.words[..] {
            _ if self.name.is_empty() => self.words,
            // Behind a blank it would be another flag.
            [value] if value.as_encoded_bytes().starts_with(b"-") => {
                let mut word = OsString::from(flag + "=");
                word.push(value);
                vec![word]
            }
            _ => [OsString::from(flag)].into_iter().chain(self.words).collect(),
        }
    }

    /// Returns the flag by our name, and further flags for those of its words that we write so.
    fn translated(mut self) -> anyhow::Result<Vec<Typed>> {
        if let Some((name, remedy)) = WITHOUT_EQUAL.iter().find(|(name, _)| *name == self.name) {
            bail!("match has no flag --{name}: {remedy}");
        }
        if let Some((_, ours)) = SYNONYMS.iter().find(|(theirs, _)| *theirs == self.name) {
            (*ours).clone_into(&mut self.name);
        }
        let mut more = Vec::new();
        match self.name.as_str() {
            "pgn" | "log" | "json" | "config" | "save-config" => more = self.file_and_flags()?,
            "output" => self.words.iter_mut().for_each(|word| strip_key(word, "format=")),
            "repeat" => match &self.words[..] {
                [] => {}
                [twice] if twice == "2" => self.words.clear(),
                _ => bail!(
                    "--repeat: every opening is played twice, with colours reversed; give no number"
                ),
            },
            "affinity" => ensure!(
                self.words.is_empty(),
                "--affinity: the match itself divides the cores that it may use; start it by \
                 'taskset' to use certain ones"
            ),
            "variant" => {
                ensure!(self.words == ["xiangqi"], "--variant: only xiangqi is played");
                return Ok(more);
            }
            _ => {}
        }
        more.insert(0, self);
        Ok(more)
    }

    /// Takes the words after a file, as in `-pgnout file=games.pgn notation=uci nodes=true`, for
    /// flags of their own.
    fn file_and_flags(&mut self) -> anyhow::Result<Vec<Typed>> {
        let mut more = Vec::new();
        for mut word in std::mem::take(&mut self.words) {
            strip_key(&mut word, "file=");
            if self.words.is_empty() {
                self.words.push(word);
                continue;
            }
            let text = word.to_string_lossy();
            let (key, value) = text.split_once('=').unwrap_or((&text, "true"));
            match (self.name.as_str(), key, value) {
                ("pgn", "notation", _) => more.push(Typed::new("notation", [value])),
                ("pgn", "nodes" | "min" | "append", "false") => {}
                ("pgn", "nodes", _) => more.push(Typed::new("pgn-comments", ["short"])),
                ("pgn", "seldepth" | "nps" | "timeleft", "true") => {
                    more.push(Typed::new("pgn-comments", ["full"]));
                }
                (
                    "pgn",
                    "seldepth" | "nps" | "timeleft" | "hashfull" | "tbhits" | "latency",
                    "false",
                )
                | ("pgn", "min", _)
                | ("log", "engine" | "realtime", "true")
                | ("log", "compress" | "append", "false") => {}
                ("pgn", "append", _) => bail!("--pgn: --resume continues a file of games"),
                ("config", "outname", _) => {
                    bail!("--config: --save-config {value} writes the flags")
                }
                ("config", ..) => {
                    bail!("--config: --resume continues the match of the file of --pgn")
                }
                (flag, ..) => bail!("--{flag}: '{text}' is not known here"),
            }
        }
        Ok(more)
    }
}

/// Removes `key=` in front of a value.
fn strip_key(word: &mut OsString, key: &str) {
    if let Some(value) = word.to_str().and_then(|text| text.strip_prefix(key)) {
        *word = value.into();
    }
}

/// Reads a file of flags: keys of TOML are the flags, and values the words after them: a text or a
/// number for one, a list for several, a list of lists for a flag that is given several times,
/// `true` for a flag without words.
fn read(path: &Path) -> anyhow::Result<Vec<Typed>> {
    let file = path.display();
    let bytes = input_file::read(path).with_context(|| format!("cannot read {file}"))?;
    let table: Table = str::from_utf8(&bytes)
        .map_err(anyhow::Error::from)
        .and_then(|text| Ok(text.parse()?))
        .with_context(|| format!("--config {file}: expected a file of --save-config"))?;
    let known = Arguments::augment_args(Command::new("match"));
    let mut flags = Vec::new();
    for (name, value) in &table {
        ensure!(
            known.get_arguments().any(|flag| flag.get_long() == Some(name)) && name != "config",
            "--config {file}: '{name}' is not a flag of 'cannonade match'; write it without dashes"
        );
        let given = |value: &Value| words(value).map(|words| Typed::new(name, words));
        let each: Option<Vec<Typed>> = match value {
            Value::Boolean(false) => Some(Vec::new()),
            Value::Array(lists) if lists.iter().any(Value::is_array) => {
                lists.iter().map(given).collect()
            }
            value => given(value).map(|flag| vec![flag]),
        };
        flags.extend(each.with_context(|| {
            format!("--config {file}: {name} = {value}: expected text, a number, true or a list")
        })?);
    }
    Ok(flags)
}

/// Returns the words of a flag; `None` if the value has another type.
fn words(value: &Value) -> Option<Vec<String>> {
    match value {
        Value::Boolean(true) => Some(Vec::new()),
        Value::String(text) => Some(vec![text.clone()]),
        Value::Integer(number) => Some(vec![number.to_string()]),
        Value::Float(number) => Some(vec![number.to_string()]),
        Value::Array(list) => list.iter().map(|word| words(word)?.into_iter().next()).collect(),
        _ => None,
    }
}

/// Returns flags as a table for [`read`]. Of a flag that is not a list the last one counts.
fn table(flags: Vec<Typed>) -> anyhow::Result<Table> {
    let mut table = Table::new();
    for Typed { name, words } in flags {
        if matches!(name.as_str(), "" | "config" | "save-config") {
            continue;
        }
        let texts = words.iter().map(|word| {
            let text =
                word.to_str().with_context(|| format!("--save-config: {word:?} is not text"))?;
            let number = text.parse().ok().filter(|number: &i64| number.to_string() == text);
            Ok(number.map_or_else(|| Value::from(text), Value::from))
        });
        let mut texts = texts.collect::<anyhow::Result<Vec<Value>>>()?;
        let is_list = matches!(name.as_str(), "engine" | "each");
        let value = match texts.len() {
            _ if is_list => {
                let lists = table.entry(name).or_insert_with(|| Value::Array(Vec::new()));
                if let Value::Array(lists) = lists {
                    lists.push(Value::Array(texts));
                }
                continue;
            }
            0 => Value::Boolean(true),
            1 => texts.remove(0),
            _ => Value::Array(texts),
        };
        table.insert(name, value);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ours(line: &str) -> anyhow::Result<String> {
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        let flags = typed(&words)?.into_iter().flat_map(Typed::into_words);
        let words: Vec<String> = flags.map(|word| word.to_string_lossy().into_owned()).collect();
        Ok(words.join(" "))
    }

    #[test]
    fn flags_of_fastchess_and_cutechess_become_ours() {
        for (line, expected) in [
            ("-engine cmd=./a -each tc=1+0.1", "--engine cmd=./a --each tc=1+0.1"),
            ("-rounds 5 -repeat -concurrency 2", "--rounds 5 --repeat --concurrency 2"),
            ("-repeat 2 -srand 7", "--repeat --seed 7"),
            ("-pgnout file=x.pgn", "--pgn x.pgn"),
            ("--pgn file=x.pgn --json=file=y.json", "--pgn x.pgn --json y.json"),
            (
                "-pgnout file=x.pgn notation=wxf nodes=true nps=false",
                "--pgn x.pgn --notation wxf --pgn-comments short",
            ),
            ("-log file=x engine=true", "--log x"),
            ("-use-affinity -force-concurrency", "--affinity --force"),
            ("-ratinginterval 20 -variant xiangqi", "--report-every 20"),
            ("-output format=cutechess", "--output cutechess"),
            ("--event=-x -h", "--event=-x -h"),
        ] {
            assert_eq!(ours(line).expect(line), expected);
        }
        for (line, part) in [
            ("-wait 100", "no flag --wait: games follow"),
            ("-repeat 4", "twice"),
            ("-use-affinity 3,5", "taskset"),
            ("-variant standard", "xiangqi"),
            ("-config file=x outname=y", "--save-config y"),
            ("-log file=x level=trace", "--log: 'level=trace'"),
            ("-pgnout file=x hashfull=true", "--pgn: 'hashfull=true'"),
        ] {
            let error = ours(line).expect_err(line).to_string();
            assert!(error.contains(part), "{line}: {error}");
        }
    }

    #[test]
    fn flags_in_a_file_are_those_that_were_saved() {
        let folder = std::env::temp_dir().join(format!("cannonade-flags-{}", std::process::id()));
        fs::create_dir_all(&folder).expect("a writable folder");
        let path = folder.join("match.toml");
        let line = "--engine cmd=./a name=a --engine cmd=./b args=x --each nodes=5 --rounds 2 --repeat \
                    --sprt elo0=0 elo1=5 --seed 1,2 --event x";
        let words: Vec<OsString> = line.split_whitespace().map(OsString::from).collect();
        save(&path, &words).expect("saved");
        let given =
            ["--config".into(), path.clone().into_os_string(), "-rounds".into(), "3".into()];
        let flags = flags(&given).expect("read");
        let mut sorted = flags.clone();
        sorted.sort();
        let mut expected: Vec<OsString> = words.iter().chain(&given).cloned().collect();
        expected.retain(|word| word != "-rounds");
        expected.push("--rounds".into());
        expected.sort();
        assert_eq!(sorted, expected);
        assert!(flags.ends_with(&["--rounds".into(), "3".into()]), "{flags:?}");
        assert!(save(&path, &words[..4]).is_err(), "other flags");
        save(&path, &words).expect("the same flags");
        for (text, part) in [
            ("pgm = 'x'", "'pgm' is not a flag"),
            ("rounds = 1979-05-27", "rounds = 1979-05-27: expected"),
            ("rounds =", "expected a file of --save-config"),
        ] {
            fs::write(&path, text).expect("a writable folder");
            let Err(Failure::Input(error)) = super::flags(&given) else { panic!("{text}") };
            assert!(format!("{error:#}").contains(part), "{error:#}");
        }
        fs::remove_dir_all(folder).expect("our folder");
    }
}
