// The package in Node: node --test test/*.mjs

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { createEngine } from '../package/index.js';

const SIGNATURE = readFileSync(new URL('../../engine-tests/data/bench-signature.txt', import.meta.url), 'utf8').trim();

/** Collects the lines of an engine. */
class Client {
  static async start(options) {
    return new Client(await createEngine(options));
  }

  constructor(engine) {
    this.engine = engine;
    this.lines = [];
    this.look = null;
    engine.onmessage = (line) => {
      this.lines.push(line);
      this.look?.();
    };
  }

  send(...lines) {
    for (const line of lines) this.engine.postMessage(line);
  }

  /** The lines up to the first that begins in one of these ways, which are then forgotten. */
  async until(...starts) {
    for (;;) {
      const index = this.lines.findIndex((line) => starts.some((start) => line.startsWith(start)));
      if (index >= 0) return this.lines.splice(0, index + 1);
      await new Promise((done) => { this.look = done; });
    }
  }

  async ask(line, start) {
    this.send(line);
    return (await this.until(start)).at(-1);
  }
}

const hasThreads = existsSync(new URL('../package/cannonade-threads.wasm', import.meta.url));
const isAlone = availableParallelism() < 2;
const withThreads = { skip: !hasThreads ? 'a module without threads' : isAlone ? 'a single core' : false };

for (const options of [{ simd: true, threads: true }, { simd: true, threads: false }, { simd: false }]) {
  const name = JSON.stringify(options);
  test(`the benchmark has the node count of the native program, ${name}`, async () => {
    const client = await Client.start(options);
    client.send('bench');
    const lines = await client.until(SIGNATURE);
    assert.match(lines.at(-1), /^\d+ nodes \d+ nps$/);
    console.log(`${name}: ${lines.at(-1)}`);
    client.engine.terminate();
  });
}

test('a handshake, an option and a move', async () => {
  const client = await Client.start();
  client.send('uci', 'setoption name UCI_ShowWDL value true', 'isready');
  const lines = await client.until('readyok');
  assert.ok(lines.some((line) => line.startsWith('id name Cannonade')), lines);
  assert.ok(lines.includes('uciok'));
  client.send('position startpos moves h2e2', 'go nodes 10000');
  const found = await client.until('bestmove');
  assert.ok(found.some((line) => /^info depth \d+ .* wdl \d+ \d+ \d+ .* pv /.test(line)), found);
  assert.match(found.at(-1), /^bestmove [a-i]\d[a-i]\d ponder [a-i]\d[a-i]\d$/);
  client.engine.terminate();
});

for (const threads of [true, false]) {
  test(`lines come during the search, and stop is answered within 100 ms, threads: ${threads}`, async () => {
    const client = await Client.start({ threads });
    assert.equal(await client.ask('isready', 'readyok'), 'readyok');
    const times = [];
    for (let round = 0; round < 5; round += 1) {
      client.send('go infinite');
      await client.until('info depth 8 ');
      await new Promise((done) => { setTimeout(done, 300); });
      assert.equal(await client.ask('isready', 'readyok'), 'readyok');
      await new Promise((done) => { setTimeout(done, 100); });
      const start = performance.now();
      await client.ask('stop', 'bestmove');
      times.push(performance.now() - start);
    }
    times.sort((a, b) => a - b);
    console.log(`stop: ${times.map((time) => time.toFixed(1)).join(' ')} ms`);
    assert.ok(times[2] < 100, `${times}`);
    client.engine.terminate();
  });
}

test('searches that wait begin without another line', async () => {
  for (const threads of [true, false]) {
    const client = await Client.start({ threads });
    client.send('go depth 4', 'go depth 5', 'position startpos moves h2e2', 'go depth 6');
    for (let search = 0; search < 3; search += 1) await client.until('bestmove');
    client.engine.terminate();
  }
});

test('a message may hold several lines', async () => {
  const client = await Client.start();
  client.send('uci\nisready');
  assert.equal((await client.until('readyok'))[0].slice(0, 7), 'id name');
  client.engine.terminate();
});

test('an engine that cannot be created leaves no worker behind', async () => {
  await assert.rejects(createEngine({ simd: () => true }), { name: 'DataCloneError' });
});

for (const threads of [true, false]) test(`a level, a ponder hit and the time of a move, threads: ${threads}`, async () => {
  const client = await Client.start({ threads });
  client.send('setoption name Skill Level value 5', 'position startpos', 'go');
  assert.match((await client.until('bestmove')).at(-1), /^bestmove [a-i]\d/);
  client.send('setoption name Skill Level value 20', 'go ponder movetime 200', 'ponderhit');
  assert.match((await client.until('bestmove')).at(-1), /^bestmove [a-i]\d/);
  const start = performance.now();
  await client.ask('go movetime 500', 'bestmove');
  const time = performance.now() - start;
  assert.ok(time > 300 && time < 1500, `${time} ms`);
  client.engine.terminate();
});

