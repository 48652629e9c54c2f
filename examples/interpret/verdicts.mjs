// What a recording, or the text of `redis-cli monitor`, means: problems, the longest holds, the locks at its end.
import { readFileSync } from 'node:fs';
import { interpret } from 'lockscope/interpret';

const [file] = process.argv.slice(2);
const night = await interpret(readFileSync(file), { name: file });
console.log(`${night.summary.signals} signals, ${night.events.length} events`);

// `night.insights()` has only those that are open at its end
for (const event of night.events) {
  if (event.type === 'insight.opened') console.log(`${event.severity} ${event.incident} ${event.lock}`);
}

const { spans } = await night.spans();
const holds = spans
  .filter(({ kind, to }) => kind === 'hold' && to !== null)
  .sort((a, b) => b.to - b.from - (a.to - a.from));
for (const { lock, holder, from, to } of holds.slice(0, 3))
  console.log(`hold ${lock} ${(to - from) / 1000} ms by ${holder}`);

const { locks } = await night.locks({ held: true });
console.log(`held at the end: ${locks.map(({ name }) => name).join(', ') || 'none'}`);
