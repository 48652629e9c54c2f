import { expect, test } from 'vitest';
import { holderOf, seconds } from '../../../testing/stories/story.ts';
import { eventsFromTrace } from '../../../testing/traces/trace-file.ts';
import type { KeyRead } from '../../signals/signal.ts';
import { Interpreter } from '../interpreter.ts';

const SHA = 'de4e0174ef8aa5b186d1941b6af51a8580c50aaa';
const EXPIRED = '> ["pmessage","__key*@*__:*","__keyevent@0__:expired","orders:42"]';

/** A plain lock's attempt, which acquires a free lock for 100 ms. */
function acquired(atMs: number, by: string): string[] {
  const lines = [
    `[0 10.0.0.1:1] "EVALSHA" "${SHA}" "1" "orders:42" "100" "${holderOf(by)}"`,
    '[0 lua] "exists" "orders:42"',
    `[0 lua] "hincrby" "orders:42" "${holderOf(by)}" "1"`,
    '[0 lua] "pexpire" "orders:42" "100"',
  ];
  return lines.map((line) => `${(1_795_000_000 + atMs / 1000).toFixed(6)} ${line}`);
}

function timesOf(...lines: string[]): unknown[] {
  const events = eventsFromTrace(lines.join('\n'), true);
  return events.map(({ type, at }) => [type, at / 1000 - 1_795_000_000_000]);
}

test('[L3] if Redis ends a lease before the computed end, the expiry is not later than the next MONITOR line', () => {
  expect(timesOf(...acquired(0, 'A'), EXPIRED, ...acquired(98, 'B'))).toEqual([
    ['lock.acquired', 0],
    ['lease.expired', 98],
    ['lock.acquired', 98],
  ]);
});

test('[L3] an expiry has the computed end of the lease if the next MONITOR line is later than that', () => {
  expect(timesOf(...acquired(0, 'A'), EXPIRED, ...acquired(300, 'B')).slice(0, 2)).toEqual([
    ['lock.acquired', 0],
    ['lease.expired', 100],
  ]);
});

const ORDERS = { db: 0, name: 'orders:42', type: 'hash', hasChanged: true, subscribers: null } as const;
const HELD: KeyRead = { ...ORDERS, fields: { [holderOf('A')]: '1' }, pttl: 3000 };
const PUSH = { kind: 'push', channel: '__keyevent@0__:expired', message: 'orders:42' } as const;

/** The expiry of a lease of 3 s that was read at second 0, if these steps follow. */
function expiryAfter(hasCommands: boolean, ...steps: Parameters<Interpreter['interpret']>[0][]) {
  const interpreter = new Interpreter({ source: 'redis', hasCommands });
  const read = { kind: 'bookmark', at: seconds(0), reads: [HELD] } as const;
  const events = [read, ...steps].flatMap((step) => interpreter.interpret(step));
  return events.find(({ type }) => type === 'lease.expired');
}

test.each([
  [0.1, 'inferred'],
  [3.0, 'observed'],
])(
  '[L3] without MONITOR, an expiry has the time at which its key event arrived: after %s s it is %s',
  (second, certainty) => {
    const arrived = { at: seconds(second), nextAt: seconds(second) };
    expect(expiryAfter(false, { ...PUSH, ...arrived })).toMatchObject({
      ...{ at: seconds(second), expiresAt: seconds(3), certainty },
    });
  },
);

test('[L3] after a blind spot, an expiry long before the computed end is inferred: it may be that of a later hold', () => {
  const blind = (second: number, phase: 'began' | 'ended') =>
    ({ kind: 'blind-spot', at: seconds(second), phase, reason: 'connection-lost' }) as const;
  const spot = [blind(0.1, 'began'), blind(0.2, 'ended')];
  expect(expiryAfter(true, ...spot, { ...PUSH, at: seconds(0.5) })).toMatchObject({
    ...{ at: seconds(0.5), certainty: 'inferred' },
  });
  expect(expiryAfter(true, { ...PUSH, at: seconds(2.5) })).toMatchObject({ at: seconds(3), certainty: 'observed' });
});