test('what cannot be is refused with a reason', async () => {
  const client = await Client.start({ threads: false });
  client.send('setoption name Hash value 99999999', 'setoption name Threads value 4', 'isready');
  const lines = await client.until('readyok');
  assert.ok(lines.some((line) => line.includes('Hash')), lines);
  assert.ok(lines.some((line) => line.includes('Threads')), lines);
  client.send('position fen 9/9 w', 'go depth 2');
  assert.ok((await client.until('bestmove')).some((line) => line.includes('refused')));
  client.engine.terminate();
});

test('a table of half the memory comes back after a small one', withThreads, async () => {
  const client = await Client.start();
  for (const size of [512, 16, 512, 16, 512]) {
    client.send(`setoption name Hash value ${size}`, 'isready');
    assert.deepEqual(await client.until('readyok'), ['readyok'], `${size} MiB`);
  }
  client.engine.terminate();
});

test('a worker that a page starts itself answers a stop, too', async () => {
  const worker = new Worker(new URL('../package/worker.js', import.meta.url));
  const client = new Client({ postMessage: (line) => worker.postMessage(line) });
  worker.on('message', (line) => client.engine.onmessage(line));
  worker.postMessage({ simd: true });
  client.send('go infinite');
  await client.until('info depth 8 ');
  const start = performance.now();
  await client.ask('stop', 'bestmove');
  console.log(`stop of such a worker: ${(performance.now() - start).toFixed(1)} ms`);
  assert.ok(performance.now() - start < 500);
  await worker.terminate();
});

test('threads search together, change in number, and stop at once', withThreads, async () => {
  const client = await Client.start();
  client.send('setoption name Threads value 2', 'position startpos', 'go nodes 200000');
  assert.match((await client.until('bestmove')).at(-1), /^bestmove [a-i]\d/);
  for (const threads of [1, 2, 1, 2]) {
    client.send('ucinewgame', `setoption name Threads value ${threads}`, 'go depth 8');
    assert.match((await client.until('bestmove')).at(-1), /^bestmove [a-i]\d/);
  }
  const times = [];
  for (let round = 0; round < 5; round += 1) {
    client.send('go infinite');
    await client.until('info depth 10 ');
    const start = performance.now();
    const lines = (client.send('stop'), await client.until('bestmove'));
    times.push(performance.now() - start);
    assert.ok(lines.every((line) => !line.includes('failed')), lines);
  }
  times.sort((a, b) => a - b);
  console.log(`stop of threads: ${times.map((time) => time.toFixed(1)).join(' ')} ms`);
  assert.ok(times[2] < 100, `${times}`);
  client.send('quit');
  await new Promise((done) => { client.engine.worker.on('exit', done); });
});

test('threads that have ended leave no memory behind', withThreads, async () => {
  const client = await Client.start();
  // Their stacks together are more than half the memory.
  for (let round = 0; round < 140; round += 1) {
    client.send(`setoption name Threads value ${1 + round % 2}`);
    await client.ask('isready', 'readyok');
  }
  client.send('setoption name Hash value 512', 'isready');
  assert.deepEqual(await client.until('readyok'), ['readyok']);
  client.engine.terminate();
});

test('the nodes of all threads are counted', withThreads, async () => {
  const client = await Client.start();
  const speed = async (threads) => {
    client.send('ucinewgame', `setoption name Threads value ${threads}`, 'position startpos', 'go movetime 1000');
    const lines = await client.until('bestmove');
    return Number(lines.filter((line) => line.includes(' nps ')).at(-1).match(/ nps (\d+)/)[1]);
  };
  await speed(1);
  const [one, two] = [await speed(1), await speed(2)];
  console.log(`threads: ${one} and ${two} nodes/s`);
  assert.ok(two > 0 && one > 0);
  client.engine.terminate();
});

/** A copy of the package, with a statement before a text of a file. */
function packageWith(name, before, statement) {
  const folder = mkdtempSync(join(tmpdir(), 'cannonade-'));
  cpSync(new URL('../package', import.meta.url), folder, { recursive: true });
  const file = join(folder, name);
  const text = readFileSync(file, 'utf8');
  assert.ok(text.includes(before), `${name} has no ${before}`);
  writeFileSync(file, text.replace(before, `${statement} ${before}`));
  return { module: pathToFileURL(join(folder, 'index.js')), remove: () => rmSync(folder, { recursive: true }) };
}

