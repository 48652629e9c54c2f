import {
  ANOTHER,
  change,
  type EventFields,
  gone,
  has,
  insert,
  later,
  omit,
  repeat,
  type Spoiling,
  swap,
} from './spoil.ts';
import { SPOILED_WAITS } from './spoiled-waits.ts';

const isRedisson = (event: EventFields) => event.library === undefined;
const SECOND = 1_000_000;

/** Kinds of mistakes about holds, leases, permits and latches, and about the order of events. */
const SPOILED_HOLDS: Readonly<Record<string, Spoiling>> = {
  'an acquisition is not reported': omit({ type: 'lock.acquired' }),
  'an acquisition is reported twice': repeat({ type: 'lock.acquired' }),
  'an acquisition is a re-entry': change({ type: 'lock.acquired' }, () => ({ type: 'lock.reentered' })),
  'an acquisition is a refusal': change({ type: 'lock.acquired' }, () => ({
    type: 'lock.refused',
    ttlMs: 0,
    attempt: 1,
    asleep: false,
    reason: 'held',
  })),
  'a re-entry is an acquisition': change({ type: 'lock.reentered' }, () => ({ type: 'lock.acquired', holdCount: 1 })),
  'a re-entry is not reported': omit({ type: 'lock.reentered' }),
  'a release is not reported': omit({ type: 'lock.released' }),
  'a release is reported twice': repeat({ type: 'lock.released' }),
  'a release is a deletion': change({ type: 'lock.released' }, () => ({ type: 'lock.deleted', command: 'DEL' })),
  'a release is by another client': change({ type: 'lock.released' }, () => ({ holder: `${ANOTHER}:1` })),
  'a partial release is a release': change({ type: 'lock.partially-released' }, () => ({
    type: 'lock.released',
    holdCount: 0,
  })),
  'a partial release is not reported': omit({ type: 'lock.partially-released' }),
  'the holder is another client': change({ type: 'lock.acquired' }, () => ({ holder: `${ANOTHER}:1` })),
  'the holder is another thread': change({ type: 'lock.acquired', when: isRedisson }, ({ holder }) => ({
    holder: `${holder}9`,
  })),
  'the hold count is one too high': change({ type: 'lock.*', when: has('holdCount') }, later('holdCount', 1)),
  'the hold count is missing': change({ type: 'lock.reentered', when: has('holdCount') }, gone('holdCount')),
  'the count of a partial release is wrong': change({ type: 'lock.partially-released' }, later('holdCount', 1)),
  'a reader is a writer': change({ type: 'lock.*', when: ({ mode }) => mode === 'read' }, () => ({ mode: 'write' })),
  'a writer is a reader': change({ type: 'lock.*', when: ({ mode }) => mode === 'write' }, () => ({ mode: 'read' })),
  'there is no lease': change({ type: 'lock.acquired', when: has('expiresAt') }, gone('leaseMs', 'expiresAt')),
  'the lease is 5 s too long': change({ when: has('leaseMs') }, later('leaseMs', 5000)),
  'the length of the lease is missing': change({ type: 'lock.acquired', when: has('leaseMs') }, gone('leaseMs')),
  'the lease ends 5 s later': change({ type: 'lock.acquired', when: has('expiresAt') }, later('expiresAt', 5 * SECOND)),
  'the lease ends 50 ms earlier': change(
    { type: 'lock.acquired', when: has('expiresAt') },
    later('expiresAt', -50_000),
  ),
  'the lease of a re-entry ends as before': change(
    { type: 'lock.reentered', when: has('expiresAt') },
    later('expiresAt', -100_000),
  ),
  'the lease of a partial release is missing': change(
    { type: 'lock.partially-released' },
    gone('leaseMs', 'expiresAt'),
  ),
  'the lease has no end': change({ type: 'lock.acquired', when: has('expiresAt') }, () => ({ expiresAt: null })),
  'a renewal is not reported': omit({ type: 'lease.renewed' }),
  'a renewal is reported twice': repeat({ type: 'lease.renewed' }),
  'a renewal is invented': insert({ type: 'lock.acquired', when: has('leaseMs') }, renewal),
  'a renewal ends 1 s later': change({ type: 'lease.renewed', when: has('expiresAt') }, later('expiresAt', SECOND)),
  'a renewal is of another holder': change({ type: 'lease.renewed', when: has('holder') }, () => ({
    holder: `${ANOTHER}:1`,
  })),
  'a renewal is by a command': change({ type: 'lease.renewed', when: ({ cause }) => cause === 'watchdog' }, () => ({
    cause: 'command',
  })),
  'a renewal has the wrong batch': change({ type: 'lease.renewed', when: isRedisson }, ({ batch }) => ({
    batch: Number(batch ?? 1) + 1,
  })),
  'a refused renewal is not reported': omit({ type: 'renewal.refused' }),
  'a refused renewal is a renewal': change({ type: 'renewal.refused' }, renewal),
  'a refused renewal has the wrong reason': change({ type: 'renewal.refused' }, wrongReason),
  'a renewal without holder is not reported': omit({ type: 'renewal.without-holder' }),
  'a renewal without holder is by another client': change({ type: 'renewal.without-holder' }, () => ({
    client: ANOTHER,
  })),
  'a renewal that did not run is not reported': omit({ type: 'renewal.not-run' }),
  'an expiry is not reported': omit({ type: 'lease.expired' }),
  'an expiry is reported twice': repeat({ type: 'lease.expired' }),
  'an expiry is a release': change({ type: 'lease.expired' }, () => ({ type: 'lock.released', holdCount: 0 })),
  'an expiry is 500 ms early': change({ type: 'lease.expired' }, later('at', -SECOND / 2)),
  'an expiry is of another holder': change({ type: 'lease.expired' }, () => ({ holder: `${ANOTHER}:1` })),
  'an expiry that Redis published is inferred': change({ type: 'lease.expired', when: isObserved }, () => ({
    certainty: 'inferred',
  })),
  'an expiry is after the next event': swap({ type: 'lease.expired' }),
  'a refused unlock is not reported': omit({ type: 'unlock.refused' }),
  'a refused unlock is a release': change({ type: 'unlock.refused' }, () => ({
    type: 'lock.released',
    holdCount: 0,
    mode: 'exclusive',
    reason: undefined,
  })),
  'a refused unlock has the wrong reason': change({ type: 'unlock.refused' }, wrongReason),
  'the caller of an unlock saw an error': change(
    { type: 'unlock.refused', when: has('callerSawSuccess') },
    gone('callerSawSuccess'),
  ),
  'the caller of an unlock saw success': change(
    { type: 'unlock.refused', when: (event) => !event.callerSawSuccess },
    () => ({ callerSawSuccess: true }),
  ),
  'a downgrade is a plain release': change({ when: has('isDowngrade') }, gone('isDowngrade')),
  'a release is a downgrade': change(
    { type: 'lock.released', when: ({ mode }) => mode === 'write' },
    ({ isDowngrade }) => ({ isDowngrade: isDowngrade ? undefined : true }),
  ),
  'a release does not say that others hold on': change(
    { type: 'lock.released', when: has('expiresAt') },
    gone('expiresAt'),
  ),
  'timeouts of a reader are missing': change({ when: has('readTimeouts') }, gone('readTimeouts')),
  'a timeout of a reader is of another reader': change({ when: has('readTimeouts') }, () => ({
    readTimeouts: [{ holder: `${ANOTHER}:1`, ends: [] }],
  })),
  'a force-unlock is a release': change({ type: 'lock.force-released' }, () => ({
    type: 'lock.released',
    holdCount: 0,
    mode: 'exclusive',
    holders: undefined,
  })),
  'a force-unlock is not reported': omit({ type: 'lock.force-released' }),
  'a force-unlock hits no holder': change({ type: 'lock.force-released' }, gone('holder', 'holders')),
  'a deletion is not reported': omit({ type: 'lock.deleted' }),
  'a deletion is an expiry': change({ type: 'lock.deleted' }, () => ({
    type: 'lease.expired',
    mode: 'exclusive',
    command: undefined,
  })),
  'a deletion names no command': change({ type: 'lock.deleted' }, gone('command')),
  'a deletion by a late holder is by anybody': change({ when: has('late') }, gone('late')),
  'a flush is not reported': omit({ type: 'db.flushed' }),
  'permits are not reported': omit({ type: 'permits.acquired' }),
  'the total of permits is wrong': change({ type: 'permits.*', when: has('total') }, later('total', 1)),
  'the total of permits is missing': change({ type: 'permits.*', when: has('total') }, gone('total')),
  'the number of free permits is wrong': change({ type: 'permits.*', when: has('available') }, later('available', 1)),
  'the number of permits is wrong': change({ type: 'permits.*', when: has('permits') }, later('permits', 1)),
  'the owner of permits is another': change({ type: 'permits.*', when: has('holder') }, () => ({ holder: 'another' })),
  'a permit ends 1 s later': change({ type: 'permits.*', when: has('expiresAt') }, later('expiresAt', SECOND)),
  'a permit has no end': change({ type: 'permits.*', when: has('expiresAt') }, gone('expiresAt')),
  'a permit has another id': change({ when: has('permitIds') }, () => ({ permitIds: ['0'.repeat(32)] })),
  'an expired permit is not reported': omit({ type: 'permits.expired' }),
  'a refused permit is not reported': omit({ type: 'permits.refused' }),
  'a refused caller of permits does not wait': change(
    { type: 'permits.refused', when: ({ asleep }) => asleep === true },
    () => ({ asleep: false }),
  ),
  'a drained semaphore is a plain acquisition': change({ when: has('isDrain') }, gone('isDrain')),
  'the count of a latch is wrong': change({ type: 'latch.*', when: has('count') }, later('count', 1)),
  'the opening of a latch is not reported': omit({ type: 'latch.opened' }),
  'a count of an open latch counts': change({ when: has('wasOpen') }, gone('wasOpen')),
};

