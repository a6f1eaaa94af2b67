//! Chinese, in the terms of referees: 将, 杀, 捉, 要抽吃, 兑, 献, 拦, 跟, 闲; 有根, 无根, 假根.

use crate::geometry::{Color, Piece, PieceKind};
use crate::notation::Notation;
use crate::rules::explanation::{
    Attack, Citation, Conduct, Effect, MoveKind, Reason, ReasonKind, Threat,
};
use crate::rules::{Level, RuleSet};

use super::wording::{Labels, Wording, name, numbers, pieces};

pub(super) struct Chinese;

impl Wording for Chinese {
    fn labels(&self) -> Labels {
        Labels {
            game: "对局",
            loop_from: "循环从第 {} 着之后开始：",
            red: "红方：",
            black: "黑方：",
            ruling: "裁决：",
            why: "理由：",
            rule: "条款：",
            undecided: "注意：未能完全裁决，搜索威胁时节点数用尽",
            second_time: "注意：局面第二次出现，第三次出现时才裁决",
            no_repetition: "裁决：无；没有重复局面",
        }
    }

    fn side(&self, side: Color) -> &'static str {
        match side {
            Color::Red => "红方",
            Color::Black => "黑方",
        }
    }

    fn piece(&self, piece: Piece) -> &'static str {
        match (piece.kind(), piece.color()) {
            (PieceKind::Pawn, Color::Red) => "兵",
            (PieceKind::Pawn, Color::Black) => "卒",
            (PieceKind::Advisor, Color::Red) => "仕",
            (PieceKind::Advisor, Color::Black) => "士",
            (PieceKind::Bishop, Color::Red) => "相",
            (PieceKind::Bishop, Color::Black) => "象",
            (PieceKind::Knight, _) => "马",
            (PieceKind::Cannon, _) => "炮",
            (PieceKind::Rook, _) => "车",
            (PieceKind::King, Color::Red) => "帅",
            (PieceKind::King, Color::Black) => "将",
        }
    }

    fn piece_on(&self, piece: Piece, square: String) -> String {
        format!("{}{square}", self.piece(piece))
    }

    fn move_kind(&self, kind: MoveKind) -> &'static str {
        match kind {
            MoveKind::Check => "将",
            MoveKind::Kill => "杀",
            MoveKind::Chase => "捉",
            MoveKind::CaptureByCheck => "要抽吃",
            MoveKind::Exchange => "兑",
            MoveKind::Offer => "献",
            MoveKind::Block => "拦",
            MoveKind::Follow => "跟",
            MoveKind::Idle => "闲",
        }
    }

    fn level(&self, level: Level) -> &'static str {
        match level {
            Level::Idle => "允许着法",
            Level::PerpetualChase => "长捉",
            Level::PerpetualAttack => "长打",
            Level::PerpetualCheck => "长将",
        }
    }

    fn ruling(&self, loser: Option<Color>) -> &'static str {
        match loser {
            Some(Color::Red) => "红方负",
            Some(Color::Black) => "黑方负",
            None => "和棋",
        }
    }

    fn attack(&self, attack: &Attack, notation: Notation) -> String {
        let [attacker, victim] =
            [&attack.attacker, &attack.victim].map(|on| name(self, on, notation));
        let partners = match &attack.partners[..] {
            [] => String::new(),
            partners => format!("与{}", pieces(self, partners, notation)),
        };
        let mut text = format!("{attacker}攻击{victim}：{partners}{}", effect(attack.effect));
        let roots = pieces(self, &attack.roots, notation);
        if attack.effect == Effect::Protected {
            text += &format!("：{roots}");
            return text;
        }
        if !attack.effect.depends_on_roots() {
            return text;
        }
        if !attack.fake_roots.is_empty() {
            text += &format!("，假根：{}", pieces(self, &attack.fake_roots, notation));
        }
        if attack.roots.is_empty() {
            text += if attack.effect.is_chase() { "，无根子" } else { "" };
        } else if attack.is_outweighed && attack.effect != Effect::NoGain {
            text += &format!("，被攻子价值高于攻击子，根不计：{roots}");
        } else {
            text += &format!("，有根：{roots}");
        }
        text
    }

    fn threat(&self, threat: &Threat, notation: Notation) -> String {
        let mut text = format!("威胁：{}", threat.line(notation).join(" "));
        if threat.is_mate {
            text += "，成杀";
        } else if !threat.captured.is_empty() {
            text += &format!("，吃{}", pieces(self, &threat.captured, notation));
        }
        text
    }

    fn conduct(&self, conduct: &Conduct, notation: Notation) -> String {
        let does = match (conduct.level, conduct.only_kind()) {
            (Level::PerpetualCheck, _) => "长将".to_owned(),
            (Level::PerpetualChase, _) => {
                format!("长捉{}", pieces(self, &conduct.victims, notation))
            }
            // Chases that do not count, because a side checks in the loop.
            (_, Some(MoveKind::Chase)) if !conduct.victims.is_empty() => {
                format!("每着都捉{}", pieces(self, &conduct.victims, notation))
            }
            (_, Some(kind)) => only(kind).to_owned(),
            (Level::PerpetualAttack, None) => format!("长打（{}）", counted(conduct)),
            (Level::Idle, None) => counted(conduct),
        };
        format!("{}：{does}", self.side(conduct.side))
    }

    fn reason(&self, reason: &Reason) -> String {
        match reason.side {
            Some(side) => format!("{}：{}", self.side(side), rule(reason.kind)),
            None if reason.kind.is_about_moves() => format!("双方：{}", rule(reason.kind)),
            None => rule(reason.kind).to_owned(),
        }
    }

    fn citation(&self, citation: &Citation) -> String {
        let book = match citation.rules {
            RuleSet::Axf => "亚洲棋规1999",
            RuleSet::Cxa => "中国棋规2020",
            _ => "世界棋规2018",
        };
        let mut text = book.to_owned();
        if !citation.articles.is_empty() {
            text += &format!("第{}条", citation.articles.replace(", ", "、"));
        }
        if !citation.diagrams.is_empty() {
            let list = numbers(citation, "、", |first, last| format!("{first}–{last}"));
            text += &format!("，图{list}");
        }
        text
    }

    fn cited(&self, reason: String, citation: &str) -> String {
        format!("{reason}（{citation}）")
    }

    fn comma(&self) -> &'static str {
        "、"
    }

    fn semicolon(&self) -> &'static str {
        "；"
    }
}

