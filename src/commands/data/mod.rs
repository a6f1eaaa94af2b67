//! `cannonade data`: shows, filters and converts files of self-play.

mod games;
mod stats;

use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, anyhow};
use clap::{Args, Subcommand};
use xiangqi::board::Position;
use xiangqi::geometry::Color;
use xiangqi::notation::Notation;

use self::games::each_game;
pub(super) use self::games::games_of;
use super::Failure;
use super::flags::{decimal, whole_from};
use super::output::{check_outputs, print_error};
use crate::random::Random;
use crate::training::{
    ArchiveWriter, DataFile, FilterSettings, GameWriter, LabelReader, LabelSettings, PackedBoard,
    Sample, SampleFilter, game_from_text, game_to_text, read_samples, write_samples,
};

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade data stats a.games
  cannonade data filter a.games --output a.samples
  cannonade help data filter                          explain a command")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: DataCommand,
}

#[derive(Subcommand)]
enum DataCommand {
    /// Show statistics of files of games or samples
    #[command(after_help = "\
Examples:
  cannonade data stats a.games b.games
  cannonade data stats train.samples --json")]
    Stats {
        /// Files of games or samples
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// Print JSON, one object
        #[arg(long)]
        json: bool,
    },
    /// Turn games into samples: quiet, undecided positions, without duplicates
    #[command(after_help = "\
Examples:
  cannonade data filter a.games --output a.samples
  cannonade data filter *.games --lookahead 0.3 --output all.samples")]
    Filter {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of samples to write
        #[arg(long, short)]
        output: PathBuf,
        /// Drop positions with at least this absolute score, in centipawns
        #[arg(long, default_value_t = FilterSettings::default().max_score, value_parser = whole_from::<i16>(0))]
        max_score: i16,
        /// Keep positions in check
        #[arg(long)]
        checks: bool,
        /// Keep positions whose best move captures
        #[arg(long)]
        captures: bool,
        /// Share of each score that comes from the scores after it in the game, 0 to 1
        #[arg(long, default_value_t = FilterSettings::default().lookahead, value_parser = decimal::<f32>(0.0..=1.0))]
        lookahead: f32,
    },
    /// Turn positions with known results into samples to train with
    #[command(after_help = "\
Each line is a FEN, a tab, and the result for the side to move: win, draw or loss. More fields may
follow, as in the output of 'cannonade tables sample'. Positions in check or with captures are left
out. A drawn position gets the score 0.

Examples:
  cannonade tables sample --count 100000 --balanced > endings.tsv
  cannonade data label endings.tsv --output endings.samples")]
    Label {
        /// Text files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of samples to write
        #[arg(long, short)]
        output: PathBuf,
        /// The score of a won position, in centipawns
        #[arg(long, default_value_t = LabelSettings::default().won_score, value_parser = whole_from::<i16>(1))]
        won_score: i16,
        /// Share of the won and lost positions to keep, 0 to 1; all drawn ones are kept
        #[arg(long, default_value_t = LabelSettings::default().decided_share, value_parser = decimal::<f32>(0.0..=1.0))]
        decided_share: f32,
    },
    /// Put samples into random order, all files together
    #[command(after_help = "\
Examples:
  cannonade data shuffle a.samples b.samples --output train.samples --seed 7")]
    Shuffle {
        /// Files of samples
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of samples to write
        #[arg(long, short)]
        output: PathBuf,
        /// Random seed
        #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
        seed: u64,
    },
    /// Split games into two files, such as one to train with and one to validate with
    #[command(after_help = "\
Examples:
  cannonade data split all.games --output train.games --rest test.games --share 2")]
    Split {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file for most games
        #[arg(long, short)]
        output: PathBuf,
        /// The file for the rest
        #[arg(long)]
        rest: PathBuf,
        /// Share of the rest in percent
        #[arg(long, default_value_t = 5.0, value_parser = decimal::<f32>(0.0..=100.0))]
        share: f32,
        /// Random seed
        #[arg(long, default_value_t = 1, value_parser = whole_from::<u64>(0))]
        seed: u64,
    },
    /// Pack games into an archive of about a third of the bytes, to keep and to copy
    #[command(after_help = "\
All commands that read games read archives too; 'cannonade data merge' makes a plain file of
one again.

Examples:
  cannonade data pack part-*.games --output all.archive
  cannonade data merge all.archive --output all.games")]
    Pack {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The archive to write
        #[arg(long, short)]
        output: PathBuf,
    },
    /// Join files of games, without duplicates
    #[command(after_help = "\
Examples:
  cannonade data merge part-*.games --output all.games")]
    Merge {
        /// Files of games
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file of games to write
        #[arg(long, short)]
        output: PathBuf,
    },
    /// Write games or samples as text, or read games from it
    #[command(after_help = "\
Examples:
  cannonade data text a.games --notation chinese
  cannonade data text a.txt --parse --output a.games")]
    Text {
        /// Files of games or samples; with --parse, text files
        #[arg(required = true)]
        files: Vec<PathBuf>,
        /// The file to write; stdout if left out (not with --parse)
        #[arg(long, short)]
        output: Option<PathBuf>,
        /// Notation of moves: iccs, uci, uci10, wxf, chinese, traditional or algebraic; --parse
        /// reads all but uci10
        #[arg(long, default_value_t)]
        notation: Notation,
        /// Read text and write a file of games
        #[arg(long, requires = "output")]
        parse: bool,
    },
}

