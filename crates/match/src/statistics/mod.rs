//! Playing strength from the results of games.
//!
//! A match of two engines gathers in a [`MatchTally`], whose [`Distribution`] of outcomes feeds the
//! [`EloEstimate`] and the [`Sprt`]. Games among many players gather in a [`ResultSet`], from which
//! [`rate`] computes Bayesian ratings and [`Crosstable`] the scores of every player against every
//! other.
//!
//! Two games from one opening, colours reversed, are not independent: the opening favours the
//! same colour twice. Hence pairs are counted as one observation with five outcomes (pentanomial)
//! wherever games come in pairs; this gives honest, usually narrower, intervals.

mod bayes;
mod covariance;
mod distribution;
mod elo;
mod fit;
mod likelihood;
mod model;
mod normal;
mod pairings;
mod pairs;
mod ratings;
mod results;
mod score;
mod sprt;
mod table;
mod tally;

pub use bayes::{RatingError, rate};
pub use distribution::Distribution;
pub use elo::{
    EloEstimate, Interval, elo_of_score, likelihood_of_superiority, logistic_elo, normalised_elo,
    score_of_elo,
};
pub use model::{BayesModel, BayesSettings, Parameter};
pub use pairs::PairCounts;
pub use ratings::{RatingRow, RatingTable};
pub use results::{ResultError, ResultSet};
pub use score::GameCounts;
pub use sprt::{EloScale, Sprt, SprtError, SprtReport, SprtState};
pub use table::{Crosstable, CrosstableRow};
pub use tally::MatchTally;
