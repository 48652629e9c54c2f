import { isOfSource, type LockEvent } from '../../../shared/events/event.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { reduceLock } from '../../../shared/state/reduce.ts';
import { firstFrom } from './search.ts';

const CHECKPOINT_EVERY = 500;

/**
 * The state of one lock at any instant, by the reducer that the server runs. Checkpoints make later calls cheap.
 *
 *   events       |·········|·········|····
 *   checkpoint   0        500      1000  ▲ at: start at the nearest checkpoint before, then apply the events up to here
 */
export class LockReplay {
  readonly events: readonly LockEvent[];
  readonly #checkpoints: (LockState | undefined)[];

  /** `base`: the state of the lock before the first event. */
  constructor(events: readonly LockEvent[], base?: LockState) {
    this.events = events;
    this.#checkpoints = [base];
  }

  /** The state of the lock after every event up to `at`; undefined if nothing was known about it then. */
  at(at: number): LockState | undefined {
    return this.#after(this.countUntil(at));
  }

  /** The number of leading events, up to the last one dated at or before `at`. */
  countUntil(at: number): number {
    let count = this.events.length;
    while (count > 0 && (this.events[count - 1]?.at ?? 0) > at) count--;
    return count;
  }

  #after(count: number): LockState | undefined {
    const nearest = Math.floor(count / CHECKPOINT_EVERY);
    for (let i = this.#checkpoints.length; i <= nearest; i++) {
      const from = (i - 1) * CHECKPOINT_EVERY;
      this.#checkpoints[i] = this.#replay(this.#checkpoints[i - 1], from, from + CHECKPOINT_EVERY);
    }
    return this.#replay(this.#checkpoints[nearest], nearest * CHECKPOINT_EVERY, count);
  }

  #replay(before: LockState | undefined, from: number, to: number): LockState | undefined {
    let state = before;
    for (let i = from; i < to; i++) {
      const event = this.events[i];
      if (event && !isOfSource(event)) state = reduceLock(state, event);
    }
    return state;
  }
}

/** The newest of the first `count` events that explains the lock's state, for example an acquisition or a release. */
export function turningPoint(events: readonly LockEvent[], count: number): LockEvent | undefined {
  for (let i = count - 1; i >= 0; i--) {
    const event = events[i];
    if (event && TURNS.has(event.type)) return event;
  }
  return undefined;
}

const TURNS: ReadonlySet<LockEvent['type']> = new Set([
  'lock.acquired',
  'lock.released',
  'lock.force-released',
  'lock.deleted',
  'lock.evicted',
  'lease.expired',
  'db.flushed',
  'lock.lost',
  'lock.moved',
  'lock.found',
  'drift.healed',
  'permits.set',
  'permits.acquired',
  'permits.released',
  'permits.expired',
  'latch.set',
  'latch.counted-down',
  'latch.opened',
  'latch.deleted',
]);

/** The chain of causes along `because`, newest first: at most `most` events, beginning with `last`. */
export function causeChain(events: readonly LockEvent[], last: LockEvent, most = 4): LockEvent[] {
  const bySeq = (seq: number) => {
    const event = events[firstFrom(events, seq, (other) => other.seq)];
    return event?.seq === seq ? event : undefined;
  };
  const chain = [last];
  for (let event: LockEvent | undefined = last; event && chain.length < most; ) {
    const next: LockEvent | undefined = (event.because ?? []).map(bySeq).find((cause) => cause);
    if (!next || chain.includes(next)) break;
    chain.push(next);
    event = next;
  }
  return chain;
}
