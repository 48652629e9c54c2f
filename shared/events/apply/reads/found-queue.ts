import type { Millis, RedisTime } from '../../../base/time.ts';
import type { Context } from '../../context.ts';
import type { Companions } from '../../kinds/companion.ts';
import type { FairQueue } from '../../mirror/fair-queue.ts';
import { contentOf, type LockKey } from '../../mirror/lock-key.ts';
import { isHolder } from '../../names/names.ts';
import { queueOf, reportQueued } from '../kinds/fair-queue.ts';

/** Two deadlines that differ by no more than this are the same. */
const SAME_DEADLINE: Millis = 100;
/** A read returns at most this many entries of a queue, or permits; `server/redis` requests only this many. */
export const MOST_READ = 1000;

/**
 * Applies what a read found in the queue, and reports waiters that joined or left, and deadlines that changed. Of a
 * long queue, a read returns the first entries and the length:
 *
 *   read    1 A … 1000 Z        length 4000
 *   queue   1 A … 1000 Z   ?    4000 B         the arrival of B was seen; the waiters between are not known
 */
export function applyFoundQueue(to: Context, key: LockKey, found: Companions, at: RedisTime): void {
  if (key.mirrors?.queue?.isElsewhere) return;
  // if only one of the two keys was read, waiters would seem to have no deadlines, or to be gone
  if (found.queue === undefined || found.timeouts === undefined) return;
  const now = queueFrom(found);
  const length = lengthOf(found);
  const isWhole = length === undefined ? now.size < MOST_READ : length <= (found.queue?.length ?? 0);
  if (now.size === 0 && !key.mirrors?.queue) return;
  const queue = queueOf(key);
  // If every script is seen, and the queue was read completely since the last blind spot, a difference is drift.
  if (to.hasCommands && isWhole && queue.readInEpoch === to.watchEpoch) reportDrift(to, key, queue, now, at);
  if (isWhole) queue.readInEpoch = to.watchEpoch;
  const { unknown: unknownBefore, firstRead } = queue;
  const known = [...queue.entries()];
  const gone = known.filter(([holder]) => !now.has(holder));
  // A waiter whose arrival was seen may be behind the entries that were read.
  const behind = isWhole || !to.hasCommands ? [] : gone;
  queue.clear();
  for (const [holder, deadline] of [...now, ...behind]) queue.push(holder, deadline);
  if (!isWhole && length !== undefined) queue.unknown = Math.max(0, length - queue.length);
  queue.firstRead = isWhole ? undefined : new Set(now.keys());
  if (queue.length > 0) to.keys.queued.add(key);
  else to.keys.queued.delete(key);

  const isCountNews = queue.unknown !== unknownBefore;
  // A waiter that holds the lock now left by acquiring it.
  const left = behind.length > 0 ? [] : gone.filter(([holder]) => !key.holders.has(holder));
  for (const [n, [holder]] of left.entries()) {
    const isLast = isCountNews && queue.length === 0 && n === left.length - 1;
    to.emit(
      { db: key.db, lock: key.name, kind: 'fair-lock', at, certainty: 'inferred' },
      { type: 'waiter.dequeued', holder, reason: 'left', ...(isLast ? { queueLength: 0 } : undefined) },
    );
  }
  const stayed = known.filter(([holder]) => now.has(holder) || behind.length > 0);
  const news = newsAmong(now, stayed, firstRead);
  const last = [...now.keys()].at(-1);
  if (last !== undefined && isCountNews && !news.has(last)) news.set(last, now.size);
  const lastReported = [...news.keys()].at(-1);
  for (const [holder, position] of news) {
    const isLast = holder === lastReported && (queue.unknown > 0 || isCountNews);
    reportQueued(to, key, { holder, position, at, queueLength: isLast ? queue.length : undefined });
  }
}

/**
 * The waiters to report, with their positions: those whose place in the queue, or whose deadline, differs from what was
 * known. If the last read could not return the whole queue, also those that are new among the first waiters.
 */
function newsAmong(
  now: ReadonlyMap<string, Millis | null>,
  known: readonly (readonly [string, Millis | null])[],
  firstRead: ReadonlySet<string> | undefined,
): Map<string, number> {
  const news = new Map<string, number>();
  let position = 0;
  for (const [holder, deadline] of now) {
    const [oldHolder, oldDeadline] = known[position] ?? [];
    position++;
    const isSame = oldHolder === holder && isSameDeadline(oldDeadline, deadline);
    if (!isSame || firstRead?.has(holder) === false) news.set(holder, position);
  }
  return news;
}

/** The length of the queue, if the read returned it. */
function lengthOf({ queueLength }: Companions): number | undefined {
  return queueLength === undefined ? undefined : Number(queueLength[0] ?? 0);
}

/** Reports drift if the waiters or their order differ. Deadlines are ignored: clients set them by their own clocks. */
function reportDrift(
  to: Context,
  key: LockKey,
  queue: FairQueue,
  now: ReadonlyMap<string, unknown>,
  at: RedisTime,
): void {
  const [expected, found] = [[...queue.entries()].map(([holder]) => holder), [...now.keys()]];
  if (expected.length === found.length && expected.every((holder, n) => holder === found[n])) return;
  const content = contentOf(key) ?? { holders: [], expiresAt: null };
  const withQueue = (holders: readonly string[]) => ({ ...content, queue: holders.slice(0, MOST_REPORTED) });
  to.emit(
    { db: key.db, lock: key.name, kind: 'fair-lock', at },
    { type: 'drift.healed', expected: withQueue(expected), found: withQueue(found), cause: 'unexplained' },
  );
}

/** An event of drift names at most this many waiters of a queue. */
const MOST_REPORTED = 100;

function isSameDeadline(before: Millis | null | undefined, now: Millis | null): boolean {
  if (before == null || now === null) return before === now;
  return Math.abs(before - now) <= SAME_DEADLINE;
}

/** The waiters in Redis's queue, with their deadlines: the order comes from the list, the deadlines from the set. */
function queueFrom({ queue = [], timeouts = [] }: Companions): Map<string, Millis | null> {
  const deadlines = new Map<string, Millis>();
  for (let n = 0; n + 1 < timeouts.length; n += 2) deadlines.set(timeouts[n] ?? '', Number(timeouts[n + 1]));
  const waiters = queue.filter(isHolder);
  return new Map(waiters.map((holder) => [holder, deadlines.get(holder) ?? null]));
}

/** The expected queue, in the form of a read. */
export function expectedQueue({ mirrors }: LockKey): Companions | undefined {
  if (mirrors?.queue?.isElsewhere) return undefined;
  const queue = mirrors?.queue;
  const entries = [...(queue?.entries() ?? [])];
  if (!queue || entries.length === 0) return undefined;
  const timeouts = entries.flatMap(([holder, deadline]) => (deadline === null ? [] : [holder, String(deadline)]));
  const length = queue.unknown > 0 ? { queueLength: [String(queue.length)] } : undefined;
  return { queue: entries.map(([holder]) => holder), timeouts, ...length };
}