/** Kinds of mistakes that any event may have: in its client, time, lock, certainty or cause. */
const SPOILED_EVENTS: Readonly<Record<string, Spoiling>> = {
  'the kind is wrong': change({ type: 'lock.acquired' }, wrongKind),
  'the kind of a refusal is wrong': change({ type: 'lock.refused' }, wrongKind),
  'the kind of a message is wrong': change({ type: 'wakeup.published' }, wrongKind),
  'the kind of a subscription is wrong': change({ type: 'waiter.subscribed' }, wrongKind),
  'what a lock turned out to be is not reported': omit({ type: 'lock.learned' }),
  'a lock turned out to be something else': change({ type: 'lock.learned' }, () => ({ kind: 'fair-lock' })),
  'the version of a client is missing': change(
    { type: 'lock.acquired', when: has('clientVersion') },
    gone('clientVersion'),
  ),
  'the version of a client is wrong': change({ when: has('clientVersion') }, () => ({ clientVersion: '3.1.0–3.2.0' })),
  'the version of a client is newer than any': change({ when: has('clientVersion') }, () => ({
    clientVersion: '4.8.0–4.9.0',
  })),
  'the version of a client is any': change({ when: has('clientVersion') }, () => ({ clientVersion: '3.1.0–4.7.0' })),
  'the version at a renewal is missing': change(
    { type: 'lease.renewed', when: has('clientVersion') },
    gone('clientVersion'),
  ),
  'the library is another': change({ when: has('library') }, ({ library }) => ({
    library: library === 'redsync' ? 'redlock' : 'redsync',
  })),
  'the library is missing': change({ when: has('library') }, gone('library')),
  'a lock of Redisson is of another library': change({ when: isRedisson }, () => ({ library: 'redsync' })),
  'a lock that looks like one is certain': change({ when: has('kindKnown') }, gone('kindKnown')),
  'everything is inferred': (events) => events.map((event) => ({ ...event, certainty: 'inferred' })),
  'an observed acquisition is inferred': change({ type: 'lock.acquired', when: isObserved }, () => ({
    certainty: 'inferred',
  })),
  'an observed release is inferred': change({ type: 'lock.released', when: isObserved }, () => ({
    certainty: 'inferred',
  })),
  'a concluded event is observed': change({ when: ({ certainty }) => certainty === 'inferred' }, () => ({
    certainty: 'observed',
  })),
  'the address is another': change({ when: has('by') }, () => ({ by: '10.9.9.9:1' })),
  'the address is missing': change({ when: has('by') }, gone('by')),
  'the lock is another': change({ type: 'lock.*' }, ({ lock }) => ({ lock: `${lock}!` })),
  'the database is another': change({}, () => ({ db: 5 })),
  'the time is 1 s later': change({}, later('at', SECOND)),
  'the time is 100 ms earlier': change({ type: 'lock.*' }, later('at', -SECOND / 10)),
  'two events are in the wrong order': swap({}),
  'a release and its message are in the wrong order': swap({ type: 'lock.released' }),
  'a release does not name the acquisition': change({ type: 'lock.released', when: has('because') }, gone('because')),
  'a release names another event': change(
    { type: 'lock.released', when: ({ because }) => (because?.[0] ?? 0) > 1 },
    ({ because }) => ({ because: [(because?.[0] ?? 0) - 1] }),
  ),
  'an event has a field that nothing shows': change({ type: 'lock.acquired' }, () => ({ fencingToken: '7' })),
  'a lock is found that was never read': insert({ type: 'lock.released' }, ({ holder }) => ({
    type: 'lock.found',
    holders: [{ holder, holdCount: 1, mode: 'exclusive' }],
    holder: undefined,
    because: undefined,
  })),
  'a drift is healed that never was': insert({ type: 'lock.acquired' }, () => ({
    type: 'drift.healed',
    expected: null,
    found: null,
    cause: 'unexplained',
  })),
};

function renewal({ holder, leaseMs = 30_000, at }: EventFields): Readonly<Record<string, unknown>> {
  const lease = { leaseMs, expiresAt: at + Number(leaseMs) * 1000 };
  return {
    type: 'lease.renewed',
    holder,
    cause: 'watchdog',
    ...lease,
    reason: undefined,
    holdCount: undefined,
    because: undefined,
  };
}

function wrongReason({ reason }: EventFields): Readonly<Record<string, unknown>> {
  return { reason: reason === 'no-lock' ? 'not-owner' : 'no-lock' };
}

function wrongKind({ kind }: EventFields): Readonly<Record<string, unknown>> {
  return { kind: kind === 'fair-lock' ? 'fenced-lock' : 'fair-lock' };
}

function isObserved({ certainty }: EventFields): boolean {
  return certainty === 'observed';
}

/** Every kind of mistake, by its description. */
export const SPOILINGS: Readonly<Record<string, Spoiling>> = { ...SPOILED_HOLDS, ...SPOILED_WAITS, ...SPOILED_EVENTS };
