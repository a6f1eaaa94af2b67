// The texts of the page in English and Chinese.

import { all } from './dom.js';

/** @typedef {'en'|'zh'} Language */

const TEXTS = {
  modes: ['Mode', '功能'],
  board: ['Board', '棋盘'],
  steps: ['Go through the game', '浏览棋局'],
  play: ['Play', '对弈'],
  analyse: ['Analyse', '分析'],
  setup: ['Set up', '摆棋'],
  open: ['Open', '打开'],
  save: ['Save', '保存'],
  settings: ['Settings', '设置'],
  toStart: ['To the start (Home)', '到开局 (Home)'],
  back: ['One move back (←)', '上一步 (←)'],
  forward: ['One move forward (→)', '下一步 (→)'],
  toEnd: ['To the end (End)', '到终局 (End)'],
  flip: ['Flip the board (F)', '翻转棋盘 (F)'],
  engine: ['Engine', '引擎'],
  lines: ['Lines', '变化数'],
  moves: ['Moves', '着法'],
  makeCurve: ['Analyse the game', '分析全局'],
  curve: ['Red’s expected points over the game', '红方得分预期曲线'],
  judge: ['Repetitions', '循环裁决'],
  removeMove: ['Delete from here', '删除此后着法'],
  promoteLine: ['Make main line', '设为主变'],
  comment: ['Comment', '注释'],
  commentOn: ['Comment on {0}', '{0} 的注释'],
  commentOnStart: ['Comment on the start', '开局的注释'],
  judgement: ['Mark of the move', '着法评注'],
  // opening books
  book: ['Opening book', '开局库'],
  bookOff: ['Off', '关闭'],
  bookBuiltIn: ['Master games', '大师对局'],
  bookOpen: ['Open a book file …', '打开开局库文件……'],
  bookLoaded: ['{0} moves in {1} positions', '{1} 个局面，{0} 个着法'],
  bookEmpty: ['The book has no move here.', '开局库中没有此局面。'],
  bookShare: ['Share', '比例'],
  bookGames: ['Games', '局数'],
  bookScore: ['Score', '得分率'],
  playBookHint: ['The engine plays from this book as long as it has moves', '引擎按此开局库走棋，直至脱谱'],
  withBook: ['opening book', '开局库'],
  bookMark: ['book', '谱'],
  fromBook: ['{0} is from the opening book', '{0} 出自开局库'],
  move: ['Move', '着法'],
  red: ['Red', '红方'],
  black: ['Black', '黑方'],
  you: ['You', '你'],
  level: ['Level', '级别'],
  fullStrength: ['full strength', '最强'],
  elo: ['Elo {0}', '等级分 {0}'],
  beginner: ['beginner', '初学'],
  casual: ['casual player', '业余'],
  club: ['club player', '中级'],
  strong: ['strong player', '高级'],
  expert: ['expert', '专家'],
  youPlay: ['You play', '你执'],
  both: ['Both', '双方'],
  neither: ['Neither', '旁观'],
  bothHint: ['Two people at one board', '两人同屏对弈'],
  neitherHint: ['The engine plays itself', '引擎自我对弈'],
  time: ['Time', '时间'],
  perMove: ['Engine’s time for a move', '引擎每步用时'],
  clocks: ['Clock: minutes + seconds for each move', '棋钟：分钟 + 每步加秒'],
  seconds: ['{0} s', '{0} 秒'],
  minutes: ['{0} + {1}', '{0} 分 + {1} 秒'],
  from: ['Start from', '起始局面'],
  fromStart: ['the start', '开局'],
  fromHere: ['this position', '当前局面'],
  start: ['Start the game', '开始对局'],
  newGame: ['New game', '新对局'],
  takeBack: ['Take back', '悔棋'],
  moveNow: ['Move now', '立即走棋'],
  pause: ['Pause', '暂停'],
  resume: ['Resume', '继续'],
  backToGame: ['Back to the game', '返回对局'],
  resign: ['Resign', '认输'],
  analyseGame: ['Go to analysis', '转到分析'],
  toMove: ['{0} to move', '轮到{0}走棋'],
  yourTurn: ['Your turn', '轮到你走'],
  thinking: ['The engine is thinking …', '引擎思考中……'],
  waiting: ['Waiting for other boards …', '等待其他棋盘……'],
  paused: ['Paused', '已暂停'],
  check: ['check', '将军'],
  wins: ['{0} wins', '{0}胜'],
  draw: ['Draw', '和棋'],
  endCheckmate: ['checkmate', '将死'],
  endStalemate: ['stalemate, which loses', '困毙'],
  endRepetition: ['repetition', '循环反复'],
  endNatural: ['natural-move limit', '自然限着'],
  endMaterial: ['neither side can win', '双方均无取胜兵力'],
  endTime: ['time', '超时'],
  endResignation: ['resignation', '认输'],
  endAgreement: ['agreement', '双方同意'],
  repeated: ['Position repeated: {0} times', '局面重复：第 {0} 次'],
  loses: ['{0} loses', '{0}负'],
  engineOff: ['Switch the engine on to see the best moves.', '打开引擎以查看最佳着法。'],
  engineEnd: ['The game is over here.', '此处棋局已结束。'],
  depth: ['depth {0}', '深度 {0}'],
  nodes: ['{0} nodes', '{0} 节点'],
  better: ['Red’s expected points: {0} %', '红方得分预期 {0}%'],
  noMoves: ['No moves yet. Move a piece, or open a game.', '尚无着法。请走棋或打开棋谱。'],
  // setting up
  setupHint: ['Choose a piece and click on the board. Drag a piece off the board to remove it.', '选择棋子后点击棋盘放置；把棋子拖出棋盘即可移除。'],
  hand: ['Move pieces', '移动棋子'],
  eraser: ['Remove pieces', '移除棋子'],
  startPosition: ['Start position', '初始局面'],
  shownPosition: ['Shown position', '当前局面'],
  clear: ['Clear', '清空'],
  sideToMove: ['To move', '先走方'],
  fen: ['FEN', 'FEN'],
  useAnalyse: ['Analyse it', '分析此局面'],
  usePlay: ['Play from it', '由此对弈'],
  copied: ['Copied', '已复制'],
  copyFailed: ['The browser does not allow copying.', '浏览器不允许复制。'],
  // files
  openTitle: ['Open a game', '打开棋谱'],
  openHint: ['PGN (moves in any notation), DhtmlXQ, XQF, CBR, CBL or CBF; or paste a game, a FEN, a list of moves or an engine’s position command.', '支持 PGN（任何记谱法）、DhtmlXQ、XQF、CBR、CBL、CBF；也可粘贴棋谱、FEN、着法列表或引擎的 position 指令。'],
  chooseFile: ['Choose a file', '选择文件'],
  paste: ['Paste a game here', '在此粘贴棋谱'],
  load: ['Open', '打开'],
  close: ['Close', '关闭'],
  gamesInFile: ['{0} games in this file', '文件中有 {0} 局'],
  gamesListed: ['Only the first {0} are listed.', '仅列出前 {0} 局。'],
  saveTitle: ['Save the game', '保存棋谱'],
  kind: ['Kind', '格式'],
  kindPgn: ['PGN, for most programs', 'PGN（通用）'],
  kindXqf: ['XQF, for Xiangqi Wizard', 'XQF（象棋演播室、象棋巫师）'],
  kindDhtmlxq: ['DhtmlXQ, for web boards', 'DhtmlXQ（东萍网页棋谱）'],
  kindCbr: ['CBR, for CCBridge', 'CBR（象棋桥）'],
  kindCbf: ['CBF, CCBridge in XML, main line only', 'CBF（象棋桥，仅主变）'],
  kindList: ['Result and moves in a line', '结果与着法列表'],
  kindPosition: ['UCI position command', 'UCI/UCCI position 指令'],
  notation: ['Notation', '记谱法'],
  variations: ['With variations and comments', '包含变着和注释'],
  download: ['Download', '下载'],
  copyText: ['Copy the text', '复制文本'],
  copyFen: ['Copy the FEN', '复制 FEN'],
  report: ['Report as a page', '分析报告网页'],
  reportPlain: ['The report has only moves and rulings; after “Analyse the game” it also has scores and mistakes.', '报告只有着法和裁决；先“分析全局”，报告便有评分和失误。'],
  redPlayer: ['Red’s name', '红方姓名'],
  blackPlayer: ['Black’s name', '黑方姓名'],
  event: ['Event', '赛事'],
  // settings
  rules: ['Rules of repetition', '循环规则'],
  pieces: ['Pieces', '棋子'],
  piecesChinese: ['Traditional characters', '繁体字'],
  piecesSimplified: ['Simplified characters', '简体字'],
  piecesFilled: ['Coloured discs', '彩色棋子'],
  piecesLettered: ['Characters with letters', '汉字加字母'],
  piecesLatin: ['Letters', '字母'],
  piecesSymbols: ['Symbols', '图形'],
  coordinates: ['Coordinates', '坐标'],
  coordinatesAuto: ['Those of the notation', '与记谱一致'],
  coordinatesNone: ['None', '无'],
  boards: ['Board', '棋盘样式'],
  boardsAuto: ['As the page', '与页面一致'],
  boardsLight: ['Light wood', '浅色木纹'],
  boardsDark: ['Dark wood', '深色木纹'],
  boardsPaper: ['Paper', '白纸'],
  boardsJade: ['Jade', '碧玉'],
  size: ['Board size', '棋盘大小'],
  sound: ['Sounds', '音效'],
  panel: ['Game', '对局'],
  scoreUnknown: ['No evaluation yet', '尚无评估'],
  theme: ['Colours', '颜色'],
  themeAuto: ['As the system', '跟随系统'],
  themeLight: ['Light', '浅色'],
  themeDark: ['Dark', '深色'],
  languageName: ['Language', '语言'],
  arrows: ['Arrows of the engine', '显示引擎箭头'],
  rulesWXF: ['WXF: World Federation 2018', 'WXF：世界象棋联合会 2018'],
  rulesAXF: ['AXF: Asian Federation', 'AXF：亚洲象棋联合会'],
  rulesCXA: ['CXA: China 2020', 'CXA：中国 2020'],
  rulesComputer: ['Computer matches', '电脑对局'],
  rulesCheckOnly: ['Only perpetual check loses', '仅长将判负'],
  rulesNone: ['Every repetition is a draw', '循环一律作和'],
  notationIccs: ['ICCS: H2-E2', 'ICCS：H2-E2'],
  notationUci: ['Squares: h2e2', '坐标：h2e2'],
  notationUci10: ['Squares 1-10: h3e3', '坐标 1-10：h3e3'],
  notationWxf: ['WXF: C2=5', 'WXF：C2=5'],
  notationChinese: ['Chinese: 炮二平五', '中文：炮二平五'],
  notationTraditional: ['Chinese, traditional: 炮二平五', '中文（繁体）：炮二平五'],
  notationAlgebraic: ['Algebraic: Che2', '代数：Che2'],
  // the judge
  judgeTitle: ['Repetitions of this game', '本局的循环'],
  noRepetitions: ['No position of this line occurs twice.', '此变化中没有重复局面。'],
  loopFrom: ['From half-move {0}, the position {1} times; not explained', '自第 {0} 着起，局面出现 {1} 次；未作说明'],
  loopAt: ['Half-moves {0} to {1}, the position {2} times', '第 {0} 至 {1} 着，局面出现 {2} 次'],
  why: ['Why', '理由'],
  showOnBoard: ['Show on the board', '在棋盘上显示'],
  undecided: ['The search for threats ran out of nodes, so neither side loses.', '搜索威胁时节点数用尽，故不判任何一方负。'],
  levelIdle: ['allowed moves', '允许着法'],
  levelChase: ['perpetual chase', '长捉'],
  levelCheck: ['perpetual check', '长将'],
  levelAttack: ['perpetual attack', '长打'],
  // what is lost, kept and undone
  reconnecting: ['cannonade does not answer. Is it still running? The page connects again by itself.', 'cannonade 没有应答。它仍在运行吗？页面会自动重新连接。'],
  noEngine: ['The engine cannot be loaded in this browser.', '此浏览器无法加载引擎。'],
  startedAgain: ['cannonade was restarted: open its new address.', 'cannonade 已重新启动：请打开它的新地址。'],
  notConnected: ['Not connected', '未连接'],
  saveCopy: ['Save a copy', '保存副本'],
  reopened: ['cannonade was restarted; the game is on the board again.', 'cannonade 已重新启动，棋局已恢复。'],
  restored: ['The server had lost this game; it was restored from the page’s copy.', '服务器上没有此局，已由页面的副本恢复。'],
  undo: ['Undo', '撤销'],
  redo: ['Redo', '重做'],
  undoWhat: ['Undo: {0} (Ctrl+Z)', '撤销：{0} (Ctrl+Z)'],
  redoWhat: ['Redo: {0} (Ctrl+Y)', '重做：{0} (Ctrl+Y)'],
  undoDone: ['Undone: {0}', '已撤销：{0}'],
  redoDone: ['Redone: {0}', '已重做：{0}'],
  undoMove: ['move', '着法'],
  undoTakeBack: ['moves taken back', '悔棋'],
  undoTakeBackMade: ['Moves were taken back.', '已悔棋。'],
  undoRemove: ['deleted moves', '删除着法'],
  undoRemoveMade: ['The moves are deleted.', '着法已删除。'],
  undoPromote: ['main line', '设为主变'],
  undoAnnotate: ['comment or mark', '注释或评注'],
  undoTags: ['names', '姓名'],
  undoReplace: ['another game', '更换棋局'],
  undoReplaceMade: ['Another game is on the board.', '棋盘上已换为另一局。'],
  undoResign: ['resignation', '认输'],
  undoResignMade: ['The game was resigned.', '已认输。'],
  undoTimeForfeit: ['loss on time', '超时判负'],
  undoResume: ['beginning of the game', '开始对局'],
  undoRules: ['end by the rules', '按规则终局'],
  backToLastGame: ['Back to the last game', '返回上一局'],
  setupLeft: ['The position that was set up is kept.', '已保留所摆的局面。'],
  backToSetup: ['Back to it', '返回摆棋'],
  resignSure: ['Really resign?', '确定认输？'],
  previewAt: ['A line of the engine, {0}: move {1} of {2}', '引擎变化 {0}：第 {1} 着，共 {2} 着'],
  insertLine: ['Insert the moves', '插入着法'],
  leaveLine: ['Back to the game', '返回棋局'],
  // the analysis of the game
  stop: ['Stop', '停止'],
  aboutSeconds: ['Takes about {0} s', '约需 {0} 秒'],
  positionsDone: ['{0} of {1} · {2} s left', '{0}/{1} · 剩余 {2} 秒'],
  accuracy: ['Accuracy', '准确率'],
  classbest: ['Best', '最佳'],
  classgood: ['Good', '好着'],
  classinaccuracy: ['Inaccuracy', '欠准'],
  classmistake: ['Mistake', '失误'],
  classblunder: ['Blunder', '败着'],
  phaseopening: ['Opening', '开局'],
  phasemiddlegame: ['Middle', '中局'],
  phaseendgame: ['End', '残局'],
  losesPoints: ['loses {0} %', '失分 {0}%'],
  betterWas: ['better', '更好'],
  choosesMove: ['Choose a move to see what it loses.', '选择着法查看得失。'],
  nextMistake: ['Next mistake', '下一失误'],
  nextMistakeKey: ['Next mistake (N), previous one (Shift+N)', '下一失误 (N)，上一失误 (Shift+N)'],
  learn: ['Learn from mistakes', '从失误中学习'],
  analyseAgain: ['Again', '重新分析'],
  analyseAgainHint: ['Analyses the game again', '重新分析全局'],
  withAnalysis: ['With the engine’s scores and marks', '包含引擎评分和评注'],
  learnAsk: ['{0} played {1}. Find a better move.', '{0}走了{1}。请找出更好的着法。'],
  learnChecking: ['The engine examines the move …', '引擎正在检验此着……'],
  learnWrong: ['There is a better one. Try again.', '还有更好的着法，请再试。'],
  learnGood: ['Also good. The engine plays {0}.', '也是好着。引擎走{0}。'],
  learnFound: ['Right: {0}', '正确：{0}'],
  learnShown: ['Better is {0}', '更好的是{0}'],
  showSolution: ['Show it', '显示答案'],
  nextPuzzle: ['Next', '下一题'],
  learnDone: ['Done', '完成'],
  learnEnd: ['Back to the game', '返回棋局'],
  pageOf: ['{0}/{1}', '{0}/{1}'],
  puzzles: ['Puzzles ({0})', '习题（{0}）'],
  // kept games
  recentGames: ['Recent games', '最近的棋局'],
  allGames: ['Show all {0}', '显示全部 {0} 局'],
  moveCount: ['{0} moves', '{0} 回合'],
  oneMove: ['1 move', '1 回合'],
  goingOn: ['in progress', '进行中'],
  goOnWith: ['Resume: {0}, {1}', '继续：{0}，{1}'],
  removeGame: ['Delete {0}', '删除 {0}'],
  gameRemoved: ['{0} is deleted.', '已删除 {0}。'],
  keptIn: ['Games are kept in {0}', '棋局保存在 {0}'],
  notKept: ['The game cannot be kept on disk: {0}', '无法将棋局保存到磁盘：{0}'],
  // threats, captured pieces, moves in advance
  threat: ['Threat', '威胁'],
  threatSearch: ['Looking for the threat …', '正在寻找威胁……'],
  threatCheck: ['In check there is no other threat to show.', '被将军时不显示其他威胁。'],
  captured: ['Captured', '已吃'],
  premoveSet: ['The move {0} to {1} is made as soon as it is your turn.', '轮到你时将自动走 {0} 到 {1}。'],
  loopMove: ['Move {0} of {1} of the repetition.', '循环第 {0}/{1} 着。'],
  // pictures and keys
  picture: ['Picture', '图片'],
  copyPicture: ['Copy', '复制'],
  pictureAs: ['{0}', '{0}'],
  keys: ['Keys', '快捷键'],
  keySteps: ['one move back, one forward', '上一着、下一着'],
  keyEnds: ['to the start, to the end', '到开局、到终局'],
  keyVariations: ['the previous and the next variation', '上一变着、下一变着'],
  keyUndo: ['undo, redo', '撤销、重做'],
  keyPaste: ['opens a game, a FEN or moves from the clipboard', '打开剪贴板中的棋谱、FEN 或着法'],
  keyFlip: ['flips the board', '翻转棋盘'],
  keyEngine: ['starts and stops the engine in Analyse', '分析时启动或停止引擎'],
  keyThreat: ['shows what the other side threatens', '显示对方的威胁'],
  keySpeak: ['says the state of the game and the score to screen readers', '向屏幕阅读器播报局势和评分'],
  keyMistake: ['the next mistake, the previous one', '下一失误、上一失误'],
  keyEscape: ['back to the game from a line, a puzzle or a repetition; cancels a move in advance', '从变化、习题或循环返回棋局；取消预走'],
  keyBoard: ['moves a piece without a mouse', '不用鼠标走棋'],
  keyHelp: ['this list', '本列表'],
  keyDraw: ['The right button of the mouse draws arrows and circles, with Shift or Alt in other colours.', '用鼠标右键画箭头和圆圈，按住 Shift 或 Alt 换色。'],
  timeControl: ['Time control', '用时'],
  engineSeconds: ['engine {0} s a move', '引擎每步 {0} 秒'],
  pieceK: ['king', '将'], pieceA: ['advisor', '士'], pieceB: ['bishop', '象'], pieceN: ['knight', '马'],
  pieceR: ['rook', '车'], pieceC: ['cannon', '炮'], pieceP: ['pawn', '卒'],
};

