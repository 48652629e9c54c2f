import { expect, test } from 'vitest';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { compareMembers } from './member-story.ts';
import { parseTruth } from './truth.ts';

const AT = 1_795_000_000_000_000;
const LINES = [
  `${AT} app ready u1 u2 u3`,
  `${AT + 1000} app A#7 > lock multi a,b`,
  `${AT + 5000} app A#7 < lock multi a,b = ok`,
  `${AT + 5100} app A#7 > unlock multi a,b`,
  `${AT + 9000} app A#7 < unlock multi a,b = ok`,
];
const EVENTS = [
  event(1, 2000, 'lock.acquired', 'a'),
  event(2, 3000, 'lock.acquired', 'b'),
  event(3, 5300, 'lock.released', 'a'),
  event(4, 5400, 'lock.released', 'b'),
];

test('members that are acquired and released within their calls are not a difference', () => {
  expect(compared(EVENTS)).toEqual([]);
});

test.each<[string, ReportedEvent[], string]>([
  ['a member that was never reported', EVENTS.toSpliced(1, 1), 'a,b are reported as gained 1,0'],
  ['a member that is reported as still held', EVENTS.toSpliced(3, 1), 'a,b are reported as gained -1,0'],
  ['a step without a call', [...EVENTS, event(5, 30_000, 'lock.acquired', 'a')], 'which no call is behind'],
])('%s is reported as a difference', (_, events, problem) => {
  expect(compared(events)).toContainEqual(expect.stringContaining(problem));
});

function compared(events: readonly ReportedEvent[]): string[] {
  return compareMembers(parseTruth(LINES).calls, events, ({ thread }) => [`u1:${thread}`], 5000);
}

function event(seq: number, us: number, type: ReportedEvent['type'], lock: string): ReportedEvent {
  const about = { source: 'redis', db: 0, lock, kind: 'lock', certainty: 'observed', mode: 'exclusive' };
  // The comparison reads only these fields of an event.
  return { ...about, seq, at: AT + us, type, holder: 'u1:7' } as unknown as ReportedEvent;
}
