import type { RedisTime } from '../../base/time.ts';
import type { Context, Origin } from '../context.ts';
import { type Counter, emptyCounter } from '../mirror/counter.ts';
import type { LockKey } from '../mirror/lock-keys.ts';
import { counterChannel } from '../names/counter-names.ts';
import type { LockKind } from '../types/lock-kind.ts';
import { keyOf } from './reads/known-key.ts';
import { endCounterIfOver } from './reads/lose-counter.ts';

/** What is believed of a counter's number, made empty where it was never seen. */
export function counterOf(key: LockKey): Counter {
  key.mirrors ??= {};
  key.mirrors.counter ??= emptyCounter();
  return key.mirrors.counter;
}

/** The key of a counter that a script used. A semaphore known to have permits that expire stays one. */
export function counterKey(to: Context, db: number, lock: string, kind: LockKind, at: RedisTime): LockKey {
  const known = kind === 'semaphore' ? to.keys.find(db, lock) : undefined;
  const key = keyOf(to, db, lock, known?.kind === 'expirable-semaphore' ? known.kind : kind, at);
  to.keys.counters.add(key);
  endCounterIfOver(to, key, at);
  key.watchEpoch = to.watchEpoch;
  return key;
}

/** Asks, once, for the number where nobody saw it. */
export function askForNumber(to: Context, key: LockKey): void {
  const counter = counterOf(key);
  if (counter.value !== undefined || counter.isAsked) return;
  counter.isAsked = true;
  to.onDoubt(key);
}

/**
 * Who did something to a counter, which keeps no owner: the name of the connection, else its address. Connections of one
 * client have one name.
 */
export function takerOf(to: Context, { by }: Origin): string | undefined {
  return by === undefined ? undefined : (to.clients.nameAt(by) ?? by);
}

/** Whether somebody of this name listens for a counter. */
export function isListening(to: Context, key: LockKey, taker: string): boolean {
  const channel = to.waits.listeners.find(counterChannel(key.kind, key.name) ?? '');
  for (const address of channel?.listeners.addresses() ?? []) {
    if (address === taker || to.clients.nameAt(address) === taker) return true;
  }
  return false;
}

/** What a counter holds after an event, as far as it is known. */
export function numbersOf({ value, total }: Counter): { available?: number; total?: number } {
  const numbers: { available?: number; total?: number } = {};
  if (value !== undefined) numbers.available = value ?? 0;
  if (total !== undefined) numbers.total = total;
  return numbers;
}
