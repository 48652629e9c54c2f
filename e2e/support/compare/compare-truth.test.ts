import { expect, test } from 'vitest';
import type { ReportedEvent } from '../lockscope/lockscope.ts';
import { compareTruth } from './compare-truth.ts';

const APP = 'f90632f6-103b-45d4-a915-63321b7bba57';
const [A, B] = [`${APP}:62`, `${APP}:63`];
const NOT_HELD = `IllegalMonitorStateException: attempt to unlock lock, not locked by current thread by node id: ${APP}`;

/** Truth lines as the real client wrote them, with times in ms after `# begin`. */
const REENTRY = truth(`
  0   ready ${APP}
  370 A#62 > lock lock orders:42
  400 A#62 < lock lock orders:42 = ok
  401 A#62 > lock lock orders:42
  403 A#62 < lock lock orders:42 = ok
  406 A#62 > count lock orders:42
  408 A#62 < count lock orders:42 = 2
  411 B#63 > try lock orders:42
  413 B#63 < try lock orders:42 = false
  416 B#63 > unlock lock orders:42
  426 B#63 < unlock lock orders:42 ! ${NOT_HELD} thread-id: 63
  431 A#62 > unlock lock orders:42
  433 A#62 < unlock lock orders:42 = ok
  437 A#62 > unlock lock orders:42
  438 A#62 < unlock lock orders:42 = ok
  441 A#62 > unlock lock orders:42
  442 A#62 < unlock lock orders:42 ! ${NOT_HELD} thread-id: 62
`);
const REENTRY_REPORTED = reported(
  [390, 'lock.acquired', A, { holdCount: 1 }],
  [402, 'lock.reentered', A, { holdCount: 2 }],
  [412, 'lock.refused', B],
  [420, 'unlock.refused', B, { reason: 'not-owner' }],
  [432, 'lock.partially-released', A, { holdCount: 1 }],
  [437, 'lock.released', A, { holdCount: 0 }],
  [437, 'wakeup.published'],
  [441, 'unlock.refused', A, { reason: 'no-lock' }],
);

const CONTENTION = truth(`
  0   ready ${APP}
  10  A#62 > lock lock orders:42
  30  A#62 < lock lock orders:42 = ok
  40  B#63 > lock lock orders:42
  640 A#62 > unlock lock orders:42
  650 A#62 < unlock lock orders:42 = ok
  654 B#63 < lock lock orders:42 = ok
  854 B#63 > unlock lock orders:42
  858 B#63 < unlock lock orders:42 = ok
`);
const CONTENTION_REPORTED = reported(
  [20, 'lock.acquired', A, { holdCount: 1 }],
  [42, 'lock.refused', B],
  [43, 'waiter.subscribed', B],
  [45, 'lock.refused', B],
  [645, 'lock.released', A, { holdCount: 0 }],
  [645, 'wakeup.published', A],
  [652, 'lock.acquired', B, { holdCount: 1, because: [6] }],
  [653, 'waiter.unsubscribed', B],
  [856, 'lock.released', B, { holdCount: 0 }],
  [856, 'wakeup.published', B],
);

const LEASE = truth(`
  0    ready ${APP}
  10   A#62 > lock lock orders:42 700
  30   A#62 < lock lock orders:42 700 = ok
  1100 A#62 > unlock lock orders:42
  1110 A#62 < unlock lock orders:42 ! ${NOT_HELD} thread-id: 62
  1120 A#62 > lock lock orders:42 5000
  1121 A#62 < lock lock orders:42 5000 = ok
  1125 B#63 > force lock orders:42
  1129 B#63 < force lock orders:42 = true
  1130 A#62 > unlock lock orders:42
  1135 A#62 < unlock lock orders:42 ! ${NOT_HELD} thread-id: 62
`);
const LEASE_REPORTED = reported(
  [20, 'lock.acquired', A, { holdCount: 1 }],
  [720, 'lease.expired', A],
  [1105, 'unlock.refused', A, { reason: 'expired' }],
  [1120, 'lock.acquired', A, { holdCount: 1 }],
  [1127, 'lock.force-released', undefined, { holders: [A] }],
  [1127, 'wakeup.published'],
  [1132, 'unlock.refused', A, { reason: 'no-lock' }],
);

