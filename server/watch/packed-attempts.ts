import { type RedisTime, redisTime } from '../../shared/base/time.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { isDense, keyOfAttempts } from '../../shared/spans/dense-runs.ts';

type Refusal = LockEvent & { readonly type: 'lock.refused' };

/** An attempt that differs from another of its run in its numbers and connection alone: it takes a fraction of the room. */
export class PackedAttempt {
  /** The attempt it is like. */
  readonly like: Refusal;
  readonly #seqsLater: number;
  readonly #microsLater: number;
  readonly #ttlMs: number | null;
  readonly #attempt: number;
  readonly #by: string | undefined;

  constructor(like: Refusal, event: Refusal) {
    this.like = like;
    this.#seqsLater = event.seq - like.seq;
    this.#microsLater = event.at - like.at;
    this.#ttlMs = event.ttlMs;
    this.#attempt = event.attempt;
    this.#by = event.by;
  }

  get at(): RedisTime {
    return redisTime(this.like.at + this.#microsLater);
  }

  get seq(): number {
    return this.like.seq + this.#seqsLater;
  }

  /** The event it was. */
  whole(): LockEvent {
    const own = { seq: this.seq, at: this.at, ttlMs: this.#ttlMs, attempt: this.#attempt };
    return this.#by === undefined ? { ...this.like, ...own } : { ...this.like, ...own, by: this.#by };
  }
}

/** Fields of an attempt that may differ within a run. */
const OWN: ReadonlySet<string> = new Set(['seq', 'at', 'ttlMs', 'attempt', 'by']);
/** Runs followed at once. */
const MOST_FOLLOWED = 10_000;

/**
 * Packs the attempts of hot loops: whoever asks thousands of times a second must not push everything else out of memory.
 * Nothing is lost, since what differs is kept.
 */
export class AttemptPacker {
  readonly #runs = new Map<string, { readonly like: Refusal; last: Refusal }>();

  /** The event, or the same packed. */
  pack(event: LockEvent): LockEvent | PackedAttempt {
    if (event.type === 'lock.acquired' && this.#runs.size > 0) this.#runs.delete(keyOfAttempts(event));
    if (event.type !== 'lock.refused') return event;
    const key = keyOfAttempts(event);
    const run = this.#runs.get(key);
    const steps = run ? event.attempt - run.last.attempt : 0;
    if (run && steps > 0 && isDense(run.last.at, event.at, steps) && isAlike(run.like, event)) {
      run.last = event;
      return new PackedAttempt(run.like, event);
    }
    if (this.#runs.size > MOST_FOLLOWED) this.#runs.clear();
    this.#runs.set(key, { like: event, last: event });
    return event;
  }
}

function isAlike(a: Refusal, b: Refusal): boolean {
  const left = a as unknown as Record<string, unknown>; // compared field by field, whatever they are
  const right = b as unknown as Record<string, unknown>;
  for (const name in right) if (!OWN.has(name) && !isSameValue(left[name], right[name])) return false;
  for (const name in left) if (!(name in right)) return false;
  return true;
}

/** Causes are lists of numbers, everything else is a plain value. */
function isSameValue(a: unknown, b: unknown): boolean {
  if (!Array.isArray(a) || !Array.isArray(b)) return a === b;
  return a.length === b.length && a.every((value, index) => value === b[index]);
}
