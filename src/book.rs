//! `cannonade book`: opening books built, shown and verified.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::{Context as _, anyhow};
use cannonade_book::{
    Book, BookBuilder, BookMove, BuildSettings, Results, Weighting, shares, verify,
};
use cannonade_tables::file_lock::lock_output;
use clap::{Args, Subcommand, ValueEnum};
use serde_json::{Value as Json, json};
use xiangqi::board::Position;
use xiangqi::notation::{Notation, write};

use super::flags::{PositionFlags, whole, whole_from};
use super::output::{Output, check_files, write_file};
use super::{Failure, input};

/// The name and version of the JSON form of `book show`.
const SCHEMA: &str = "book-show-1";

#[derive(Args)]
#[command(after_help = "\
Examples:
  cannonade book build games.pgn -o my.cnb --credit 'my own games'
  cannonade book show my.cnb --moves 'h2e2 h9g7'
  cannonade book verify my.cnb")]
pub(super) struct Arguments {
    #[command(subcommand)]
    action: BookCommand,
}

#[derive(Subcommand)]
enum BookCommand {
    /// Build a book from game files of any kind
    Build(BuildArguments),
    /// Show the source of a book, and its moves in a position
    Show(ShowArguments),
    /// Check a book: the file, and that every move of its lines is legal
    Verify(VerifyArguments),
}

#[derive(Args)]
#[command(after_help = "\
Reads the files that 'cannonade convert' reads. Only main lines count. A game with a defect counts
up to the defect, and the defect is reported.

Examples:
  cannonade book build games.pgn more.cbl -o my.cnb --credit 'my own games'
  cannonade book build club.pgn -o club.cnb --plies 30 --min-games 2 --weights games
  zcat games.txt.gz | cannonade book build - -o masters.cnb --credit 'whose games, which licence'")]
struct BuildArguments {
    /// Game files; `-` is standard input
    #[arg(required = true)]
    games: Vec<PathBuf>,
    /// Write the book here
    #[arg(short, long, value_name = "FILE")]
    output: PathBuf,
    /// Count this many plies of each game
    #[arg(long, value_name = "N", default_value_t = 24)]
    #[arg(value_parser = whole::<u32>(1..=400))]
    plies: u32,
    /// Keep moves played in at least this many games
    #[arg(long, value_name = "N", default_value_t = 3)]
    #[arg(value_parser = whole_from::<u32>(1))]
    min_games: u32,
    /// Meaning of the weight of a move
    #[arg(long, value_enum, default_value_t = WeightingName::Points)]
    weights: WeightingName,
    /// Source and licence of the games; stored in the file
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true)]
    credit: String,
}

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
enum WeightingName {
    /// Points of the mover: 2 for a win, 1 for a draw or an unknown result
    Points,
    /// Number of games
    Games,
}

#[derive(Args)]
#[command(after_help = "\
Results are those of the side to move; the score is its share of the points. A position and its
mirror image are one, so the move h2e2 of the starting position stands for b2e2 too.

Examples:
  cannonade book show books/masters.cnb
  cannonade book show books/masters.cnb --moves '炮二平五 马8进7' --notation chinese
  cannonade book show BOOK.DAT --json")]
struct ShowArguments {
    /// A book of this program, ElephantEye's BOOK.DAT or an .obk file [default: the built-in book]
    file: Option<PathBuf>,
    #[command(flatten)]
    position: PositionFlags,
    /// Notation of moves: iccs, uci, uci10, wxf, chinese, traditional or algebraic
    #[arg(long, default_value_t)]
    notation: Notation,
    /// Print JSON
    #[arg(long)]
    json: bool,
}

#[derive(Args)]
#[command(after_help = "\
Records are found by hash key, so those of positions that no line reaches cannot be checked; they
are counted. The engine plays no book move that is not legal.

Examples:
  cannonade book verify my.cnb
  cannonade book verify endings.cnb --fen '3k5/9/9/9/9/9/9/9/4A4/R3K4 w'")]
struct VerifyArguments {
    /// A book of this program, ElephantEye's BOOK.DAT or an .obk file [default: the built-in book]
    file: Option<PathBuf>,
    /// Further positions where games of the book start
    #[arg(long, value_name = "FEN")]
    fen: Vec<String>,
}

pub(super) fn run(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.action {
        BookCommand::Build(arguments) => run_build(arguments),
        BookCommand::Show(arguments) => run_show(arguments),
        BookCommand::Verify(arguments) => run_verify(arguments),
    }
}

fn run_build(arguments: &BuildArguments) -> Result<(), Failure> {
    check_files(&arguments.games, &[&arguments.output])?;
    input::check_distinct(&arguments.games)?;
    let _lock = lock_output(&arguments.output)
        .with_context(|| format!("cannot write {}", arguments.output.display()))?;
    let mut builder = BookBuilder::new(BuildSettings {
        plies: arguments.plies,
        min_games: arguments.min_games,
        weighting: match arguments.weights {
            WeightingName::Points => Weighting::Points,
            WeightingName::Games => Weighting::Games,
        },
        credit: arguments.credit.clone(),
    });
    let (mut games, mut problems) = (0, 0);
    for path in &arguments.games {
        let added = add_games(&mut builder, path).map_err(Failure::Input)?;
        games += added.games;
        problems += added.problems;
    }
    if games == 0 {
        let error = anyhow!("no game can be read, so nothing was written; see the defects above");
        return Err(Failure::Input(error));
    }
    let bytes = builder.finish();
    let book = Book::from_bytes(&bytes).context("the new book")?;
    if book.is_empty() {
        let error = anyhow!(
            "no move was played in {} games or more; lower --min-games",
            arguments.min_games
        );
        return Err(Failure::Input(error));
    }
    write_file(&arguments.output, &bytes)?;
    let mut output = Output::new();
    output.line(summary(&arguments.output.display().to_string(), &book));
    output.finish()?;
    if problems > 0 {
        return Err(Failure::Work(anyhow!("defects of games reported above: {problems}")));
    }
    Ok(())
}

