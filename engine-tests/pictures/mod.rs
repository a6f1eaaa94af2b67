//! Pictures of the board: `cannonade board`.

mod command;
