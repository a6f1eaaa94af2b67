//! Code that the tests of the program share.

#[path = "../../../../../engine-tests/common/damage.rs"]
pub mod damage;
#[expect(dead_code, reason = "these tests start no program")]
#[path = "../../../../../engine-tests/common/snapshots.rs"]
pub mod snapshots;
#[path = "../../../../../engine-tests/common/thread_time.rs"]
pub mod thread_time;
