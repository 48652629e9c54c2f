import type { RedisTime } from '../../shared/base/time.ts';
import { isCounterKind } from '../../shared/events/counter-names.ts';
import { channelOfKind, isLatchKey, readTimeoutKey } from '../../shared/events/names.ts';
import { FAMILIES } from '../../shared/events/recognise/families.ts';
import { holdsFromEvents } from '../../shared/spans/holds-from-events.ts';
import { waitsFromEvents } from '../../shared/spans/waits-from-events.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import type { Lock, LockDetail } from '../../shared/wire/lock.ts';
import type { HistoryRing } from './history-ring.ts';

const MOST_EVENTS = 20_000;
const MOST_TIMEOUT_KEYS = 20;
/** Kinds whose waiters poll, or are told on channels of their library's own. */
const HAVE_NO_CHANNEL: ReadonlySet<Lock['kind']> = new Set<Lock['kind']>(['spin-lock', 'token-lock']);

/**
 * A lock with its statistics over what is remembered, and the raw keys and channels behind it. `until`: as of that
 * instant, at which the lock and its state are.
 */
export function detailOf(
  lock: Lock,
  state: LockState | undefined,
  history: HistoryRing,
  until?: RedisTime,
): LockDetail {
  const events = history
    .find({ lock: lock.name, source: lock.source, db: lock.db, limit: MOST_EVENTS, dense: true })
    .filter((event) => until === undefined || event.at <= until);
  const holds = holdsFromEvents(events).filter((hold) => !hold.isOpenStart);
  const totals = state?.totals;
  const isHash = !isCounterKind(lock.kind) && lock.kind !== 'token-lock';
  return {
    ...lock,
    stats: {
      acquisitions: totals?.acquisitions ?? 0,
      refusals: totals?.refusals ?? 0,
      renewals: totals?.renewals ?? 0,
      expiries: totals?.expiries ?? 0,
      holdMs: summary(holds.map(lengthOf)),
      waitMs: summary(waitsFromEvents(events).map(lengthOf)),
    },
    keys: [
      ...(isHash ? [{ key: lock.name, role: 'lock', type: 'hash' }] : []),
      ...(FAMILIES.find(({ kind, companions }) => kind === lock.kind && companions)?.companions ?? []).map(
        ({ role, type, keyOf }) => ({
          key: keyOf(lock.name),
          role,
          type,
        }),
      ),
      ...lock.holders.flatMap(timeoutKeysOf(lock.name)),
      ...(HAVE_NO_CHANNEL.has(lock.kind)
        ? []
        : [{ key: channelOfKind(lock.kind, lock.name), role: 'release messages', type: 'channel' }]),
    ].filter(({ key }) => !isLatchKey(key)),
  };
}

/** The keys that keep a reader in its lock, one for each time it holds it. */
function timeoutKeysOf(lock: string) {
  return ({ id, mode, holdCount }: Lock['holders'][number]): LockDetail['keys'] =>
    mode !== 'read'
      ? []
      : Array.from({ length: Math.min(holdCount, MOST_TIMEOUT_KEYS) }, (_, n) => {
          return { key: readTimeoutKey(lock, id, n + 1), role: 'read-timeout', type: 'string' };
        });
}

function lengthOf(span: { from: number; to: number | null }): number | null {
  return span.to === null ? null : (span.to - span.from) / 1000;
}

function summary(lengths: readonly (number | null)[]): { count: number; median: number | null; max: number | null } {
  const known = lengths.filter((length) => length !== null).sort((a, b) => a - b);
  return { count: known.length, median: known[Math.floor(known.length / 2)] ?? null, max: known.at(-1) ?? null };
}
