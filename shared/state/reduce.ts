import { redisTime } from '../base/time.ts';
import type { Draft, EventType, LockEvent } from '../events/event.ts';
import { isCounterKind, isTokenKind } from '../events/kinds/kinds.ts';
import { lockWith } from './copies.ts';
import { withLetters } from './letters.ts';
import type { LockState } from './lock-state.ts';
import { withFirstReported } from './notes/first-reported.ts';
import { notesAfter } from './notes/lock-notes.ts';
import type { Rules } from './rule.ts';
import { BELIEVER_RULES, withoutBelievers } from './rules/believer-rules.ts';
import { COUNTER_RULES, ruleOfCounter } from './rules/counter-rules.ts';
import { withFreed } from './rules/freed-rules.ts';
import { withValues } from './rules/group-lock-rules.ts';
import { withGroupOf } from './rules/group-rules.ts';
import { withHandover } from './rules/handover-rules.ts';
import { HOLDING_RULES } from './rules/holding-rules.ts';
import { isKindShownBy, KIND_RULES } from './rules/kind-rules.ts';
import { PERMIT_RULES } from './rules/permit-rules.ts';
import { QUEUE_RULES } from './rules/queue-rules.ts';
import { WAITING_RULES, withListening, withTried } from './rules/waiting-rules.ts';

/**
 * What each event changes. Each file in `rules/` has one table. The types listed here have no rule; some of them still
 * change a note, for example `freed`.
 */
const RULES: Rules<EventType> = {
  ...HOLDING_RULES,
  ...BELIEVER_RULES,
  ...WAITING_RULES,
  ...QUEUE_RULES,
  ...KIND_RULES,
  ...COUNTER_RULES,
  ...PERMIT_RULES,
  'unlock.refused': unchanged,
  'unlock.unanswered': unchanged,
  'unlock.latch-left': unchanged,
  'renewal.refused': unchanged,
  'renewal.without-holder': unchanged,
  'renewal.not-run': unchanged,
  'replicas.awaited': unchanged,
  'wakeup.published': unchanged,
  failover: unchanged,
  'blind-spot.began': unchanged,
  'blind-spot.ended': unchanged,
  'client.connected': unchanged,
  'client.idle': unchanged,
  'client.gone': unchanged,
  'client.unknown': unchanged,
  'server.reported': unchanged,
  'server.refused': unchanged,
  'server.denied': unchanged,
  'server.stood-still': unchanged,
  'insight.opened': unchanged,
  'insight.closed': unchanged,
  'insight.noted': unchanged,
};

/**
 * Returns the lock after an event, given the lock before it (undefined: not seen before). Rules: `RULES.md`.
 *
 * All lock state is made by this function: live on the server, for a past instant, in the browser and in tests. Only
 * `regroupedLock` changes a state later.
 */
export function reduceLock(before: LockState | undefined, event: LockEvent): LockState {
  const lock = before ?? emptyLock(event);
  // each rule gets events of its own type
  const rule = (ruleOfCounter(event) ?? RULES[event.type]) as (lock: LockState, event: LockEvent) => LockState;
  // the key belonged to a lock of another kind before, for example to a token lock
  const isHashAgain = event.type === 'lock.learned' && event.kindBefore !== undefined && event.kind === 'lock';
  const grouped = withGroupOf(withValues(lock, rule(lock, event), event), event);
  const tried = withTried(lock, grouped, event);
  const reported = withHandover(withLetters(withFirstReported(lock, tried, event), event), event);
  const next = withListening(lock, withFreed(lock, reported, event), event.at);
  const isKindKnown = lock.isKindKnown || isKindShownBy(event);
  // one object with all the other fields would cost a tenth of the time of an event, so they are written one by one
  const after: Draft<LockState> = lockWith(next, {
    evidence: isKindKnown ? undefined : (event.evidence ?? lock.evidence),
    notes: notesAfter(lock, next, event),
  });
  after.holders = sharedIfEmpty(next.holders);
  after.waiters = sharedIfEmpty(next.waiters);
  after.believers = withoutBelievers(next.believers, event);
  after.kind = event.kind === 'lock' && !isHashAgain ? lock.kind : event.kind;
  after.isKindKnown = isKindKnown;
  after.library = isHashAgain ? 'redisson' : (event.library ?? lock.library);
  after.changedAt = redisTime(Math.max(event.at, lock.changedAt));
  after.changedSeq = event.seq;
  return after;
}

const NO_CLIENT: readonly never[] = [];
const NO_TOTALS = { acquisitions: 0, refusals: 0, renewals: 0, expiries: 0 };

/** Returns the same empty list for all locks: most have no waiters, and each list takes memory. */
function sharedIfEmpty<T>(people: readonly T[]): readonly T[] {
  return people.length === 0 ? NO_CLIENT : people;
}

function unchanged(lock: LockState): LockState {
  return lock;
}

/** Events about the number of a counter or about its key. A message or a waiter only shows that the counter exists. */
const ABOUT_THE_COUNTER = /^(?:latch|permits|lock)\./;

function emptyLock(event: LockEvent): LockState {
  return {
    source: event.source,
    db: event.db,
    name: event.lock,
    kind: event.kind,
    isKindKnown: false,
    library: isTokenKind(event.kind) || event.kindKnown === false ? null : 'redisson',
    holders: NO_CLIENT,
    holdersBeyond: 0,
    believers: NO_CLIENT,
    waiters: NO_CLIENT,
    waitersBeyond: 0,
    subscribers: null,
    leaseMs: null,
    expiresAt: null,
    neverEnds: false,
    fencingToken: null,
    permits: null,
    latch: null,
    clientVersion: null,
    certainty: isCounterKind(event.kind) && !ABOUT_THE_COUNTER.test(event.type) ? 'inferred' : event.certainty,
    changedAt: event.at,
    changedSeq: event.seq,
    totals: NO_TOTALS,
  };
}