/** The Chinese names of red pieces that differ from those of black ones. */
const RED_PIECES = { K: '帅', A: '仕', B: '相', P: '兵' };

/** Errors of the server by their codes, in Chinese; in English its own sentences are shown. */
const PROBLEMS = {
  fenEmpty: 'FEN 为空',
  fenRanks: 'FEN 有 {0} 行，应为以“/”分隔的 10 行',
  fenRank: 'FEN 中第 {0} 行（从 0 到 9）有 {1} 格，应为 9 格',
  fenLetter: 'FEN 中第 {0} 行（从 0 到 9）的“{1}”不是棋子',
  fenSide: '“{0}”不是走棋方；红方为 w 或 r，黑方为 b',
  fenCounter: '“{0}”不是计数；应为 0 至 9999 的数',
  fenTrailing: 'FEN 至多六项，多出“{0}”',
  noKing: '{0}没有将（帅），请在九宫内放一个',
  tooMany: '棋盘上有 {1} 个{0}，最多 {2} 个',
  misplaced: '{0}不能放在 {1}',
  facingKings: '将帅在 {0} 线上照面，请在其间放一子',
  inCheck: '{0}正被将军，却轮到对方走棋；请改变先走方',
  noGame: '文本中没有棋局；应为 PGN、DhtmlXQ、XQF、CBR、CBL、CBF、着法列表或 position 指令',
  noSuchGame: '共有 {1} 局，没有第 {0} 局',
  badGame: '第 {0} 局无法读取：{1}',
  noKeptGame: '没有这局棋；它可能已被删除',
  noBook: '没有这个开局库；它可能是在服务器重新启动之前打开的',
  noNode: '棋局中没有这一着；请重新载入页面',
  enginesTurn: '轮到引擎走棋；请等待，或暂停对局',
  nothingToUndo: '没有可以撤销的改动',
  nothingToRedo: '没有可以重做的改动',
  outOfTime: '时间已到',
  gameOver: '棋局已结束；请悔棋或开始新对局',
  tooLong: '着法过多；请保存后开始新对局',
  tooLongToShow: '棋局连同变着共 {0} 着；最多显示 {1} 着',
  noContest: '没有正在进行的对局',
  nobodyResigns: '双方均为引擎，无人可认输；请暂停对局',
};

