import { createHash } from 'node:crypto';
import { type Problem, problem } from '../../shared/wire/problems/problem.ts';
import type { Hello, Want } from '../../shared/wire/socket.ts';
import type { Step } from './message-step.ts';

/** Which part of the stream a page asked for. Pages that ask for the same share their messages. */
export type Subscription = {
  /** Lock ids; undefined: all. */
  readonly locks: ReadonlySet<string> | undefined;
  readonly events: boolean;
  /** Characters of all ids. */
  readonly size: number;
  /** Identifies the subscription: equal for equal requests. */
  readonly key: string;
};

/** The position of a page in the stream: what it has been sent, and what it gets next. */
export type Viewer = {
  subscription: Subscription;
  pending: 'nothing' | 'snapshot' | 'missed' | 'live';
  /** Why the page must start again from the snapshot it is owed. */
  resync: Problem | undefined;
  problem: Problem | undefined;
  /** The last event sent. */
  seq: number;
  /** The last event the page had when it reconnected. Locks changed since then are sent. */
  resumedAtSeq: number;
  /** The last tick of the change log sent. */
  tick: number;
  /** Locks that were newly requested, to be sent even if they have not changed. */
  extra: Set<string>;
  /** Since when its connection accepts no messages, by a monotonic clock in ms. */
  stuckSince: number | undefined;
};

const EVERYTHING: Subscription = { locks: undefined, events: true, size: 0, key: '' };

/**
 * Most characters in the ids that one page asks for, and in those that all pages ask for. A lock's name may have a
 * megabyte.
 */
const MOST_REQUESTED = 1_500_000;
const MOST_REQUESTED_IN_ALL = 32_000_000;
/** Locks that were newly requested and not sent yet. For more locks, a snapshot is shorter. */
const MOST_EXTRA = 1000;

/** A page that has just connected and sent no message yet. */
export function newViewer(): Viewer {
  return {
    subscription: EVERYTHING,
    pending: 'nothing',
    resync: undefined,
    problem: undefined,
    seq: 0,
    resumedAtSeq: 0,
    tick: 0,
    extra: new Set(),
    stuckSince: undefined,
  };
}

/** What the server has, for a page that reconnects. `has`: whether everything after that event is in memory. */
type Present = { readonly run: string; readonly nextSeq: number; readonly has: (after: number) => boolean };

/**
 * Handles a hello. A new page is owed a snapshot, a page that reconnects is owed everything it missed. If some of that
 * is no longer in memory, the page is owed a resync with the reason, and a snapshot.
 */
export function greet(viewer: Viewer, { after, run }: Hello, present: Present): void {
  viewer.pending = 'snapshot';
  viewer.resync = undefined;
  if (after === undefined) return;
  if (run !== undefined && run !== present.run) viewer.resync = problem('restarted');
  else if (after >= present.nextSeq) viewer.resync = problem('event-unknown');
  else if (!present.has(after)) viewer.resync = problem('missed-too-much');
  else {
    viewer.pending = 'missed';
    viewer.seq = after;
    viewer.resumedAtSeq = after;
  }
}

/** What `changeSubscription` needs to check a `want` message: the other pages, and the known locks. */
type SubscriptionContext = {
  readonly others: readonly Viewer[];
  readonly lockOf: (id: string) => { readonly id: string } | undefined;
};

/**
 * Handles a `want` message; fields left out stay as they are. If it is too large, returns a problem and changes
 * nothing.
 */
export function changeSubscription(
  viewer: Viewer,
  want: Want,
  { others, lockOf }: SubscriptionContext,
): Viewer['problem'] {
  const before = viewer.subscription;
  const locks = want.locks === undefined ? before.locks : want.locks.length === 0 ? undefined : new Set(want.locks);
  const size = [...(locks ?? [])].reduce((sum, id) => sum + id.length, 0);
  const total = others.reduce((sum, { subscription }) => sum + subscription.size, size);
  if (size > MOST_REQUESTED || total > MOST_REQUESTED_IN_ALL) return TOO_LARGE;
  const events = want.events ?? before.events;
  viewer.subscription = {
    locks,
    events,
    size,
    key: locks === undefined && events ? EVERYTHING.key : keyOf(events, locks),
  };
  if (before.locks === undefined || viewer.pending === 'nothing') return undefined;
  // The page does not have the locks it did not ask for before.
  if (locks === undefined) return oweSnapshot(viewer);
  for (const id of locks) {
    const lock = before.locks.has(id) ? undefined : lockOf(id);
    if (lock) viewer.extra.add(lock.id);
  }
  if (viewer.extra.size > MOST_EXTRA) oweSnapshot(viewer);
  return undefined;
}

const TOO_LARGE = problem('bad-message', {
  name: 'want',
  field: 'locks',
  fault: 'too-big',
  expected: `${MOST_REQUESTED} (string)`,
});

function oweSnapshot(viewer: Viewer): undefined {
  viewer.pending = 'snapshot';
  viewer.extra.clear();
}

/** A hash, so the key is short even if the names are long. */
function keyOf(events: boolean, locks: ReadonlySet<string> | undefined): string {
  const text = JSON.stringify([events, locks && [...locks].sort()]);
  return createHash('sha256').update(text).digest('base64');
}

/** True if a page has something to be sent, given the newest event and the change log's tick. */
export function isPending(viewer: Viewer, newestSeq: number, tick: number): boolean {
  if (viewer.problem) return true;
  if (viewer.pending !== 'live') return viewer.pending !== 'nothing';
  return viewer.seq < newestSeq || viewer.tick < tick || viewer.extra.size > 0;
}

/** Equal for pages that can share one step: same position, same subscription. `undefined` if a page cannot share. */
export function sameStepKey({ pending, seq, resumedAtSeq, tick, subscription, extra }: Viewer): string | undefined {
  if (pending === 'snapshot') return `snapshot ${subscription.key}`;
  return extra.size > 0 ? undefined : `${pending} ${seq} ${resumedAtSeq} ${tick} ${subscription.key}`;
}

/** Moves a page to its position after that step has been sent. */
export function advance(viewer: Viewer, step: Step): void {
  if (step.type === 'resync') {
    viewer.pending = 'snapshot';
    viewer.resync = step.reason;
    return;
  }
  viewer.seq = step.seq;
  viewer.tick = step.tick;
  if (step.type === 'batch' && !step.done) return;
  viewer.pending = 'live';
  viewer.resumedAtSeq = 0;
  viewer.extra.clear();
}
