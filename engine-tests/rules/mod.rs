//! The repetition rules: `cannonade judge`.

mod command;
