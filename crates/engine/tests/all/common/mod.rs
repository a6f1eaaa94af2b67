//! Code that the tests of the program share.

#[path = "../../../../../engine-tests/common/folder.rs"]
pub mod folder;
#[path = "../../../../../engine-tests/common/thread_time.rs"]
pub mod thread_time;
