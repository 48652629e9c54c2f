import { nearestRank } from '../../../shared/base/nearest-rank.ts';
import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { KINDS } from '../../../shared/events/kinds/kinds.ts';
import { isLatchKey, readTimeoutKey } from '../../../shared/events/names/names.ts';
import { HoldReader } from '../../../shared/spans/holds-from-events.ts';
import { WaitReader } from '../../../shared/spans/waits-from-events.ts';
import { isWholeHold, isWholeWait } from '../../../shared/spans/whole-spans.ts';
import type { LockState, Totals } from '../../../shared/state/lock-state.ts';
import type { Lock, LockDetail } from '../../../shared/wire/locks/lock.ts';
import { searchBlocks } from '../history/history-search.ts';
import type { Remembered } from '../history/remembered.ts';
import type { Sliced } from '../slices/in-slices.ts';
import { type PastQuery, pastLocks } from './lock-page.ts';

const MOST_EVENTS = 20_000;
const MOST_TIMEOUT_KEYS = 20;

/**
 * A lock with its totals, the figures of its holds and waits, and the keys and channels behind it. Holds and waits are
 * read from its newest 20,000 events.
 */
export function* presentDetail(lock: Lock, totals: Totals | undefined, memory: Remembered): Sliced<LockDetail> {
  const { name, source, db } = lock;
  const query = { lock: name, source, db, limit: MOST_EVENTS, dense: true };
  const { events } = yield* searchBlocks(memory.blocks, memory.nextSeq, query);
  const spans = new SpanReaders();
  for (const event of events) spans.take(event);
  return detailOf(lock, totals, spans);
}

/**
 * As `presentDetail`, at a past instant. `present`: the lock as it is now. Returns `undefined` if the lock was not
 * known then.
 */
export function* pastDetail(
  of: { name: string; source: string; db: number },
  at: RedisTime,
  memory: Remembered,
  { present, ...beside }: { present: LockState | undefined } & Omit<PastQuery, 'present' | 'filter'>,
): Sliced<LockDetail | undefined> {
  const filter = { lock: of.name, source: of.source, db: of.db };
  const known = present ? [present] : [];
  const { busy, free, seq, viewOf } = yield* pastLocks(memory, at, { present: known, ...beside, filter });
  const [state] = [...busy, ...free];
  const query = { ...filter, before: seq + 1, limit: MOST_EVENTS, dense: true };
  const { events } = yield* searchBlocks(memory.blocks, memory.nextSeq, query);
  const spans = new SpanReaders();
  for (const event of events) if (event.at <= at) spans.take(event);
  return state && detailOf(viewOf(state), state.totals, spans);
}

class SpanReaders {
  readonly holds = new HoldReader();
  readonly waits = new WaitReader();

  take(event: LockEvent): void {
    this.holds.take(event);
    this.waits.take(event);
  }
}

function detailOf(lock: Lock, totals: Totals | undefined, spans: SpanReaders): LockDetail {
  const { ownKey, wakeUp, channelOf, companions = [] } = KINDS[lock.kind];
  return {
    ...lock,
    stats: {
      acquisitions: totals?.acquisitions ?? 0,
      refusals: totals?.refusals ?? 0,
      renewals: totals?.renewals ?? 0,
      expiries: totals?.expiries ?? 0,
      holdMs: summary(spans.holds.holds.filter(isWholeHold).map(lengthOf)),
      waitMs: summary(spans.waits.finish().filter(isWholeWait).map(lengthOf)),
    },
    keys: [
      ...(ownKey === 'hash' ? [{ key: lock.name, role: 'lock', type: 'hash' }] : []),
      ...companions.map(({ role, type, keyOf }) => ({ key: keyOf(lock.name), role, type })),
      ...lock.holders.flatMap(timeoutKeysOf(lock.name)),
      ...(wakeUp === 'polling' ? [] : [{ key: channelOf(lock.name), role: 'release messages', type: 'channel' }]),
    ].filter(({ key }) => !isLatchKey(key)),
  };
}

/** Returns a function that lists the timeout keys of a reader: one for each count of its hold, 20 at most. */
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
  return { count: known.length, median: nearestRank(known, 0.5) ?? null, max: known.at(-1) ?? null };
}
