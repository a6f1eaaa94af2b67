//! `cannonade data`: shows, filters and converts files of self-play.

mod arguments;
mod games;
mod stats;
mod text;

use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) use self::arguments::Arguments;
use self::arguments::DataCommand;
pub(super) use self::games::games_of;
use self::games::{each_game, replace, replace_games};
use self::text::{each_text_line, parse, text};
use super::output::{check_files, print_error};
use super::{Failure, input};
use cannonade_tables::random::Random;
use cannonade_training::{
    ArchiveWriter, FilterSettings, GameFileError, LabelReader, LabelSettings, SampleFilter,
    read_samples, write_samples,
};

/// Checks that no input is written to, that the outputs can be written, and that no game is counted
/// twice, or gets into both files of a split.
fn check_paths(action: &DataCommand) -> Result<(), Failure> {
    if let DataCommand::Stats { files, .. }
    | DataCommand::Split { files, .. }
    | DataCommand::Pack { files, .. }
    | DataCommand::Shuffle { files, .. } = action
    {
        input::check_distinct(files)?;
    }
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
    check_files(inputs, &outputs)
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
    let mut random = Random::new(seed);
    let mut counts = [0u64; 2];
    replace_games(output, |most| {
        replace_games(rest, |few| {
            each_game(files, |game| {
                let is_rest = 100.0 * random.unit_f32() < share;
                counts[usize::from(is_rest)] += 1;
                let writer = if is_rest { &mut *few } else { &mut *most };
                Ok(writer.write(&game).map_err(anyhow::Error::from)?)
            })
        })
    })?;
    Ok(writeln!(io::stdout().lock(), "{} games and {} games", counts[0], counts[1])?)
}

/// Writes the games of the files to an archive.
fn pack(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let (mut games, mut plies, mut size) = (0u64, 0u64, 0);
    replace(output, |file| {
        let mut archive = ArchiveWriter::begin_in(file, output).map_err(anyhow::Error::from)?;
        each_game(files, |game| {
            games += 1;
            plies += game.plies.len() as u64;
            archive.write(game).map_err(not_packed)
        })?;
        size = archive.finish().map_err(not_packed)?;
        Ok(())
    })?;
    let share = size as f64 / plies.max(1) as f64;
    let mut out = io::stdout().lock();
    Ok(writeln!(out, "{games} games, {plies} plies in {size} bytes: {share:.2} bytes a ply")?)
}

/// Returns the failure of an archive: a game that cannot be stored is a defect of the input.
fn not_packed(error: GameFileError) -> Failure {
    match error {
        GameFileError::Io { .. } => Failure::Work(error.into()),
        error => Failure::input(error),
    }
}

fn merge(files: &[PathBuf], output: &Path) -> Result<(), Failure> {
    let mut known = std::collections::HashSet::new();
    let (mut written, mut duplicates) = (0u64, 0u64);
    let mut bytes = Vec::new();
    replace_games(output, |writer| {
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
        })
    })?;
    Ok(writeln!(io::stdout().lock(), "{written} games; {duplicates} duplicates left out")?)
}
