//! Changes of a session that requests can make.

use web_time::{Duration, Instant};
use xiangqi::geometry::Color;
use xiangqi::notation::{Notation, read};
use xiangqi::records::{Game, NodeId};
use xiangqi::rules::RuleSet;

use super::books::Books;
use super::contest::Contest;
use super::http::Request;
use super::request_error::RequestError;
use super::requests::{
    AnalysisRequest, AnnotationRequest, EngineMoveRequest, GoToRequest, GoToStep, MoveRequest,
    NodeRequest, PlayRequest, PositionRequest, SettingsRequest, SweepRequest, Target,
    ThreatRequest, body,
};
use super::search_request::MoveSearch;
use super::state::{SessionState, StateError};

/// The maximum number of characters of a name in the tags of a game.
const MAX_NAME: usize = 200;

/// A change, read from a request and checked as far as possible without the session.
pub(super) enum Change {
    /// Another game, and its node that is shown.
    Position(Box<(Game, NodeId)>),
    /// A move in any notation.
    Move(String),
    GoTo(Target),
    /// The numbers of moves.
    Remove(usize),
    Promote(usize),
    Annotate(AnnotationRequest),
    Settings(Box<Settings>),
    Play(Box<Contest>),
    Pause,
    Resume,
    TakeBack,
    Undo,
    Redo,
    Resign,
    /// Ends the game if the time of a person is over.
    Flag,
    /// The engine makes one move.
    EngineMove(MoveSearch),
    Analyse(Option<usize>),
    Sweep(Option<Duration>),
    Threat(bool),
}

/// Settings of a session; `None` leaves a setting unchanged.
pub(super) struct Settings {
    rules: Option<RuleSet>,
    notation: Option<Notation>,
    bottom: Option<Color>,
    /// Names and values.
    tags: Vec<(&'static str, String)>,
}

/// Reads a change from a request; a game may be played with one of the books.
pub(super) type ReadChange = fn(&Request, &Books) -> Result<Change, RequestError>;

/// The changes by the last part of their path.
const CHANGES: [(&str, ReadChange); 19] = [
    ("position", |request, _| {
        Ok(Change::Position(Box::new(body::<PositionRequest>(request)?.game()?)))
    }),
    ("move", |request, _| Ok(Change::Move(body::<MoveRequest>(request)?.mv))),
    ("goto", |request, _| Ok(Change::GoTo(body::<GoToRequest>(request)?.to))),
    ("remove", |request, _| Ok(Change::Remove(body::<NodeRequest>(request)?.node))),
    ("promote", |request, _| Ok(Change::Promote(body::<NodeRequest>(request)?.node))),
    ("annotate", |request, _| Ok(Change::Annotate(body(request)?))),
    ("settings", |request, _| Ok(Change::Settings(Box::new(Settings::read(body(request)?)?)))),
    ("play", |request, books| {
        Ok(Change::Play(Box::new(body::<PlayRequest>(request)?.contest(books)?)))
    }),
    ("pause", |_, _| Ok(Change::Pause)),
    ("resume", |_, _| Ok(Change::Resume)),
    ("takeback", |_, _| Ok(Change::TakeBack)),
    ("undo", |_, _| Ok(Change::Undo)),
    ("redo", |_, _| Ok(Change::Redo)),
    ("resign", |_, _| Ok(Change::Resign)),
    ("flag", |_, _| Ok(Change::Flag)),
    ("go", |request, _| Ok(Change::EngineMove(body::<EngineMoveRequest>(request)?.search()?))),
    ("analyse", |request, _| Ok(Change::Analyse(body::<AnalysisRequest>(request)?.lines()?))),
    ("threat", |request, _| Ok(Change::Threat(body::<ThreatRequest>(request)?.is_shown))),
    ("sweep", |request, _| Ok(Change::Sweep(body::<SweepRequest>(request)?.time()?))),
];

/// Returns the reader of the change of this name.
pub(super) fn find_change(name: &str) -> Option<ReadChange> {
    CHANGES.iter().find(|(known, _)| *known == name).map(|(_, read)| *read)
}

impl Change {
    /// Makes the change.
    ///
    /// # Errors
    ///
    /// If the session does not allow it in its state.
    pub(super) fn apply(self, state: &mut SessionState, now: Instant) -> Result<(), RequestError> {
        let node_id =
            |state: &SessionState, index| state.game().node_id(index).ok_or(StateError::NoNode);
        match self {
            Change::Position(game) => {
                let (game, last) = *game;
                state.set_game(game, last, now)?;
            }
            Change::Move(text) => {
                let mv = read(state.position(), &text).map_err(RequestError::Move)?;
                state.play(mv, now)?;
            }
            Change::GoTo(target) => {
                let game = state.game();
                let target = match target {
                    Target::Node(index) => node_id(state, index)?,
                    Target::Step(GoToStep::Back) => game.previous(),
                    Target::Step(GoToStep::Forward) => game.next(),
                    Target::Step(GoToStep::Start) => NodeId::ROOT,
                    Target::Step(GoToStep::End) => game.last(),
                };
                state.go_to(target, now);
            }
            Change::Remove(index) => state.remove(node_id(state, index)?, now),
            Change::Promote(index) => state.promote(node_id(state, index)?),
            Change::Annotate(annotation) => annotation.apply(state)?,
            Change::Settings(settings) => settings.apply(state),
            Change::Play(contest) => state.begin(*contest, now)?,
            Change::Pause => state.stop(now),
            Change::Resume => state.resume(now)?,
            Change::TakeBack => state.take_back(now)?,
            Change::Undo => state.undo(now)?,
            Change::Redo => state.redo(now)?,
            Change::Resign => state.resign()?,
            Change::Flag => {
                state.check_time(now);
            }
            Change::EngineMove(wanted) => state.ask_for_move(wanted, now)?,
            Change::Analyse(lines) => state.analyse(lines, now),
            Change::Threat(is_shown) => state.show_threat(is_shown, now),
            Change::Sweep(Some(time)) => state.start_sweep(time, now),
            Change::Sweep(None) => state.stop_sweep(),
        }
        Ok(())
    }
}

impl Settings {
    pub(super) fn read(wanted: SettingsRequest) -> Result<Settings, RequestError> {
        let SettingsRequest { rules, notation, red, black, event, date, bottom } = wanted;
        let tags = [("Red", red), ("Black", black), ("Event", event), ("Date", date)];
        let shortened = |value: String| value.chars().take(MAX_NAME).collect();
        Ok(Settings {
            rules: rules.as_deref().map(str::parse).transpose()?,
            notation: notation.as_deref().map(str::parse).transpose()?,
            bottom,
            tags: tags
                .into_iter()
                .filter_map(|(name, value)| Some((name, shortened(value?))))
                .collect(),
        })
    }

    pub(super) fn apply(self, state: &mut SessionState) {
        if let Some(rules) = self.rules {
            state.set_rules(rules);
        }
        if let Some(notation) = self.notation {
            state.notation = notation;
        }
        if let Some(bottom) = self.bottom {
            state.bottom = bottom;
        }
        state.set_tags(&self.tags);
    }
}
