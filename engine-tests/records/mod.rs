//! Game files: `cannonade convert`.

mod convert;
