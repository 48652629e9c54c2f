import { expect, test } from 'vitest';
import { holderOf } from '../../testing/story.ts';
import { eventsFromTrace } from '../../testing/trace-file.ts';

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
