import type { LockState } from '../../../shared/state/lock-state.ts';
import type { Moment } from './moment.ts';

/**
 * The result of one release: how many waiters slept then and, until the next release, how many its message woke to
 * attempt again, and how many of these acquired the lock.
 */
type Round = { readonly asleep: number; readonly asked: number; readonly won: number };

/** Counts for a crowd of waiters at one lock: one round for each release while waiters slept. */
export type Tally = { readonly rounds: readonly Round[] };

/** This many sleeping waiters at one lock are a crowd. */
export const CROWD = 3;

/** How many waiters sleep at a lock. A fair lock wakes only one at a time, so it never has a crowd: 0. */
export function asleepAt(lock: LockState | undefined): number {
  if (lock?.kind === 'fair-lock') return 0;
  return lock?.waiters.filter(({ isAsleep, presumedGoneAt }) => isAsleep && presumedGoneAt === null).length ?? 0;
}

/**
 * The tally after a moment; null until a lock with a crowd is released. After that, one sleeping waiter is enough for
 * another round. `before` is the lock before the moment.
 */
export function tallyAfter(tally: Tally | null, moment: Moment, before: LockState | undefined): Tally | null {
  if (moment.kind !== 'event') return tally;
  const { event } = moment;
  if (event.type === 'lock.released') {
    const asleep = asleepAt(before);
    if (asleep < (tally ? 1 : CROWD)) return tally;
    return { rounds: [...(tally?.rounds ?? []), { asleep, asked: 0, won: 0 }] };
  }
  const last = tally?.rounds.at(-1);
  if (!tally || !last) return tally;
  if (event.type !== 'lock.acquired' && event.type !== 'lock.refused') return tally;
  if (event.wokenBy !== 'message') return tally;
  const won = last.won + (event.type === 'lock.acquired' ? 1 : 0);
  return { rounds: [...tally.rounds.slice(0, -1), { ...last, asked: last.asked + 1, won }] };
}

/** The sums over all releases. */
export function totalOf({ rounds }: Tally): { releases: number; asked: number; won: number } {
  const sum = (field: 'asked' | 'won') => rounds.reduce((total, round) => total + round[field], 0);
  return { releases: rounds.length, asked: sum('asked'), won: sum('won') };
}