for (const [what, name, before] of [['does not start', 'thread.js', 'initSync({'], ['cannot be made', 'thread-starter.js', 'worker = isNode']]) {
  test(`a thread that ${what} is done without`, withThreads, async () => {
    const { module, remove } = packageWith(name, before, "throw new RangeError('no memory');");
    const client = new Client(await (await import(module)).createEngine());
    client.send('setoption name Threads value 2', 'go depth 8');
    const lines = await client.until('bestmove');
    assert.ok(lines.every((line) => !line.includes('failed')), lines);
    client.engine.terminate();
    remove();
  });
}

/** A clock that throws in the middle of a search, as a trap does. */
const BROKEN_CLOCK = `
  const now = performance.now.bind(performance);
  let left = 50;
  performance.now = () => {
    left -= 1;
    if (left === 0) throw new Error('the clock has failed');
    return now();
  };`;

for (const [when, statement] of [['before its first search', "throw new Error('it has failed');"], ['in a search', BROKEN_CLOCK]]) {
  test(`a thread that fails ${when} is done without`, withThreads, async () => {
    const { module, remove } = packageWith('thread.js', 'runThread();', statement);
    const client = new Client(await (await import(module)).createEngine());
    client.send('setoption name Threads value 2');
    // The threads may get their time late; the search may begin without a thread that fails before.
    let hasFailed = false;
    for (let round = 0; round < 20 && !hasFailed && (round === 0 || when === 'in a search'); round += 1) {
      client.send('go infinite');
      // The main thread may fail before.
      const lines = await client.until('info depth 10 ', 'bestmove');
      client.send('stop');
      if (!lines.at(-1).startsWith('bestmove')) lines.push(...await client.until('bestmove'));
      hasFailed = lines.some((line) => line.includes('a search thread failed'));
    }
    assert.ok(hasFailed || when !== 'in a search');
    client.send('ucinewgame', 'go depth 8');
    assert.ok((await client.until('bestmove')).every((line) => !line.includes('failed')));
    // New threads take the place of those that failed.
    client.send('setoption name Threads value 2', 'go depth 8');
    await client.until('bestmove');
    assert.equal(await client.ask('isready', 'readyok'), 'readyok');
    client.engine.terminate();
    remove();
  });
}

test('more threads than cores are refused', withThreads, async () => {
  const client = await Client.start();
  client.send('setoption name Threads value 500', 'isready');
  const lines = await client.until('readyok');
  assert.ok(lines.some((line) => line.includes('500 threads')), lines);
  client.send('go depth 6');
  await client.until('bestmove');
  client.engine.terminate();
});

test('the engine ends by quit', async () => {
  const { engine } = await Client.start();
  const ended = new Promise((done) => { engine.worker.on('exit', done); });
  engine.postMessage('quit');
  await ended;
});

test('in a browser a worker that fails is ended', async () => {
  const { module, remove } = packageWith('index.js', 'class Engine', '');
  const workers = [];
  class BrowserWorker {
    constructor() {
      this.isEnded = false;
      workers.push(this);
    }

    postMessage() {}

    terminate() {
      this.isEnded = true;
    }
  }
  const { process } = globalThis;
  Object.assign(globalThis, { Worker: BrowserWorker, crossOriginIsolated: false, process: undefined });
  let browser;
  try {
    browser = await import(module);
  } finally {
    globalThis.process = process;
  }
  const engine = await browser.createEngine();
  const errors = [];
  engine.onerror = ({ message }) => errors.push(message);
  const event = new Event('error', { cancelable: true });
  workers[0].onerror(event);
  assert.deepEqual(errors, ['the script of the worker cannot be loaded']);
  assert.ok(event.defaultPrevented, 'the page would hear of it, too');
  workers[0].onerror(Object.assign(new Event('error'), { message: 'unreachable' }));
  assert.equal(errors[1], 'unreachable');
  assert.ok(workers[0].isEnded);
  delete globalThis.Worker;
  delete globalThis.crossOriginIsolated;
  remove();
});

test('bundlers for browsers find no module of Node, and no await outside a function', () => {
  const folder = new URL('../package/', import.meta.url);
  const scripts = readdirSync(folder).filter((name) => name.endsWith('.js'));
  assert.ok(scripts.includes('worker.js'));
  for (const name of scripts) {
    const text = readFileSync(new URL(name, folder), 'utf8');
    assert.doesNotMatch(text, /(from|import\() *['"]node:/, name);
    assert.doesNotMatch(text, /^(?!\s|.*async function).*\bawait\b/m, name);
    // Parcel keeps of such a variable only what is called in the same function.
    assert.doesNotMatch(text, /(const|let) \w+ = await import\(/, name);
  }
});
