import { expect, test } from 'vitest';
import { type Arrival, missingMessages } from '../../faults/messages.ts';
import type { DemoProcess, Reported } from '../../lockscope/demo-process.ts';
import type { ReportedEvent } from '../../lockscope/lockscope.ts';

const at = (ms: number) => 1_795_000_000_000_000 + ms * 1000;
const NOTHING_LATE: Arrival = { late: [], withinUs: 250_000 };
/** What the server sent at 1,000 ms arrived 1,500 ms later. */
const LATE: Arrival = { late: [{ from: at(1000), to: at(2500) }], withinUs: 250_000 };
const OF_1010 = 'client-1:1 released orders:42 at 1795000001010000: no message';

/** The differences, if a thread released a lock at these times (ms) and messages have these times. */
function problemsOf(releasesMs: readonly number[], messagesMs: readonly number[], arrival: Arrival): string[] {
  const reported = releasesMs.flatMap((ms, op): Reported[] => [
    { type: 'truth', op, thread: 1, action: 'unlock', lock: 'orders:42', phase: 'called', at: at(ms - 20) },
    { type: 'milestone', op, thread: 1, lock: 'orders:42', name: 'released', at: at(ms) },
  ]);
  const events = messagesMs.map((ms) => ({ type: 'wakeup.published', lock: 'orders:42', at: at(ms) }));
  const client = { name: 'client-1', uuid: 'u', reported } as unknown as DemoProcess;
  return missingMessages([client], events as unknown as ReportedEvent[], [], arrival).problems;
}

test('each release needs its own message', () => {
  expect(problemsOf([1010, 1030], [1020, 1020], NOTHING_LATE)).toEqual([]);
  expect(problemsOf([1010, 1030], [1020], NOTHING_LATE)).toHaveLength(1);
});

test('a message may be as late as everything else that the server sent at that time, but not later', () => {
  expect(problemsOf([1010], [2500], LATE)).toEqual([]);
  expect(problemsOf([1010], [2800], LATE)).toEqual([OF_1010]);
  expect(problemsOf([1010], [1500], NOTHING_LATE)).toEqual([OF_1010]);
  expect(problemsOf([1010], [700], LATE)).toEqual([OF_1010]);
});
