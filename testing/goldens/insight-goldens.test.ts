import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { falseAlarms, incidentTable, notFound } from './incident-table.ts';
import { INSTANTS, type Seen, seenInTraces, seenWithoutCommands } from './seen-insights.ts';

const INSIGHTS = new URL('./INSIGHTS.md', import.meta.url);
const INSIGHTS_EVENTS = new URL('./INSIGHTS-EVENTS.md', import.meta.url);
const INCIDENTS = new URL('./INCIDENTS.md', import.meta.url);

const HEAD = `# Which detectors fire on which recorded trace

Each trace in \`shared/traces\` is looked at ${INSTANTS} times, evenly spread from its beginning to its end, at level \`monitor\`. One
line for each insight: severity and confidence (→ as they change), when it was first and last seen (in seconds from the beginning), its lock.
Traces without a line have none. The test \`insight-goldens.test.ts\` compares this file; with \`UPDATE_INSIGHTS=1\` it writes it.
Some traces have a file with what CLIENT LIST and INFO showed (\`NAME.side.json\`). At the others, detectors that need it cannot know.

`;

const HEAD_EVENTS = `# Which detectors fire on which recorded trace at level events

As in \`INSIGHTS.md\`, but only key events, messages and reads of the locks are seen: no command. What CLIENT LIST and INFO showed is
left out too, so detectors that need it cannot know. No healthy trace may be here.

`;

function lineOf({ insight: { incident, lock }, ratings, first, last }: Seen): string {
  const inSeconds = (ms: number) => (ms / 1000).toFixed(1);
  return `- \`${incident}\` ${[...ratings].join(' → ')}: ${inSeconds(first)}–${inSeconds(last)} s, \`${lock}\``;
}

test('the insights of every recorded trace are those in INSIGHTS.md', { timeout: 300_000 }, () => {
  const parts: string[] = [];
  let quiet = 0;
  for (const { name, seen } of seenInTraces()) {
    if (seen.length === 0) quiet++;
    else parts.push(`## ${name}\n\n${seen.map(lineOf).join('\n')}\n`);
  }
  expectFile(INSIGHTS, `${HEAD}${parts.join('\n')}\n${quiet} traces without an insight.\n`);
});

test('the insights of every recorded trace, watched without its commands, are those in INSIGHTS-EVENTS.md', () => {
  const all = seenWithoutCommands();
  const isHealthy = (name: string) => !name.startsWith('incidents/');
  expect(all.filter(({ name, seen }) => isHealthy(name) && seen.length > 0)).toEqual([]);
  const parts = all.flatMap(({ name, seen }) =>
    seen.length === 0 ? [] : [`## ${name}\n\n${seen.map(lineOf).join('\n')}\n`],
  );
  expectFile(
    INSIGHTS_EVENTS,
    `${HEAD_EVENTS}${parts.join('\n')}\n${all.length - parts.length} traces without an insight.\n`,
  );
}, 300_000);

/**
 * Traces of other libraries in which no lease ends early, no client is late, and no client deletes the lock of another.
 */
const HEALTHY =
  /^other\/.*\/(?:basic|refused|takeover|auto-extend|multi|single-key|own-messages|unique|sorted-set-(?:waits|refused|readers))$/;

test('no healthy trace of another library has an insight', { timeout: 300_000 }, () => {
  const healthy = seenInTraces().filter(({ name }) => HEALTHY.test(name));
  expect(healthy.length).toBeGreaterThan(80);
  expect(healthy.filter(({ seen }) => seen.length > 0).map(({ name }) => name)).toEqual([]);
});

test('no counter-example of an incident has that incident', { timeout: 300_000 }, () => {
  expect(falseAlarms(seenInTraces())).toEqual([]);
});

test('each incident that is not found on its traces has a reason in the list, and no other incident has', {
  timeout: 300_000,
}, () => {
  const { names, withReason } = notFound(seenInTraces());
  expect(withReason).toEqual(names);
});

test('the incidents found on their traces are those in INCIDENTS.md', { timeout: 300_000 }, () => {
  expectFile(INCIDENTS, incidentTable(seenInTraces()));
});

/** Expects this text in a file, or writes it there with UPDATE_INSIGHTS=1. */
function expectFile(file: URL, text: string): void {
  if (process.env.UPDATE_INSIGHTS) writeFileSync(file, text);
  expect(text).toBe(readFileSync(file, 'utf8'));
}
