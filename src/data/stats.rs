//! `cannonade data stats`: counts over files of games or samples.

use std::io::{self, Write};
use std::path::PathBuf;

use cannonade_training::{DataFile, FilterCounts, FilterSettings, SampleFilter, Statistics};
use serde_json::json;

use super::super::output::print_error;
use super::super::{Failure, Output};
use super::games::games_of;

/// The name and version of the JSON form.
const SCHEMA: &str = "data-stats-1";

pub(super) fn run(files: &[PathBuf], json: bool) -> Result<(), Failure> {
    let mut statistics = Statistics::default();
    let mut filter = SampleFilter::new(FilterSettings::default());
    let (mut has_games, mut samples) = (false, None);
    for file in files {
        match DataFile::open(file).map_err(Failure::input)? {
            DataFile::Samples(found) => samples = Some(samples.unwrap_or(0) + found.len()),
            DataFile::Games(reader) => {
                has_games = true;
                games_of(file, reader, |game| {
                    if let Err(error) = statistics.add(&game) {
                        print_error(format_args!("warning: {error}"));
                    }
                    // An error here is the one reported above.
                    let _ = filter.filter_game(&game, &mut Vec::new());
                    Ok(())
                })?;
            }
        }
    }
    let mut out = Output::new();
    if json {
        let counts = filter.counts();
        let filter = json!({
            "seen": counts.seen,
            "decided": counts.decided,
            "in_check": counts.checks,
            "captures": counts.captures,
            "duplicates": counts.duplicates,
            "kept": counts.kept,
        });
        out.line(json!({
            "schema": SCHEMA,
            "games": has_games.then(|| statistics.to_json()),
            "filter": has_games.then_some(filter),
            "samples": samples,
        }));
        return out.finish();
    }
    if has_games {
        write!(out, "{statistics}")?;
        print_counts(&mut out, filter.counts())?;
    }
    if let Some(samples) = samples {
        out.line(format_args!("samples    {samples:>12}"));
    }
    out.finish()
}

pub(super) fn print_counts(out: &mut impl Write, counts: FilterCounts) -> io::Result<()> {
    writeln!(out, "filter: of {} positions", counts.seen)?;
    for (what, count) in [
        ("decided", counts.decided),
        ("in check", counts.checks),
        ("best move captures", counts.captures),
        ("duplicates", counts.duplicates),
        ("kept", counts.kept),
    ] {
        let share = 100.0 * count as f64 / counts.seen.max(1) as f64;
        writeln!(out, "  {what:<20} {count:>12} {share:>6.2} %")?;
    }
    Ok(())
}
