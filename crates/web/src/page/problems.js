// Errors of the server in words: in the page's language, with squares as the edges of the board name them.

import { filled, isChinese, pieceName, t } from './text.js';

/** @typedef {{code: string, values: string[]}} Problem an error of the server */

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
  misplaced: '{0}不能放在{1}',
  facingKings: '将帅在{0}照面，请在其间放一子',
  inCheck: '{0}正被将军，却轮到对方走棋；请改变先走方',
  noGame: '文本中没有棋局；应为 PGN、DhtmlXQ、XQF、CBR、CBL、CBF、WXF、着法列表或 position 指令',
  noSuchGame: '共有 {1} 局，没有第 {0} 局',
  badMove: '第 {1} 回合{0}的“{2}”不是合法着法',
  notMove: '“{0}”不是合法着法',
  gameMove: '第 {0} 局第 {1} 回合的“{2}”不是合法着法，其后的着法未读入',
  gameStart: '第 {0} 局的起始局面有误',
  gameEncoding: '文件中有无法识别的字符，显示为“�”；如人名或着法有误，请将文件存为 UTF-8',
  gameTruncated: '文件不完整',
  gameDefect: '第 {0} 局有误，部分内容未读入',
  tooLarge: '文件超过 4 MiB',
  badBook: '此文件不是可用的开局库',
  badKeptGame: '这局棋的文件已损坏，无法打开',
  notWritten: '此格式无法保存这局棋',
  folderGone: '文件夹不存在',
  notPermitted: '没有写入权限',
  diskFull: '磁盘空间不足',
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

const FILES = 'abcdefghi';

/** The kind of the names at the edges of the board. */
let edges = '0-9';

/** Names squares as these edges of the board do. @param {string} kind */
export function nameSquares(kind) { edges = kind; }

/** Whether each side counts files from its own right. */
const isCounted = () => edges === 'files' || edges === 'chinese';

/** A file as a side counts it. @param {string} file @param {boolean} isRed */
function fileNumber(file, isRed) {
  const number = isRed ? 9 - FILES.indexOf(file) : FILES.indexOf(file) + 1;
  return isChinese() && isRed ? '一二三四五六七八九'[number - 1] : number;
}

/** A file in a sentence, as Red counts it. @param {string} file */
function fileText(file) {
  if (!isCounted()) return isChinese() ? ` ${file} 线上` : `${file}-file`;
  return isChinese() ? `红方${fileNumber(file, true)}路` : `file ${fileNumber(file, true)} of Red`;
}

/** A square in a sentence, as the side of its piece counts it. @param {string} square @param {boolean} isRed */
function squareText(square, isRed) {
  const [file, rank] = [square[0], Number(square[1])];
  if (isCounted()) {
    const [number, line] = [fileNumber(file, isRed), isRed ? rank + 1 : 10 - rank];
    return isChinese() ? `本方${number}路第 ${line} 横线` : `${isRed ? 'Red' : 'Black'}’s file ${number}, rank ${line}`;
  }
  const name = edges === '1-10' ? `${file}${rank + 1}` : square;
  return isChinese() ? ` ${name}` : name;
}

/**
 * The server's error, in the page's language if it has a sentence for that.
 * @param {string} message in English
 * @param {Problem|null} [problem]
 */
export function problemText(message, problem) {
  if (!problem) return message;
  const { code, values: [first, ...others] } = problem;
  const where = { misplaced: () => squareText(others[0], first === first.toUpperCase()), facingKings: () => fileText(first) }[code]?.();
  const sentence = PROBLEMS[code];
  if (!isChinese() || !sentence) {
    // The letters of files mean nothing where they are counted.
    if (code === 'misplaced') return message.replace(` ${others[0]};`, ` ${where};`).replace(/; .*/, isCounted() ? '' : '$&');
    return code === 'facingKings' ? message.replace(`${first}-file`, where) : message;
  }
  if (code === 'misplaced') return filled(sentence, [pieceName(first), where]);
  if (code === 'facingKings') return filled(sentence, [where]);
  const shown = first === 'red' || first === 'black' ? t(first) : code === 'tooMany' ? pieceName(first) : first;
  return filled(sentence, [shown, ...others]);
}

/** Errors of the browser that copies nothing. */
const REFUSED = ['NotAllowedError', 'EncodingError', 'DataError'];

/** Returns whether the browser has refused something, not the server. @param {Error} error */
export const isOfBrowser = (error) => error instanceof DOMException && REFUSED.includes(error.name);

/** The reason for which a request has failed. @param {Error & {status?: number, problem?: Problem}} error */
export function errorText(error) {
  if (isOfBrowser(error)) return t('copyFailed');
  if (error.name === 'NoEngine') return t('noEngine');
  if (!error.status) return t('reconnecting');
  // The address has a key, which is a new one after each start.
  if (error.status === 403) return t('startedAgain');
  return problemText(error.message, error.problem);
}
