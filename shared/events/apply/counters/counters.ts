import type { RedisTime } from '../../../base/time.ts';
import type { Context, Origin } from '../../context.ts';
import { KINDS } from '../../kinds/kinds.ts';
import { type Counter, emptyCounter } from '../../mirror/counter.ts';
import type { LockKey } from '../../mirror/lock-key.ts';
import type { LockKind } from '../../types/lock-kind.ts';
import { keyOf } from '../reads/known-key.ts';
import { endCounterIfOver } from '../reads/lose-counter.ts';

/** Returns the expected state of a counter, and creates an empty one if the counter was never seen. */
export function counterOf(key: LockKey): Counter {
  key.mirrors ??= {};
  key.mirrors.counter ??= emptyCounter();
  return key.mirrors.counter;
}

/** The key of a counter that a script used. A known `expirable-semaphore` is not turned into a `semaphore`. */
export function counterKey(to: Context, db: number, lock: string, kind: LockKind, at: RedisTime): LockKey {
  const known = kind === 'semaphore' ? to.keys.find(db, lock) : undefined;
  const key = keyOf(to, db, lock, known?.kind === 'expirable-semaphore' ? known.kind : kind, at);
  to.keys.counters.add(key);
  endCounterIfOver(to, key, at);
  key.watchEpoch = to.watchEpoch;
  return key;
}

/** Asks once for a read of the number, if it is not known. */
export function askForNumber(to: Context, key: LockKey): void {
  const counter = counterOf(key);
  if (counter.value !== undefined || counter.isAsked) return;
  counter.isAsked = true;
  to.onDoubt(key);
}

/**
 * The client that changed a counter, which stores no owner: the name of its connection, otherwise the address.
 * Connections of one client have the same name.
 */
export function takerOf(to: Context, { by }: Pick<Origin, 'by'>): string | undefined {
  return by === undefined ? undefined : (to.clients.connections.nameAt(by) ?? by);
}

/** Whether a connection with this name or address listens for a counter. */
export function isListening(to: Context, key: LockKey, taker: string): boolean {
  const channel = to.waits.listeners.find(KINDS[key.kind].channelOf(key.name));
  for (const address of channel?.listeners.addresses() ?? []) {
    if (address === taker || to.clients.connections.nameAt(address) === taker) return true;
  }
  return false;
}

/** The numbers of a counter after an event, without those that are not known. */
export function numbersOf({ value, total }: Counter): { available?: number; total?: number } {
  const numbers: { available?: number; total?: number } = {};
  if (value !== undefined) numbers.available = value ?? 0;
  if (total !== undefined) numbers.total = total;
  return numbers;
}