/// Checks that no input is written to, and that the outputs can be written.
fn check_paths(action: &DataCommand) -> Result<(), Failure> {
    let (inputs, outputs): (&[PathBuf], Vec<&Path>) = match action {
        DataCommand::Stats { .. } => return Ok(()),
        // Its samples are all read before the file is replaced.
        DataCommand::Shuffle { output, .. } => (&[], vec![output]),
        DataCommand::Filter { files, output, .. }
        | DataCommand::Label { files, output, .. }
        | DataCommand::Pack { files, output }
        | DataCommand::Merge { files, output } => (files, vec![output]),
        DataCommand::Split { files, output, rest, .. } => (files, vec![output, rest]),
        DataCommand::Text { files, output, .. } => (files, output.as_deref().into_iter().collect()),
    };
    check_outputs(inputs, &outputs)
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    check_paths(&arguments.action)?;
    match &arguments.action {
        DataCommand::Stats { files, json } => stats::run(files, *json),
        DataCommand::Filter { files, output, max_score, checks, captures, lookahead } => {
            let (max_score, checks) = (*max_score, *checks);
            let (captures, lookahead) = (*captures, *lookahead);
            filter(files, output, FilterSettings { max_score, checks, captures, lookahead })
        }
        DataCommand::Label { files, output, won_score, decided_share } => {
            let (won_score, decided_share) = (*won_score, *decided_share);
            label(files, output, LabelSettings { won_score, decided_share })
        }
        DataCommand::Shuffle { files, output, seed } => shuffle(files, output, *seed),
        DataCommand::Split { files, output, rest, share, seed } => {
            split(files, output, rest, *share, *seed)
        }
        DataCommand::Pack { files, output } => pack(files, output),
        DataCommand::Merge { files, output } => merge(files, output),
        DataCommand::Text { files, output: Some(output), parse: true, .. } => parse(files, output),
        DataCommand::Text { files, output, notation, .. } => {
            text(files, output.as_deref(), *notation)
        }
    }
}

fn filter(files: &[PathBuf], output: &Path, filter: FilterSettings) -> Result<(), Failure> {
    let mut filter = SampleFilter::new(filter);
    let mut samples = Vec::new();
    each_game(files, |game| {
        if let Err(error) = filter.filter_game(&game, &mut samples) {
            print_error(format_args!("warning: {error}"));
        }
        Ok(())
    })?;
    write_samples(output, &samples).map_err(anyhow::Error::from)?;
    Ok(stats::print_counts(&mut io::stdout().lock(), filter.counts())?)
}

fn label(files: &[PathBuf], output: &Path, settings: LabelSettings) -> Result<(), Failure> {
    let (mut reader, mut samples) = (LabelReader::new(settings), Vec::new());
    each_text_line(files, |line| {
        samples.extend(reader.read(line)?);
        Ok(())
    })?;
    write_samples(output, &samples).map_err(anyhow::Error::from)?;
    let counts = reader.counts();
    let [won, drawn, lost] = counts.kept;
    Ok(writeln!(
        io::stdout().lock(),
        "{} samples: {won} won, {drawn} drawn, {lost} lost; left out: {} in check or with captures, {} duplicates, {} decided",
        samples.len(),
        counts.unquiet,
        counts.duplicates,
        counts.decided
    )?)
}

fn shuffle(files: &[PathBuf], output: &Path, seed: u64) -> Result<(), Failure> {
    let mut samples = Vec::new();
    for file in files {
        samples.extend(read_samples(file).map_err(Failure::input)?);
    }
    Random::new(seed).shuffle(&mut samples);
    write_samples(output, &samples).map_err(anyhow::Error::from)?;
    Ok(writeln!(io::stdout().lock(), "{} samples", samples.len())?)
}

fn split(
    files: &[PathBuf],
    output: &Path,
    rest: &Path,
    share: f32,
    seed: u64,
) -> Result<(), Failure> {
    if !(0.0..=100.0).contains(&share) {
        return Err(Failure::input(anyhow!(
            "--share {share}: expected a percentage from 0 to 100"
        )));
    }
    let mut random = Random::new(seed);
    let mut writers = [output, rest].into_iter().map(GameWriter::create);
    let (Some(most), Some(few)) = (writers.next(), writers.next()) else { return Ok(()) };
    let mut most = most.map_err(anyhow::Error::from)?;
    let mut few = few.map_err(anyhow::Error::from)?;
    let mut counts = [0u64; 2];
    each_game(files, |game| {
        let is_rest = 100.0 * random.unit_f32() < share;
        counts[usize::from(is_rest)] += 1;
        let writer = if is_rest { &mut few } else { &mut most };
        Ok(writer.write(&game).map_err(anyhow::Error::from)?)
    })?;
    Ok(writeln!(io::stdout().lock(), "{} games and {} games", counts[0], counts[1])?)
}