fn effect(effect: Effect) -> &'static str {
    match effect {
        Effect::Chase => "捉",
        Effect::JointChase => "联合捉子",
        Effect::ByKing => "将、帅允许长捉，不算捉",
        Effect::ByPawn => "兵、卒允许长捉，不算捉",
        Effect::UncrossedPawn => "捉未过河兵卒，不算捉",
        Effect::Pinned => "攻击子受牵制不能离线，不算捉",
        Effect::Exchange => "兑，不算捉",
        Effect::Protected => "有根，不算捉",
        Effect::NotNew => "原已存在的攻击，不算捉",
        Effect::NotMet => "对方听任其吃，不算捉",
        Effect::NoGain => "吃后不得子，或原已如此，不算捉",
        Effect::KeyPoint => "弱方唯一攻击子应杀守和，不算捉（26.2）",
    }
}

/// Describes a side all of whose moves are of one kind.
fn only(kind: MoveKind) -> &'static str {
    match kind {
        MoveKind::Check => "长将",
        MoveKind::Kill => "长杀",
        MoveKind::Chase => "轮捉两子或多子",
        MoveKind::CaptureByCheck => "长要抽吃",
        MoveKind::Exchange => "长兑",
        MoveKind::Offer => "长献",
        MoveKind::Block => "长拦",
        MoveKind::Follow => "长跟",
        MoveKind::Idle => "均为闲着",
    }
}

/// Counts the moves of each kind: `一将一闲`.
fn counted(conduct: &Conduct) -> String {
    const NUMBERS: [&str; 10] = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十"];
    let number = |count: usize| match NUMBERS.get(count.wrapping_sub(1)) {
        Some(&word) => word.to_owned(),
        None => count.to_string(),
    };
    let part = |&(kind, count): &(MoveKind, usize)| number(count) + Chinese.move_kind(kind);
    conduct.kinds.iter().map(part).collect()
}

