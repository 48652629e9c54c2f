import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { randomEvents } from '../../testing/random-events.ts';
import { EventStore } from '../store/event-store.ts';
import { sharesOf } from '../terms/memory-shares.ts';

const ALL = { from: 0, limit: 1000, isWanted: () => true };

/** Only the events that are in order of time: events that are dated back are left out. */
function inOrder(events: readonly LockEvent[]): LockEvent[] {
  let newest = 0;
  return events.filter(({ at }) => {
    const isNext = at >= newest;
    newest = Math.max(newest, at);
    return isNext;
  });
}

test.each([1, 2])('the list at a past instant equals the list shown then: random events %i', async (seed) => {
  let now = redisTime(0);
  const chronicle = new EventStore(() => now, { ...sharesOf(), historyBytes: 200_000 });
  const then: { at: number; locks: unknown }[] = [];
  const events = inOrder(randomEvents(seed, 250, 600)).map((event, index): LockEvent => ({ ...event, seq: index + 1 }));
  const isLast = (event: LockEvent, next: LockEvent | undefined) => next === undefined || next.at > event.at;
  for (const [index, event] of events.entries()) {
    now = event.at;
    chronicle.add([event]);
    if (index % 500 === 0) chronicle.forgetLocks(event.source, [{ db: event.db, lock: event.lock }]);
    if (index % 149 !== 0 || !isLast(event, events[index + 1])) continue;
    then.push({ at: now, locks: await chronicle.answers.lockPage(ALL) });
  }
  const { oldestAt = now } = chronicle.history;
  const known = then.filter(({ at }) => at >= oldestAt);
  expect(known.length).toBeGreaterThan(2);
  expect(known.length).toBeLessThan(then.length);
  for (const { at, locks } of known) {
    expect(await chronicle.answers.lockPage({ ...ALL, at: redisTime(at) })).toEqual(locks);
  }
});

test('pages and filters work as for the current list', async () => {
  const chronicle = new EventStore(() => redisTime(0));
  const events = randomEvents(4, 30);
  chronicle.add(events);
  const at = redisTime((events.at(-200) as LockEvent).at);
  const all = await chronicle.answers.lockPage({ ...ALL, at });
  const isWanted = ({ held }: { held: boolean }) => held;
  const held = await chronicle.answers.lockPage({ ...ALL, at, isWanted });
  expect(held.locks).toEqual(all.locks.filter(isWanted));
  expect((await chronicle.answers.lockPage({ ...ALL, at, from: 3, limit: 4 })).locks).toEqual(all.locks.slice(3, 7));
});
