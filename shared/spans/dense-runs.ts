import type { RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';
import { isDense } from '../state/notes/dense-attempts.ts';

/** Refused attempts of one holder in quick succession, shown as one. */
export type DenseRun = {
  readonly holder: string;
  readonly from: RedisTime;
  to: RedisTime;
  attempts: number;
  readonly fromSeq: number;
  toSeq: number;
};

type Open = DenseRun & { lastAttempt: number };

/**
 * Fewer attempts than this are not a run: one `lock()` runs two attempts right after each other, and a third one if a
 * message arrives just then.
 */
export const FEWEST_IN_RUN = 5;

/**
 * Returns the dense runs of refused attempts, in order of their beginning. Each is one mark with a count.
 *
 *   attempts   | |          ||||||||||||||||||||||      |
 *   runs                    [======= 7,658 ======]
 *
 * Attempts have numbers, so a run is counted correctly even if the attempts in its middle were left out (`RunThinner`).
 * An acquisition, a sleep or a longer pause ends a run. Waiters that poll have such runs, for example those of spin
 * locks. So have waiters of a fair lock behind a dead head, with thousands of attempts a second.
 */
export function denseRunsFromEvents(events: readonly LockEvent[]): DenseRun[] {
  const runs: DenseRun[] = [];
  const byLock = new Map<string, Map<string, Open>>();
  let open = new Map<string, Open>();
  let last: LockEvent | undefined;
  for (const event of events) {
    if (event.type !== 'lock.refused' && event.type !== 'lock.acquired') continue;
    if (last?.lock !== event.lock || last.source !== event.source || last.db !== event.db) {
      const lock = `${event.source}/${event.db}/${event.lock}`;
      open = byLock.get(lock) ?? new Map<string, Open>();
      byLock.set(lock, open);
    }
    last = event;
    const { holder, at, seq } = event;
    if (event.type !== 'lock.refused' || event.asleep) {
      open.delete(holder);
      continue;
    }
    const run = open.get(holder);
    const more = run ? Math.max(1, event.attempt - run.lastAttempt) : 1;
    if (run && isDense(run.to, at, more)) {
      const isNew = run.attempts < FEWEST_IN_RUN;
      run.to = at;
      run.toSeq = seq;
      run.attempts += more;
      run.lastAttempt = event.attempt;
      if (isNew && run.attempts >= FEWEST_IN_RUN) runs.push(run);
    } else {
      open.set(holder, { holder, from: at, to: at, attempts: 1, fromSeq: seq, toSeq: seq, lastAttempt: event.attempt });
    }
  }
  return runs
    .map(({ holder, from, to, attempts, fromSeq, toSeq }) => ({ holder, from, to, attempts, fromSeq, toSeq }))
    .sort((a, b) => a.fromSeq - b.fromSeq);
}

/** The key of a holder's attempts at one lock: a holder may wait for several locks at once. */
export function keyOfAttempts({ source, db, lock, holder }: LockEvent & { readonly holder: string }): string {
  return `${source}/${db}/${lock} ${holder}`;
}

/**
 * Returns a function that finds the run of an event; undefined: it belongs to none. Call it for all events, in order.
 */
export function runOfEach(runs: readonly DenseRun[]): (event: LockEvent) => DenseRun | undefined {
  if (runs.length === 0) return () => undefined;
  const beginning = new Map(runs.map((run) => [run.fromSeq, run]));
  const within = new Map<string, DenseRun>();
  return (event) => {
    if (event.type !== 'lock.refused') return undefined;
    const key = keyOfAttempts(event);
    const begun = beginning.get(event.seq);
    if (begun) within.set(key, begun);
    const run = within.get(key);
    return run && event.seq <= run.toSeq ? run : undefined;
  };
}
