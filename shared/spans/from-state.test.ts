import { expect, test } from 'vitest';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { goldensOfNewest } from '../../testing/traces/read-trace.ts';
import { eventsFromTrace } from '../../testing/traces/trace-file.ts';
import type { LockEvent } from '../events/event.ts';
import { type LockState, lockIdOf } from '../state/lock-state.ts';
import { reduceLock } from '../state/reduce.ts';
import { type Hold, holdsFromEvents } from './holds-from-events.ts';
import type { Wait } from './wait.ts';
import { waitsFromEvents } from './waits-from-events.ts';

const stateAfter = (events: readonly LockEvent[]) =>
  events.reduce<LockState | undefined>((lock, event) => reduceLock(lock, event), undefined);

test('[H3] a hold that began before the first event keeps its true beginning, its `seq` and its renewals', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  A attempts acquired
    2.000  A renews
    4.000  A renews
    5.000  A releases
  `);
  const [whole] = holdsFromEvents(events);
  const [part] = holdsFromEvents(events.slice(2), stateAfter(events.slice(0, 2)));
  expect(part).toMatchObject({
    from: whole?.from,
    to: whole?.to,
    ended: 'released',
    isOpenStart: false,
    fromSeq: whole?.fromSeq,
    renewalsBefore: 1,
  });
  expect(part?.renewals).toEqual([whole?.renewals[1]]);
});

test('a hold that a read found begins at the read and is marked as begun unseen, even if the events begin later', () => {
  const events = story(`
    orders:42 lease 6s
    0.000  X snapshot A×1 6000ms
    2.000  A renews
    4.000  A renews
  `);
  const [hold] = holdsFromEvents(events.slice(-1), stateAfter(events.slice(0, -1)));
  expect(hold).toMatchObject({ holder: holderOf('A'), isOpenStart: true, from: events[0]?.at });
  expect(hold?.from).toBeLessThan(seconds(1));
});

/** The fields of a span that must not depend on where the events begin. */
const shown = ({ holder, mode, from, to, ended, fromSeq, toSeq }: Hold | Wait) =>
  `${holder} ${mode} ${from} ${to} ${ended} ${fromSeq} ${toSeq}`;

for (const golden of goldensOfNewest()) {
  const events = eventsFromTrace(golden.trace(), golden.isPushFirst);
  test(`[H3] the state at an event and the events after it give the same spans as all events: ${golden.folder}/${golden.name}`, () => {
    for (const id of new Set(events.map(lockIdOf))) {
      const own = events.filter((event) => lockIdOf(event) === id);
      const holds = holdsFromEvents(own);
      const waits = waitsFromEvents(own);
      const step = Math.max(1, Math.floor(own.length / 40));
      for (let cut = 1; cut < own.length; cut += step) {
        const firstSeq = own[cut]?.seq ?? 0;
        // a client still listens for a moment after it got its permit, but that wait is over
        const later = ({ toSeq }: Hold | Wait) => toSeq === null || toSeq >= firstSeq;
        const base = stateAfter(own.slice(0, cut));
        const after = own.slice(cut);
        expect(holdsFromEvents(after, base).filter(later).map(shown).sort()).toEqual(
          holds.filter(later).map(shown).sort(),
        );
        expect(waitsFromEvents(after, base).filter(later).map(shown).sort()).toEqual(
          waits.filter(later).map(shown).sort(),
        );
      }
    }
  });
}
