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
    /// Clock: moves that are expected to be left in a game without time controls ahead; of more moves
    /// to go than these no more are counted.
    time_horizon: 27 in 15 ..= 60;
    /// Aspiration: half the first window.
    aspiration_window: 20 in 5 ..= 60;
    /// Reverse futility: margin a ply.
    rfp_margin: 65 in 30 ..= 160;
    /// Reverse futility: greatest depth.
    rfp_depth: 9 in 4 ..= 14;
    /// Razoring: margin at depth 0.
    razor_base: 280 in 100 ..= 600;
    /// Razoring: margin for depth squared.
    razor_slope: 206 in 80 ..= 400;
    /// Null move: reduction at depth 0, in plies.
    null_base: 6 in 2 ..= 7;
    /// Null move: plies of depth for one more ply of reduction.
    null_divisor: 5 in 2 ..= 8;
    /// Null move: evaluation above beta for one more ply of reduction.
    null_eval_divisor: 214 in 80 ..= 400;
    /// ProbCut: margin above beta.
    probcut_margin: 168 in 80 ..= 350;
    /// Futility of quiet moves: margin at depth 0.
    futility_base: 76 in 30 ..= 260;
    /// Futility of quiet moves: margin a ply.
    futility_slope: 94 in 30 ..= 200;
    /// Futility of captures: margin at depth 0, beside the captured piece.
    capture_futility_base: 155 in 50 ..= 400;
    /// Futility of captures: margin a ply.
    capture_futility_slope: 160 in 50 ..= 300;
    /// Late moves: count at depth 0.
    late_move_base: 6 in 1 ..= 10;
    /// History pruning: history a ply.
    history_margin: 4007 in 1000 ..= 9000;
    /// SEE pruning of quiet moves: margin for depth squared.
    see_quiet: 40 in 5 ..= 80;
    /// SEE pruning of captures: margin a ply.
    see_capture: 133 in 40 ..= 260;
    /// Move order: what a quiet move is worth more if it gives check.
    check_bonus: 8505 in 0 ..= 20000;
    /// Reductions: base, 1024ths.
    lmr_base: 418 in 0 ..= 1500;
    /// Reductions: factor of the product of logarithms, 1024ths.
    lmr_factor: 443 in 200 ..= 800;
    /// Reductions: more in cut nodes, 1024ths.
    lmr_cut_node: 1578 in 0 ..= 3000;
    /// Reductions: less where the table knows a principal variation, 1024ths.
    lmr_tt_pv: 1136 in 0 ..= 3000;
    /// Reductions: more if the table's move captures, 1024ths.
    lmr_tt_capture: 905 in 0 ..= 3000;
    /// Reductions: more if the evaluation does not improve, 1024ths.
    lmr_not_improving: 892 in 0 ..= 2500;
    /// Reductions: less for moves that give check, 1024ths.
    lmr_check: 1015 in 0 ..= 2500;
    /// Reductions: history for a ply less.
    lmr_history: 9419 in 3000 ..= 20000;
    /// Quiescence: margin of futile captures.
    quiescence_futility: 163 in 50 ..= 350;
    /// History bonus: slope.
    bonus_slope: 186 in 50 ..= 350;
    /// History bonus: greatest.
    bonus_max: 1573 in 500 ..= 3500;
    /// Singular extension: margin a ply, in sixteenths of a centipawn.
    singular_margin: 23 in 5 ..= 60;
    /// Double extension: margin.
    double_margin: 26 in 5 ..= 80;
}
