//! Judges the repetitions of game files by every rule set: `judge_game FILE...`.

use std::error::Error;
use std::{env, fs};

use xiangqi::rules::explanation::Language;
use xiangqi::{RuleSet, judge_game, records};

fn main() -> Result<(), Box<dyn Error>> {
    for path in env::args().skip(1) {
        let collection = records::read(&fs::read(&path)?);
        for problem in &collection.problems {
            eprintln!("{path}: {problem}");
        }
        for (number, game) in (1..).zip(&collection.games) {
            println!("{path}, game {number}: {}", game.result);
            for repetition in judge_game(&game.last_position(), &RuleSet::ALL) {
                let end = repetition.start + repetition.moves.len();
                println!(
                    "  plies {} to {end}, {} times",
                    repetition.start + 1,
                    repetition.occurrences
                );
                for (rules, ruling) in RuleSet::ALL.iter().zip(&repetition.rulings) {
                    let text = Language::English.ruling(ruling.loser);
                    println!("    {rules}: {text} (red {}, black {})", ruling.red, ruling.black);
                }
            }
        }
    }
    Ok(())
}