/// Writes the games of the files to an archive.
fn pack(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let mut archive = ArchiveWriter::create(output).map_err(anyhow::Error::from)?;
    let (mut games, mut plies) = (0u64, 0u64);
    each_game(files, |game| {
        games += 1;
        plies += game.plies.len() as u64;
        archive.write(game).map_err(Failure::input)
    })?;
    let size = archive.finish().map_err(Failure::input)?;
    let share = size as f64 / plies.max(1) as f64;
    let mut out = io::stdout().lock();
    Ok(writeln!(out, "{games} games, {plies} plies in {size} bytes: {share:.2} bytes a ply")?)
}

fn merge(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let mut writer = GameWriter::create(output).map_err(anyhow::Error::from)?;
    let mut known = std::collections::HashSet::new();
    let (mut written, mut duplicates) = (0u64, 0u64);
    let mut bytes = Vec::new();
    each_game(files, |mut game| {
        // Runs use the same numbers for different games; start and moves identify a game.
        let id = std::mem::take(&mut game.id);
        bytes.clear();
        game.write(&mut bytes);
        if !known.insert(bytes.clone()) {
            duplicates += 1;
            return Ok(());
        }
        written += 1;
        game.id = id;
        Ok(writer.write(&game).map_err(anyhow::Error::from)?)
    })?;
    Ok(writeln!(io::stdout().lock(), "{written} games; {duplicates} duplicates left out")?)
}

fn text(files: &[PathBuf], output: Option<&Path>, notation: Notation) -> Result<(), Failure> {
    let name = output.map_or("standard output".to_owned(), |path| path.display().to_string());
    let cannot_write = || format!("cannot write {name}");
    let mut out: Box<dyn Write> = match output {
        Some(path) => Box::new(BufWriter::new(File::create(path).with_context(cannot_write)?)),
        None => Box::new(BufWriter::new(io::stdout().lock())),
    };
    for file in files {
        match DataFile::open(file).map_err(Failure::input)? {
            DataFile::Samples(samples) => {
                for sample in samples {
                    writeln!(out, "{}", sample_text(&sample)).with_context(cannot_write)?;
                }
            }
            DataFile::Games(reader) => games_of(file, reader, |game| {
                match game_to_text(&game, notation) {
                    Ok(line) => writeln!(out, "{line}").with_context(cannot_write)?,
                    Err(error) => print_error(format_args!("warning: {error}")),
                }
                Ok(())
            })?,
        }
    }
    Ok(out.flush().with_context(cannot_write)?)
}

/// A sample as `FEN;score;result;ply`; the side to move is Red.
fn sample_text(sample: &Sample) -> String {
    let position = |packed: &PackedBoard| {
        let mut board = packed.unpack()?;
        board.set_side(Color::Red);
        Position::from_board(board, 0).ok()
    };
    let fen = position(&sample.board).map_or_else(|| "damaged".to_owned(), |p| p.fen());
    format!("{fen};{};{};{}", sample.score, f32::from(sample.result) / 2.0, sample.ply)
}

fn parse(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let mut writer = GameWriter::create(output).map_err(anyhow::Error::from)?;
    let mut games = 0u64;
    each_text_line(files, |line| {
        writer.write(&game_from_text(line)?)?;
        games += 1;
        Ok(())
    })?;
    Ok(writeln!(io::stdout().lock(), "{games} games")?)
}

/// Calls `read` with each line that is not empty; an error names the file and the line.
fn each_text_line(
    files: &[PathBuf],
    mut read: impl FnMut(&str) -> anyhow::Result<()>,
) -> Result<(), Failure> {
    for file in files {
        let opened = File::open(file)
            .with_context(|| format!("cannot open {}", file.display()))
            .map_err(Failure::input)?;
        for (number, bytes) in BufReader::new(opened).split(b'\n').enumerate() {
            let bytes = bytes
                .with_context(|| format!("cannot read {}", file.display()))
                .map_err(Failure::Input)?;
            let line = String::from_utf8(bytes)
                .map_err(|_| anyhow!("the text is not UTF-8; convert the file to UTF-8"));
            // Editors of Windows begin a file with a byte order mark.
            let line = line.map(|line| line.trim_start_matches('\u{feff}').to_owned());
            line.and_then(|line| if line.trim().is_empty() { Ok(()) } else { read(&line) })
                .with_context(|| format!("{}, line {}", file.display(), number + 1))
                .map_err(Failure::Input)?;
        }
    }
    Ok(())
}
