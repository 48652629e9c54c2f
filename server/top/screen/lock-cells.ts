import { millisBetween, redisTime } from '../../../shared/base/time.ts';
import { wantedBy } from '../../../shared/insights/attention.ts';
import type { Holder, Lock } from '../../../shared/wire/locks/lock.ts';
import {
  type Beginning,
  type HiddenWaiters,
  hasMoreWaiters,
  holderCount,
  oldestHold,
  oldestWait,
  readersOf,
  waiterCount,
} from '../../../shared/wire/locks/lock-facts.ts';
import { personText } from '../../../shared/wire/person-text.ts';
import { countdownText, lengthText } from '../../cli/text/lengths.ts';
import type { Look } from '../../cli/text/line.ts';
import { isDated, nowOf, type Sight, whyHidden } from '../sight.ts';

/** The text of a cell in the table of locks, and how it looks. */
export type Cell = { readonly text: string; readonly look?: Look };

export type LockCells = Readonly<
  Record<'holder' | 'count' | 'held' | 'lease' | 'watchdog' | 'waiters' | 'oldest' | 'place', Cell>
>;

const NOTHING: Cell = { text: '' };
const MODES = { exclusive: '', read: 'r', write: 'w', permit: '' } as const;

export function cellsOf(lock: Lock, sight: Sight): LockCells {
  const now = nowOf(sight, lock);
  const isOld = isDated(sight, lock);
  const counted = countedText(lock);
  const isCounter = counted !== undefined;
  const [first] = lock.holders;
  return {
    holder: holderCell(lock),
    count: first && !isCounter ? { text: `${first.holdCount}${MODES[first.mode]}` } : NOTHING,
    held: ageCell(oldestHold(lock), now),
    lease: isCounter || !lock.held ? NOTHING : leaseCell(lock.lease, now),
    watchdog: isCounter ? NOTHING : watchdogCell(lock, isOld),
    waiters: waitersCell(lock, whyHidden(sight, lock), isOld),
    oldest: ageCell(oldestWait(lock), now),
    place: { text: `${lock.source}/${lock.db}` },
  };
}

/** The letter, client and thread of a holder or waiter: `A order-svc-1:7`. */
export function whoText({
  letter,
  client,
  thread,
  name,
}: Pick<Holder, 'letter' | 'client' | 'thread' | 'name'>): string {
  return `${letter} ${personText(client, thread, name)}`.trim();
}

/** The permits or the count of a semaphore or latch; `undefined` for other kinds, or if it is not known. */
export function countedText({ permits, latch }: Pick<Lock, 'permits' | 'latch'>): string | undefined {
  if (latch) return latch.count === 0 ? 'open' : `${latch.count} to go`;
  if (!permits) return undefined;
  const { available, total } = permits;
  return total === null ? `${available} free` : `${Math.max(0, total - available)} of ${total} taken`;
}

/** When a lease ends: in `27.3s`, `never`, `over`, or `?` if its end is not known. */
export function leaseCell({ expiresAt, neverEnds }: Lock['lease'], now: number): Cell {
  if (expiresAt === null) return { text: neverEnds ? 'never' : '?' };
  const left = millisBetween(redisTime(now), redisTime(expiresAt));
  return left > 0 ? { text: countdownText(left) } : { text: 'over', look: 'warn' };
}

/**
 * The time since a beginning; with `>` if it may have been earlier, because only the time of the first sight is known.
 */
export function ageText({ at, isAtLeast }: Beginning, now: number): string {
  return `${isAtLeast ? '>' : ''}${lengthText((now - at) / 1000)}`;
}

/**
 * The first holder, and how many more there are; the number of readers, permits or counts; that the holder is not seen
 * or not known; or that the lock is free.
 */
export function holderCell(lock: Lock): Cell {
  const counted = countedText(lock);
  if (counted !== undefined) return { text: counted };
  const [first] = lock.holders;
  if (!first && lock.holderUnseen) return { text: 'not seen', look: 'quiet' };
  if (!first) return lock.held ? { text: 'unknown client' } : { text: 'free', look: 'quiet' };
  const readers = readersOf(lock);
  if (readers > 1) return { text: `${readers} readers` };
  const others = holderCount(lock) - 1;
  const text = `${whoText(first)}${others > 0 ? ` +${others}` : ''}`;
  return first.presence === 'gone' ? { text: `gone ${text}`, look: 'bad' } : { text };
}

/** `isOld`: the shown state may be outdated, so renewals may have been missed. */
function watchdogCell({ holders }: Lock, isOld: boolean): Cell {
  if (holders.length === 0) return NOTHING;
  if (isOld) return { text: '?' };
  if (holders.some(({ watchdog }) => watchdog === 'on')) return { text: 'on' };
  return { text: holders.every(({ watchdog }) => watchdog === 'off') ? 'off' : '?' };
}

function waitersCell(lock: Lock, hidden: HiddenWaiters | null, isOld: boolean): Cell {
  const count = waiterCount(lock);
  if (count > 0) return { text: `${count}${hasMoreWaiters(lock, hidden) ? '+' : ''}`, look: 'strong' };
  const listeners = wantedBy(lock);
  if (listeners > 0) return { text: `${listeners} listen` };
  return { text: hidden === null && !isOld ? '0' : 'hidden', look: 'quiet' };
}

function ageCell(beginning: Beginning | null, now: number): Cell {
  return beginning === null ? NOTHING : { text: ageText(beginning, now) };
}
