import { type Millis, millisBetween, type RedisTime, redisTime } from '../../shared/base/time.ts';
import { parseHolder } from '../../shared/events/names.ts';
import type { Holder, Lock, Waiter } from '../../shared/wire/lock.ts';

/** A kind in words: `read-write lock`. */
export function kindText(kind: Lock['kind']): string {
  return kind.replace(/-(?=lock$|semaphore$)/, ' ');
}

/** A client id short enough for a table: the first eight letters of a UUID, other ids as they are. */
export function shortClient(client: string): string {
  return /^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(client) ? client.slice(0, 8) : client;
}

/** `order-svc-1:7` where CLIENT LIST knows a name, else `8f3a1c02:7`. */
export function personText(client: string, thread: string | null, name: string | null): string {
  const who = name !== null && name !== '' ? name : shortClient(client);
  return thread === null ? who : `${who}:${thread}`;
}

/** Splits `uuid:thread` where the thread begins; a token has no thread. */
export function splitHolder(id: string): { client: string; thread: string | null } {
  return parseHolder(id) ?? { client: id, thread: null };
}

/** How a lease stands at one instant. */
export type LeaseView = {
  /** `refilled` and `fixed` count down; `orphaned` as well, with nobody left to refill it. */
  readonly state: 'none' | 'refilled' | 'fixed' | 'orphaned' | 'over' | 'unknown';
  readonly leftMs: Millis | null;
  /** Left in relation to the whole lease, 0 to 1. */
  readonly share: number;
  readonly words: string;
  /** True for a moment after a renewal. */
  readonly isJustRefilled: boolean;
};

const REFILL_SHOWN_MS = 900;

/** The lease of some holds that end together. */
export function holdLease(lease: Lock['lease'], holders: readonly Holder[], now: RedisTime | null): LeaseView {
  const plain = { leftMs: null, share: 0, isJustRefilled: false };
  const isOrphaned = holders.length > 0 && holders.every((holder) => holder.presence === 'gone');
  if (lease.expiresAt === null) {
    if (lease.ms === null)
      return { ...plain, state: 'none', words: isOrphaned ? 'holder gone, never ends' : 'never ends' };
    return { ...plain, state: 'unknown', words: 'not known' };
  }
  if (now === null) return { ...plain, state: 'unknown', words: 'clock not known yet' };
  const leftMs = millisBetween(now, redisTime(lease.expiresAt));
  const share = lease.ms === null || lease.ms <= 0 ? 0 : Math.min(1, Math.max(0, leftMs / lease.ms));
  const isOff = holders.length > 0 && holders.every((holder) => holder.watchdog === 'off');
  const lastRenewedAt = Math.max(0, ...holders.map((holder) => holder.lastRenewedAt ?? 0));
  const sinceRenewal = millisBetween(redisTime(lastRenewedAt), now);
  const view = {
    leftMs,
    share,
    isJustRefilled: lastRenewedAt > 0 && sinceRenewal >= 0 && sinceRenewal < REFILL_SHOWN_MS,
  };
  if (leftMs <= 0) return { ...view, state: 'over', words: 'over' };
  if (isOrphaned) return { ...view, state: 'orphaned', words: 'holder gone' };
  if (isOff) return { ...view, state: 'fixed', words: 'not refilled' };
  return { ...view, state: 'refilled', words: '' };
}

/** The watchdog of all holders of a lock, in one word. */
export function watchdogText(holders: readonly Holder[]): string {
  const states = new Set(holders.map((holder) => holder.watchdog));
  if (states.size === 0) return '';
  return states.size === 1 ? ([...states][0] ?? '') : 'mixed';
}

/** Why a list of waiters is empty: nobody there, or nobody to be seen at this level. */
export function noWaitersText(subscribers: number | null, seesWaiters: boolean): string {
  if (seesWaiters) return 'nobody';
  return subscribers !== null && subscribers > 0 ? `${subscribers} listening, who is not seen` : 'not seen';
}

/** What a waiter is doing. */
export function waiterText(waiter: Waiter): string {
  if (waiter.presumedGone) return 'presumed gone';
  return waiter.asleep ? 'asleep' : 'asking';
}

/** Presence as a shape and a word, never by colour alone. */
export const PRESENCE: Readonly<Record<Holder['presence'], { sign: string; word: string; meaning: string }>> = {
  connected: { sign: '●', word: 'connected', meaning: 'The client is connected to Redis.' },
  idle: { sign: '◐', word: 'idle', meaning: 'The client is connected but has been silent for long.' },
  gone: { sign: '✕', word: 'gone', meaning: 'No connection of this client is left.' },
  unknown: { sign: '?', word: 'unknown', meaning: 'Whether the client is connected is not known.' },
};
