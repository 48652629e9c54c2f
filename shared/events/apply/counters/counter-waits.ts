import type { RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import type { LockKind } from '../../types/lock-kind.ts';
import { getOrCreateLock } from '../reads/known-key.ts';
import { askForNumber, takerOf } from './counters.ts';

type Target = { readonly channel: string; readonly name: string; readonly kind: LockKind };
type From = { readonly db: number; readonly by: string };

/*
 * A waiter of a semaphore or a latch names no thread: only its client is known, from SUBSCRIBE to UNSUBSCRIBE.
 */

/** Reports that a client listens for a counter. */
export function listen(to: Context, { channel, name, kind }: Target, { db, by }: From, at: RedisTime): void {
  const known = to.waits.listeners.take(channel);
  to.clients.connections.note(by, at);
  to.waits.listeners.add(known, by, to.clients.uuidAt(by));
  const key = keyOfListener(to, db, name, kind, at);
  report(to, key, 'waiter.subscribed', channel, by, at);
  askForNumber(to, key);
}

/** Reports that a client stopped listening. */
export function stopListening(to: Context, { channel, name, kind }: Target, { db, by }: From, at: RedisTime): void {
  const known = to.waits.listeners.find(channel);
  if (!known) return;
  to.waits.listeners.remove(known, by);
  const key = keyOfListener(to, db, name, kind, at);
  report(to, key, 'waiter.unsubscribed', channel, by, at);
  const taker = takerOf(to, { by });
  // an earlier refusal belongs to an earlier wait
  if (taker !== undefined) key.mirrors?.counter?.refused.delete(taker);
  to.waits.listeners.tidy(known);
}

type Change = 'waiter.subscribed' | 'waiter.unsubscribed';

function report(to: Context, key: LockKey, type: Change, channel: string, by: string, at: RedisTime): void {
  const client = to.clients.uuidAt(by);
  const subscribers = to.waits.listeners.count(channel);
  key.listeners = subscribers;
  to.emit(
    { db: key.db, lock: key.name, kind: key.kind, at, by },
    {
      type,
      channel,
      subscribers,
      holder: to.clients.connections.nameAt(by) ?? by,
      ...(client === undefined ? undefined : { client }),
    },
  );
}

/** A channel has no database, so the database is the one in which the counter was seen. */
function keyOfListener(to: Context, db: number, name: string, kind: LockKind, at: RedisTime): LockKey {
  const known = to.keys.about(db, name);
  return getOrCreateLock(to, known?.db ?? db, known?.name ?? name, kind, at);
}
