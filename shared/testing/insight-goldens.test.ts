import { readFileSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { plusMillis, type RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import type { Insight } from '../insights/insight.ts';
import { groupedEventsFromTrace } from './grouped-trace.ts';
import { type Golden, goldens, goldensOfSeveral } from './read-trace.ts';
import { reportAt } from './report-from-events.ts';
import { serverGoldens } from './server-traces.ts';
import { eventsFromTrace } from './trace-file.ts';

const SNAPSHOT = new URL('./INSIGHTS.md', import.meta.url);
/** Number of instants at which each trace is looked at. */
const INSTANTS = 40;

const HEAD = `# Which detectors fire on which recorded trace

Each trace in \`shared/traces\` is looked at ${INSTANTS} times, evenly spread from its beginning to its end, at level \`monitor\`. One
line for each insight: severity, confidence, when it was first and last seen (in seconds from the beginning), its lock.
Traces without a line have none. The test \`insight-goldens.test.ts\` compares this file; with \`UPDATE_INSIGHTS=1\` it writes it.
Traces contain no CLIENT LIST, so detectors that need the presence of clients cannot know here.

`;

/** One insight over the instants at which it was seen. */
type Seen = { readonly insight: Insight; readonly first: number; last: number };

/** What is found at evenly spread instants of one trace. */
function seenIn(events: readonly LockEvent[]): Seen[] {
  const begin = Math.min(...events.map(({ at }) => at)) as RedisTime;
  const end = Math.max(...events.map(({ at }) => at)) as RedisTime;
  const seen = new Map<string, Seen>();
  for (let n = 1; n <= INSTANTS; n++) {
    const ms = ((end - begin) / 1000) * (n / INSTANTS);
    const { insights, failed } = reportAt(events, plusMillis(begin, ms));
    expect(failed).toEqual([]);
    for (const insight of insights) {
      const known = seen.get(insight.id);
      if (known) known.last = ms;
      else seen.set(insight.id, { insight, first: ms, last: ms });
    }
  }
  return [...seen.values()];
}

/** Every trace: single locks, locks that are acquired together, and locks on several servers. */
function everyGolden(): { readonly name: string; events(): LockEvent[] }[] {
  const named = (traces: readonly Golden[], eventsOf: typeof eventsFromTrace) =>
    traces.map(({ folder, name, isPushFirst, trace }) => ({
      name: `${folder}/${name}`,
      events: () => eventsOf(trace(), isPushFirst),
    }));
  const several = named(goldensOfSeveral(), groupedEventsFromTrace);
  return [...named(goldens(), eventsFromTrace), ...several, ...serverGoldens()];
}

function lineOf({ insight: { incident, severity, confidence, lock }, first, last }: Seen): string {
  const inSeconds = (ms: number) => (ms / 1000).toFixed(1);
  return `- \`${incident}\` ${severity}, ${confidence}: ${inSeconds(first)}–${inSeconds(last)} s, \`${lock}\``;
}

test('the insights of every recorded trace are those in INSIGHTS.md', { timeout: 300_000 }, () => {
  const parts: string[] = [];
  let quiet = 0;
  for (const { name, events: read } of everyGolden()) {
    const events = read();
    const seen = events.length === 0 ? [] : seenIn(events);
    if (seen.length === 0) quiet++;
    else parts.push(`## ${name}\n\n${seen.map(lineOf).join('\n')}\n`);
  }
  const text = `${HEAD}${parts.join('\n')}\n${quiet} traces without an insight.\n`;
  if (process.env.UPDATE_INSIGHTS) writeFileSync(SNAPSHOT, text);
  expect(text).toBe(readFileSync(SNAPSHOT, 'utf8'));
});
