//! Serialization of values in their text forms: what `Display` writes and `FromStr` reads.

/// Implements `Serialize` by `Display` and `Deserialize` by `FromStr`, with the feature `serde`.
macro_rules! serde_as_text {
    ($($name:ty),+) => {$(
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
                text.parse().map_err(serde::de::Error::custom)
            }
        }
    )+};
}

pub(crate) use serde_as_text;

#[cfg(all(test, feature = "serde"))]
mod tests {
    use crate::geometry::{Color, Square};
    use crate::rules::RuleSet;

    #[test]
    fn texts_are_read_back_and_others_refused() {
        let square: Square = "e0".parse().expect("a square");
        assert_eq!(serde_json::to_string(&square).expect("JSON"), "\"e0\"");
        assert_eq!(serde_json::from_str::<Square>("\"e0\"").expect("a square"), square);
        assert_eq!(serde_json::from_str::<Color>("\"black\"").expect("a colour"), Color::Black);
        assert_eq!(serde_json::to_string(&RuleSet::Wxf).expect("JSON"), "\"WXF\"");
        let error = serde_json::from_str::<Square>("\"e10\"").expect_err("no square");
        assert!(error.to_string().contains("'e10' is not a valid square"), "{error}");
    }
}
