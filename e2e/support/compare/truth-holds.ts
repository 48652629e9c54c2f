import { type Call, hasAcquired, hasUnlocked, isUnlockRefused, type Micros } from './truth.ts';

/** One hold as its thread saw it. */
export type SeenHold = {
  acquired: Call;
  /** The unlock that ended the hold, or found it lost. Null if no unlock did. */
  ended: Call | null;
  /** An unlock was refused: the hold had been lost before. */
  isLost: boolean;
  /** The highest hold count. */
  deepest: number;
};

/** The holds of one thread on one lock, from its calls in order. */
export function holdsFromCalls(calls: readonly Call[]): SeenHold[] {
  const holds: SeenHold[] = [];
  let open: SeenHold | undefined;
  let count = 0;
  for (const call of calls) {
    if (hasAcquired(call)) {
      if (!open) {
        open = { acquired: call, ended: null, isLost: false, deepest: 0 };
        holds.push(open);
        count = 0;
      }
      count += 1;
      open.deepest = Math.max(open.deepest, count);
    } else if (open && (hasUnlocked(call) || isUnlockRefused(call))) {
      count -= 1;
      open.isLost = isUnlockRefused(call);
      if (count > 0 && !open.isLost) continue;
      open.ended = call;
      open = undefined;
    }
  }
  return holds;
}

/** The times in which a thread certainly held the lock: from the return of its lock call to its last unlock call. */
export function certainHolds(calls: readonly Call[]): { from: Micros; to: Micros }[] {
  return holdsFromCalls(calls).flatMap(({ acquired, ended, isLost }) =>
    ended && !isLost ? [{ from: acquired.returned ?? acquired.called, to: ended.called }] : [],
  );
}