/// Import statistics of one file of games.
struct AddedGames {
    games: usize,
    /// Defects, which are reported.
    problems: usize,
}

/// Counts the games of a file.
fn add_games(builder: &mut BookBuilder, path: &Path) -> anyhow::Result<AddedGames> {
    let collection = input::read_collection(path)?;
    input::report_defects(path, &collection.problems);
    for game in &collection.games {
        builder.add(game);
    }
    Ok(AddedGames { games: collection.games.len(), problems: collection.problems.len() })
}

/// Returns the book of a path or the built-in one, with its name.
fn open(path: Option<&Path>) -> Result<(String, Arc<Book>), Failure> {
    match path {
        Some(path) => {
            let book = Book::open(path).map_err(Failure::input)?;
            Ok((path.display().to_string(), book.into()))
        }
        None => Ok(("the built-in book".to_owned(), Book::built_in())),
    }
}

/// Describes the content of a book in a line, and its credit.
fn summary(name: &str, book: &Book) -> String {
    let (moves, positions, size) = (book.len(), book.positions(), book.size());
    let mut text = format!("{name}: {moves} moves in {positions} positions, {size} bytes");
    match book.games_and_plies() {
        Some((games, plies)) => text += &format!(", {games} games up to ply {plies}"),
        None => text += &format!(", format of {}", book.format()),
    }
    if !book.credit().is_empty() {
        text += &format!("\nCredit: {}", book.credit());
    }
    text
}

fn run_show(arguments: &ShowArguments) -> Result<(), Failure> {
    let (name, book) = open(arguments.file.as_deref())?;
    let position = arguments.position.position().map_err(Failure::Input)?;
    let moves = book.moves(&position);
    let mut output = Output::new();
    if arguments.json {
        output.line(to_json(&name, &book, &position, &moves, arguments.notation));
        return output.finish();
    }
    output.line(summary(&name, &book));
    output.line(format_args!("\n{}, {} to move\n", position.fen(), position.side()));
    if moves.is_empty() {
        output.line("The book has no move for this position.");
        return output.finish();
    }
    output.line(" share  weight   games     won   drawn    lost   score  move");
    for (book_move, share) in moves.iter().zip(shares(&moves, 100)) {
        output.line(row(&position, book_move, share, arguments.notation));
    }
    output.finish()
}

fn row(position: &Position, book_move: &BookMove, share: f64, notation: Notation) -> String {
    let text = write(position, book_move.mv, notation);
    let head = format!("{:5.1}%  {:>6}", 100.0 * share, book_move.weight);
    let Some(results) = book_move.results else {
        return format!(
            "{head}  {:>6}  {:>6}  {:>6}  {:>6}  {:>6}  {text}",
            "-", "-", "-", "-", "-"
        );
    };
    let score = results.score().map_or("-".to_owned(), |score| format!("{:.1}%", 100.0 * score));
    let Results { wins, draws, losses, .. } = results;
    format!(
        "{head}  {:>6}  {wins:>6}  {draws:>6}  {losses:>6}  {score:>6}  {text}",
        results.games()
    )
}

fn to_json(
    name: &str,
    book: &Book,
    position: &Position,
    moves: &[BookMove],
    notation: Notation,
) -> Json {
    let list: Vec<Json> = (moves.iter().zip(shares(moves, 100)))
        .map(|(one, share)| {
            let mut object = json!({
                "move": one.mv.to_string(),
                "text": write(position, one.mv, notation),
                "weight": one.weight,
                "share": share,
            });
            if let (Some(results), Some(fields)) = (one.results, object.as_object_mut()) {
                let Results { wins, draws, losses, unknown } = results;
                for (key, count) in
                    [("wins", wins), ("draws", draws), ("losses", losses), ("unknown", unknown)]
                {
                    fields.insert(key.to_owned(), json!(count));
                }
                fields.insert("score".to_owned(), json!(results.score()));
            }
            object
        })
        .collect();
    let (games, plies) = book.games_and_plies().unzip();
    json!({
        "schema": SCHEMA,
        "book": name,
        "format": book.format().name(),
        "moves_in_book": book.len(),
        "positions_in_book": book.positions(),
        "bytes": book.size(),
        "games": games,
        "plies": plies,
        "credit": book.credit(),
        "fen": position.fen(),
        "moves": list,
    })
}

fn run_verify(arguments: &VerifyArguments) -> Result<(), Failure> {
    let (name, book) = open(arguments.file.as_deref())?;
    let mut starts = vec![Position::startpos()];
    for fen in &arguments.fen {
        let start = Position::from_fen(fen).with_context(|| format!("--fen '{fen}'"));
        starts.push(start.map_err(Failure::Input)?);
    }
    let found = verify(&book, &starts);
    let mut output = Output::new();
    output.line(summary(&name, &book));
    output.line(format_args!(
        "{} positions reached, {} moves, {} not legal, {} moves not reached",
        found.positions, found.moves, found.illegal, found.unreached
    ));
    for example in &found.examples {
        output.line(format_args!("  {example}"));
    }
    output.finish()?;
    if found.positions == 0 && !book.is_empty() {
        return Err(Failure::Work(anyhow!(
            "{name} has no position of a game from the start; give one that it has with --fen"
        )));
    }
    if found.illegal > 0 {
        return Err(Failure::Work(anyhow!("{name} has moves that are not legal; build it again")));
    }
    Ok(())
}
