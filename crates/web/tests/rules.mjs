// Reads a position in each line, with what the engine says of it, and compares that with the rules of the page.

import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { pathToFileURL } from 'node:url';

const { Position } = await import(pathToFileURL(join(process.argv[2], 'rules.js')).href);
let count = 0;
for await (const line of createInterface({ input: process.stdin })) {
  const { fen, legal, checkers, end, after } = JSON.parse(line);
  const position = Position.of(fen);
  const found = {
    fen: position.fen,
    legal: [...position.legal].sort(),
    checkers: [...position.checkers].sort(),
    end: position.end?.reason ?? null,
    after: position.legal.length ? position.after(legal[0]).fen : null,
  };
  if (JSON.stringify(found) !== JSON.stringify({ fen, legal, checkers, end, after })) {
    console.error(`${line}\n${JSON.stringify(found)}`);
    process.exit(1);
  }
  count += 1;
}
console.log(count);
