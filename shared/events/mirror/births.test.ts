import { describe, expect, test } from 'vitest';
import { goldens, OTHER } from '../../../testing/traces/read-trace.ts';
import { eventsFromTrace, signalsFromTrace } from '../../../testing/traces/trace-file.ts';
import { keyEventFromPush } from '../../signals/keyspace-message.ts';
import type { LockEvent } from '../event.ts';
import { Births } from './births.ts';

const keyEvent = (event: string, key: string) => ({ db: 0, key, event });

test('a hash that is written and then gets a lease may be a lock; a hash that is only written is not', () => {
  const births = new Births();
  expect(births.isBirth(keyEvent('hincrby', 'orders:42'))).toBe(false);
  expect(births.isBirth(keyEvent('expire', 'orders:42'))).toBe(true);
  expect(births.isBirth(keyEvent('hset', 'catalogue'))).toBe(false);
  expect(births.isBirth(keyEvent('expire', 'cached-page'))).toBe(false);
});

test('a hash that gets a lease after 16 other hashes were written is not a lock', () => {
  const births = new Births();
  births.isBirth(keyEvent('hset', 'session:1'));
  for (let n = 0; n < 16; n++) births.isBirth(keyEvent('hset', `other:${n}`));
  expect(births.isBirth(keyEvent('expire', 'session:1'))).toBe(false);
});

test('a key that is restored or renamed together with its lease may be a lock', () => {
  expect(new Births().isBirth(keyEvent('restore', 'moved'))).toBe(true);
  expect(new Births().isBirth(keyEvent('rename_to', 'renamed'))).toBe(true);
});

/** Leaves out the traces `events-off…`, in which the server sends no key events for a while. */
const HAS_EVENTS = /^(?!events-off)/;
const redissonGoldens = goldens().filter(({ folder, name }) => !folder.startsWith(OTHER) && HAS_EVENTS.test(name));

function countBy(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}

function isOfHash(event: LockEvent): boolean {
  return event.type === 'lock.acquired' && event.kind !== 'token-lock';
}

let seen = 0;

describe.each(redissonGoldens)('$folder', ({ name, isPushFirst, trace }) => {
  test(`${name}: if key events show that an acquired lock's hash was written, they show its birth`, () => {
    const text = trace();
    const heard = signalsFromTrace(text).flatMap((signal) => {
      const event = signal.kind === 'push' ? keyEventFromPush(signal) : undefined;
      return event ? [event] : [];
    });
    const births = new Births();
    const born = countBy(heard.filter((event) => births.isBirth(event)).map(({ db, key }) => `${db}/${key}`));
    const written = new Set(
      heard.filter(({ event }) => /^h(set|incrby)$/.test(event)).map(({ db, key }) => `${db}/${key}`),
    );
    const acquired = countBy(
      eventsFromTrace(text, isPushFirst)
        .filter(isOfHash)
        .map(({ db, lock }) => `${db}/${lock}`),
    );
    seen += [...acquired.keys()].filter((lock) => written.has(lock)).length;
    const missed = [...acquired].filter(([lock, times]) => written.has(lock) && (born.get(lock) ?? 0) < times);
    expect(missed).toEqual([]);
  });
});

test('the traces contain key events of many locks', () => {
  expect(seen).toBeGreaterThan(200);
});
