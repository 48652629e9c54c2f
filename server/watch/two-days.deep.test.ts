import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { moveTimes, randomEvents } from '../testing/random-events.ts';
import { EventStore } from './store/event-store.ts';
import { LEAST_MEMORY, sharesOf } from './terms/memory-shares.ts';

const HOURS = 48;
const HOUR_US = 3_600_000_000;
/** How many traces of real clients begin in each hour. */
const PROGRAMS = 25;
/** Detectors look once a minute; in a live process they look every 250 ms. */
const LOOK_EVERY_US = 60_000_000;
/** After these hours the memory is full: it keeps an hour of events, and as many locks as its share has room for. */
const FULL_AFTER = 12;
const MB = 1024 * 1024;
const SMALL = { ...sharesOf(LEAST_MEMORY), historyBytes: 2 * MB, locksBytes: MB };

/** The programs of one hour. Locks whose names have an even length get a new name in each hour after the first. */
function eventsOf(hour: number): LockEvent[] {
  return randomEvents(hour, PROGRAMS, 3600).map((event) => {
    const moved = moveTimes(event, hour * HOUR_US) as LockEvent; // only its times differ
    const isOnce = hour > 0 && event.lock.length % 2 === 0 && event.lock !== '';
    return isOnce ? { ...moved, lock: `${hour}:${event.lock}` } : moved;
  });
}

test('over 48 hours of events, locks and verdicts, memory grows by less than 3 MB once it is full', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void; // `--expose-gc` defines it
  let now = redisTime(0);
  const store = new EventStore(() => now, SMALL);
  let nextLookAt = 0;
  const used: number[] = [];
  let count = 0;
  for (let hour = 0; hour < HOURS; hour++) {
    for (const event of eventsOf(hour)) {
      now = event.at;
      store.add([{ ...event, seq: store.history.nextSeq(), because: [] }]);
      count++;
      if (now < nextLookAt) continue;
      nextLookAt = now + LOOK_EVERY_US;
      for (const _ of store.look(now)) {
        // a short piece of work each
      }
    }
    collect();
    used.push(process.memoryUsage().heapUsed / MB);
  }
  const [early, late] = [used.slice(FULL_AFTER, 2 * FULL_AFTER), used.slice(-FULL_AFTER)];
  const grown = Math.max(...late) - Math.max(...early);
  console.log(`${count} events in ${HOURS} simulated hours; MB at each hour: ${used.map(Math.round).join(' ')}`);
  expect(count).toBeGreaterThan(15_000);
  expect(grown).toBeLessThan(3);
});
