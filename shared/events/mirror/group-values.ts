import type { RedisTime } from '../../base/time.ts';
import type { HeldValue } from '../types/hold-event.ts';

const MOST_LOST = 1000;

/** Whose a value of a group lock is. */
type Owner = { readonly holder: string; readonly endsAt: RedisTime | null };

/**
 * The values of a group lock, as Redis must have them: who has each, until when, and how often.
 *
 * A count outlives its hold: what ran out stays in the hash, and the next time the same holder gets that value the count
 * goes on from there. So a single unlock may leave it locked.
 */
export class GroupValues {
  readonly #owners = new Map<string, Owner>();
  /** By value and holder; null: it was there before anybody watched. */
  readonly #counts = new Map<string, number | null>();
  /** Values and holders whose time was up. */
  readonly #lost = new Set<string>();

  /** Whether not even a count is left of anybody: then the hash is gone. */
  get isEmpty(): boolean {
    return this.#owners.size === 0 && this.#counts.size === 0;
  }

  /** Whether a holder had a value until its time was up. */
  hasLost(value: string, holder: string): boolean {
    return this.#lost.has(key(value, holder));
  }

  ownerOf(value: string): string | undefined {
    return this.#owners.get(value)?.holder;
  }

  endOf(value: string): RedisTime | null {
    return this.#owners.get(value)?.endsAt ?? null;
  }

  /** Adds one to the count of a value, which is the holder's now; without an end it keeps the one it has. */
  take(value: string, holder: string, endsAt: RedisTime | null): void {
    const count = this.#counts.get(key(value, holder));
    this.#counts.set(key(value, holder), count === undefined ? 1 : count === null ? null : count + 1);
    this.#owners.set(value, { holder, endsAt: endsAt ?? this.endOf(value) });
    this.#lost.delete(key(value, holder));
  }

  /** Takes one from the count of a value. */
  release(value: string, holder: string, isGone: boolean, endsAt: RedisTime | null): void {
    const count = this.#counts.get(key(value, holder));
    if (isGone) {
      this.#counts.delete(key(value, holder));
      this.#owners.delete(value);
      return;
    }
    this.#counts.set(key(value, holder), count == null ? null : count - 1);
    this.#owners.set(value, { holder, endsAt: endsAt ?? this.endOf(value) });
  }

  /** Moves the end of a value. */
  renew(value: string, holder: string, endsAt: RedisTime | null): void {
    if (!this.#counts.has(key(value, holder))) this.#counts.set(key(value, holder), null);
    this.#owners.set(value, { holder, endsAt: endsAt ?? this.endOf(value) });
  }

  /** Its time is up: nobody has it any more, but its count stays. */
  expire(value: string): void {
    const holder = this.ownerOf(value);
    if (holder !== undefined && this.#lost.size < MOST_LOST) this.#lost.add(key(value, holder));
    this.#owners.delete(value);
  }

  /** Somebody took it away, count and all. */
  drop(value: string): void {
    const holder = this.ownerOf(value);
    if (holder !== undefined) this.#counts.delete(key(value, holder));
    this.#owners.delete(value);
  }

  /** What a read found one holder to have. */
  set(holder: string, values: readonly HeldValue[]): void {
    for (const { value, holdCount, expiresAt } of values) {
      this.#counts.set(key(value, holder), holdCount);
      this.#owners.set(value, { holder, endsAt: expiresAt });
    }
  }

  /** The key is gone. */
  clear(): void {
    this.#owners.clear();
    this.#counts.clear();
    this.#lost.clear();
  }

  /** What a holder has. */
  heldBy(holder: string): HeldValue[] {
    const held: HeldValue[] = [];
    for (const [value, owner] of this.#owners) {
      if (owner.holder !== holder) continue;
      held.push({ value, holdCount: this.#counts.get(key(value, holder)) ?? null, expiresAt: owner.endsAt });
    }
    return held;
  }

  /** Values whose time is up by then, each holder's together. */
  overAt(at: RedisTime): Map<string, string[]> {
    const over = new Map<string, string[]>();
    for (const [value, { holder, endsAt }] of this.#owners) {
      if (endsAt !== null && endsAt <= at) over.set(holder, [...(over.get(holder) ?? []), value]);
    }
    return over;
  }
}

/** How often a holder holds the lock: as often as the value it holds most. Null: not known. */
export function countOf(values: readonly HeldValue[]): number | null {
  const counts = values.map(({ holdCount }) => holdCount);
  return counts.includes(null) ? null : Math.max(0, ...counts.map(Number));
}

function key(value: string, holder: string): string {
  return `${value}:${holder}`;
}
