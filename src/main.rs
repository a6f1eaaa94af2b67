//! The `cannonade` binary.

fn main() {}
