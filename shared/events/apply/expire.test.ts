import { expect, test } from 'vitest';
import { redisTime } from '../../base/time.ts';
import type { KeyRead } from '../../signals/signal.ts';
import { holderOf, seconds } from '../../testing/story.ts';
import { eventsFromTrace } from '../../testing/trace-file.ts';
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

test('[L3] Redis may end a lease before the computed end: the expiry is not dated after the line that follows its push', () => {
  expect(timesOf(...acquired(0, 'A'), EXPIRED, ...acquired(98, 'B'))).toEqual([
    ['lock.acquired', 0],
    ['lease.expired', 98],
    ['lock.acquired', 98],
  ]);
});

test('[L3] the lines after the push do not move an expiry that was due', () => {
  expect(timesOf(...acquired(0, 'A'), EXPIRED, ...acquired(300, 'B')).slice(0, 2)).toEqual([
    ['lock.acquired', 0],
    ['lease.expired', 100],
  ]);
});

test('[L3] without lines, an expiry is dated when its push arrived: the lease may have become shorter unseen', () => {
  const held: KeyRead = {
    ...{ db: 0, name: 'orders:42', type: 'hash', fields: { [holderOf('A')]: '1' }, pttl: 3000 },
    ...{ hasChanged: true, subscribers: null },
  };
  const interpreter = new Interpreter({ source: 'redis', hasCommands: false });
  interpreter.interpret({ kind: 'bookmark', at: seconds(0), reads: [held] });
  const arrived = { at: seconds(0.1), nextAt: seconds(0.1) };
  const push = { kind: 'push', ...arrived, channel: '__keyevent@0__:expired', message: 'orders:42' } as const;
  expect(interpreter.interpret(push)).toMatchObject([
    { type: 'lease.expired', at: seconds(0.1), expiresAt: redisTime(seconds(0) + 3_000_000), certainty: 'observed' },
  ]);
});
