import { expect, test } from 'vitest';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { compareTransactions } from './transaction-story.ts';
import { parseTruth } from './truth.ts';

const AT = 1_795_000_000_000_000;
const TX = '0123456789abcdef0123456789abcdef';
const LINES = [
  `${AT} app ready u1`,
  `${AT + 1000} app A#7 > put tx price 1`,
  `${AT + 9000} app A#7 < put tx price 1 = ok`,
  `${AT + 20_000} app A#7 > commit tx price`,
  `${AT + 29_000} app A#7 < commit tx price = ok`,
];
const EVENTS = [event(1, 2000, 'lock.refused'), event(2, 8000, 'lock.acquired'), event(3, 25_000, 'lock.released')];

test('a lock from the write of a key to the end of the transaction is not a difference', () => {
  expect(compared(EVENTS)).toEqual([]);
});

test.each<[string, ReportedEvent[], string]>([
  ['a write that is not reported', EVENTS.toSpliced(1, 1), 'should be reported as lock.acquired, it is 0 times'],
  ['an end that is not reported', EVENTS.toSpliced(2, 1), 'should be reported as lock.released, it is 0 times'],
  ['a refusal without a write', [...EVENTS, event(4, 60_000, 'lock.refused')], 'which no call is behind'],
])('%s is a difference', (_, events, problem) => {
  expect(compared(events)).toContainEqual(expect.stringContaining(problem));
});

function compared(events: readonly ReportedEvent[]): string[] {
  return compareTransactions(parseTruth(LINES).calls, events, ({ thread }) => `u1:${thread}`, 5000);
}

function event(seq: number, us: number, type: ReportedEvent['type']): ReportedEvent {
  const about = { source: 'redis', db: 0, lock: 'price:transaction_lock', kind: 'lock', certainty: 'observed' };
  // The comparison reads only these fields of an event.
  return { ...about, seq, at: AT + us, type, holder: `u1:7:${TX}` } as unknown as ReportedEvent;
}
