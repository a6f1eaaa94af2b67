// The words of the report in its two languages.
'use strict';

const WORDS = {
  en: {
    report: 'Xiangqi report', game: 'Game', board: 'Board', moves: 'Moves', summary: 'Summary', settings: 'Settings', chances: 'Red’s chances',
    current: 'Current move', repetition: 'Repetition', theme: 'Colours', pieces: 'Pieces', coordinates: 'Coordinates',
    arrows: 'Show the best move as an arrow', first: 'First position', back: 'Move back', next: 'Next move', last: 'Last position',
    nextMistake: 'Next mistake', flip: 'Turn the board', start: 'Start of the game',
    keys: 'Keys: ← → one move, Home and End first and last position, N and P next and previous mistake, F turns the board, Esc leaves a line.',
    incomplete: 'The analysis was stopped early: not all positions are searched.',
    red: 'Red', black: 'Black', accuracy: 'Accuracy', opening: 'Opening', middlegame: 'Middlegame', endgame: 'Endgame',
    best: 'Best', good: 'Good', inaccuracy: 'Inaccuracy', mistake: 'Mistake', blunder: 'Blunder',
    bestPlural: 'Best moves', goodPlural: 'Good moves', inaccuracyPlural: 'Inaccuracies', mistakePlural: 'Mistakes', blunderPlural: 'Blunders',
    loses: (percent) => `loses ${percent} %`, better: 'Better:', engine: 'Engine:', depth: (depth) => `depth ${depth}`,
    line: 'A line of the engine', leave: 'Back to the game (Esc)', toMove: (side) => `${side} to move`, of: (a, b) => `${a} of ${b}`,
    chance: (percent) => `Red ${percent} %`, occurrences: (count) => `The last position occurs ${count} times.`,
    ruling: 'Ruling', why: 'Why', rule: 'Rule', rules: 'Rule book', none: 'none',
    chaser: 'chasing piece', victim: 'chased piece', protector: 'protecting piece', noRepetition: 'No position is repeated.',
    undecided: 'The search for threats ran out of nodes: an offence may be missed.',
    kinds: { king: 'king', advisor: 'advisor', bishop: 'bishop', knight: 'knight', rook: 'rook', cannon: 'cannon', pawn: 'pawn' },
    piece: (side, kind) => `${side.toLowerCase()} ${kind}`, event: (text) => text,
    options: { auto: 'as the system', light: 'light', dark: 'dark', chinese: 'Chinese', simplified: 'Chinese, simplified', latin: 'letters', symbols: 'symbols', '0-9': 'a–i, 0–9', '1-10': 'a–i, 1–10', none: 'none' },
  },
  zh: {
    report: '象棋报告', game: '对局', board: '棋盘', moves: '着法', summary: '统计', settings: '设置', chances: '红方胜率',
    current: '当前着法', repetition: '循环', theme: '颜色', pieces: '棋子', coordinates: '坐标',
    arrows: '用箭头显示最佳着法', first: '开局局面', back: '上一着', next: '下一着', last: '最后局面',
    nextMistake: '下一个失误', flip: '翻转棋盘', start: '开始局面',
    keys: '按键：← → 前后一着，Home、End 最初与最后局面，N、P 后一个与前一个失误，F 翻转棋盘，Esc 返回对局。',
    incomplete: '分析提前停止，部分局面没有搜索。',
    red: '红方', black: '黑方', accuracy: '准确率', opening: '开局', middlegame: '中局', endgame: '残局',
    best: '最佳', good: '好着', inaccuracy: '欠准确', mistake: '错着', blunder: '败着',
    bestPlural: '最佳', goodPlural: '好着', inaccuracyPlural: '欠准确', mistakePlural: '错着', blunderPlural: '败着',
    loses: (percent) => `损失 ${percent} %`, better: '更好：', engine: '引擎：', depth: (depth) => `深度 ${depth}`,
    line: '引擎的变着', leave: '返回对局（Esc）', toMove: (side) => `轮到${side}`, of: (a, b) => `${a} / ${b}`,
    chance: (percent) => `红方 ${percent} %`, occurrences: (count) => `最后局面共出现 ${count} 次。`,
    ruling: '裁决', why: '理由', rule: '条款', rules: '规则', none: '无',
    chaser: '捉子的棋子', victim: '被捉的棋子', protector: '保护的棋子', noRepetition: '没有重复的局面。',
    undecided: '对威胁的搜索用完了节点，可能漏判。',
    kinds: { king: '将', advisor: '士', bishop: '象', knight: '马', rook: '车', cannon: '炮', pawn: '兵' },
    piece: (side, kind) => side.slice(0, 1) + kind, event: chineseEvent,
    options: { auto: '跟随系统', light: '浅色', dark: '深色', chinese: '繁体字', simplified: '简体字', latin: '字母', symbols: '图形', '0-9': 'a–i、0–9', '1-10': 'a–i、1–10', none: '无' },
  },
};

/** The names of offences in the events of a game. */
const CHINESE_LEVELS = { idle: '允许着法', 'perpetual chase': '长捉', 'perpetual attack': '长打', 'perpetual check': '长将' };

/** Why a game ends, in the events of a game. */
const CHINESE_REASONS = { checkmate: '将死', stalemate: '困毙', 'natural-move limit': '自然限着', 'neither side can win': '双方无法取胜' };

/** An event of a game, which the analysis writes in English, in Chinese. */
function chineseEvent(text) {
  if (text.startsWith('the position has occurred')) return '局面重复';
  const ending = text.match(/^ending: red (.*?) against black (.*?)(?:; by the tables (.*))?$/);
  if (ending) {
    const table = ending[3] ? `，残局库：${chineseResult(ending[3])}` : '';
    return `残局：红方${chineseMen(ending[1])}对黑方${chineseMen(ending[2])}${table}`;
  }
  const over = text.match(/(?:(red|black) wins|draw): (.*)$/);
  if (!over) return text;
  const levels = over[2].match(/^repetition \(red: (.*), black: (.*)\)$/);
  const reason = levels
    ? `循环（红方${CHINESE_LEVELS[levels[1]] ?? levels[1]}，黑方${CHINESE_LEVELS[levels[2]] ?? levels[2]}）`
    : CHINESE_REASONS[over[2]] ?? over[2];
  const winner = { red: '红胜', black: '黑胜' }[over[1]] ?? '和棋';
  return `按规则终局：${winner}，${reason}`;
}

/** `rook, 2 pawns and advisor` in Chinese. */
function chineseMen(text) {
  if (text === 'king alone') return '单将';
  return text.split(/, | and /).map((man) => {
    const [, count, kind] = man.match(/^(\d*) ?(\w+?)s?$/) ?? ['', '', man];
    return (count === '2' ? '双' : count) + (WORDS.zh.kinds[kind] ?? kind);
  }).join('');
}

/** `red wins in 25 plies` in Chinese. */
function chineseResult(text) {
  if (text === 'a draw') return '和棋';
  const [, side, plies] = text.match(/^(red|black) (?:has won|wins in (\d+) pl(?:y|ies))$/) ?? [];
  if (!side) return text;
  return `${side === 'red' ? '红' : '黑'}胜${plies ? `（${plies} 步）` : ''}`;
}
