//! `cannonade tables`: build, probe, pack and verify endgame tables.

mod pack;
mod selection;
mod verify;

use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};

use anyhow::anyhow;
use cannonade_tables::{
    Monitor, Probe, ProbeError, Sampler, Signature, TableReport, Value, build, check_size, missing,
    summarize,
};
use clap::{Args, Subcommand};
use serde_json::{Value as Json, json};
use xiangqi::board::Position;

use self::selection::{cancelled_by_ctrl_c, failure, held, missing_table, open, signatures};
use super::flags::{folder_to_build, whole, whole_from};
use super::progress::Progress;
use super::threads::start_threads;
use super::{Failure, Output};

/// The names and versions of the JSON forms.
const PROBE_SCHEMA: &str = "tables-probe-1";
const SUMMARY_SCHEMA: &str = "tables-summary-1";

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade tables build               # build the common tables: two minutes, 290 MB
  cannonade tables build KAC-KAAB      # build one table and those it depends on
  cannonade tables probe '3k5/4a4/9/9/9/9/9/9/9/R3K4 w'")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: TablesCommand,
}

#[derive(Subcommand)]
enum TablesCommand {
    /// Build missing tables, with the smaller ones that they depend on
    Build(BuildArguments),
    /// Show the result of a position and of each move, with the plies to mate
    Probe(ProbeArguments),
    /// Print random positions with their results, for training or as openings
    Sample(SampleArguments),
    /// Print shares of wins, draws and losses, longest wins and sizes of tables
    Summary(SummaryArguments),
    /// Compare tables with the moves of their positions and with plain searches; exit code 1 if one
    /// is wrong or damaged
    Verify(verify::VerifyArguments),
    /// Pack the results of quiet positions for the program itself
    Pack(pack::PackArguments),
}

#[derive(Args)]
#[command(after_help = "\
A signature names all pieces, such as KNP-KAAB: knight and pawn against two advisors and a bishop.
KNP stands for all nine guards of the other side. Groups:
  one          rook, knight, cannon or pawn, bare king, against any guards: 36 tables
  two          all ten pairs, bare king, against any guards: 90 tables
  one-guarded  one attacking piece, both sides with any guards: 324 tables
  duels        one attacking piece, bare king, against one with any guards
Ctrl-C ends the work; finished tables are kept, and the same command continues.

Examples:
  cannonade tables build
  cannonade tables build KAC-KAAB KRN-KR --threads 4
  cannonade tables build one --path tables")]
struct BuildArguments {
    /// Signatures or groups
    #[arg(default_values = ["one", "two"])]
    signatures: Vec<String>,
    /// The folder of the tables [default: one in the user's data folder, where programs find
    /// them]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Number of threads
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
    /// The folder of the tables; `none`: the built-in ones only [default: one in the user's data
    /// folder]
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
    /// The folder of the tables; `none`: the built-in ones only [default: one in the user's data
    /// folder]
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
    /// The folder of the tables; `none`: the built-in ones only [default: one in the user's data
    /// folder]
    #[arg(long)]
    path: Option<PathBuf>,
    /// Print JSON, one object a line for each table
    #[arg(long)]
    json: bool,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        TablesCommand::Build(arguments) => run_build(arguments),
        TablesCommand::Probe(arguments) => run_probe(arguments),
        TablesCommand::Sample(arguments) => run_sample(arguments),
        TablesCommand::Summary(arguments) => run_summary(arguments),
        TablesCommand::Verify(arguments) => verify::run(arguments),
        TablesCommand::Pack(arguments) => pack::run(arguments),
    }
}

