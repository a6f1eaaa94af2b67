//! Text forms of values: names, and their serialization.

/// Returns the part of a wrong text that an error shows.
pub(crate) fn excerpt(text: &str) -> String {
    text.chars().take(20).collect()
}

/// Implements `Display` by the name and `FromStr` for the names of these values, in any case. The
/// error is made of an excerpt of the text, by the function after `as` if there is one.
macro_rules! text_by_name {
    ($name:ident, $values:expr, $error:ident) => {
        crate::text_form::text_by_name!($name, $values, $error as $error);
    };
    ($name:ident, $values:expr, $error:ident as $make:expr) => {
        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.pad(self.name())
            }
        }

        impl std::str::FromStr for $name {
            type Err = $error;

            /// Reads a name, in any case.
            fn from_str(text: &str) -> Result<$name, $error> {
                let found = $values.into_iter().find(|one| one.name().eq_ignore_ascii_case(text));
                found.ok_or_else(|| $make(crate::text_form::excerpt(text)))
            }
        }
    };
}

pub(crate) use text_by_name;

/// Implements `Serialize` by `Display` and `Deserialize` by `FromStr`, or by the function after
/// `as`, with the feature `serde`.
macro_rules! serde_as_text {
    ($($name:ty),+) => {$(
        crate::text_form::serde_as_text!($name as str::parse::<$name>);
    )+};
    ($name:ty as $read:expr) => {
        #[cfg(feature = "serde")]
        impl serde::Serialize for $name {
            fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
                serializer.collect_str(self)
            }
        }

        #[cfg(feature = "serde")]
        impl<'de> serde::Deserialize<'de> for $name {
            fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
                let text = <std::borrow::Cow<'de, str> as serde::Deserialize>::deserialize(deserializer)?;
                $read(&text).map_err(serde::de::Error::custom)
            }
        }
    };
}

pub(crate) use serde_as_text;
