// Plays a move: node examples/move.mjs
import { createEngine } from '../package/index.js';

const engine = await createEngine();
engine.onmessage = (line) => {
  console.log(line);
  if (line.startsWith('bestmove')) engine.terminate();
};
engine.postMessage('position startpos moves h2e2');
engine.postMessage('go nodes 50000');
