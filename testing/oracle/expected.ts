import type { CommandStep } from '../../shared/signals/step.ts';

/** One event that the account expects. Every field of the event is listed, so that an unlisted field is a mistake. */
export type Expected = {
  readonly type: string;
  readonly db: number;
  readonly lock: string;
  /** The kinds that are true: more than one only where Redis shows the kind later than the event. */
  readonly kinds: readonly string[];
  /** Address of the client. Undefined: the event has no client. */
  readonly by: string | undefined;
  /** The event happened between these two times (microseconds). */
  readonly between: readonly [number, number];
  readonly certainty: readonly string[];
  /** The other fields: exact values, or a check of a value. */
  readonly fields: Readonly<Record<string, unknown>>;
  /** Events that `because` must name. */
  readonly because: readonly Expected[];
  /** The effect of the event on a waiter. */
  readonly wait?: WaitRole;
  /** Redis publishes nothing about the event: it may be reported later, until something else happens to the lock. */
  readonly isUnheard?: boolean;
  /** No command shows what the event reports: it may be missing. */
  readonly isUnsure?: boolean;
};

/**
 * A refused attempt and an acquisition end or continue a wait; a message or a loss may wake a waiter. `quiet`: a
 * release that frees the lock, but that no sleeper notices.
 */
export type WaitRole = {
  readonly role: 'refused' | 'acquired' | 'message' | 'loss' | 'quiet' | 'listen' | 'leave' | 'eviction';
  /** The channel on which the waiter listens, or on which the message was sent. */
  readonly channel?: string;
  /** The TTL that the script returned to a refused caller, in ms; null if it returned an error. */
  readonly reported?: number | null;
  /** The attempt never waits: it belongs to a `tryLock()` without a wait, or it met an error. */
  readonly isTry?: boolean;
  /** Milliseconds between the polls of a waiter that never sleeps; undefined: it sleeps. */
  readonly pollsWithin?: number;
};

/** A check of one value. Returns whether the value is right. */
export type Check = (value: unknown) => boolean;

/** Accepts a number within `slack` of the right one. */
export function near(right: number, slack: number): Check {
  return (value) => typeof value === 'number' && Math.abs(value - right) <= slack;
}

/** Accepts each of these values. `undefined` means an absent field. */
export function oneOf(...values: readonly unknown[]): Check {
  return (value) => values.some((right) => isEqual(right, value));
}

/** Whether two JSON values are equal. */
function isEqual(a: unknown, b: unknown): boolean {
  return a === b || (typeof a === 'object' && typeof b === 'object' && JSON.stringify(a) === JSON.stringify(b));
}

/** Whether a reported value is right. */
export function fits(right: unknown, value: unknown): boolean {
  return typeof right === 'function' ? (right as Check)(value) : isEqual(right, value);
}

/** The times between which everything in a step happened. */
export function timesOf({ head, inner }: CommandStep): readonly [number, number] {
  return [head.at, inner.at(-1)?.at ?? head.at];
}
