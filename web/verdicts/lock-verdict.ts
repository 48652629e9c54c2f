import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import { KINDS } from '../../shared/events/kinds/kinds.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import { changesHandsUntil } from '../../shared/state/handovers.ts';
import { CROWD } from '../../shared/state/lock-state.ts';
import { mayGoOn } from '../../shared/state/notes/refused-again.ts';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { Words } from '../words/words.ts';

/** The verdict about a lock in a word. `until`: when it ends by itself, in Redis time. */
export type LockVerdict = {
  readonly word: keyof Words['verdicts']['ofMeaning'];
  readonly until: number | null;
  readonly isBad: boolean;
  /** Absent: it is not a critical problem. */
  readonly isCritical?: true;
};

/** What is known about a lock at the shown instant, beside its state. */
type Sight = { readonly seesWaiters: boolean; readonly isChangingHands: boolean; readonly isAskedFor: boolean };

/**
 * The verdict about a lock at the shown instant; null: the lock is free, and has no open problem. `about`: the insights
 * about the lock that the user has not dismissed, the worst first.
 */
export function verdictOf(
  lock: Lock,
  about: readonly WireInsight[],
  { seesWaiters, isChangingHands, isAskedFor }: Sight,
): LockVerdict | null {
  const [worst] = about.filter(({ severity, to }) => severity !== 'hint' && to === null);
  if (worst) {
    const { severity, selfHealsAt } = worst;
    return {
      ...{ word: wordOf(worst), until: selfHealsAt, isBad: true },
      ...(severity === 'critical' ? { isCritical: true } : {}),
    };
  }
  if (!lock.held) return null;
  const good = (word: LockVerdict['word']) => ({ word, until: null, isBad: false });
  const waiting = wantedBy(lock);
  if (waiting >= CROWD && isChangingHands && KINDS[lock.kind].wakeUp !== 'polling') return good('convoy');
  if (waiting > 0) return good('busy');
  // a lost hold is listed, also after its end, until the user dismisses the problem
  if (about.some(({ effect, severity }) => effect === 'lost' && severity !== 'hint'))
    return { word: 'problem', until: null, isBad: true };
  if (isAskedFor) return good('asked');
  return good(seesWaiters && areHoldersConnected(lock) ? 'healthy' : 'held');
}

function wordOf({ effect, confidence }: WireInsight): LockVerdict['word'] {
  if (effect === 'other') return 'problem';
  return effect === 'orphaned' && confidence !== 'certain' ? 'likelyOrphaned' : effect;
}

/** Whether every holder is known, and the client of each has a connection. True for a latch, which has no holder. */
function areHoldersConnected({ holders, moreHolders, permits, latch }: Lock): boolean {
  if (latch) return true;
  const known = holders.reduce((sum, { holdCount }) => sum + holdCount, 0);
  const taken = permits?.total == null ? 1 : permits.total - permits.available;
  return known >= taken && moreHolders === undefined && holders.every(isConnected);
}

/** Whether the client of a holder is known to have a connection. */
function isConnected({ presence }: Lock['holders'][number]): boolean {
  return presence === 'connected' || presence === 'idle';
}

/** Whether a lock is handed over from thread to thread at this instant. */
export function changesHands({ handovers }: Lock, now: RedisTime): boolean {
  return handovers !== undefined && now <= changesHandsUntil({ ...handovers, at: redisTime(handovers.at) });
}

/** Whether threads may still ask for a lock again and again at this instant. It is not visible whether they wait. */
export function isAskedFor({ refusedAgain }: Lock, now: RedisTime): boolean {
  return refusedAgain !== undefined && mayGoOn({ lastAt: redisTime(refusedAgain.lastAt) }, now);
}
