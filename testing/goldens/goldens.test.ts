import { describe, expect, test } from 'vitest';
import { compareTruth } from '../../e2e/support/compare/compare-truth.ts';
import { compareTokenTruth } from '../../e2e/support/compare/token-truth.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { goldens, OTHER } from '../traces/read-trace.ts';
import { eventsFromTrace } from '../traces/trace-file.ts';

/** Clients that were killed in a scenario: their holds at the end are lost. */
const KILLED: Readonly<Record<string, readonly string[]>> = { crash: ['app1'], 'fair-dead-head': ['app2'] };
/** Clients whose own clock, used for the times in their truth file, was ahead by this many µs. */
const CLOCKS_AHEAD: Readonly<Record<string, number>> = { skewed: 20 * 60 * 1_000_000 };

/** The ids in the truth file of `set-of-permits`. */
const SET_OF_PERMITS = {
  a: '4a7f75a2-c3a7-42c8-98fa-079d72c9c863',
  b: '54c7d466-ed4a-4c85-8b0e-c172e32daf0a',
  c: 'b526e6ee-9313-41b5-b02f-b540248efbf7',
};

/**
 * Traces that cannot be compared with what their clients saw, and the reason. `events` are the events that the scenario
 * is about. The second account compares every event of these traces, unless `oracle/spoil/streams.ts` leaves them out.
 */
const UNCOMPARED: readonly { pattern: RegExp; reason: string; events: readonly Partial<LockEvent>[] }[] = [
  {
    pattern: /^accidental-reentrancy/,
    reason: 'requests of several threads lock with one id',
    events: [{ type: 'lock.reentered', lock: 'user:3', holdCount: 2 }],
  },
  {
    pattern: /^phantom-hold-count/,
    reason: 'a call that was sent twice, by a client that knows about one',
    events: [
      { type: 'lock.reentered', lock: 'report', holdCount: 2 },
      { type: 'lease.expired', lock: 'report' },
    ],
  },
  {
    pattern: /^server-refuses-writes/,
    reason: 'exceptions that do not show what was done',
    events: [
      { type: 'lock.refused', lock: 'orders:3', reason: 'error' },
      { type: 'unlock.refused', lock: 'orders:1', reason: 'error', certainty: 'inferred' },
    ],
  },
  {
    pattern: /^subscription-pool-exhausted/,
    reason: 'exceptions that do not show what was done',
    events: [
      { type: 'lock.acquired', lock: 'item:1', holdCount: 1 },
      { type: 'waiter.subscribed', lock: 'item:1', subscribers: 1 },
    ],
  },
  {
    pattern: /^set-of-permits/,
    reason: 'permits with ids that only the application has',
    events: [
      { type: 'permits.renewed', permitIds: [SET_OF_PERMITS.a] },
      { type: 'permits.expired', permitIds: [SET_OF_PERMITS.b] },
      { type: 'unlock.refused', holder: SET_OF_PERMITS.b, reason: 'expired' },
      { type: 'permits.acquired', permitIds: [SET_OF_PERMITS.c], holder: 'app3' },
      { type: 'permits.released', permitIds: [SET_OF_PERMITS.a], holder: 'app1' },
    ],
  },
  {
    pattern: /^sorted-set-waits/,
    reason: 'permits, which have other events',
    events: [
      { type: 'permits.acquired', holder: 'app1', library: 'effect-distributed-lock' },
      { type: 'permits.renewed', library: 'effect-distributed-lock' },
      { type: 'permits.refused', holder: 'app2' },
      { type: 'permits.released', holder: 'app1' },
      { type: 'permits.acquired', holder: 'app2' },
    ],
  },
  {
    pattern: /^sorted-set-refused/,
    reason: 'permits, which have other events',
    events: [
      { type: 'permits.acquired', holder: 'app1', library: 'symfony' },
      { type: 'permits.refused', holder: 'app2' },
      { type: 'permits.released', holder: 'app1' },
      { type: 'permits.released', holder: 'app2' },
    ],
  },
  {
    pattern: /^sorted-set-lost/,
    reason: 'permits, which have other events',
    events: [
      { type: 'lease.expired', library: 'symfony' },
      { type: 'permits.acquired', holder: 'app2' },
      { type: 'renewal.refused', reason: 'expired' },
      { type: 'unlock.refused', reason: 'expired' },
      { type: 'permits.released', holder: 'app2' },
    ],
  },
  {
    pattern: /^sorted-set-readers/,
    reason: 'permits, which have other events',
    events: [
      { type: 'permits.acquired', holder: 'app1', permits: 1 },
      { type: 'permits.acquired', holder: 'app2', permits: 1 },
      { type: 'permits.released', holder: 'app1' },
      { type: 'permits.released', holder: 'app2' },
    ],
  },
  {
    pattern: /^unique-jobs$/,
    reason: 'jobs, whose ids are those of permits',
    events: [
      { type: 'permits.acquired', lock: 'uniquejobs:4b5e0f1c:LOCKED', library: 'sidekiq-unique-jobs', total: 1 },
      { type: 'permits.refused', lock: 'uniquejobs:4b5e0f1c:LOCKED' },
      { type: 'permits.released', lock: 'uniquejobs:4b5e0f1c:LOCKED', permitIds: ['a1b2c3d4e5f6a1b2c3d40001'] },
      { type: 'permits.acquired', lock: 'uniquejobs:77aa90bd:LOCKED', total: 2 },
      { type: 'permits.refused', lock: 'uniquejobs:77aa90bd:LOCKED' },
      { type: 'permits.released', lock: 'uniquejobs:77aa90bd:LOCKED', permitIds: ['a1b2c3d4e5f6a1b2c3d40002'] },
    ],
  },
  {
    pattern: /^unique$/,
    reason: 'names of jobs, which only their library knows',
    events: [
      { type: 'lock.acquired', leaseMs: 60_000 },
      { type: 'lock.refused', attempt: 1 },
      { type: 'lock.released', how: 'unknown', certainty: 'inferred' },
    ],
  },
  {
    pattern: /^orphan-job-lock/,
    reason: 'another format of the truth file',
    events: [{ type: 'lock.acquired', lock: 'nightly-report', leaseMs: 24 * 60 * 60 * 1000 }],
  },
  {
    pattern: /^lease-shorter-than-work\.redis-py/,
    reason: 'another format of the truth file',
    events: [
      { type: 'lease.expired', lock: 'report' },
      { type: 'unlock.refused', lock: 'report', reason: 'expired' },
    ],
  },
  {
    pattern: /^quorum-error-without-cause/,
    reason: 'another format of the truth file',
    events: [{ type: 'lock.refused', lock: 'stock:7', attempt: 6 }],
  },
  {
    pattern: /^zombie-renewal/,
    reason: 'a thread that ends, or is interrupted, while its hold goes on',
    events: [
      { type: 'lock.acquired', lock: 'report', holdCount: 1 },
      { type: 'lease.renewed', lock: 'report', cause: 'watchdog' },
    ],
  },
  {
    pattern: /^acl-denied/,
    reason: 'exceptions that do not show what was done',
    events: [
      { type: 'lock.released', lock: 'order:1' },
      { type: 'lock.refused', lock: 'order:4', attempt: 1 },
    ],
  },
  {
    pattern: /^no-ttl-lock/,
    reason: 'another format of the truth file',
    events: [{ type: 'lock.acquired', lock: 'cron:lock', expiresAt: null }],
  },
  {
    pattern: /^watchdog-batch-failure\.crossslot/,
    reason: 'a line of the operator about the cluster',
    events: [
      { type: 'lease.expired', lock: 'cart:1' },
      { type: 'unlock.refused', lock: 'cart:1', reason: 'expired' },
    ],
  },
  {
    pattern: /^granted-after-timeout/,
    reason: 'calls that failed, and were granted later',
    events: [
      { type: 'lock.acquired', lock: 'report', leaseMs: 3000 },
      { type: 'lease.expired', lock: 'report' },
    ],
  },
];
const isCompared = ({ name }: { name: string }) => !UNCOMPARED.some(({ pattern }) => pattern.test(name));

