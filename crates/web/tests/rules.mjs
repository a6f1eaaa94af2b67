// Reads a position in each line, with what the engine says of it, and compares that with the rules of the page.

import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

// A file that ends in `.js` would be read as a script.
const text = readFileSync(process.argv[2], 'utf8');
const { Position } = await import(`data:text/javascript,${encodeURIComponent(text)}`);
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
