//! `cannonade datagen`: makes training data by self-play.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use anyhow::{Context, anyhow};
use cannonade_engine::nnue::Evaluation;
use cannonade_tables::input_file;
use cannonade_training::{
    DatagenError, DatagenPlan, DatagenProgress, GameFileError, OpeningPlan, SelfPlayAdjudication,
    generate, read_openings,
};
use clap::Args;
use xiangqi::records::decode_text;

use super::Failure;
use super::flags::{whole, whole_from};
use super::interrupt::stop_on_interrupt;
use super::net::unusable;
use super::output::{Output, check_files};
use super::progress::Progress;

#[derive(Args)]
#[command(after_help = "\
The same command continues an interrupted run. A file of another run is refused.

Examples:
  cannonade datagen --games 100000 --nodes 400 --output a.games
  cannonade datagen --games 1000 --threads 2 --openings scripts/openings.epd --output b.games")]
pub(super) struct Arguments {
    /// The file of games to write or to continue
    #[arg(long, short)]
    output: PathBuf,
    /// Total number of games, including those already in the file
    #[arg(long, short, default_value_t = 10_000, value_parser = whole_from::<u32>(0))]
    games: u32,
    /// The number of the first game; shards of one run use different ranges with one seed
    #[arg(long, default_value_t = 0, value_parser = whole_from::<u32>(0))]
    first: u32,
    /// Nodes per move after which the search starts no new depth
    #[arg(long, default_value_t = 400, value_parser = whole_from::<u64>(1))]
    nodes: u64,
    /// Games played at the same time
    #[arg(long, short, default_value_t = 1, value_parser = whole::<usize>(1..=1024))]
    threads: usize,
    /// Random seed
    #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
    seed: u64,
    /// The network that plays, 'none' for the hand-written evaluation or 'material' for counting
    /// pieces; the built-in one if left out
    #[arg(long)]
    net: Option<PathBuf>,
    /// Start positions, one FEN or EPD per line
    #[arg(long)]
    openings: Option<PathBuf>,
    /// Share of games that start from these positions, in percent
    #[arg(long, requires = "openings", default_value_t = OpeningPlan::default().listed_share, value_parser = whole::<usize>(0..=100))]
    listed_share: usize,
}

/// Returns the plan of the games to play, with its openings and its evaluation read.
fn plan(arguments: &Arguments) -> Result<DatagenPlan, Failure> {
    let openings = match &arguments.openings {
        None => Vec::new(),
        Some(path) => {
            let bytes = input_file::read(path)
                .with_context(|| format!("cannot read {}", path.display()))
                .map_err(Failure::Input)?;
            let openings = read_openings(&decode_text(&bytes).0).map_err(|(line, error)| {
                Failure::Input(anyhow!("{}, line {line}: {error}", path.display()))
            })?;
            if openings.is_empty() {
                let path = path.display();
                return Err(Failure::Input(anyhow!(
                    "{path} holds no position; expected a FEN or EPD per line"
                )));
            }
            openings
        }
    };
    let last = (arguments.first.checked_add(arguments.games))
        .ok_or_else(|| Failure::Input(anyhow!("the sum of --first and --games exceeds 2^32")))?;
    Ok(DatagenPlan {
        seed: arguments.seed,
        games: arguments.first..last,
        threads: arguments.threads,
        nodes: arguments.nodes,
        evaluation: match &arguments.net {
            None => Evaluation::default(),
            Some(net) => Evaluation::find(net).map_err(|error| unusable(net, error))?,
        },
        openings,
        opening_plan: OpeningPlan {
            listed_share: arguments.listed_share,
            ..OpeningPlan::default()
        },
        adjudication: SelfPlayAdjudication::default(),
    })
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    check_files(arguments.openings.iter().chain(&arguments.net), &[&arguments.output])?;
    let plan = plan(arguments)?;
    let stop = Arc::new(AtomicBool::new(false));
    let flag = Arc::clone(&stop);
    stop_on_interrupt(move || flag.store(true, Ordering::Relaxed))?;

    let shown = Progress::new(u64::from(arguments.games));
    shown.set_message("the first games");
    let start = Instant::now();
    let mut begun = false;
    let result = generate(&plan, &arguments.output, &stop, |progress| {
        if !begun {
            shown.resume_at(progress.games_before);
            begun = true;
        }
        let games = progress.games_before + progress.games;
        shown.set_position(games);
        let speed = speed(progress, start);
        shown.set_message(format_args!("{games} of {} games, {speed}", arguments.games));
    });
    drop(shown);
    let progress = result.map_err(failure)?;
    let mut out = Output::new();
    out.line(format_args!(
        "{} games in {}, {} of them new: {}",
        progress.in_file_before + progress.games,
        arguments.output.display(),
        progress.games,
        speed(&progress, start)
    ));
    out.finish()?;
    if stop.load(Ordering::Relaxed)
        && progress.games_before + progress.games < u64::from(arguments.games)
    {
        let text = "stopped; the same command continues from here";
        return Err(Failure::Interrupted(text.to_owned()));
    }
    Ok(())
}

fn failure(error: DatagenError) -> Failure {
    match error {
        DatagenError::File(GameFileError::Io { .. } | GameFileError::Busy(_))
        | DatagenError::Thread(_) => Failure::Work(error.into()),
        _ => Failure::input(error),
    }
}

fn speed(progress: &DatagenProgress, start: Instant) -> String {
    let seconds = start.elapsed().as_secs_f64().max(1e-3);
    format!(
        "{} positions, {:.0} positions/s, {:.0} knodes/s, {:.0} % draws",
        progress.plies,
        progress.plies as f64 / seconds,
        progress.nodes as f64 / seconds / 1e3,
        100.0 * progress.draws as f64 / progress.games.max(1) as f64
    )
}
