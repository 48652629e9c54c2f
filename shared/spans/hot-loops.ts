import type { LockEvent } from '../events/event.ts';
import { isDense } from '../state/notes/dense-attempts.ts';
import { keyOfAttempts } from './dense-runs.ts';

type Refusal = LockEvent & { readonly type: 'lock.refused' };

/** Fields of an attempt that may differ within a run. */
const MAY_DIFFER: ReadonlySet<string> = new Set(['seq', 'at', 'ttlMs', 'attempt', 'by']);
/** How many runs are followed at the same time. Beyond that, all are dropped. */
const MOST_FOLLOWED = 10_000;

/**
 * Finds repeated attempts of a waiter that retries without a pause: they differ from the first attempt of their dense
 * run only in the fields of `MAY_DIFFER`.
 */
export class HotLoops {
  readonly #runs = new Map<string, { readonly like: Refusal; last: Refusal }>();

  /** Whether the next event repeats the first attempt of its run. */
  isRepeat(event: LockEvent): boolean {
    if (event.type === 'lock.acquired' && this.#runs.size > 0) this.#runs.delete(keyOfAttempts(event));
    if (event.type !== 'lock.refused') return false;
    const key = keyOfAttempts(event);
    const run = this.#runs.get(key);
    const steps = run ? event.attempt - run.last.attempt : 0;
    if (run && steps > 0 && isDense(run.last.at, event.at, steps) && isAlike(run.like, event)) {
      run.last = event;
      return true;
    }
    if (this.#runs.size > MOST_FOLLOWED) this.#runs.clear();
    this.#runs.set(key, { like: event, last: event });
    return false;
  }
}

function isAlike(a: Refusal, b: Refusal): boolean {
  const left = a as unknown as Record<string, unknown>; // all fields are compared, whatever they are
  const right = b as unknown as Record<string, unknown>;
  for (const name in right) if (!MAY_DIFFER.has(name) && !isSameValue(left[name], right[name])) return false;
  for (const name in left) if (!(name in right)) return false;
  return true;
}

/** Compares lists item by item, for example `because`. Two objects, for example `taken`, count as different. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
