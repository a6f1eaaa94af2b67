//! Built tables, and the treatment of damaged files.

use std::fs;
use std::sync::atomic::AtomicBool;

use cannonade_tables::{
    BuildError, Monitor, QuietResults, Sampler, Signature, Tables, VerifyPlan, build, missing,
    pack, summarize, verify, with_smaller,
};

use crate::built::{build_into, seal, signatures};
use crate::folder::empty_folder;

#[test]
fn tables_agree_with_their_moves_and_with_plain_searches() {
    // A cannon needs its advisor; equal pieces; one attacking piece against one.
    let words = ["KAC-KB", "KPPP-K", "KCC-K", "KR-KN", "KP-KP"];
    let folder = empty_folder("tables", "verified");
    build_into(&folder, &words, 2).unwrap();
    let (tables, problems) = Tables::open(&folder).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let plan = VerifyPlan { positions: Some(4000), searched: 81, plies: 3, seed: 1, threads: 1 };
    for signature in with_smaller(&signatures(&words)) {
        let found = verify(&tables, signature, &plan, &AtomicBool::new(false));
        assert!(found.positions >= 4000 && found.searched >= 81);
        assert_eq!(found.contradictions, 0, "{signature}: {:?}", found.examples);
    }
}

#[test]
fn every_position_of_small_tables_agrees_with_its_moves() {
    let tables = Tables::built_in();
    let plan = VerifyPlan { positions: None, searched: 0, plies: 0, seed: 1, threads: 1 };
    for signature in signatures(&["KR-KA", "KP-KAA", "KN-K", "KC-KAA"]) {
        let found = verify(&tables, signature, &plan, &AtomicBool::new(false));
        assert!(found.positions > 8000);
        assert_eq!(found.contradictions, 0, "{signature}: {:?}", found.examples);
    }
}

#[test]
fn the_built_in_tables_are_those_that_the_generator_makes() {
    let folder = empty_folder("tables", "built-in");
    let words = ["KR-KA", "KN-KB", "KP-KAA", "KC-KAA", "KCC-K"];
    build_into(&folder, &words, 1).unwrap();
    let built_in = include_bytes!("../../src/built-in.bin");
    for signature in with_smaller(&signatures(&words)) {
        let file = fs::read(folder.join(format!("{signature}.cnt"))).unwrap();
        let is_there = built_in.windows(file.len()).any(|window| window == file);
        assert!(is_there, "{signature} differs; make built-in.bin again");
    }
    assert_eq!(Tables::built_in().signatures().len(), 40);
}

#[test]
fn the_quiet_results_are_those_of_the_tables() {
    let folder = empty_folder("tables", "quiet");
    // A pair, equal pieces, a guarded cannon, all with both results.
    let words = ["KCP-KA", "KPP-KB", "KAC-KBB", "KP-KA"];
    build_into(&folder, &words, 1).unwrap();
    let (tables, _) = Tables::open(&folder).unwrap();
    for signature in signatures(&words) {
        let mut counts = [0; 3];
        for (position, value) in Sampler::new(&tables, vec![signature], 1, false).take(20_000) {
            let Some(result) = QuietResults::built_in().result(position.board()) else { continue };
            assert_eq!((result.wdl, result.exact), (value.wdl(), true), "{}", position.fen());
            counts[result.wdl as usize] += 1;
        }
        assert!(counts[1].min(counts[2]) > 40, "{signature}: {counts:?}");
    }
    // What is packed from them is part of the built-in bytes.
    let never = AtomicBool::new(false);
    let monitor = Monitor::on_one_thread(&never);
    let built_in = include_bytes!("../../src/quiet-results.bin");
    for signature in signatures(&words) {
        let packed = pack(&tables, &[signature], &monitor).unwrap();
        let is_there = built_in.windows(packed.len() - 16).any(|window| *window == packed[16..]);
        assert!(is_there, "{signature} differs; make quiet-results.bin again");
    }
    let missing = pack(&tables, &signatures(&["KNN-K"]), &monitor).unwrap_err().to_string();
    assert!(missing.contains("cannonade tables build KNN-K"), "{missing}");
    let large = pack(&tables, &signatures(&["KR-KN"]), &monitor).unwrap_err().to_string();
    assert!(large.starts_with("KR-KN cannot be packed"), "{large}");
}

#[test]
fn the_result_does_not_depend_on_the_number_of_threads() {
    let (one, three) =
        (empty_folder("tables", "one-thread"), empty_folder("tables", "three-threads"));
    build_into(&one, &["KN-KA"], 1).unwrap();
    build_into(&three, &["KN-KA"], 3).unwrap();
    for name in ["KN-K.cnt", "KN-KA.cnt"] {
        assert_eq!(fs::read(one.join(name)).unwrap(), fs::read(three.join(name)).unwrap());
    }
}

#[test]
fn a_build_that_is_interrupted_keeps_what_is_finished_and_goes_on() {
    let folder = empty_folder("tables", "interrupted");
    let todo = missing(&signatures(&["KR-KA"]), &folder);
    assert_eq!(todo.len(), 2, "KR-K and KR-KA");
    let cancelled = AtomicBool::new(false);
    let monitor = Monitor::on_one_thread(&cancelled);
    let stop = |_: &_| cancelled.store(true, std::sync::atomic::Ordering::Relaxed);
    assert!(matches!(build(&todo, &folder, &monitor, stop), Err(BuildError::Interrupted)));
    assert_eq!(missing(&signatures(&["KR-KA"]), &folder), todo[1..]);
    build_into(&folder, &["KR-KA"], 1).unwrap();
    assert!(missing(&signatures(&["KR-KA"]), &folder).is_empty());
}

