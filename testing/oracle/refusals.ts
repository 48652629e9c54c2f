import type { JudgedRun } from './account.ts';
import { oneOf } from './expected.ts';
import { holdsIn, notesOf } from './holds.ts';

/** Why there was no hold: its lease ended, another holder has the lock, or the lock is free. */
export function reasonOf(run: JudgedRun, lock: string, field: string): string {
  const holds = holdsIn(run.before(lock));
  if (holds.has(field)) return 'error';
  if (notesOf(run, lock).ended.get(field) === 'expired') return 'expired';
  return holds.size > 0 ? 'not-owner' : 'no-lock';
}

/** The reasons that may be reported, as a check of an event. */
export function reasonsOf(run: JudgedRun, lock: string, reason: string): unknown {
  return isHeldMaybe(run, lock, reason) ? oneOf(reason, 'not-owner') : reason;
}

/** Whether a free lock may still be reported as held by the thread whose lease has ended. */
export function isHeldMaybe(run: JudgedRun, lock: string, reason: string): boolean {
  return reason === 'no-lock' && isEndUnheard(run, lock);
}

/**
 * Whether a lease ended less than 2 s ago without a message of Redis: the lock may still be reported as held by another
 * thread.
 */
function isEndUnheard(run: JudgedRun, lock: string): boolean {
  return run.head.at < notesOf(run, lock).unheardEnd + 2_000_000;
}

/**
 * Redis shows no errors, so an error of a script is inferred. A lock that was never seen as held counts as observed to
 * be free only once Lockscope has read it, and no line shows that read.
 */
export function sureOf({ redis, head }: JudgedRun, lock: string, reason: string): { certainty: readonly string[] } {
  if (reason === 'error') return { certainty: ['inferred'] };
  return { certainty: redis.hasSeen(head.db, lock) ? ['observed'] : ['observed', 'inferred'] };
}
