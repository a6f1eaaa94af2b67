//! `cannonade tables`: build, probe and verify endgame tables.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use anyhow::anyhow;
use clap::{Args, Subcommand};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value as Json, json};
use xiangqi::board::Position;

use super::flags::{whole, whole_from};
use super::interrupt::on_interrupt;
use super::output::print_error;
use super::{Failure, Output};
use crate::tables::{
    BuildError, Monitor, Probe, Sampler, Signature, TableReport, Tables, Value, VerifyPlan, build,
    check_size, missing, parse_family, summarize, verify,
};

/// The names and versions of the JSON forms.
const PROBE_SCHEMA: &str = "tables-probe-1";
const SUMMARY_SCHEMA: &str = "tables-summary-1";

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade tables build one two --path tables   build the common tables
  cannonade tables build KAC-KAAB                build one table and those it is built on
  cannonade tables probe '3k5/4a4/9/9/9/9/9/9/9/R3K4 w'")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Build tables that the folder lacks, with the smaller ones they are built on
    Build(BuildArguments),
    /// Show who wins a position, how fast, and after each move
    Probe(ProbeArguments),
    /// Print random positions with their results, for training or as openings
    Sample(SampleArguments),
    /// Print the share of wins, the longest win and the size of tables that are there
    Summary(SummaryArguments),
    /// Compare tables with the moves of their positions and with plain searches; exit code 1 if one is
    /// wrong or damaged, or after Ctrl-C
    Verify(VerifyArguments),
}

#[derive(Args)]
#[command(after_help = "\
A signature names all pieces, such as KNP-KAAB: knight and pawn against two advisors and a bishop.
KNP stands for all nine guards of the other side. Groups:
  one          rook, knight, cannon or pawn, bare king, against any guards: 36 tables
  two          all ten pairs, bare king, against any guards: 90 tables
  one-guarded  one attacking piece, both sides with any guards: 324 tables
  duels        one attacking piece, bare king, against one with any guards
Ctrl-C ends the work; finished tables are kept, and the same command goes on.

Examples:
  cannonade tables build one --path tables
  cannonade tables build KAC-KAAB KRN-KR --threads 4")]