/** @type {Language} */
let language = 'en';

/** @param {Language} wanted */
export function setLanguage(wanted) {
  language = wanted;
  document.documentElement.lang = wanted === 'zh' ? 'zh-Hans' : 'en';
  translate(document);
}

export const isChinese = () => language === 'zh';

/**
 * The text of a name in the page's language; `{0}` and so on are replaced.
 * @param {string} name
 * @param {...(string|number)} values
 */
export function t(name, ...values) {
  const found = TEXTS[name];
  const text = found ? found[language === 'zh' ? 1 : 0] : name;
  return filled(text, values);
}

const filled = (text, values) => text.replace(/\{(\d)\}/g, (_, index) => String(values[Number(index)] ?? ''));

/**
 * The server's error, in the page's language if it has a sentence for that.
 * @param {string} message in English
 * @param {{code: string, values: string[]}|null} [problem]
 */
export function problemText(message, problem) {
  const sentence = language === 'zh' && problem ? PROBLEMS[problem.code] : undefined;
  if (!sentence) return message;
  const [first, ...others] = problem.values;
  const isPiece = ['tooMany', 'misplaced'].includes(problem.code);
  const shown = first === 'red' || first === 'black' ? t(first) : isPiece ? pieceName(first) : first;
  return filled(sentence, [shown, ...others]);
}