/// Opening a pipe would wait for its writer.
#[cfg(unix)]
#[test]
fn a_pipe_is_no_table() {
    let folder = empty_folder("tables", "pipe");
    let made = std::process::Command::new("mkfifo").arg(folder.join("KR-K.cnt")).status();
    assert!(made.expect("mkfifo runs").success());
    let (_, problems) = Tables::open(&folder).unwrap();
    assert!(problems[0].to_string().contains("KR-K.cnt"), "{problems:?}");
    // To write into it would wait for a reader.
    assert_eq!(missing(&signatures(&["KR-K"]), &folder), signatures(&["KR-K"]));
    let refused = build_into(&folder, &["KR-K"], 1).unwrap_err().to_string();
    assert!(refused.contains("KR-K.cnt: it is not a regular file"), "{refused}");
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_other_tables_are_built() {
    let folder = empty_folder("tables", "unwritable");
    fs::create_dir_all(folder.join("KAP-K.cnt")).unwrap();
    let refused = build_into(&folder, &["KAP-K"], 1).unwrap_err().to_string();
    assert!(refused.contains("cannot write") && refused.contains("KAP-K.cnt"), "{refused}");
    assert!(!folder.join("KP-K.cnt").exists());
}

/// Opening does not read it all.
#[test]
fn a_large_file_that_is_damaged_is_not_read_as_a_whole_and_is_built_again() {
    let folder = empty_folder("tables", "large-damaged");
    build_into(&folder, &["KP-K"], 1).unwrap();
    let wanted = signatures(&["KP-K"]);
    let path = folder.join("KP-K.cnt");
    let good = fs::read(&path).unwrap();
    let mut large = good.clone();
    large.resize((16 << 20) + 1, 0);
    seal(&mut large);
    large[12] ^= 1;
    fs::write(&path, large).unwrap();

    let (tables, problems) = Tables::open(&folder).unwrap();
    assert!(problems.is_empty(), "{problems:?}");
    let never = AtomicBool::new(false);
    let monitor = Monitor::on_one_thread(&never);
    for error in [
        summarize(&tables, wanted[0], &monitor).unwrap_err().to_string(),
        pack(&tables, &wanted, &monitor).unwrap_err().to_string(),
        tables.check(wanted[0]).unwrap_err().to_string(),
    ] {
        assert!(error.contains("KP-K.cnt") && error.contains("checksum is wrong"), "{error}");
    }
    assert_eq!(missing(&wanted, &folder), wanted);
    build_into(&folder, &["KP-K"], 1).unwrap();
    assert_eq!(fs::read(&path).unwrap(), good);
}

#[test]
fn names_of_signatures_that_no_table_holds_are_refused() {
    let folder = empty_folder("tables", "impossible");
    build_into(&folder, &["KP-K"], 1).unwrap();
    let good = fs::read(folder.join("KP-K.cnt")).unwrap();
    for name in ["K-K", "KRNCC-K", "KRRNNCCPPP-KRRNN"] {
        let mut renamed = good.clone();
        renamed[24..48].fill(0);
        renamed[24..24 + name.len()].copy_from_slice(name.as_bytes());
        seal(&mut renamed);
        let path = folder.join(format!("{name}.cnt"));
        fs::write(&path, renamed).unwrap();
        let (_, problems) = Tables::open(&folder).unwrap();
        let message = problems[0].to_string();
        assert!(message.contains(&format!("no table can hold {name}")), "{message}");
        fs::remove_file(&path).unwrap();
    }
}

#[test]
fn files_that_are_not_whole_tables_are_named_and_left_out() {
    let folder = empty_folder("tables", "damaged");
    build_into(&folder, &["KAP-KA"], 1).unwrap();
    let good = fs::read(folder.join("KAP-KA.cnt")).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 0x40;
    let mut version = good.clone();
    version[8] = 99;
    for (bytes, reason) in [
        (flipped.as_slice(), "checksum"),
        (&good[..good.len() - 100], "bytes instead of"),
        (&good[..20], "truncated"),
        (b"", "not a table file"),
        (b"PK\x03\x04 something else", "not a table file"),
        (&version, "version 99"),
        (&fs::read(folder.join("KAP-K.cnt")).unwrap(), "holds the table KAP-K"),
    ] {
        fs::write(folder.join("KAP-KA.cnt"), bytes).unwrap();
        let (tables, problems) = Tables::open(&folder).unwrap();
        let message = problems.iter().map(ToString::to_string).collect::<String>();
        assert!(message.contains(reason) && message.contains("KAP-KA.cnt"), "{message}");
        let missing: Signature = "KAP-KA".parse().unwrap();
        assert!(!tables.signatures().contains(&missing), "{reason}");
        assert!(tables.signatures().contains(&"KAP-K".parse().unwrap()), "the others stay");
    }
    assert!(Tables::open(&folder.join("nowhere")).is_err());
}

#[test]
fn a_table_that_is_shortened_while_it_is_open_has_no_values_there() {
    let folder = empty_folder("tables", "shortened");
    build_into(&folder, &["KRN-KAB"], 1).unwrap();
    let signature: Signature = "KRN-KAB".parse().unwrap();
    let (tables, _) = Tables::open(&folder).unwrap();
    let file = fs::OpenOptions::new().write(true).open(folder.join("KRN-KAB.cnt")).unwrap();
    let sampler = cannonade_tables::Sampler::new(&tables, vec![signature], 1, false);
    let boards: Vec<_> = sampler.take(500).map(|(p, _)| p.board().clone()).collect();
    assert_eq!(boards.len(), 500);
    drop(tables);
    let (tables, _) = Tables::open(&folder).unwrap();
    file.set_len(0).unwrap();
    let known = boards.iter().filter(|board| tables.value(board).is_some()).count();
    assert!(known < boards.len(), "{known}");
}
