//! Probes of endgame tables: the built-in ones, or those in the folder `CANNONADE_TEST_TABLES`.

use cannonade_tables::{Sampler, Tables};
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use xiangqi::board::Board;

/// Boards that are probed; random ones, so that most are in no cache.
const BOARDS: usize = 10_000;

fn tables_and_boards() -> (Tables, Vec<Board>) {
    let tables = match std::env::var_os("CANNONADE_TEST_TABLES") {
        Some(folder) => Tables::open(folder.as_ref()).expect("a folder of tables").0,
        None => Tables::built_in(),
    };
    let sampler = Sampler::new(&tables, tables.signatures(), 1, false);
    let boards = sampler.take(BOARDS).map(|(position, _)| position.board().clone()).collect();
    (tables, boards)
}

#[divan::bench]
fn value(bencher: Bencher<'_, '_>) {
    let (tables, boards) = tables_and_boards();
    bencher.counter(ItemsCount::new(boards.len())).bench_local(|| {
        for board in black_box(&boards) {
            black_box(tables.value(board));
        }
    });
}
