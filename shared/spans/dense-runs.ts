import type { Millis, RedisTime } from '../base/time.ts';
import type { LockEvent } from '../events/event.ts';

/** Attempts of one holder that came so fast that each by itself says nothing. */
export type DenseRun = {
  readonly holder: string;
  readonly from: RedisTime;
  to: RedisTime;
  attempts: number;
  readonly fromSeq: number;
  toSeq: number;
};

type Open = DenseRun & { lastAttempt: number };

/** Attempts further apart than this are looked at one by one. A spin lock's waiter asks every 128 ms at least. */
const GAP: Millis = 200;
/** A call that waits asks twice at once, and a message may come right then: fewer than this are no run. */
const FEWEST = 5;

/** Whether an attempt, so many after the one before of the same holder, followed it without a pause. */
export function isDense(before: RedisTime, at: RedisTime, attempts: number): boolean {
  return at - before <= GAP * 1000 * attempts;
}

/**
 * Refused attempts in dense runs, in order of their beginning: one mark each, with its count, instead of thousands.
 *
 *   attempts   | |          ||||||||||||||||||||||      |
 *   runs                    [======= 7,658 ======]
 *
 * Attempts have numbers, so those in the midst of a run may be left out and are counted all the same (`RunThinner`).
 * Who gets the lock or falls asleep in between began anew. A waiter of a fair lock behind a dead head asks thousands of times a second, a spin lock's by design.
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
      const isNew = run.attempts < FEWEST;
      run.to = at;
      run.toSeq = seq;
      run.attempts += more;
      run.lastAttempt = event.attempt;
      if (isNew && run.attempts >= FEWEST) runs.push(run);
    } else {
      open.set(holder, { holder, from: at, to: at, attempts: 1, fromSeq: seq, toSeq: seq, lastAttempt: event.attempt });
    }
  }
  return runs
    .map(({ holder, from, to, attempts, fromSeq, toSeq }) => ({ holder, from, to, attempts, fromSeq, toSeq }))
    .sort((a, b) => a.fromSeq - b.fromSeq);
}

/** Whose attempts follow one another: one holder may ask for several locks at once. */
export function keyOfAttempts({ source, db, lock, holder }: LockEvent & { readonly holder: string }): string {
  return `${source}/${db}/${lock} ${holder}`;
}

/** Tells for one event after the other, in order, of which run it is an attempt. */
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
