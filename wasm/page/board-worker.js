// The worker in the place of the server: the boards, the engine, and the games that the browser keeps.

import { openGames } from './browser-games.js';
import { load } from './module.js';

/** More threads cost a phone much memory and heat. */
const MOST_THREADS = 8;
/** Messages that came before the boards were there. */
const early = [];
let boards = null;
let timer = 0;
/** What the start waits for; the page is told of every change. @type {Set<string>} */
const waits = new Set();
/** What the page does without, since a start has waited for it in vain. */
const leftOut = new URLSearchParams(location.search).get('without')?.split(',') ?? [];

globalThis.onmessage = ({ data }) => {
  if (boards) hear(data);
  else early.push(data);
};

// Safari does not tell the page of a promise that has failed.
begin().catch((error) => setTimeout(() => { throw error; }));

function tell() {
  postMessage({ waits: [...waits] });
}

/** Tells the page of the wait for a part. @template T @param {string} part @param {Promise<T>} work @returns {Promise<T>} */
async function waitFor(part, work) {
  waits.add(part);
  tell();
  const value = await work;
  waits.delete(part);
  tell();
  return value;
}

async function begin() {
  const hasGames = !leftOut.includes('games');
  const [games, { bindings, threads }] = await Promise.all([
    waitFor('games', hasGames ? openGames() : null),
    waitFor('module', load({ threads: !leftOut.includes('threads'), onprogress: tell })),
  ]);
  if (threads) {
    // One of several cores stays for the page.
    const cores = threads.most;
    threads.most = Math.min(cores > 2 ? cores - 1 : cores, MOST_THREADS);
  }
  const started = new bindings.Boards(
    (stream, event, data) => postMessage({ stream, event, data }),
    threads?.most ?? 1,
    threads ? () => threads.start() : undefined,
  );
  if (threads?.waiting) await waitFor('threads', new Promise((done) => { threads.onready = done; }));
  if (games) {
    started.keep_games(games.files, (name, bytes) => games.keep(name, bytes));
    games.watch(({ name, modified, bytes }) => started.take_over(name, modified, bytes));
    games.onproblem = (problem) => boards.set_keeping_problem(problem);
  } else if (!hasGames) {
    started.keep_games([], () => {});
    started.set_keeping_problem('the storage of the browser does not answer');
  }
  boards = started;
  early.splice(0).forEach(hear);
}

function hear(data) {
  if (data.stream && data.path === null) {
    boards.close(data.stream);
  } else if (data.stream) {
    if (!boards.listen(data.stream, data.path)) postMessage({ stream: data.stream, event: 'error', data: '' });
  } else {
    const answer = boards.answer(data.method, data.path, data.type ?? undefined, data.body);
    const headers = answer.headers.split('\r\n').filter(Boolean).map((line) => line.split(': '));
    const { status, body } = answer;
    postMessage({ number: data.number, status, headers, body }, [body.buffer]);
    answer.free();
  }
  schedule(0);
}

function schedule(time) {
  clearTimeout(timer);
  timer = setTimeout(work, time);
}

/** Works after the messages that are there. */
function work() {
  const time = boards.advance();
  if (time !== undefined) schedule(time);
}
