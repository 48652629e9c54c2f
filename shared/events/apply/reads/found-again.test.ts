import { expect, test } from 'vitest';
import { holderOf, reported, seconds, story } from '../../../../testing/stories/story.ts';
import { reduceLock } from '../../../state/reduce.ts';
import type { LockEvent } from '../../event.ts';
import { Interpreter } from '../../interpreter.ts';

const GAP = `
  orders:42 lease 30s
  0.000  A attempts acquired
  2.000  - loses sight
  3.000  - sees again`;

const stateAfter = (events: readonly LockEvent[]) =>
  events.filter(({ lock }) => lock !== '').reduce<ReturnType<typeof reduceLock> | undefined>(reduceLock, undefined);

test('[S8] a hold whose lease ends at the same time as before the blind spot is the same hold: its beginning is known', () => {
  const events = story(`${GAP}\n  4.000  - snapshot A×1 26000\n  5.000  - snapshot A×1 25000`);
  expect(reported(events).slice(3)).toEqual(['lock.found']);
  expect(events.at(-1)).toMatchObject({ isKept: true, gapEndedAt: seconds(3) });
  expect(stateAfter(events)?.holders).toMatchObject([{ since: events[0]?.at, keptAt: seconds(4) }]);
});

test('[S8] a hold with another end may be a new one of the same holder: its beginning was not seen', () => {
  const events = story(`${GAP}\n  4.000  - snapshot A×1 28000`);
  expect(reported(events).slice(3)).toEqual(['lock.found']);
  expect(events.at(-1)).not.toHaveProperty('isKept');
  expect(stateAfter(events)?.holders).toMatchObject([{ since: null, firstAt: seconds(4) }]);
});

test('[S8] a lease set right before the blind spot proves nothing: a lease set during the blind spot ends at nearly the same time', () => {
  const events = story(`
    orders:42 lease 30s
    1.950  A attempts acquired
    2.000  - loses sight
    2.040  - sees again
    4.000  - snapshot A×1 27980`);
  expect(events.at(-1)).toMatchObject({ type: 'lock.found', gapEndedAt: seconds(2.04) });
  expect(events.at(-1)).not.toHaveProperty('isKept');
});

test('[S8] after the blind spot a command of the holder shows its hold, and the next read does not report the hold again', () => {
  const events = story(`${GAP}\n  4.000  A renews\n  5.000  - snapshot A×1 29000`);
  expect(reported(events).slice(3)).toEqual(['lease.renewed A']);
});

test('[S8] [S2] if a read after the blind spot finds another hold count, the beginning of the hold is unknown', () => {
  const events = story(`${GAP}\n  4.000  - snapshot A×2 28000`);
  expect(events.at(-1)).toMatchObject({ type: 'drift.healed', cause: 'blind-spot', gapEndedAt: seconds(3) });
  expect(stateAfter(events)?.holders).toMatchObject([{ since: null, holdCount: 2 }]);
});

test('[S8] without commands, a holder that is there after the blind spot is found, and the beginning of its hold is unknown', () => {
  const interpreter = new Interpreter({ source: 'test', hasCommands: false });
  const gap = (second: number, phase: 'began' | 'ended') =>
    interpreter.interpret({ kind: 'blind-spot', at: seconds(second), phase, reason: 'connection-lost' });
  const read = (second: number, actor: string) => {
    const hash = { db: 0, name: 'k', type: 'hash', fields: { [holderOf(actor)]: '1' }, subscribers: null } as const;
    const reads = [{ ...hash, pttl: 30_000, hasChanged: false }];
    return interpreter.interpret({ kind: 'bookmark', at: seconds(second), reads });
  };
  read(0, 'A');
  gap(1, 'began');
  gap(60, 'ended');
  const same = read(61, 'A');
  gap(70, 'began');
  gap(90, 'ended');
  const other = read(91, 'B');
  expect([same, other].map((events) => events.map(({ type }) => type))).toEqual([
    ['lock.found'],
    ['lock.released', 'lock.found'],
  ]);
  expect(other[0]).toMatchObject({ certainty: 'inferred', how: 'unknown' });
  expect(stateAfter([...same, ...other])?.holders).toMatchObject([{ since: null, firstAt: seconds(91) }]);
});

test('a plain lock that two reads find in no database is free, and is reported if connections still listen for it', () => {
  const interpreter = new Interpreter({ source: 'redis' });
  const read = (at: number, part: object) =>
    interpreter.interpret({
      ...{ kind: 'bookmark', at: seconds(at) },
      reads: [
        { ...{ db: 0, name: 'a', type: 'none', fields: {}, pttl: -2, hasChanged: false, subscribers: 1 }, ...part },
      ],
    });
  expect(read(1, { isNowhere: true })).toEqual([]); // a waiter may be about to acquire the lock
  expect(read(11, {})).toEqual([]); // another database may have the lock
  const [event] = read(21, { isNowhere: true });
  expect(event).toMatchObject({ type: 'waiter.subscribed', lock: 'a', subscribers: 1, certainty: 'inferred' });
  expect(stateAfter([event!])).toMatchObject({ holders: [], subscribers: 1, isKindKnown: false });
  expect(read(31, { isNowhere: true })).toEqual([]);
});