fn rule(kind: ReasonKind) -> &'static str {
    match kind {
        ReasonKind::PerpetualCheck => "单方长将作负",
        ReasonKind::MutualCheck => "双方长将作和",
        ReasonKind::CheckAgainstChase => "长将对长捉，长将方作负",
        ReasonKind::PerpetualChase => "长捉一子作负",
        ReasonKind::MutualChase => "双方长捉作和",
        ReasonKind::RookByLesser => "马、炮长捉车，不论有根无根均算捉",
        ReasonKind::TwoToOne => "二捉对一捉，步步捉方作负",
        ReasonKind::HeavierByGuard => {
            "士、象长捉价值更高的子，不论有根无根均算捉（由马、炮捉车的条款推定）"
        }
        ReasonKind::SeveralChasers => "两子或多子轮流长捉一子，仍算长捉",
        ReasonKind::FakeRoot => "不能合法反吃的根为假根，按无根论",
        ReasonKind::SameKindUnable => "同兵种而被攻子不能反吃，算捉不算兑",
        ReasonKind::MovedScreen => "移动炮架而捉子，算捉",
        ReasonKind::CrossedPawn => "长捉过河兵、卒作负",
        ReasonKind::WithKingOrPawn => "将帅、兵卒与他子配合，他子步步捉子，仍算长捉",
        ReasonKind::WithExchange => "捉兼兑，算捉",
        ReasonKind::ImmobileRook => "不得长捉不能离位的车",
        ReasonKind::PinningRook => "不得长捉牵制己方子力的车",
        ReasonKind::PerpetualKill => "长杀允许",
        ReasonKind::CheckAndKill => "一将一杀允许",
        ReasonKind::CheckAndCapture => "一将一要抽吃允许",
        ReasonKind::CheckAndChase => "一将一捉允许",
        ReasonKind::CheckAndIdle => "一将一闲允许",
        ReasonKind::ChaseAndThreat => "一捉一杀、一捉一要抽吃允许",
        ReasonKind::ChaseAndIdle => "一捉一闲允许",
        ReasonKind::KillAndIdle => "一杀一闲允许",
        ReasonKind::KillAndCapture => "一杀一要抽吃允许",
        ReasonKind::CheckAndThreats => "将、捉、杀、要抽吃交替允许",
        ReasonKind::SeveralVictims => "轮捉两子或多子允许",
        ReasonKind::UncrossedPawn => "长捉未过河兵、卒允许",
        ReasonKind::Protected => "长捉有根子允许",
        ReasonKind::SameKind => "同兵种互相攻击算兑，允许",
        ReasonKind::SameKindProtected => "同兵种受攻而有根，不算捉",
        ReasonKind::ByKingOrPawn => "将帅、兵卒长捉允许",
        ReasonKind::PinnedAttacker => "受牵制不能离线的子不算捉",
        ReasonKind::NotMet => "对方听任其吃的攻击不算捉",
        ReasonKind::NotNew => "原已存在的攻击不算捉",
        ReasonKind::CaptureByCheck => "长要抽吃允许",
        ReasonKind::Block => "长拦允许",
        ReasonKind::Offer => "长兑、长献允许",
        ReasonKind::OnlyIdle => "无将无捉的着法允许",
        ReasonKind::OneSideForbidden => {
            "长打（步步为将、杀、捉），对方为允许着法，须变着，不变作负"
        }
        ReasonKind::NeitherForbidden => "双方均为允许着法（非步步将、杀、捉），不变作和",
        ReasonKind::HeavierOffence => {
            "双方均为禁止着法，此方只有将、杀、捉车或捉无根子，较重，须变着，不变作负"
        }
        ReasonKind::JointChase => "双方长捉，此方单独捉子而对方联合捉子，此方须变着，不变作负",
        ReasonKind::EqualOffences => "双方均为禁止着法且轻重相同，不变作和",
        ReasonKind::Undecided => "未能裁决（搜索威胁时节点数用尽），作和",
        ReasonKind::CheckInLoop => "循环中有将军，不计捉",
        ReasonKind::NoRule => "按此规则，重复局面作和",
    }
}
