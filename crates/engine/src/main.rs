//! The engine alone, for work on the search: it serves a UCI or UCCI client on standard input and
//! output; with the argument `bench` it prints the signature of the search and its speed.

use std::env;
use std::io;
use std::process::ExitCode;

use cannonade_engine::search::counts;
use cannonade_engine::{bench, uci};
use xiangqi::rules::RuleSet;

const USAGE: &str = "usage: cannonade-engine [bench [DEPTH]]   (without arguments: UCI and UCCI)";

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let depth = match arguments.as_slice() {
        [] => return serve(),
        ["bench"] => Some(bench::DEFAULT_DEPTH),
        ["bench", depth] => depth.parse().ok().filter(|depth| (1..=100).contains(depth)),
        _ => None,
    };
    let Some(depth) = depth else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    println!("{}", bench::run(depth, RuleSet::Wxf, |position| println!("{position}"), || false));
    if let Some(counts) = counts() {
        println!("{counts}");
    }
    ExitCode::SUCCESS
}

fn serve() -> ExitCode {
    match uci::serve() {
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            eprintln!("error: cannot write to standard output: {error}");
            ExitCode::FAILURE
        }
        _ => ExitCode::SUCCESS,
    }
}
