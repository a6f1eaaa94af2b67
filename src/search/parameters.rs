//! The tunable constants of the search.
//!
//! Depths are in plies, margins in centipawns, reductions in 1024ths of a ply; other units are named.
//! Each constant is listed once, with its bounds, and can be set by name, so that a tuner can try
//! other values.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal ..= $max:literal;)*) => {
        /// The tunable constants of the search; each is described in the source.
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

            /// Sets a parameter by name. Returns false if there is no parameter of this name or the
            /// value is out of its bounds.
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
    /// Time: moves that a game is expected to last from now on, without a time control. More moves
    /// to go than these are not reserved for either.
    time_horizon: 27 in 15 ..= 60;
    /// Time: share of the clock that is the soft limit of the last move before a time control,
    /// hundredths.
    time_soft_last: 90 in 50 ..= 95;
    /// Time: factor of the soft limit before a time control, hundredths.
    time_soft_control: 95 in 50 ..= 100;
    /// Time: hard limit as a multiple of the soft one, hundredths.
    time_hard_factor: 450 in 150 ..= 800;
    /// Time: greatest share of the clock for one move, hundredths.
    time_hard_share: 45 in 15 ..= 80;
    /// Time: the same for the last move before a time control, hundredths; half-way for the one before.
    time_hard_share_control: 90 in 30 ..= 95;
    /// Time: share of the clock that counts as usable if the overhead leaves less, hundredths.
    time_least_share: 10 in 1 ..= 30;
    /// Time: factor if the best move has just changed, hundredths.
    time_stability_0: 135 in 90 ..= 250;
    /// Time: factor if the best move has been the same for one iteration, hundredths.
    time_stability_1: 115 in 80 ..= 200;
    /// Time: the same for two iterations, hundredths.
    time_stability_2: 100 in 70 ..= 150;
    /// Time: the same for three iterations, hundredths.
    time_stability_3: 90 in 50 ..= 130;
    /// Time: the same for four and more iterations, hundredths.
    time_stability_4: 85 in 40 ..= 120;
    /// Time: fall of the value since the previous iteration that doubles the time, centipawns.
    time_drop_scale: 180 in 40 ..= 500;
    /// Time: least factor for a rising value, hundredths.
    time_drop_min: 75 in 40 ..= 100;
    /// Time: greatest factor for a falling value, hundredths.
    time_drop_max: 160 in 100 ..= 300;
    /// Time: factor from which the best move's share of the nodes is subtracted, hundredths.
    time_effort_base: 175 in 120 ..= 250;
    /// Time: least factor by the best move's share of the nodes, hundredths.
    time_effort_min: 75 in 30 ..= 100;
    /// Time: greatest factor by the best move's share of the nodes, hundredths.
    time_effort_max: 140 in 100 ..= 200;
    /// Time: factor if there is only one move, hundredths.
    time_only_move: 10 in 1 ..= 100;
    /// Aspiration: half the first window.
    aspiration_window: 20 in 5 ..= 60;
    /// Aspiration: least depth with a window.
    aspiration_depth: 4 in 2 ..= 8;
    /// Aspiration: expected value for one more centipawn of half the window.
    aspiration_value_divisor: 64 in 16 ..= 256;
    /// Aspiration: growth of the window when it fails, 1024ths.
    aspiration_growth: 512 in 128 ..= 2048;
    /// Aspiration: greatest reduction after fail-highs, in plies.
    aspiration_reduction_max: 3 in 0 ..= 6;
    /// Razoring: margin at depth 0.
    razor_base: 280 in 100 ..= 600;
    /// Razoring: margin per depth squared.
    razor_slope: 206 in 80 ..= 400;
    /// Reverse futility: margin per ply.
    rfp_margin: 65 in 30 ..= 160;
    /// Reverse futility: greatest depth.
    rfp_depth: 9 in 4 ..= 14;
    /// Reverse futility: divisor of the excess over beta that is returned.
    rfp_return_divisor: 3 in 1 ..= 8;
    /// Null move: reduction at depth 0, in plies.
    null_base: 6 in 2 ..= 7;
    /// Null move: plies of depth for one more ply of reduction.
    null_divisor: 5 in 2 ..= 8;
    /// Null move: evaluation above beta for one more ply of reduction.
    null_eval_divisor: 214 in 80 ..= 400;
    /// Null move: greatest reduction by the evaluation, in plies.
    null_eval_max: 4 in 1 ..= 8;
    /// Null move: by how much the static evaluation must exceed beta at depth 0.
    null_static_base: 160 in 0 ..= 400;
    /// Null move: by how much less per ply.
    null_static_slope: 20 in 0 ..= 50;
    /// Null move: least depth at which a cutoff is verified.
    null_verify_depth: 14 in 8 ..= 24;
    /// Null move: share of the reduced depth without null moves while one is verified, 1024ths.
    null_verify_share: 768 in 256 ..= 1024;
    /// ProbCut: margin above beta.
    probcut_margin: 168 in 80 ..= 350;
    /// ProbCut: by how much less if the evaluation improves.
    probcut_improving: 50 in 0 ..= 150;
    /// ProbCut: least depth.
    probcut_depth: 5 in 3 ..= 9;
    /// ProbCut: reduction of the search after the quiescence search, in plies.
    probcut_reduction: 4 in 2 ..= 6;
    /// Internal iterative reduction: least depth.
    iir_depth: 4 in 2 ..= 9;
    /// Late moves: count at depth 0.
    late_move_base: 6 in 1 ..= 10;
    /// History pruning: history per ply.
    history_margin: 4007 in 1000 ..= 9000;
    /// History pruning: reduced depth below which it applies.
    history_depth: 7 in 3 ..= 12;
    /// Futility of quiet moves: margin at depth 0.
    futility_base: 76 in 30 ..= 260;
    /// Futility of quiet moves: margin per ply.
    futility_slope: 94 in 30 ..= 200;
    /// Futility of quiet moves: share of the history in the margin, 1024ths.
    futility_history: 8 in 0 ..= 64;
    /// Futility of quiet moves: reduced depth below which it applies.
    futility_depth: 9 in 4 ..= 14;
    /// Futility of captures: margin at depth 0, besides the captured piece.
    capture_futility_base: 155 in 50 ..= 400;
    /// Futility of captures: margin per ply.
    capture_futility_slope: 160 in 50 ..= 300;
    /// Futility of captures: share of the history in the margin, 1024ths.
    capture_futility_history: 64 in 0 ..= 256;
    /// Futility of captures: reduced depth below which it applies.
    capture_futility_depth: 7 in 3 ..= 12;
    /// SEE pruning of quiet moves: margin per reduced depth squared.
    see_quiet: 40 in 5 ..= 80;
    /// SEE pruning of quiet moves: reduced depth below which it applies.
    see_quiet_depth: 9 in 4 ..= 14;
    /// SEE pruning of captures: margin per ply.
    see_capture: 133 in 40 ..= 260;
    /// SEE pruning of captures: share of the history in the margin, 1024ths.
    see_capture_history: 32 in 0 ..= 128;
    /// SEE pruning of captures: depth below which it applies.
    see_capture_depth: 9 in 4 ..= 14;
    /// Singular extension: least depth.
    singular_depth: 6 in 4 ..= 10;
    /// Singular extension: by how much the entry may be less deep than the node, in plies.
    singular_entry_depth: 3 in 1 ..= 6;
    /// Singular extension: margin per ply, in sixteenths of a centipawn.
    singular_margin: 23 in 5 ..= 60;
    /// Double extension: margin.
    double_margin: 26 in 5 ..= 80;
    /// Check extension: depth below which it applies.
    check_extension_depth: 10 in 0 ..= 20;
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
    /// Reductions: more if many nodes below had a beta cutoff, 1024ths.
    lmr_cutoffs: 800 in 0 ..= 2500;
    /// Reductions: beta cutoffs that are not yet many.
    lmr_cutoff_count: 3 in 1 ..= 8;
    /// Reductions: less for killer moves and the countermove, 1024ths.
    lmr_refutation: 800 in 0 ..= 2500;
    /// Reductions: less for captures, 1024ths.
    lmr_capture: 700 in 0 ..= 2500;
    /// Reductions: history for one ply less.
    lmr_history: 9419 in 3000 ..= 20000;
    /// Reductions: weight of the history of captures, 1024ths.
    lmr_capture_history: 512 in 0 ..= 1024;
    /// Reductions: by how much a value must exceed the best one to be searched a ply deeper.
    lmr_deeper_base: 40 in 0 ..= 120;
    /// Reductions: the same, more per ply.
    lmr_deeper_slope: 2 in 0 ..= 8;
    /// Reductions: a value that exceeds the best one by less is searched a ply less deep, per ply.
    lmr_shallower_slope: 1 in 0 ..= 8;
    /// History bonus: slope.
    bonus_slope: 186 in 50 ..= 350;
    /// History bonus: less at every depth.
    bonus_offset: 60 in 0 ..= 300;
    /// History bonus: greatest.
    bonus_max: 1573 in 500 ..= 3500;
    /// History bonus: value above beta that counts as one more ply of depth.
    bonus_high_margin: 90 in 20 ..= 250;
    /// History bonus: share for a cutoff by the table, 1024ths.
    bonus_table: 512 in 0 ..= 1024;
    /// History bonus: share for a previous move without a good answer, 1024ths.
    bonus_previous: 512 in 0 ..= 1024;
    /// Correction: weight of the history by pawns, thirds.
    correction_pawn: 2 in 0 ..= 6;
    /// Correction: weight of each history by the pieces of one side, thirds.
    correction_piece: 2 in 0 ..= 6;
    /// Correction: weight of the history by the previous move, thirds.
    correction_continuation: 1 in 0 ..= 6;
    /// Correction: depth from which updates grow no more.
    correction_depth_max: 16 in 8 ..= 32;
    /// Move order: more for a quiet move that gives check.
    check_bonus: 8505 in 0 ..= 20000;
    /// Move order: what such a move may lose in the exchange.
    check_see_margin: 75 in 0 ..= 300;
    /// Move order: weight of the captured piece.
    capture_value: 16 in 4 ..= 64;
    /// Move order: weight of the butterfly history.
    order_butterfly: 2 in 0 ..= 4;
    /// Move order: weight of the continuation history, one ply ago.
    order_continuation_1: 2 in 0 ..= 4;
    /// Move order: the same, two plies ago.
    order_continuation_2: 1 in 0 ..= 4;
    /// Move order: the same, four plies ago.
    order_continuation_4: 1 in 0 ..= 4;
    /// Move order: a rook that leaves an attack by a knight, cannon or pawn; less for going there.
    threat_by_minor: 12000 in 0 ..= 30000;
    /// Move order: a knight or cannon that leaves an attack by a pawn; less for going there.
    threat_by_pawn: 7000 in 0 ..= 20000;
    /// Quiescence: margin of futile captures.
    quiescence_futility: 163 in 50 ..= 350;
}
