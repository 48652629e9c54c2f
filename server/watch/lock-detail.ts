import { isLatchKey, lockChannel } from '../../shared/events/names.ts';
import { FAMILIES } from '../../shared/events/recognise/families.ts';
import { holdsFromEvents } from '../../shared/spans/holds-from-events.ts';
import { waitsFromEvents } from '../../shared/spans/waits-from-events.ts';
import type { LockState } from '../../shared/state/lock-state.ts';
import type { Lock, LockDetail } from '../../shared/wire/lock.ts';
import type { HistoryRing } from './history-ring.ts';

const MOST_EVENTS = 20_000;

/** A lock with its statistics over what is remembered, and the raw keys and channels behind it. */
export function detailOf(lock: Lock, state: LockState | undefined, history: HistoryRing): LockDetail {
  const events = history
    .find({ lock: lock.name, source: lock.source, limit: MOST_EVENTS })
    .filter((event) => event.db === lock.db);
  const holds = holdsFromEvents(events).filter((hold) => !hold.isOpenStart);
  const totals = state?.totals;
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
      { key: lock.name, role: 'lock', type: 'hash' },
      ...(FAMILIES.find(({ kind }) => kind === lock.kind)?.companions ?? []).map(({ role, type, keyOf }) => ({
        key: keyOf(lock.name),
        role,
        type,
      })),
      { key: lockChannel(lock.name), role: 'release messages', type: 'channel' },
    ].filter(({ key }) => !isLatchKey(key)),
  };
}

function lengthOf(span: { from: number; to: number | null }): number | null {
  return span.to === null ? null : (span.to - span.from) / 1000;
}

function summary(lengths: readonly (number | null)[]): { count: number; median: number | null; max: number | null } {
  const known = lengths.filter((length) => length !== null).sort((a, b) => a - b);
  return { count: known.length, median: known[Math.floor(known.length / 2)] ?? null, max: known.at(-1) ?? null };
}