struct BuildArguments {
    /// Signatures or groups
    #[arg(default_values = ["one", "two"])]
    signatures: Vec<String>,
    /// The folder of the tables
    #[arg(long, default_value = "tables")]
    path: PathBuf,
    /// Threads to work on
    #[arg(long, short, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade tables probe '3k5/4a4/9/9/9/9/9/9/9/R3K4 w'
  cannonade tables probe '3k5/9/9/9/3PP4/9/9/9/9/4K4 w' --path tables --json")]
struct ProbeArguments {
    /// The position as a FEN
    fen: String,
    /// The folder of the tables [default: the built-in tables of one attacking piece only]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(after_help = "\
Each line is a FEN, the result for the side to move, and the plies to mate or '-', divided by tabs.

Examples:
  cannonade tables sample KR-KAABB --count 30 --seed 7
  cannonade tables sample --path tables --balanced > endings.tsv")]
struct SampleArguments {
    /// Signatures or groups [default: all tables]
    signatures: Vec<String>,
    /// The folder of the tables [default: the built-in tables of one attacking piece only]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Positions to print
    #[arg(long, short, default_value_t = 1000, value_parser = whole_from::<usize>(0))]
    count: usize,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
    seed: u64,
    /// Take wins, draws and losses in turn where a table has them
    #[arg(long)]
    balanced: bool,
}

#[derive(Args)]
#[command(after_help = "\
The columns are percentages with the stronger side to move, then with the weaker side to move.

Examples:
  cannonade tables summary KR
  cannonade tables summary --json
  cannonade tables summary --path tables")]
struct SummaryArguments {
    /// Signatures or groups [default: all tables]
    signatures: Vec<String>,
    /// The folder of the tables [default: the built-in tables of one attacking piece only]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Print JSON, one object a line for each table
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade tables verify KR-KA KP-KAA
  cannonade tables verify --path tables --positions 10000 --searched 81 --plies 3")]
struct VerifyArguments {
    /// Signatures or groups [default: all tables]
    signatures: Vec<String>,
    /// The folder of the tables [default: the built-in tables of one attacking piece only]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Positions of each table to compare, drawn at random, in steps of 81 [default: all]
    #[arg(long, value_parser = whole_from::<u64>(0))]
    positions: Option<u64>,
    /// Positions of each table to confirm by a search, drawn at random, in steps of 81
    #[arg(long, default_value_t = 100, value_parser = whole_from::<u64>(0))]
    searched: u64,
    /// Plies of these searches
    #[arg(long, default_value_t = 4, value_parser = whole::<u8>(0..=8))]
    plies: u8,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
    seed: u64,
    /// Threads to work on
    #[arg(long, short, default_value_t = 1, value_parser = whole::<u16>(1..=512))]
    threads: u16,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        TablesCommand::Build(arguments) => run_build(arguments),
        TablesCommand::Probe(arguments) => run_probe(arguments),
        TablesCommand::Sample(arguments) => run_sample(arguments),
        TablesCommand::Summary(arguments) => run_summary(arguments),
        TablesCommand::Verify(arguments) => run_verify(arguments),
    }
}

/// The signatures that words name, each once.
fn signatures(words: &[String]) -> Result<Vec<Signature>, Failure> {
    let mut all = BTreeSet::new();
    for word in words {
        all.extend(parse_family(word).map_err(Failure::input)?);
    }
    Ok(all.into_iter().collect())
}

fn run_build(arguments: &BuildArguments) -> Result<(), Failure> {
    let wanted = signatures(&arguments.signatures)?;
    wanted.iter().try_for_each(|&signature| check_size(signature)).map_err(Failure::input)?;
    let todo = missing(&wanted, &arguments.path);
    let cancelled = cancelled_by_ctrl_c();
    let bar = ProgressBar::new(1000 * todo.len() as u64);
    let style = ProgressStyle::with_template("{elapsed_precise} {wide_bar} {msg}");
    bar.set_style(style.map_err(anyhow::Error::from)?);
    bar.enable_steady_tick(Duration::from_secs(1));
    let done = AtomicUsize::new(0);
    let announce = || {
        let done = done.load(Ordering::Relaxed);
        if let Some(signature) = todo.get(done) {
            bar.set_message(format!("{signature} ({}/{})", done + 1, todo.len()));
        }
    };
    announce();
    let progress = |share: f64| {
        bar.set_position(1000 * done.load(Ordering::Relaxed) as u64 + (1000.0 * share) as u64);
    };
    let monitor = Monitor {
        threads: usize::from(arguments.threads),
        cancelled: &cancelled,
        progress: &progress,
    };
    let mut output = Output::new();
    output.line(HEAD);
    let result = build(&todo, &arguments.path, &monitor, |report| {
        // The figures go to stdout, the bar to stderr; the output of one must not break up the
        // other's.
        bar.suspend(|| output.line(row(report)));
        done.fetch_add(1, Ordering::Relaxed);
        announce();
    });
    bar.finish_and_clear();
    result.map_err(|error| match error {
        BuildError::Interrupted => {
            let text = "stopped; finished tables are kept, and the same command builds the rest";
            Failure::Interrupted(text.to_owned())
        }
        error => Failure::Work(error.into()),
    })?;
    let (built, path) = (todo.len(), arguments.path.display());
    let asked = wanted.len();
    output.line(format_args!(
        "Tables asked for: {asked}, all in {path}; built now, with smaller ones: {built}"
    ));
    output.finish()
}

/// The columns of [`row`]: shares for the stronger side to move and for the weaker one.
const HEAD: &str = "signature        positions    won   drawn  lost  |  won   drawn  lost  | longest     bytes  seconds";

fn row(report: &TableReport) -> String {
    let shares = report.counts.map(|counts| {
        let all = counts.iter().sum::<u64>().max(1) as f64;
        counts.map(|count| 100.0 * count as f64 / all)
    });
    let [[a, b, c], [d, e, f]] = shares;
    let positions: u64 = report.counts.iter().flatten().sum();
    let longest = report.longest[0].map_or("-".to_owned(), |plies| plies.to_string());
    format!(
        "{:<15} {positions:>10} {a:6.2} {b:6.2} {c:6.2} | {d:6.2} {e:6.2} {f:6.2} | {longest:>7} {:>9} {:8.2}",
        report.signature,
        report.size,
        report.time.as_secs_f64(),
    )
}

/// The built-in tables and those of a folder; unsound files are reported and left out.
fn open(path: Option<&Path>) -> Result<Tables, Failure> {
    let Some(path) = path else { return Ok(Tables::built_in()) };
    let (tables, problems) = Tables::open(path).map_err(Failure::input)?;
    for problem in problems {
        print_error(format_args!("warning: {problem}"));
    }
    Ok(tables)
}

/// The signatures that words name, all if there are none; each must have its table.
fn held(tables: &Tables, words: &[String]) -> Result<Vec<Signature>, Failure> {
    if words.is_empty() {
        return Ok(tables.signatures());
    }
    let there = tables.signatures();
    let wanted = signatures(words)?;
    match wanted.iter().find(|signature| !there.contains(signature)) {
        Some(missing) => Err(missing_table(*missing)),
        None => Ok(wanted),
    }
}

fn missing_table(signature: Signature) -> Failure {
    if let Err(error) = check_size(signature) {
        return Failure::input(error);
    }
    Failure::Input(anyhow!(
        "there is no table for {signature}; build it with 'cannonade tables build {signature}' \
         and name its folder with --path"
    ))
}

fn run_probe(arguments: &ProbeArguments) -> Result<(), Failure> {
    let position = Position::from_fen(&arguments.fen).map_err(Failure::input)?;
    let tables = open(arguments.path.as_deref())?;
    let signature = Signature::of(position.board()).0;
    let probe = tables.probe(&position).ok_or_else(|| missing_table(signature))?;
    let mut output = Output::new();
    if arguments.json {
        output.line(to_json(&probe, signature));
        return output.finish();
    }
    let (board, side) = (position.board(), position.side());
    output.line(format_args!("{board}\n{side} to move: {}", words(probe.value)));
    for (mv, value) in &probe.moves {
        output.line(format_args!("  {mv}  {}", words(*value)));
    }
    output.finish()
}

fn run_sample(arguments: &SampleArguments) -> Result<(), Failure> {
    let tables = open(arguments.path.as_deref())?;
    let signatures = held(&tables, &arguments.signatures)?;
    let sampler = Sampler::new(&tables, signatures, arguments.seed, arguments.balanced);
    let mut output = Output::new();
    for (position, value) in sampler.take(arguments.count) {
        let plies = value.plies().map_or("-".to_owned(), |plies| plies.to_string());
        output.line(format_args!("{}\t{}\t{plies}", position.fen(), value.wdl()));
        if output.is_closed() {
            break;
        }
    }
    output.finish()
}

fn run_summary(arguments: &SummaryArguments) -> Result<(), Failure> {
    let tables = open(arguments.path.as_deref())?;
    let cancelled = cancelled_by_ctrl_c();
    let monitor = Monitor { threads: 1, cancelled: &cancelled, progress: &|_| {} };
    let mut output = Output::new();
    if !arguments.json {
        output.line(HEAD);
    }
    for signature in held(&tables, &arguments.signatures)? {
        let report = summarize(&tables, signature, &monitor);
        let report = report.map_err(|error| Failure::Work(error.into()))?;
        match report {
            Some(report) if arguments.json => output.line(report_to_json(&report)),
            Some(report) => output.line(row(&report)),
            None => {}
        }
        if output.is_closed() {
            break;
        }
    }
    output.finish()
}

fn run_verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    let (tables, problems) = match &arguments.path {
        Some(path) => Tables::open(path).map_err(Failure::input)?,
        None => (Tables::built_in(), Vec::new()),
    };
    for problem in &problems {
        print_error(problem);
    }
    let cancelled = cancelled_by_ctrl_c();
    let plan = VerifyPlan {
        positions: arguments.positions,
        searched: arguments.searched,
        plies: arguments.plies,
        seed: arguments.seed,
        threads: usize::from(arguments.threads),
    };
    let mut output = Output::new();
    output.line("signature        positions  searched  contradictions");
    let (mut positions, mut contradictions) = (0, 0);
    let signatures = held(&tables, &arguments.signatures)?;
    let mut verified = 0;
    for &signature in &signatures {
        let found = verify(&tables, signature, &plan, &cancelled);
        // Partial findings of a table that was stopped in the middle are reported too.
        output.line(format_args!(
            "{signature:<15} {:>10} {:>9} {:>15}",
            found.positions, found.searched, found.contradictions
        ));
        for example in &found.examples {
            output.line(format_args!("    {example}"));
        }
        positions += found.positions;
        contradictions += found.contradictions;
        if cancelled.load(Ordering::Relaxed) || output.is_closed() {
            break;
        }
        verified += 1;
    }
    output.line(format_args!("{positions} positions, {contradictions} contradictions"));
    output.finish()?;
    let mut failures = Vec::new();
    if contradictions > 0 {
        failures.push("the tables contradict themselves; build them again".to_owned());
    }
    if !problems.is_empty() {
        let files = problems.len();
        failures.push(format!("files that are no sound tables, named above: {files}"));
    }
    if !failures.is_empty() {
        return Err(Failure::Work(anyhow!(failures.join("; "))));
    }
    if cancelled.load(Ordering::Relaxed) && verified < signatures.len() {
        let text = format!("stopped after {verified} of {} tables", signatures.len());
        return Err(Failure::Interrupted(text));
    }
    Ok(())
}

/// Set once Ctrl-C is pressed.
fn cancelled_by_ctrl_c() -> Arc<AtomicBool> {
    let cancelled = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&cancelled);
    // Without the handler Ctrl-C ends the process, which harms no finished table.
    let _ = on_interrupt(move || flag.store(true, Ordering::Relaxed));
    cancelled
}