/** Errors of the browser that copies nothing. */
const REFUSED = ['NotAllowedError', 'EncodingError', 'DataError'];

/** Returns whether the browser has refused something, not the server. @param {Error} error */
export const isOfBrowser = (error) => error instanceof DOMException && REFUSED.includes(error.name);

/** The reason for which a request has failed. @param {Error & {status?: number, problem?: {code: string, values: string[]}}} error */
export function errorText(error) {
  if (isOfBrowser(error)) return t('copyFailed');
  if (error.name === 'NoEngine') return t('noEngine');
  if (!error.status) return t('reconnecting');
  // The address has a key, which is a new one after each start.
  if (error.status === 403) return t('startedAgain');
  return problemText(error.message, error.problem);
}

/** Writes the texts of the elements that name one. @param {ParentNode} root */
export function translate(root) {
  for (const element of all('[data-t]', root)) element.textContent = t(element.dataset.t);
  for (const element of all('[data-t-label]', root)) {
    const text = t(element.dataset.tLabel);
    element.setAttribute('aria-label', text);
    if (element.tagName === 'BUTTON') element.title = text;
  }
}

/** @param {'red'|'black'} side */
export const sideName = (side) => t(side);

/** The name of a piece, by its FEN letter. */
export function pieceName(letter) {
  const isRed = letter === letter.toUpperCase();
  const kind = letter.toUpperCase();
  const name = t(`piece${kind}`);
  if (language !== 'zh') return `${isRed ? 'red' : 'black'} ${name}`;
  return isRed ? `红${RED_PIECES[kind] ?? name}` : `黑${name}`;
}
