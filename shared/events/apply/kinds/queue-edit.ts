import type { RedisTime } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import type { FairQueue } from '../../mirror/fair-queue.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import type { Appliers } from '../appliers.ts';
import { queueOf, reportQueued } from './fair-queue.ts';

/** Actions that show a difference in a fair lock's queue: plain commands on it, and the head that a script found. */
export const QUEUE_EDITS: Appliers<'queue-edit' | 'fair-head'> = { 'queue-edit': edit, 'fair-head': proveHead };

/**
 * Reports what a plain command did to the queue, and asks for a read, which finds what the command alone does not show.
 */
function edit(to: Context, action: ActionOf<'queue-edit'>, { db, by }: Origin): void {
  const { command, removed = [], popped, deadlines = [], at } = action;
  const key = to.keys.find(db, to.keys.nameFrom(db, action.lock));
  if (key?.kind !== 'fair-lock') return;
  to.onDoubt(key);
  const queue = queueOf(key);
  const gone = popped ? poppedFrom(queue, popped) : removed.filter((holder) => queue.has(holder));
  for (const holder of gone) {
    queue.remove(holder);
    to.emit(
      { db, lock: key.name, kind: key.kind, at, by },
      { type: 'waiter.dequeued', holder, reason: 'deleted', command },
    );
  }
  for (const { holder, deadline } of deadlines) {
    const before = queue.deadlineOf(holder);
    if (before === undefined || before === deadline) continue;
    queue.push(holder, deadline);
    reportQueued(to, key, { holder, position: positionOf(queue, holder), at, by, isSeen: true });
  }
}

function poppedFrom(queue: FairQueue, { end, count }: NonNullable<ActionOf<'queue-edit'>['popped']>): string[] {
  const waiters = [...queue.entries()].map(([holder]) => holder);
  // Behind the known waiters there are others, which a read only counted.
  if (end === 'tail') return queue.unknown > 0 ? [] : waiters.slice(-count).reverse();
  return waiters.slice(0, count);
}

function positionOf(queue: FairQueue, holder: string): number {
  return [...queue.entries()].findIndex(([each]) => each === holder) + 1;
}

/** Applies the head of the queue that a script found: the waiters expected before that head left the queue unseen. */
function proveHead(to: Context, { lock, head, at }: ActionOf<'fair-head'>, { db }: Origin): void {
  const key = to.keys.find(db, lock);
  const queue = key?.mirrors?.queue;
  if (!key || !queue || queue.length === 0) return;
  for (const holder of waitersBefore(to, key, queue, head)) leave(to, key, queue, holder, at);
  if (head === null) queue.clear();
}

function waitersBefore(to: Context, key: LockKey, queue: FairQueue, head: string | null): string[] {
  const [first] = queue.entries();
  if (first?.[0] === head) return [];
  const waiters = [...queue.entries()].map(([holder]) => holder);
  const place = head === null ? waiters.length : waiters.indexOf(head);
  if (place >= 0) return waiters.slice(0, place);
  to.onDoubt(key); // the arrival of this head was not seen
  return [];
}

function leave(to: Context, key: LockKey, queue: FairQueue, holder: string, at: RedisTime): void {
  queue.remove(holder);
  if (key.holders.has(holder)) return; // the waiter left the queue because it acquired the lock
  to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, certainty: 'inferred' },
    { type: 'waiter.dequeued', holder, reason: 'left' },
  );
}