test.each([
  ['re-entry', REENTRY, REENTRY_REPORTED],
  ['contention', CONTENTION, CONTENTION_REPORTED],
  ['a lease that runs out and a force-release', LEASE, LEASE_REPORTED],
])('%s: if it was reported correctly, there is no difference', (_, lines, events) => {
  expect(compareTruth(lines, events)).toEqual([]);
});

test('if a version does not report its uuid, the client is the holder whose acquisitions match', () => {
  const silent = CONTENTION.map((line) => line.replace(`ready ${APP}`, 'ready ?'));
  expect(compareTruth(silent, CONTENTION_REPORTED)).toEqual([]);
  const late = CONTENTION_REPORTED.map((event) => ({ ...event, at: event.at + 900_000 }) as ReportedEvent);
  expect(compareTruth(silent, late)).toContainEqual(expect.stringContaining('no holder in the events fits client app'));
});

test.each<[string, readonly string[], ReportedEvent[], string]>([
  ['an acquisition that is missing', REENTRY, without(REENTRY_REPORTED, 2), 'should be reported as lock.reentered'],
  ['a release reported twice', CONTENTION, twice(CONTENTION_REPORTED, 9), 'no call of the client is behind it'],
  [
    'a wrong hold count',
    REENTRY,
    changed(REENTRY_REPORTED, 2, { holdCount: 1 }),
    'reports hold count 1, the client has 2',
  ],
  [
    'a re-entry reported as an acquisition',
    REENTRY,
    changed(REENTRY_REPORTED, 2, { type: 'lock.acquired' }),
    'lock.reentered',
  ],
  [
    'a failed attempt without a refusal',
    REENTRY,
    without(REENTRY_REPORTED, 3),
    'no lock.refused for app B try = false',
  ],
  [
    'two refusals of one tryLock() without a wait',
    REENTRY,
    twice(REENTRY_REPORTED, 3),
    '2 lock.refused for a try that does not wait',
  ],
  ['a refused unlock that is missing', REENTRY, without(REENTRY_REPORTED, 4), 'should be reported as unlock.refused'],
  ['an impossible reason', REENTRY, changed(REENTRY_REPORTED, 4, { reason: 'expired' }), 'but nothing expired'],
  ['a waiter that was never refused', CONTENTION, without(CONTENTION_REPORTED, 2, 4), 'which met a foreign hold'],
  [
    'a waiter that acquired, reported as gone',
    CONTENTION,
    changed(CONTENTION_REPORTED, 3, { type: 'waiter.dequeued' }),
    'in the midst',
  ],
  ['a sleep without a cause', CONTENTION, changed(CONTENTION_REPORTED, 7, { because: [] }), 'names no cause of it'],
  ['a wrong cause', CONTENTION, changed(CONTENTION_REPORTED, 7, { because: [5] }), 'names no cause of it'],
  [
    'an expiry without a holder',
    CONTENTION,
    changed(CONTENTION_REPORTED, 3, { type: 'lease.expired', holder: A }),
    'while nobody held it',
  ],
  ['a lost hold without an expiry', LEASE, without(LEASE_REPORTED, 2), 'no loss was reported before it'],
  ['an expiry reported twice', LEASE, twice(LEASE_REPORTED, 2), 'the client held nothing then'],
  [
    'a force-release that is missing',
    LEASE,
    without(LEASE_REPORTED, 5),
    '0 lock.force-released reported for app B force',
  ],
  ['a missing wake-up', CONTENTION, without(CONTENTION_REPORTED, 10), '2 releases, but 1 wake-ups reported'],
  [
    'an event long before its call',
    CONTENTION,
    changed(CONTENTION_REPORTED, 9, { at: at(700) }),
    'lies outside of its call',
  ],
  ['drift', CONTENTION, changed(CONTENTION_REPORTED, 3, { type: 'drift.healed' }), 'nothing of the kind happened'],
  [
    'a lock that no client used',
    CONTENTION,
    changed(CONTENTION_REPORTED, 3, { lock: 'latch' }),
    'nothing of the kind happened',
  ],
  [
    'a holder that is not a client',
    CONTENTION,
    changed(CONTENTION_REPORTED, 3, { holder: 'x:1' }),
    'of a holder that no client',
  ],
  [
    'observed events out of order',
    CONTENTION,
    changed(CONTENTION_REPORTED, 3, { at: at(41) }),
    'earlier than the event before',
  ],
  ['a gap in seq', CONTENTION, CONTENTION_REPORTED.filter(({ seq }) => seq !== 3), 'seq jumps from 2 to 4'],
])('%s is a difference', (_, lines, events, problem) => {
  expect(compareTruth(lines, events)).toContainEqual(expect.stringContaining(problem));
});

