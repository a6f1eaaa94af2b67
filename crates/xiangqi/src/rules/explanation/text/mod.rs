//! The words of an explanation: everything that is written for people, in each language once.

mod chinese;
mod english;
mod language;
mod wording;

pub use language::{Language, ParseLanguageError};
pub use wording::Labels;
