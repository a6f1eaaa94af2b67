//! Flags with several `key=value` words, as in `--sprt elo0=0 elo1=5`.

use std::collections::BTreeMap;
use std::str::FromStr;

use anyhow::{Context as _, bail, ensure};

/// The values of one flag.
pub(crate) struct KeyValues {
    flag: &'static str,
    values: BTreeMap<String, String>,
}

impl KeyValues {
    /// Splits the words; only the given `keys` are valid.
    pub(crate) fn parse(
        flag: &'static str,
        words: &[String],
        keys: &[&str],
    ) -> anyhow::Result<KeyValues> {
        let mut values = BTreeMap::new();
        for word in words {
            let known = keys.join(", ");
            let Some((key, value)) = word.split_once('=') else {
                bail!("{flag}: '{word}' is not of the form key=value; valid keys are {known}");
            };
            if !keys.contains(&key) {
                bail!("{flag}: unknown key '{key}'; valid keys are {known}");
            }
            values.insert(key.to_owned(), value.to_owned());
        }
        Ok(KeyValues { flag, values })
    }

    /// Returns the value of a key, or `default` if it is not given.
    pub(crate) fn value<T: FromStr>(&self, key: &str, default: Option<T>) -> anyhow::Result<T> {
        let given = self.optional(key)?;
        given.or(default).with_context(|| format!("{} needs {key}=", self.flag))
    }

    /// Returns the value of a key; `None` if it is not given.
    pub(crate) fn optional<T: FromStr>(&self, key: &str) -> anyhow::Result<Option<T>> {
        let Some(text) = self.values.get(key) else { return Ok(None) };
        let value = text.parse().ok();
        let flag = self.flag;
        value.map(Some).with_context(|| format!("{flag}: {key}={text} is not a valid value"))
    }

    /// Returns the number of a key, 1 or more, or `default` if it is not given.
    pub(crate) fn positive<T>(&self, key: &str, default: T) -> anyhow::Result<T>
    where
        T: FromStr + From<u8> + PartialOrd,
    {
        let number = self.value(key, Some(default))?;
        ensure!(number >= T::from(1), "{}: {key}=0; expected 1 or more", self.flag);
        Ok(number)
    }
}