test.each(UNCOMPARED)('traces named like $pattern have the events of their scenario', ({ pattern, events }) => {
  const traces = goldens().filter(({ name }) => pattern.test(name));
  expect(traces).not.toEqual([]);
  for (const { trace, isPushFirst } of traces) {
    const found = eventsFromTrace(trace(), isPushFirst);
    for (const event of events) expect(found).toContainEqual(expect.objectContaining(event));
  }
});

const isOther = ({ folder }: { folder: string }) => folder.startsWith(OTHER);

describe.each(goldens().filter((golden) => isOther(golden) && isCompared(golden)))(
  '$folder',
  ({ name, trace, truth }) => {
    test(`${name}: the events match what the clients saw`, () => {
      const events = eventsFromTrace(trace(), true);
      expect(events.length).toBeGreaterThan(0);
      expect(compareTokenTruth(truth(), events)).toEqual([]);
    });
  },
);

const ofRedisson = goldens().filter((golden) => !isOther(golden) && isCompared(golden));

describe.each(ofRedisson)('$folder', ({ name, isPushFirst, trace, truth }) => {
  test(`${name}: the events match what the clients saw`, () => {
    const events = eventsFromTrace(trace(), isPushFirst);
    expect(events.length).toBeGreaterThan(0);
    expect(compareTruth(truth().map(onRedisClock), events, { killed: KILLED[name] ?? [] })).toEqual([]);
  });
});

function onRedisClock(line: string): string {
  const [stamp = '', client = ''] = line.split(' ');
  const ahead = CLOCKS_AHEAD[client];
  return ahead === undefined ? line : `${Number(stamp) - ahead}${line.slice(stamp.length)}`;
}
