//! What is analysed without, such as damaged tables.

use super::super::output::print_error;
use crate::analysis::Searcher;

/// Says what of the settings could not be used.
pub(super) fn warn_of(searcher: &Searcher) {
    if let Some(warning) = searcher.warning() {
        print_error(format_args!("warning: {warning}"));
    }
}
