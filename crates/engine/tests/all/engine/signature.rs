//! The signature of behaviour: nodes of the benchmark at one thread.

use cannonade_engine::bench;
use xiangqi::rules::RuleSet;

/// The node count that the last commit that changed the search or the evaluation has named.
const SIGNATURE: &str = include_str!("../../../../../engine-tests/data/bench-signature.txt");

#[test]
fn the_benchmark_counts_the_nodes_of_the_signature() {
    let expected: u64 = SIGNATURE.trim().parse().expect("the data file holds a number");
    assert_eq!(
        bench::run(bench::DEFAULT_DEPTH, RuleSet::default(), |_| (), || false).nodes,
        expected,
        "behaviour has changed; if that is meant, put the number into \
         engine-tests/data/bench-signature.txt and 'Bench: N' into the commit"
    );
}
