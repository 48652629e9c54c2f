import { expect, test } from 'vitest';
import type { Pulse } from '../../../shared/wire/fleet/pulse.ts';
import type { Spanning } from '../../../shared/wire/fleet/spanning.ts';
import type { WireInsight } from '../../../shared/wire/insights/insight.ts';
import { makeMemoryObservatory } from '../../testing/memory-observatory.ts';
import { AT, heldBy, NOW, pulse, pulseRow } from '../testing/pulses.ts';
import { byNeed, fleetSourceOf, foundIn } from './fleet-body.ts';
import { type Heard, SILENT_MS } from './pulses.ts';

const critical = { incident: 'deadlock', severity: 'critical', title: 'Deadlock', source: 'redis' } as WireInsight; // the code under test reads only these fields
const row = pulseRow('Orders:42', {
  holders: [heldBy({ client: 'u1', thread: '7', name: 'billing' }, null)],
  waiters: 1,
});

/** A deadlock over `here` and `there`. */
const CIRCLES = [{ steps: [{ name: 'here' }, { name: 'there' }] }] as Spanning['circles']; // the code under test reads only these fields
const shown = (each: Pulse, heardMs = NOW) =>
  fleetSourceOf({ pulse: each, heardMs }, NOW, { isFollowed: false, circles: CIRCLES });

test('times of a source are shown by the clock of the viewer', () => {
  const { observer, longestWaitMs } = shown(pulse('a'));
  expect(observer.since).toBe(NOW - 60_000);
  expect(longestWaitMs).toBe(2000);
});

test('a source whose pulse stopped is shown as not live and not watched since then', () => {
  expect(shown(pulse('a'), NOW - SILENT_MS + 1)).toMatchObject({ notLiveSince: null, isWatched: true });
  const stopped = shown(pulse('a'), NOW - SILENT_MS);
  expect(stopped).toMatchObject({ notLiveSince: NOW - SILENT_MS, isWatched: false });
});

test('a source that its observer cannot watch is shown with the time of its blind spot', () => {
  const sources = makeMemoryObservatory().sources();
  const blind = sources.map((source) => ({
    ...source,
    status: 'reconnecting' as const,
    unwatchedSince: AT - 9_000_000,
  }));
  expect(shown(pulse('a', { sources: blind }))).toMatchObject({ isWatched: false, blindSince: NOW - 9000 });
});

test('sources with critical verdicts are first, then those that are not watched, then those with waiting threads', () => {
  const list = [
    shown(pulse('quiet', { counts: { locks: 0, held: 0, waiting: 0, oldestWait: null } })),
    shown(pulse('waits')),
    shown(pulse('silent'), NOW - 60_000),
    shown(pulse('bad', { verdicts: [critical] })),
    shown(pulse('here')),
  ];
  expect(list.sort(byNeed).map(({ name }) => name)).toEqual(['bad', 'here', 'silent', 'waits', 'quiet']);
});

test('hints, and verdicts that the pulse leaves out, are counted separately', () => {
  const hint = { ...critical, severity: 'hint' as const };
  expect(shown(pulse('a', { verdicts: [critical, hint, hint], more: 7 }))).toMatchObject({
    ...{ critical: 1, warnings: 0, hints: 2, more: 7 },
  });
});

test('a search finds locks by their name, their holder and their source', () => {
  const all = new Map<string, Heard>([
    ['shop', { pulse: pulse('shop', { rows: [row] }), heardMs: NOW }],
    ['other', { pulse: pulse('other'), heardMs: NOW }],
  ]);
  const order = [...all.values()].map(({ pulse: each }) => shown(each));
  const found = (q: string) => foundIn(all, order, q).found.map(({ name, row: { name: lock } }) => `${name} ${lock}`);
  for (const q of ['orders', 'BILLING', 'u1', 'shop']) expect(found(q), q).toEqual(['shop Orders:42']);
  expect(found('nothing')).toEqual([]);
  expect(found('')).toEqual([]);
});
