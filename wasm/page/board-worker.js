// The worker in the place of the server: the functions of the page, and the engine.

import { load } from './module.js';

/** More threads cost a phone much memory and heat. */
const MOST_THREADS = 8;
/** Messages that came before the functions were there. */
const early = [];
let services = null;
let timer = 0;
/** What the start waits for; the page is told of every change. @type {Set<string>} */
const waits = new Set();
/** What the page does without, since a start has waited for it in vain. */
const leftOut = new URLSearchParams(location.search).get('without')?.split(',') ?? [];

globalThis.onmessage = ({ data }) => {
  if (services) hear(data);
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
  const { bindings, threads } = await waitFor('module', load({ threads: !leftOut.includes('threads'), onprogress: tell }));
  if (threads) {
    // One of several cores stays for the page.
    const cores = threads.most;
    threads.most = Math.min(cores > 2 ? cores - 1 : cores, MOST_THREADS);
  }
  const started = new bindings.Services(
    (stream, event) => postMessage({ stream, event }),
    threads?.most ?? 1,
    threads ? () => threads.start() : undefined,
  );
  if (threads?.waiting) await waitFor('threads', new Promise((done) => { threads.onready = done; }));
  services = started;
  early.splice(0).forEach(hear);
}

/** A message is a call of a function, or says that a search is not listened to any more. */
function hear(data) {
  if (data.close) {
    services.close(data.close);
  } else {
    const answer = services.call(data.number, data.name, data.query, data.body);
    const { status, media_type: type, name, body } = answer;
    postMessage({ number: data.number, status, type, name, body }, [body.buffer]);
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
  const time = services.advance();
  if (time !== undefined) schedule(time);
}
