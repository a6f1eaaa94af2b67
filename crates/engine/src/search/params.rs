//! Tunable constants of the search.
//!
//! Depths are in plies, margins in centipawns, reductions in 1024ths of a ply; other units are
//! named. Each constant is listed once, with its bounds, and can be set by name, so that a tuner
//! can try other values.

macro_rules! parameters {
    ($($(#[$doc:meta])* $name:ident: $default:literal in $min:literal ..= $max:literal;)*) => {
        /// Tunable constants of the search; each is described in the source.
        #[derive(Clone, Debug, PartialEq, Eq)]
        pub struct Parameters {
            $($(#[$doc])* pub(crate) $name: i32,)*
        }

        impl Default for Parameters {
            fn default() -> Parameters {
                Parameters { $($name: $default,)* }
            }
        }

        impl Parameters {
            /// All parameters: name, default, minimum and maximum.
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
    /// Time: expected number of further moves of the game without a time control, and maximum
    /// number of moves to go for which time is reserved.
    time_horizon: 27 in 15 ..= 60;
    /// Time: share of the clock that is the soft limit of the last move before a time control,
    /// hundredths.
    time_soft_last: 90 in 50 ..= 95;
    /// Time: factor of the soft limit before a time control, hundredths.
    time_soft_control: 95 in 50 ..= 100;
    /// Time: hard limit as a multiple of the soft one, hundredths.
    time_hard_factor: 450 in 150 ..= 800;
    /// Time: maximum share of the clock for one move, hundredths.
    time_hard_share: 45 in 15 ..= 80;
    /// Time: maximum share for the last move before a time control, hundredths; half-way for the
    /// one before.
    time_hard_share_control: 90 in 30 ..= 95;
    /// Time: minimum usable share of the clock if the overhead leaves less, hundredths.
    time_least_share: 10 in 1 ..= 30;
    /// Time: factor if the best move has just changed, hundredths.
    time_stability_0: 120 in 90 ..= 250;
    /// Time: factor if the best move has been stable for one iteration, hundredths.
    time_stability_1: 105 in 80 ..= 200;
    /// Time: factor if it has been stable for two iterations, hundredths.
    time_stability_2: 95 in 70 ..= 150;
    /// Time: factor if it has been stable for three iterations, hundredths.
    time_stability_3: 85 in 50 ..= 130;
    /// Time: factor if it has been stable for four or more iterations, hundredths.
    time_stability_4: 80 in 40 ..= 120;
    /// Time: increase of the factor per change of the best move, hundredths; the weight of a change
    /// halves after each iteration.
    time_changes: 25 in 0 ..= 200;
    /// Time: fall of the value since the previous iteration that doubles the time, centipawns.
    time_drop_scale: 180 in 40 ..= 500;
    /// Time: weight of the fall of the value since the search of the last move, hundredths.
    time_search_drop: 60 in 0 ..= 300;
    /// Time: minimum factor for a rising value, hundredths.
    time_drop_min: 75 in 40 ..= 100;
    /// Time: maximum factor for a falling value, hundredths.
    time_drop_max: 160 in 100 ..= 300;
    /// Time: factor from which the best move's share of the nodes is subtracted, hundredths.
    time_effort_base: 175 in 120 ..= 250;
    /// Time: minimum factor by the best move's share of the nodes, hundredths.
    time_effort_min: 75 in 30 ..= 100;
    /// Time: maximum factor by the best move's share of the nodes, hundredths.
    time_effort_max: 140 in 100 ..= 200;
    /// Time: factor with only one legal move, hundredths.
    time_only_move: 10 in 1 ..= 100;
    /// Aspiration: half the first window.
    aspiration_window: 25 in 5 ..= 60;
    /// Aspiration: minimum depth with a window.
    aspiration_depth: 5 in 2 ..= 8;
    /// Aspiration: expected value per additional centipawn of half the window.
    aspiration_value_divisor: 81 in 16 ..= 256;
    /// Aspiration: growth of the window when it fails, 1024ths.
    aspiration_growth: 385 in 128 ..= 2048;
    /// Aspiration: maximum reduction after fail-highs, in plies.
    aspiration_reduction_max: 3 in 0 ..= 6;
    /// Razoring: margin at depth 0.
    razor_base: 216 in 100 ..= 600;
    /// Razoring: margin per depth squared.
    razor_slope: 182 in 80 ..= 400;
    /// Reverse futility: margin per ply.
    rfp_margin: 66 in 30 ..= 160;
    /// Reverse futility: maximum depth.
    rfp_depth: 7 in 4 ..= 14;
    /// Reverse futility: divisor of the returned excess over beta.
    rfp_return_divisor: 2 in 1 ..= 8;
    /// Null move: reduction at depth 0, in plies.
    null_base: 7 in 2 ..= 10;
    /// Null move: plies of depth per additional ply of reduction.
    null_divisor: 5 in 2 ..= 8;
    /// Null move: evaluation above beta per additional ply of reduction.
    null_eval_divisor: 206 in 80 ..= 400;
    /// Null move: maximum reduction by the evaluation, in plies.
    null_eval_max: 5 in 1 ..= 8;
    /// Null move: margin of the static evaluation over beta at depth 0.
    null_static_base: 140 in 0 ..= 400;
    /// Null move: decrease of that margin per ply.
    null_static_slope: 20 in 0 ..= 50;
    /// Null move: minimum depth at which a cutoff is verified.
    null_verify_depth: 14 in 8 ..= 24;
    /// Null move: share of the reduced depth without null moves during verification, 1024ths.
    null_verify_share: 767 in 256 ..= 1024;
    /// ProbCut: margin above beta.
    probcut_margin: 161 in 80 ..= 350;
    /// ProbCut: decrease of the margin if the evaluation improves.
    probcut_improving: 48 in 0 ..= 150;
    /// ProbCut: minimum depth.
    probcut_depth: 7 in 3 ..= 9;
    /// ProbCut: reduction of the search after the quiescence search, in plies.
    probcut_reduction: 6 in 2 ..= 9;
    /// Internal iterative reduction: minimum depth.
    iir_depth: 5 in 1 ..= 9;
    /// Hindsight: minimum reduction of the previous move for a deeper search of the node.
    hindsight_deeper: 4 in 1 ..= 6;
    /// Hindsight: minimum reduction of the previous move for a shallower search of the node.
    hindsight_shallower: 2 in 1 ..= 6;
    /// Hindsight: sum of both sides' evaluations above which the node is searched shallower.
    hindsight_margin: 80 in 20 ..= 250;
    /// After alpha rose: minimum depth of a node whose other moves are searched shallower.
    raised_alpha_min: 2 in 1 ..= 8;
    /// After alpha rose: maximum depth of such a node.
    raised_alpha_max: 7 in 6 ..= 16;
    /// Late moves: count at depth 0.
    late_move_base: 8 in 1 ..= 10;
    /// History pruning: history per ply.
    history_margin: 5239 in 1000 ..= 9000;
    /// Pruning of moves: extra reduction where the table knows a principal variation, 1024ths.
    prune_tt_pv: 674 in 0 ..= 2000;
    /// Pruning of quiet moves: reduced depth below which it applies.
    prune_quiet_depth: 5 in 2 ..= 30;
    /// Pruning of quiet moves: history that shifts the reduced depth by one ply.
    prune_history: 4470 in 1500 ..= 9000;
    /// Pruning of quiet moves: weight of the main history in that shift, 64ths.
    prune_main: 106 in 0 ..= 300;
    /// Futility of quiet moves: margin at depth 0.
    futility_base: 49 in 0 ..= 200;
    /// Futility of quiet moves: margin per ply.
    futility_slope: 81 in 30 ..= 180;
    /// Futility of quiet moves: increase of the margin while no move has raised alpha.
    futility_no_best: 36 in 0 ..= 250;
    /// Futility of quiet moves: reduced depth below which it applies.
    futility_depth: 12 in 6 ..= 18;
    /// Futility of captures: margin at depth 0, besides the captured piece.
    capture_futility_base: 209 in 50 ..= 400;
    /// Futility of captures: margin per ply.
    capture_futility_slope: 156 in 50 ..= 300;
    /// Futility of captures: share of the history in the margin, 1024ths.
    capture_futility_history: 77 in 0 ..= 256;
    /// Futility of captures: reduced depth below which it applies.
    capture_futility_depth: 9 in 3 ..= 12;
    /// SEE pruning of quiet moves: margin per reduced depth squared.
    see_quiet: 21 in 4 ..= 60;
    /// SEE pruning of captures: margin per ply.
    see_capture: 148 in 40 ..= 260;
    /// SEE pruning of captures: share of the history in the margin, 1024ths.
    see_capture_history: 34 in 0 ..= 128;
    /// SEE pruning of captures: depth below which it applies.
    see_capture_depth: 9 in 4 ..= 14;
    /// Singular extension: minimum depth.
    singular_depth: 6 in 4 ..= 10;
    /// Singular extension: maximum depth by which the entry may be shallower than the node, in
    /// plies.
    singular_entry_depth: 3 in 0 ..= 6;
    /// Singular extension: margin per ply, in sixteenths of a centipawn.
    singular_margin: 14 in 2 ..= 40;
    /// Double extension: margin.
    double_margin: 14 in -20 ..= 60;
    /// Triple extension: margin.
    triple_margin: 46 in 10 ..= 200;
    /// Not singular: reduction if the table's value is above beta, in plies.
    negative_high: 4 in 0 ..= 6;
    /// Not singular: reduction in cut nodes, in plies.
    negative_cut_node: 3 in 0 ..= 4;
    /// Check extension: depth below which it applies.
    check_extension_depth: 10 in 0 ..= 20;
    /// Reductions: base, 1024ths.
    lmr_base: 1250 in 0 ..= 3000;
    /// Reductions: decrease in a window as wide as the root's, 1024ths.
    lmr_window: 515 in 0 ..= 1500;
    /// Reductions: factor of the product of logarithms, 1024ths.
    lmr_factor: 310 in 50 ..= 800;
    /// Reductions: increase in cut nodes, 1024ths.
    lmr_cut_node: 2668 in 800 ..= 4500;
    /// Reductions: further increase in cut nodes without a table move, 1024ths.
    lmr_cut_node_no_tt_move: 763 in 0 ..= 2500;
    /// Reductions: increase at all-nodes as a share, divided by the depth plus one, 1024ths.
    lmr_all_node: 871 in 0 ..= 3000;
    /// Reductions: decrease where the table knows a principal variation, 1024ths.
    lmr_tt_pv: 1900 in 0 ..= 4000;
    /// Reductions: further decrease there in a node with an open window, 1024ths.
    lmr_pv: 1100 in 0 ..= 3000;
    /// Reductions: further decrease there if the table's value is above alpha, 1024ths.
    lmr_tt_pv_value: 608 in 0 ..= 2000;
    /// Reductions: further decrease there if the table's entry is as deep as the node, 1024ths.
    lmr_tt_pv_depth: 527 in 0 ..= 2000;
    /// Reductions: decrease for the table move, 1024ths.
    lmr_tt_move: 2203 in 0 ..= 4000;
    /// Reductions: increase if the table move captures, 1024ths.
    lmr_tt_capture: 1081 in 0 ..= 3000;
    /// Reductions: increase as a share of the base if the evaluation does not improve, 1024ths.
    lmr_not_improving: 460 in 0 ..= 900;
    /// Reductions: decrease for moves that give check, 1024ths.
    lmr_check: 1070 in 0 ..= 2500;
    /// Reductions: increase above `lmr_cutoffs_some` child cutoffs, 1024ths.
    lmr_cutoffs: 393 in 0 ..= 1500;
    /// Child cutoffs above which `lmr_cutoffs` applies.
    lmr_cutoffs_some: 0 in 0 ..= 6;
    /// Reductions: further increase above `lmr_cutoffs_many` child cutoffs, 1024ths.
    lmr_more_cutoffs: 884 in 0 ..= 2500;
    /// Child cutoffs above which `lmr_more_cutoffs` applies.
    lmr_cutoffs_many: 1 in 0 ..= 8;
    /// Extra reduction at all-nodes above `lmr_cutoffs_many`, 1024ths.
    lmr_cutoffs_all_node: 663 in 0 ..= 2000;
    /// Reductions: weight of the captured piece's value as history, 64ths.
    lmr_capture: 486 in 0 ..= 1200;
    /// Reductions: offset of the history of captures.
    lmr_capture_offset: -600 in -8000 ..= 8000;
    /// Reductions: offset of the history of quiet moves.
    lmr_quiet_offset: -47 in -8000 ..= 8000;
    /// Reductions: weight of the main history, 64ths.
    lmr_main: 114 in 0 ..= 300;
    /// Reductions: weight of the pawn history, 64ths.
    lmr_pawn: 68 in 0 ..= 200;
    /// Reductions: weight of the continuation history four plies ago, 64ths.
    lmr_continuation_4: 26 in 0 ..= 128;
    /// Reductions: history that reduces by one ply less.
    lmr_history: 11471 in 4000 ..= 20000;
    /// Reductions: excess over the best value from which the move is searched a ply deeper.
    lmr_deeper_base: 40 in 0 ..= 120;
    /// Reductions: increase of that excess per ply.
    lmr_deeper_slope: 3 in 0 ..= 8;
    /// Reductions: excess over the best value below which the move is searched a ply shallower.
    lmr_shallower: 11 in 0 ..= 40;
    /// Reductions: bonus of a late move that beats alpha, in the continuation histories.
    lmr_bonus: 1381 in 0 ..= 3000;
    /// First moves: reduction above which they are searched one ply shallower, 1024ths.
    full_reduction_1: 3016 in 1500 ..= 6000;
    /// First moves: reduction above which they are searched two plies shallower, 1024ths.
    full_reduction_2: 4714 in 2500 ..= 8000;
    /// History bonus: slope.
    bonus_slope: 136 in 50 ..= 300;
    /// History bonus: decrease at every depth.
    bonus_offset: 64 in 0 ..= 300;
    /// History bonus: maximum.
    bonus_max: 1677 in 600 ..= 3500;
    /// History bonus: increase if the best move is the table's.
    bonus_tt_move: 363 in 0 ..= 900;
    /// History bonus: increase for each move searched before, up to 20.
    bonus_searched: 15 in 0 ..= 60;
    /// History bonus: share for captures, 1024ths.
    bonus_capture: 1075 in 300 ..= 2500;
    /// History bonus: share for a cutoff by the table, 1024ths.
    bonus_tt_cutoff: 1053 in 200 ..= 2000;
    /// History malus of quiet moves: slope.
    malus_slope: 549 in 150 ..= 1200;
    /// History malus of quiet moves: decrease at every depth.
    malus_offset: 212 in 0 ..= 500;
    /// History malus of quiet moves: maximum.
    malus_max: 1954 in 600 ..= 4000;
    /// History malus of quiet moves: decrease per place in the order, 1024ths.
    malus_fade: 33 in 0 ..= 120;
    /// History malus of captures: slope.
    capture_malus_slope: 713 in 150 ..= 1200;
    /// History malus of captures: decrease at every depth.
    capture_malus_offset: 201 in 0 ..= 500;
    /// History malus of captures: maximum.
    capture_malus_max: 1886 in 600 ..= 4000;
    /// History malus of a refuted first move: share of that of quiet moves, 1024ths.
    malus_refuted_first: 412 in 0 ..= 2000;
    /// History malus of one of the first two moves that the table refutes.
    malus_tt_cutoff: 2081 in 0 ..= 4000;
    /// Updates: share for the main history, 1024ths.
    update_main: 1046 in 300 ..= 2000;
    /// Updates: share for the low-ply history, 1024ths.
    update_low_ply: 464 in 200 ..= 2000;
    /// Updates: share of a bonus for the pawn history, 1024ths.
    update_pawn_bonus: 1002 in 200 ..= 2000;
    /// Updates: share of a malus for the pawn history, 1024ths.
    update_pawn_malus: 502 in 100 ..= 2000;
    /// Updates: share for the continuation history, one ply ago, 1024ths.
    update_continuation_1: 1016 in 300 ..= 2000;
    /// Updates: share for the continuation history, two plies ago, 1024ths.
    update_continuation_2: 680 in 100 ..= 1500;
    /// Updates: share for the continuation history, three plies ago, 1024ths.
    update_continuation_3: 394 in 0 ..= 1200;
    /// Updates: share for the continuation history, four plies ago, 1024ths.
    update_continuation_4: 470 in 0 ..= 1200;
    /// Updates: share for the continuation history, five plies ago, 1024ths.
    update_continuation_5: 138 in 0 ..= 1000;
    /// Updates: share for the continuation history, six plies ago, 1024ths.
    update_continuation_6: 397 in 0 ..= 1200;
    /// Updates: share for the continuation histories if none is positive, 1024ths.
    agreement_base: 909 in 500 ..= 1500;
    /// Updates: increase for each positive one, 1024ths.
    agreement_step: 63 in 0 ..= 250;
    /// Bonus of the previous move without a good answer: share of the bonus, 1024ths.
    previous_base: -2181 in -5000 ..= 2000;
    /// Bonus of the previous move: increase per ply, up to nine plies, 1024ths.
    previous_depth: 632 in 100 ..= 1500;
    /// Bonus of the previous move: increase after six or more others, 1024ths.
    previous_late: 2518 in 0 ..= 5000;
    /// Bonus of the previous move: increase if the value is below the evaluation, 1024ths.
    previous_own_eval: 1462 in 0 ..= 5000;
    /// Bonus of the previous move: margin of that comparison.
    previous_own_margin: 39 in 10 ..= 200;
    /// Bonus of the previous move: increase if the value is below the evaluation before it,
    /// 1024ths.
    previous_their_eval: 1119 in 0 ..= 5000;
    /// Bonus of the previous move: margin of that comparison.
    previous_their_margin: 39 in 10 ..= 200;
    /// Bonus of the previous move: share of it for the main history, 1024ths.
    previous_main: 328 in 100 ..= 1500;
    /// Bonus of the previous move: share of it for the pawn history, 1024ths.
    previous_pawn: 1846 in 200 ..= 5000;
    /// Bonus of a previous move that captured.
    previous_capture: 1083 in 0 ..= 2500;
    /// Change of the evaluation by the previous move: maximum counted.
    eval_change_limit: 107 in 30 ..= 300;
    /// Change of the evaluation: offset.
    eval_change_offset: 3 in -50 ..= 100;
    /// Change of the evaluation: bonus in the main history per centipawn.
    eval_change_main: 9 in 0 ..= 30;
    /// Change of the evaluation: bonus in the pawn history per centipawn.
    eval_change_pawn: 19 in 0 ..= 40;
    /// Main history: share kept by a new search, 64ths.
    main_share: 47 in 10 ..= 64;
    /// Correction: weight of the pawn history, 64ths.
    correction_pawn: 37 in 10 ..= 120;
    /// Correction: weight of the piece history of each side, 64ths.
    correction_piece: 49 in 10 ..= 120;
    /// Correction: weight of the history by the last move and the one two plies ago, 64ths.
    correction_continuation_2: 25 in 0 ..= 120;
    /// Correction: weight of the history by the last move and the one four plies ago, 64ths.
    correction_continuation_4: 12 in 0 ..= 120;
    /// Correction: depth above which updates no longer grow.
    correction_depth_max: 20 in 8 ..= 32;
    /// Move order: bonus of a quiet move that gives check.
    check_bonus: 10341 in 0 ..= 30000;
    /// Move order: maximum loss of such a move in the exchange.
    check_see_margin: 97 in 0 ..= 300;
    /// Move order: weight of the captured piece.
    capture_value: 14 in 4 ..= 64;
    /// Move order: weight of the main history, 64ths.
    order_main: 106 in 20 ..= 300;
    /// Move order: weight of the pawn history, 64ths.
    order_pawn: 117 in 0 ..= 300;
    /// Move order: weight of the low-ply history at the root, 64ths.
    order_low_ply: 530 in 0 ..= 1500;
    /// Move order: weight of the continuation history, one ply ago, 64ths.
    order_continuation_1: 68 in 10 ..= 150;
    /// Move order: weight of the continuation history, two plies ago, 64ths.
    order_continuation_2: 50 in 10 ..= 150;
    /// Move order: weight of the continuation history, three plies ago, 64ths.
    order_continuation_3: 82 in 0 ..= 150;
    /// Move order: weight of the continuation history, four plies ago, 64ths.
    order_continuation_4: 42 in 0 ..= 150;
    /// Move order: weight of the continuation history, six plies ago, 64ths.
    order_continuation_6: 61 in 0 ..= 150;
    /// Move order: bonus of a rook that leaves an attack by a knight, cannon or pawn; malus for
    /// entering one.
    threat_by_minor: 19581 in 4000 ..= 40000;
    /// Move order: bonus of a knight or cannon that leaves an attack by a pawn; malus for entering
    /// one.
    threat_by_pawn: 9079 in 2000 ..= 25000;
    /// Quiescence: margin of futile captures.
    quiescence_futility: 150 in 50 ..= 350;
}
