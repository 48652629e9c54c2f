import type { Millis, RedisTime } from '../../base/time.ts';
import type { Context } from '../context.ts';
import type { FairQueue } from '../fair-queue.ts';
import { contentOf, type LockKey } from '../lock-keys.ts';
import { isHolder } from '../names.ts';
import type { Companions } from '../recognise/family.ts';
import { queueOf, tellQueued } from './fair-queue.ts';

/** Deadlines this close are the same. */
const SAME_DEADLINE: Millis = 100;
/** How many of a queue a read gives at most; `server/redis` asks for no more. */
export const MOST_READ = 1000;

/** What a read found in the queue: who is there and was not, who was and is not, and whose deadline is another. */
export function applyFoundQueue(to: Context, key: LockKey, found: Companions, at: RedisTime): void {
  if (key.mirrors?.queue?.isElsewhere) return;
  const now = queueFrom(found);
  const isWhole = now.size < MOST_READ;
  if (now.size === 0 && !key.mirrors?.queue) return;
  const queue = queueOf(key);
  const about = { db: key.db, lock: key.name, kind: 'fair-lock', at, certainty: 'inferred' } as const;
  // Whoever sees every script and has read the queue before knows it.
  if (to.hasCommands && isWhole && queue.readIn === to.stretch) tellDrift(to, key, queue, now, at);
  if (isWhole) queue.readIn = to.stretch;
  for (const [holder] of isWhole ? [...queue.entries()] : []) {
    if (now.has(holder)) continue;
    queue.remove(holder);
    // Whoever holds the lock now left by acquiring it.
    if (!key.holders.has(holder)) to.emit(about, { type: 'waiter.dequeued', holder, reason: 'left' });
  }
  const old = [...queue.entries()];
  if (isWhole) queue.clear();
  let position = 0;
  for (const [holder, deadline] of now) {
    const [oldHolder, oldDeadline] = old[position] ?? [];
    queue.push(holder, deadline);
    position++;
    const isNews = oldHolder !== holder || !isSameDeadline(oldDeadline, deadline);
    if (isNews) tellQueued(to, key, { holder, position, at });
  }
}

/** Deadlines are set and moved by the clocks of clients: who stands there, and in which order, is what must fit. */
function tellDrift(
  to: Context,
  key: LockKey,
  queue: FairQueue,
  now: ReadonlyMap<string, unknown>,
  at: RedisTime,
): void {
  const [believed, found] = [[...queue.entries()].map(([holder]) => holder), [...now.keys()]];
  if (believed.length === found.length && believed.every((holder, n) => holder === found[n])) return;
  const content = contentOf(key) ?? { holders: [], expiresAt: null };
  const withQueue = (holders: readonly string[]) => ({ ...content, queue: holders.slice(0, MOST_TOLD) });
  to.emit(
    { db: key.db, lock: key.name, kind: 'fair-lock', at },
    { type: 'drift.healed', expected: withQueue(believed), found: withQueue(found), cause: 'unexplained' },
  );
}

const MOST_TOLD = 100;

function isSameDeadline(before: Millis | null | undefined, now: Millis | null): boolean {
  if (before == null || now === null) return before === now;
  return Math.abs(before - now) <= SAME_DEADLINE;
}

/** Who stands in the queue as Redis holds it: the order is the list's, the deadlines are the set's. */
function queueFrom({ queue = [], timeouts = [] }: Companions): Map<string, Millis | null> {
  const deadlines = new Map<string, Millis>();
  for (let n = 0; n + 1 < timeouts.length; n += 2) deadlines.set(timeouts[n] ?? '', Number(timeouts[n + 1]));
  const waiters = queue.filter(isHolder);
  return new Map(waiters.map((holder) => [holder, deadlines.get(holder) ?? null]));
}

/** The queue as it is believed to be, in the form of a read. */
export function believedQueue({ mirrors }: LockKey): Companions | undefined {
  if (mirrors?.queue?.isElsewhere) return undefined;
  const entries = [...(mirrors?.queue?.entries() ?? [])];
  if (entries.length === 0) return undefined;
  const timeouts = entries.flatMap(([holder, deadline]) => (deadline === null ? [] : [holder, String(deadline)]));
  return { queue: entries.map(([holder]) => holder), timeouts };
}