fn run_build(arguments: &BuildArguments) -> Result<(), Failure> {
    let wanted = signatures(&arguments.signatures)?;
    wanted.iter().try_for_each(|&signature| check_size(signature)).map_err(Failure::input)?;
    let path = folder_to_build(arguments.path.as_deref())?;
    let todo = missing(&wanted, &path);
    start_threads(usize::from(arguments.threads))?;
    let cancelled = cancelled_by_ctrl_c();
    let shown = Progress::new(1000 * todo.len() as u64);
    let done = AtomicUsize::new(0);
    let announce = || {
        let done = done.load(Ordering::Relaxed);
        if let Some(signature) = todo.get(done) {
            shown.set_message(format_args!("{signature} ({} of {} tables)", done + 1, todo.len()));
        }
    };
    announce();
    let progress = |share: f64| {
        shown.set_position(1000 * done.load(Ordering::Relaxed) as u64 + (1000.0 * share) as u64);
    };
    let monitor = Monitor {
        threads: usize::from(arguments.threads),
        cancelled: &cancelled,
        progress: &progress,
    };
    let mut output = Output::new();
    output.line(format_args!("{HEAD}  seconds"));
    let result = build(&todo, &path, &monitor, |report| {
        // The figures go to stdout, the bar to stderr; the output of one must not break up the
        // other's.
        let seconds = report.time.as_secs_f64();
        shown.suspend(|| output.line(format_args!("{} {seconds:8.2}", row(report))));
        done.fetch_add(1, Ordering::Relaxed);
        announce();
    });
    drop(shown);
    let stopped = "stopped; finished tables are kept, and the same command builds the rest";
    result.map_err(|error| failure(error, stopped))?;
    let (built, path) = (todo.len(), path.display());
    let asked = wanted.len();
    output.line(format_args!(
        "Tables asked for: {asked}, all in {path}; built now, with smaller ones: {built}"
    ));
    output.finish()
}

/// The columns of [`row`]: shares for the stronger side to move and for the weaker one.
const HEAD: &str =
    "signature        positions    won   drawn  lost  |  won   drawn  lost  | longest     bytes";

fn row(report: &TableReport) -> String {
    let shares = report.counts.map(|counts| {
        let all = counts.iter().sum::<u64>().max(1) as f64;
        counts.map(|count| 100.0 * count as f64 / all)
    });
    let [[a, b, c], [d, e, f]] = shares;
    let positions: u64 = report.counts.iter().flatten().sum();
    let longest = report.longest[0].map_or("-".to_owned(), |plies| plies.to_string());
    format!(
        "{:<15} {positions:>10} {a:6.2} {b:6.2} {c:6.2} | {d:6.2} {e:6.2} {f:6.2} | {longest:>7} {:>9}",
        report.signature, report.size,
    )
}

fn run_probe(arguments: &ProbeArguments) -> Result<(), Failure> {
    let position = Position::from_fen(&arguments.fen).map_err(Failure::input)?;
    let tables = open(arguments.path.as_deref())?;
    let signature = Signature::of(position.board()).0;
    let probe = tables.probe(&position).map_err(|error| match error {
        ProbeError::Missing(signature) => missing_table(signature),
        ProbeError::Unreadable(_) => Failure::Work(error.into()),
    })?;
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
    for &signature in &signatures {
        tables.check(signature).map_err(|error| Failure::Work(error.into()))?;
    }
    let sampler = Sampler::new(&tables, signatures, arguments.seed, arguments.balanced);
    let mut output = Output::new();
    let mut drawn = 0;
    for (position, value) in sampler.take(arguments.count) {
        let plies = value.plies().map_or("-".to_owned(), |plies| plies.to_string());
        output.line(format_args!("{}\t{}\t{plies}", position.fen(), value.wdl()));
        drawn += 1;
        if output.is_closed() {
            return output.finish();
        }
    }
    output.finish()?;
    if drawn < arguments.count {
        return Err(Failure::Work(anyhow!(
            "only {drawn} of {} positions: a table cannot be read; see 'cannonade tables verify'",
            arguments.count
        )));
    }
    Ok(())
}

fn run_summary(arguments: &SummaryArguments) -> Result<(), Failure> {
    let tables = open(arguments.path.as_deref())?;
    let cancelled = cancelled_by_ctrl_c();
    let monitor = Monitor::on_one_thread(&cancelled);
    let mut output = Output::new();
    if !arguments.json {
        output.line(HEAD);
    }
    let signatures = held(&tables, &arguments.signatures)?;
    for (i, &signature) in signatures.iter().enumerate() {
        let report = summarize(&tables, signature, &monitor).map_err(|error| {
            failure(error, format!("stopped after {i} of {} tables", signatures.len()))
        })?;
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

/// Describes a value, counted from the position before the move.
fn words(value: Value) -> String {
    match value.plies() {
        None if !value.is_exact() => "draw unless a perpetual check decides".to_owned(),
        None => "draw".to_owned(),
        Some(plies) => format!("{} in {plies} plies", value.wdl()),
    }
}

/// Converts to an object; counts are for the side to move.
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

/// Converts to an object; the plies of a move count from the position after it.
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
