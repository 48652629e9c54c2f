import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../events/event.ts';
import { eventsAtBothLevels } from './level-events.ts';
import { goldens, OTHER } from './read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from './trace-file.ts';

const HOLDS = new Set([
  'contention',
  'fair',
  'fenced',
  'herd',
  'reentry',
  'read-write',
  'spin',
  'two-clients',
  'watchdog',
]);
const ENDS = new Set(['lock.released', 'lock.deleted', 'lock.force-released']);

function ends(events: readonly LockEvent[]): string[] {
  return events
    .filter(({ type }) => ENDS.has(type))
    .map((event) => `${event.type} ${event.lock} ${'holder' in event ? event.holder : ''}`);
}

const ofHolds = goldens().filter(({ folder, name }) => !folder.startsWith(OTHER) && HOLDS.has(name));

describe.each(ofHolds)('$folder', ({ name, isPushFirst, trace }) => {
  test(`[K2] ${name}: level events reports the same releases as level monitor`, () => {
    const { monitor, events } = eventsAtBothLevels(stepsFromSignals(signalsFromTrace(trace()), isPushFirst));
    expect(ends(monitor).length).toBeGreaterThan(0);
    expect(ends(events)).toEqual(ends(monitor));
  });
});
