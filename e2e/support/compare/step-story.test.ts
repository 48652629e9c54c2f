import { expect, test } from 'vitest';
import type { DemoProcess, Reported } from '../lockscope/demo-process.ts';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { compareSteps } from './step-story.ts';

const UUID = 'f90632f6-103b-45d4-a915-63321b7bba57';
const LOCK = 'orders:42';
const at = (ms: number) => 1_795_000_000_000_000 + ms * 1000;

/** Thread 1 is refused, sleeps, is woken, acquires and releases. */
const CLIENT = clientThatReported(
  called(0, 1, 'lock'),
  step(2, 1, { name: 'refused', attempt: 1, ttlMs: 500 }),
  step(5, 1, { name: 'refused', attempt: 2, ttlMs: 497 }),
  step(100, 1, { name: 'acquired', attempt: 3, wokenBy: 'message' }),
  called(101, 2, 'unlock'),
  step(103, 2, { name: 'released' }),
);
const EVENTS: ReportedEvent[] = [
  event(1, 1, 'lock.refused', { ttlMs: 500, attempt: 1 }),
  event(2, 4, 'lock.refused', { ttlMs: 497, attempt: 2 }),
  { ...event(3, 98, 'wakeup.published', {}), holder: undefined } as unknown as ReportedEvent,
  event(4, 99, 'lock.acquired', { holdCount: 1, because: [3] }),
  event(5, 102, 'lock.released', { holdCount: 0 }),
];

test('steps that were reported correctly have no difference', () => {
  expect(compareSteps(CLIENT, EVENTS)).toEqual([]);
});

test.each<[string, ReportedEvent[], string]>([
  ['a refusal that is missing', without(2), 'refused at attempt 2'],
  [
    'a refusal reported twice',
    [...EVENTS.slice(0, 2), event(2, 4, 'lock.refused', { ttlMs: 497, attempt: 2 }), ...EVENTS.slice(2)],
    'is reported as #2 lock.refused',
  ],
  ['a wrong TTL', changed(1, { ttlMs: 300 }), 'reports a TTL of 300 ms'],
  ['a wrong hold count', changed(4, { holdCount: 2 }), 'reports hold count 2'],
  ['an acquisition reported as a re-entry', changed(4, { type: 'lock.reentered' }), 'should be lock.acquired'],
  ['a sleep without a cause', changed(4, { because: [] }), 'names no cause: it was #3'],
  ['a step outside of its time', changed(5, { at: at(300) }), 'lies outside of released'],
  ['a release that is missing', without(5), 'released'],
  ['a release without a call', [...EVENTS, event(6, 110, 'lock.released', { holdCount: 0 })], 'did nothing more'],
  ['a loss while the thread held nothing', [...EVENTS, event(6, 110, 'lease.expired', {})], 'but it held nothing'],
  [
    'an event of a lock that the client did not use',
    [...EVENTS, { ...event(6, 110, 'lock.acquired', {}), lock: 'other' } as ReportedEvent],
    'who did nothing',
  ],
])('%s is a difference', (_, events, problem) => {
  expect(compareSteps(CLIENT, events)).toContainEqual(expect.stringContaining(problem));
});

test('the end of a sleep needs no cause if the thread seemed to have given up', () => {
  const [first, , message] = EVENTS.map((each) => ({ ...each, seq: each.seq * 10 }));
  const gone = { ...event(11, 3, 'waiter.dequeued', { reason: 'gave-up' }), certainty: 'inferred' } as ReportedEvent;
  const again = event(12, 4, 'lock.refused', { ttlMs: 497, attempt: 1 });
  const rest = [event(40, 99, 'lock.acquired', { holdCount: 1 }), event(50, 102, 'lock.released', { holdCount: 0 })];
  const seen = [first!, gone, again, message!, ...rest];
  expect(compareSteps(CLIENT, seen)).toEqual([]);
  const problem = expect.stringContaining('names no cause: it was #30');
  expect(compareSteps(CLIENT, seen.toSpliced(1, 1))).toContainEqual(problem);
  expect(compareSteps(CLIENT, seen.with(2, { ...again, attempt: 2 } as ReportedEvent))).toContainEqual(problem);
});

test('an operation that was running at a kill may have more events than reported steps', () => {
  const open = clientThatReported(called(0, 1, 'lock'));
  const acquired = event(1, 5, 'lock.acquired', { holdCount: 1 });
  expect(compareSteps(open, [acquired])).toContainEqual(expect.stringContaining('who did nothing'));
  const killed = { ...open, open: () => [{ thread: 1, action: 'lock' as const, lock: LOCK }] };
  expect(compareSteps(killed, [acquired, event(2, 600, 'lease.expired', {})])).toEqual([]);
});

function clientThatReported(...reported: Reported[]): DemoProcess {
  const nothing = (): never => {
    throw new Error('this client is only read');
  };
  const ways = { ask: nothing, setClock: nothing, isAlive: nothing, settle: nothing, freeze: nothing };
  return { name: 'a', uuid: UUID, pid: 0, reported, open: () => [], ...ways, thaw: nothing, kill: nothing };
}

function called(ms: number, op: number, action: 'lock' | 'unlock'): Reported {
  return { type: 'truth', phase: 'called', op, at: at(ms), thread: 1, action, lock: LOCK };
}

function step(ms: number, op: number, detail: { name: string; attempt?: number; ttlMs?: number; wokenBy?: 'message' }) {
  return { type: 'milestone' as const, op, at: at(ms), thread: 1, lock: LOCK, ...detail };
}

function event(seq: number, ms: number, type: ReportedEvent['type'], detail: object): ReportedEvent {
  const place = { source: 's', db: 0, lock: LOCK, kind: 'lock', certainty: 'observed' };
  return { seq, at: at(ms), type, ...place, holder: `${UUID}:1`, ...detail } as unknown as ReportedEvent; // the API returns this form
}

function without(seq: number): ReportedEvent[] {
  return EVENTS.filter((each) => each.seq !== seq);
}

function changed(seq: number, change: object): ReportedEvent[] {
  return EVENTS.map((each) => (each.seq === seq ? ({ ...each, ...change } as ReportedEvent) : each));
}