/// Describes a value, counted from the position before the move.
fn words(value: Value) -> String {
    match value.plies() {
        None if !value.is_exact() => "draw unless a perpetual check decides".to_owned(),
        None => "draw".to_owned(),
        Some(plies) => format!("{} in {plies} plies", value.wdl()),
    }
}

/// One object; counts are for the side to move.
fn report_to_json(report: &TableReport) -> Json {
    let side = |side: usize| {
        let [wins, draws, losses] = report.counts[side];
        json!({
            "wins": wins,
            "draws": draws,
            "losses": losses,
            "longest_win": report.longest[side],
        })
    };
    json!({
        "schema": SUMMARY_SCHEMA,
        "signature": report.signature.to_string(),
        "positions": report.counts.iter().flatten().sum::<u64>(),
        "stronger_to_move": side(0),
        "weaker_to_move": side(1),
        "bytes": report.size,
    })
}

/// One object; the plies of a move count from the position after it.
fn to_json(probe: &Probe, signature: Signature) -> Json {
    let moves: Vec<_> = probe
        .moves
        .iter()
        .map(|(mv, value)| {
            let plies = value.plies().map(|plies| plies - 1);
            json!({
                "move": mv.to_string(),
                "result": value.wdl().name(),
                "plies": plies,
                "exact": value.is_exact(),
            })
        })
        .collect();
    json!({
        "schema": PROBE_SCHEMA,
        "signature": signature.to_string(),
        "result": probe.value.wdl().name(),
        "plies": probe.value.plies(),
        "exact": probe.value.is_exact(),
        "moves": moves,
    })
}
