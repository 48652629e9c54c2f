import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { randomEvents } from '../../testing/random-events.ts';
import { EventStore } from '../store/event-store.ts';
import { sharesOf } from '../terms/memory-shares.ts';

/** The same figures, counted lock by lock. */
function countedByHand({ answers }: EventStore) {
  const tallies = new Map<string, Record<string, unknown>>();
  for (const { id, source, kind, held, holders, moreHolders = 0 } of answers.locks()) {
    const none = { source, kind, locks: 0, held: 0, waitedFor: 0, holders: 0, waiters: 0 };
    const tally = (tallies.get(source + kind) ?? none) as typeof none; // `none` was created here
    const waiters = answers.countOf(id)?.waiters ?? Number.NaN;
    tally.locks++;
    if (held) tally.held++;
    if (waiters > 0) tally.waitedFor++;
    tally.holders += holders.length + moreHolders;
    tally.waiters += waiters;
    tallies.set(source + kind, tally);
  }
  return byPlace([...tallies.values()]);
}

function byPlace(tallies: readonly object[]): readonly object[] {
  return [...tallies].sort((a, b) => (JSON.stringify(a) < JSON.stringify(b) ? -1 : 1));
}

test.each([1, 2, 3])(
  'tallies equal a count lock by lock, also after locks were evicted and dropped (seed %i)',
  (seed) => {
    const store = new EventStore(() => redisTime(1_795_000_000_000_000));
    const events = randomEvents(seed, 90);
    let mostWaiters = 0;
    const check = () => {
      const { locks } = store.answers.tallies();
      expect(byPlace(locks)).toEqual(countedByHand(store));
      mostWaiters = Math.max(mostWaiters, ...locks.map(({ held, waiters }) => Math.min(held, waiters)));
    };
    for (let from = 0; from < events.length; from += 100) {
      store.add(events.slice(from, from + 100));
      check();
    }
    expect(new Set(store.answers.tallies().locks.map(({ source }) => source))).toEqual(new Set(['redis', 'second']));
    expect(mostWaiters).toBeGreaterThan(1);
    store.setRooms({ ...sharesOf(), locksBytes: 40_000 });
    check();
    store.forgetSource('second');
    check();
    expect(store.answers.tallies().locks.every(({ source }) => source === 'redis')).toBe(true);
    store.forgetWorld();
    expect(store.answers.tallies().locks).toEqual([]);
  },
);
