import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { seconds, story } from '../../../testing/stories/story.ts';
import { compareLooks, compareLooksAtTraces } from '../testing/compare-looks.ts';

const DELETED = `orders:42 lease 30s
  0  A attempts acquired
  1  redis lists A other
  3  operator command DEL orders:42`;

/** Events of a whole source, after those of a story. */
function withSourceEvents(events: readonly LockEvent[], ...more: readonly { at: number; type: string }[]): LockEvent[] {
  const [first] = events;
  const added = more.map(({ at, ...detail }, n) => {
    const base = { ...first, lock: '', seq: events.length + n + 1, at: seconds(at) };
    return { ...base, ...detail } as LockEvent; // each test adds the fields of the type
  });
  return [...events, ...added].sort((a, b) => a.at - b.at);
}

describe('at each second, a look at what changed finds the same as a look at everything', () => {
  test('while a finding is so old that it is no longer reported', async () => {
    const over = withSourceEvents(story(DELETED), { at: 640, type: 'blind-spot.ended' });
    expect(await compareLooks(over)).toBeGreaterThan(590);
  });

  test('when a client turns out to be gone that neither holds the lock nor waits for it', async () => {
    const events = story(`${DELETED}
      6  redis lists other
      12 redis lists other
      20 B attempts acquired`);
    const found = await compareLooks(events);
    expect(found).toBeGreaterThan(1);
    expect(found).toBeLessThan(14);
  });

  test('when the server reports later what explains a finding, and other facts', async () => {
    const frozen = story(`job lease 6s
      0  A attempts acquired
      1  - lists A
      2  A renews
      8  - hears expired
      9  A renewal refused`);
    const stop = { type: 'server.stood-still', from: seconds(3), to: seconds(7), shownBy: 'clients' };
    expect(await compareLooks(withSourceEvents(frozen, { at: 12, ...stop }))).toBeGreaterThan(3);
    const facts = { role: 'master', replicas: 0, replicaLagSeconds: null, maxMemoryBytes: 1, canSave: null };
    const report = { type: 'server.reported', ...facts, keyEvents: 'AKE', evictionPolicy: 'allkeys-lru' };
    const evicted = story('orders:42 lease 30s\n 0 A attempts acquired\n 1 redis hears evicted');
    expect(await compareLooks(withSourceEvents(evicted, { at: 4, ...report }))).toBeGreaterThan(3);
  });

  test('in traces of incidents', async () => {
    expect(await compareLooksAtTraces((name) => /^incidents\/.*-3/.test(name))).toBeGreaterThan(100);
  });
});
