import { expect, test } from 'vitest';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { compareGroupLock } from './group-lock-story.ts';
import { parseTruth } from './truth.ts';

const UUID = 'da67a1a5-b048-4d06-8eab-98e300340efe';
const LINES = [
  `1000000 app ready ${UUID}`,
  '1010000 app A#7 > unlock group seats/one,two',
  '1012000 app A#7 < unlock group seats/one,two = ok',
  '1013000 app A#7 > unlock group seats/one,two',
  '1016000 app A#7 < unlock group seats/one,two = ok',
];

function reported(type: string, at: number): ReportedEvent {
  return {
    seq: at,
    at,
    source: 'redis',
    db: 0,
    lock: 'seats',
    kind: 'group-lock',
    type,
    holder: `${UUID}:7`,
  } as ReportedEvent;
}

test('two calls in direct succession each have their own event', () => {
  const events = [reported('lock.partially-released', 1_011_000), reported('lock.released', 1_015_000)];
  expect(compareGroupLock(parseTruth(LINES), events, 30_000)).toEqual([]);
});

test('a call without an event is a difference, and so is an event without a call', () => {
  const events = [reported('lock.partially-released', 1_011_000), reported('lock.acquired', 2_000_000)];
  expect(compareGroupLock(parseTruth(LINES), events, 30_000)).toEqual([
    expect.stringContaining('but nothing was'),
    expect.stringContaining('which no call is behind'),
  ]);
});
