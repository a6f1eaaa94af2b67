//! The constants of the search that a tuner may turn.
//!
//! Depths are in plies, margins in centipawns, reductions in 1024ths of a ply. Each constant is
//! listed once, with its bounds, and can be set by name while a tuner runs.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal ..= $max:literal;)*) => {
        /// The constants of the search; see the source for what each does.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub(super) $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }

        impl Parameters {
            /// All parameters: name, default, least and greatest value.
            pub const ALL: &'static [(&'static str, i32, i32, i32)] =
                &[$((stringify!($name), $default, $min, $max),)*];

            /// Sets a parameter by name; false if there is none of this name or the value is out
            /// of its bounds.
            pub fn set(&mut self, name: &str, value: i32) -> bool {
                match name {
                    $(stringify!($name) if ($min..=$max).contains(&value) => {
                        self.$name = value;
                        true
                    })*
                    _ => false,
                }
            }
        }
    };
}

parameters! {
    /// Clock: moves that are expected to be left in a game without time controls ahead.
    time_horizon: 38 in 15 ..= 60;
    /// Aspiration: half the first window.
    aspiration_window: 14 in 5 ..= 60;
    /// Reverse futility: margin a ply.
    rfp_margin: 80 in 30 ..= 160;
    /// Reverse futility: greatest depth.
    rfp_depth: 9 in 4 ..= 14;
    /// Razoring: margin at depth 0.
    razor_base: 260 in 100 ..= 600;
    /// Razoring: margin for depth squared.
    razor_slope: 190 in 80 ..= 400;
    /// Null move: reduction at depth 0, in plies.
    null_base: 4 in 2 ..= 7;
    /// Null move: plies of depth for one more ply of reduction.
    null_divisor: 4 in 2 ..= 8;
    /// Null move: evaluation above beta for one more ply of reduction.
    null_eval_divisor: 190 in 80 ..= 400;
    /// ProbCut: margin above beta.
    probcut_margin: 180 in 80 ..= 350;
    /// Futility of quiet moves: margin at depth 0.
    futility_base: 110 in 30 ..= 260;
    /// Futility of quiet moves: margin a ply.
    futility_slope: 95 in 30 ..= 200;
    /// Late moves: count at depth 0.
    late_move_base: 4 in 1 ..= 10;
    /// History pruning: history a ply.
    history_margin: 3600 in 1000 ..= 9000;
    /// SEE pruning of quiet moves: margin for depth squared.
    see_quiet: 24 in 5 ..= 80;
    /// SEE pruning of captures: margin a ply.
    see_capture: 120 in 40 ..= 260;
    /// Reductions: base, 1024ths.
    lmr_base: 500 in 0 ..= 1500;
    /// Reductions: factor of the product of logarithms, 1024ths.
    lmr_factor: 440 in 200 ..= 800;
    /// Reductions: more in cut nodes, 1024ths.
    lmr_cut_node: 1500 in 0 ..= 3000;
    /// Reductions: less where the table knows a principal variation, 1024ths.
    lmr_tt_pv: 1300 in 0 ..= 3000;
    /// Reductions: more if the table's move captures, 1024ths.
    lmr_tt_capture: 900 in 0 ..= 3000;
    /// Reductions: more if the evaluation does not improve, 1024ths.
    lmr_not_improving: 700 in 0 ..= 2500;
    /// Reductions: less for moves that give check, 1024ths.
    lmr_check: 800 in 0 ..= 2500;
    /// Reductions: history for a ply less.
    lmr_history: 9000 in 3000 ..= 20000;
    /// Quiescence: margin of futile captures.
    quiescence_futility: 160 in 50 ..= 350;
    /// History bonus: slope.
    bonus_slope: 150 in 50 ..= 350;
    /// History bonus: greatest.
    bonus_max: 1500 in 500 ..= 3500;
    /// Singular extension: margin a ply, in sixteenths of a centipawn.
    singular_margin: 20 in 5 ..= 60;
    /// Double extension: margin.
    double_margin: 22 in 5 ..= 80;
}
