//! Flags that take several `key=value` words, as in `--sprt elo0=0 elo1=5`.

use std::collections::BTreeMap;
use std::str::FromStr;

use anyhow::{Context as _, bail};

/// The words of one flag.
pub(super) struct Words {
    flag: &'static str,
    values: BTreeMap<String, String>,
}

impl Words {
    /// Splits the words; `keys` are those the flag knows.
    pub(super) fn parse(
        flag: &'static str,
        words: &[String],
        keys: &[&str],
    ) -> anyhow::Result<Words> {
        let mut values = BTreeMap::new();
        for word in words {
            let known = keys.join(", ");
            let Some((key, value)) = word.split_once('=') else {
                bail!("{flag}: '{word}' is not of the form key=value; known keys are {known}");
            };
            if !keys.contains(&key) {
                bail!("{flag}: unknown key '{key}'; known keys are {known}");
            }
            values.insert(key.to_owned(), value.to_owned());
        }
        Ok(Words { flag, values })
    }

    /// The value of a key; `default` if it is not given.
    pub(super) fn value<T: FromStr>(&self, key: &str, default: Option<T>) -> anyhow::Result<T> {
        let flag = self.flag;
        match (self.values.get(key), default) {
            (Some(text), _) => {
                let value = text.parse().ok();
                value.with_context(|| format!("{flag}: {key}={text} is not of the right kind"))
            }
            (None, Some(default)) => Ok(default),
            (None, None) => bail!("{flag} needs {key}="),
        }
    }
}