const CRASH = truth(`
  0    ready ${APP}
  10   A#62 > lock lock orders:42
  30   A#62 < lock lock orders:42 = ok
  35   A#62 > lock lock cash
`);

test('it is a difference if the hold of a killed client is not reported as lost', () => {
  const events = reported([20, 'lock.acquired', A, { holdCount: 1 }], [1520, 'lease.expired', A]);
  expect(compareTruth(CRASH, events, { killed: ['app'] })).toEqual([]);
  expect(compareTruth(CRASH, events.slice(0, 1), { killed: ['app'] })).toContainEqual(
    expect.stringContaining('killed while it held the lock'),
  );
});

test('two holders at the same time are a difference', () => {
  const events = reported(
    [20, 'lock.acquired', A, { holdCount: 1 }],
    [42, 'lock.refused', B],
    [45, 'lock.refused', B],
    [644, 'wakeup.published'],
    [644, 'lock.acquired', B, { holdCount: 1, because: [4] }],
    [645, 'lock.released', A, { holdCount: 0 }],
    [856, 'lock.released', B, { holdCount: 0 }],
    [856, 'wakeup.published'],
  );
  expect(compareTruth(CONTENTION, events)).toContainEqual(expect.stringContaining(`by ${B} while ${A} held it`));
});

test('in old versions, an unlock of a missing lock that returns without an error is a refusal with callerSawSuccess', () => {
  const lines = truth(`
    0    ready ${APP}
    10   A#62 > unlock lock orders:42
    30   A#62 < unlock lock orders:42 = ok
  `);
  const refused = [20, 'unlock.refused', A, { reason: 'no-lock', callerSawSuccess: true }] as const;
  expect(compareTruth(lines, reported([...refused], [20, 'wakeup.published']))).toEqual([]);
  expect(compareTruth(lines, reported([20, 'unlock.refused', A, { reason: 'no-lock' }]))).toHaveLength(1);
});

function at(ms: number): number {
  return 1_795_218_541_000_000 + ms * 1000;
}

function truth(text: string): string[] {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).map((line) => line.replace(/^(\d+) +/, (_, ms: string) => `${at(Number(ms))} app `));
}

type Row = [ms: number, type: ReportedEvent['type'], holder?: string | undefined, rest?: Record<string, unknown>];

function reported(...rows: Row[]): ReportedEvent[] {
  return rows.map(([ms, type, holder, rest], index) => {
    const common = { seq: index + 1, at: at(ms), source: 's', db: 0, lock: 'orders:42', kind: 'lock' };
    const held = holder === undefined ? {} : { holder };
    return { ...common, type, certainty: 'observed', ...held, ...rest } as unknown as ReportedEvent; // tests pass the rest
  });
}

function changed(events: readonly ReportedEvent[], seq: number, change: Record<string, unknown>): ReportedEvent[] {
  return events.map((event) => (event.seq === seq ? ({ ...event, ...change } as ReportedEvent) : event));
}

/** The events without these, numbered again. */
function without(events: readonly ReportedEvent[], ...seqs: number[]): ReportedEvent[] {
  return numbered(events.filter(({ seq }) => !seqs.includes(seq)));
}

function twice(events: readonly ReportedEvent[], seq: number): ReportedEvent[] {
  return numbered(events.flatMap((event) => (event.seq === seq ? [event, event] : [event])));
}

function numbered(events: readonly ReportedEvent[]): ReportedEvent[] {
  return events.map((event, index) => {
    const because = event.because?.map((cause) => events.findIndex(({ seq }) => seq === cause) + 1);
    return { ...event, seq: index + 1, ...(because ? { because } : {}) } as ReportedEvent;
  });
}
