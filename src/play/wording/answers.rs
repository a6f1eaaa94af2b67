//! Short answers to commands.

use xiangqi::geometry::Color;
use xiangqi::rules::explanation::Language;

use super::super::level::FULL_LEVEL;
use super::Words;

impl Words {
    pub(in crate::play) fn interrupted(self, is_unsaved: bool) -> &'static str {
        if is_unsaved {
            self.choose(
                "\nInterrupted; the game is not saved. Type 'save FILE' to save it or 'quit' to \
                 leave; Ctrl-C again leaves too.",
                "\n已中断；本局尚未保存。输入“保存 文件名”保存，或输入“退出”离开；再按一次 Ctrl-C 也会离开。",
            )
        } else {
            self.choose(
                "\nInterrupted. Type 'quit' or press Ctrl-C again to leave.",
                "\n已中断。输入“退出”或再按一次 Ctrl-C 离开。",
            )
        }
    }

    pub(in crate::play) fn game_is_over(self) -> &'static str {
        self.choose(
            "The game is over; type 'undo', 'new' or 'quit'.",
            "本局已结束；可输入“悔棋”“新局”或“退出”。",
        )
    }

    pub(in crate::play) fn not_your_turn(self, side: Color) -> String {
        let side = self.side(side);
        self.choose(
            format!(
                "It is {side}'s turn, which the engine plays; type 'go' to let it move, or 'undo'."
            ),
            format!("轮到{side}，由引擎来走；输入“走棋”让它走，或“悔棋”。"),
        )
    }

    pub(in crate::play) fn plays(self, name: &str, text: &str) -> String {
        self.choose(format!("{name} plays {text}."), format!("{name} 走 {text}。"))
    }

    pub(in crate::play) fn plays_now(self, side: Color) -> String {
        let side = self.side(side);
        self.choose(format!("You play {side} now."), format!("现在你执{side}。"))
    }

    pub(in crate::play) fn engine_waits(self) -> &'static str {
        self.choose("The engine waits; type 'go' to let it move.", "引擎在等待；输入“走棋”让它走。")
    }

    pub(in crate::play) fn best_line(self, line: &str) -> String {
        self.choose(format!("Full strength plays {line}."), format!("最强引擎走：{line}。"))
    }

    pub(in crate::play) fn depth(self, judgement: &str, depth: u32) -> String {
        self.choose(format!("{judgement} Depth {depth}."), format!("{judgement}深度 {depth}。"))
    }

    pub(in crate::play) fn level(self, level: u32, elo: Option<i64>) -> String {
        match (self.0, elo) {
            (Language::Chinese, None) => "引擎以最强水平走棋。".to_owned(),
            (Language::Chinese, Some(elo)) => {
                format!("引擎的级别是 {level}，最高 {FULL_LEVEL}（等级分 {elo}）。")
            }
            (_, None) => "The engine plays at full strength.".to_owned(),
            (_, Some(elo)) => {
                format!("The engine plays at level {level} of {FULL_LEVEL} (Elo {elo}).")
            }
        }
    }

    pub(in crate::play) fn no_level(self, text: &str, error: String) -> String {
        self.choose(error, format!("“{text}”不是级别；请输入 0（初学）到 20，或“最强”"))
    }

    pub(in crate::play) fn no_move_yet(self) -> &'static str {
        self.choose("No move has been made yet.", "还没有走棋。")
    }

    pub(in crate::play) fn nothing_to_undo(self) -> &'static str {
        self.choose("There is no move to take back.", "没有可以收回的着法。")
    }

    pub(in crate::play) fn nothing_to_redo(self) -> &'static str {
        self.choose("There is no move to redo.", "没有可以恢复的着法。")
    }

    pub(in crate::play) fn no_side(self, text: &str) -> String {
        self.choose(
            format!("'{text}' is not a side; type 'new red', 'new black' or 'new both'"),
            format!("“{text}”不是一方；请输入“新局 红”“新局 黑”或“新局 双方”"),
        )
    }

    pub(in crate::play) fn too_early_for_a_draw(self, moves: u32) -> String {
        self.choose(
            format!("The engine accepts no draw before move {moves}."),
            format!("第 {moves} 回合之前引擎不同意和棋。"),
        )
    }

    pub(in crate::play) fn draw_declined(self) -> &'static str {
        self.choose(
            "The engine declines the draw: it hopes for more.",
            "引擎不同意和棋：它还想争胜。",
        )
    }

    pub(in crate::play) fn farewell(self, command: &str) -> String {
        self.choose(
            format!("The game is not saved. To continue it:\n  {command}"),
            format!("本局尚未保存。要继续本局，请输入：\n  {command}"),
        )
    }
}
