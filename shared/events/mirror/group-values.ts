import type { RedisTime } from '../../base/time.ts';
import type { HeldValue } from '../types/hold-event.ts';

const MOST_LOST = 1000;

/** The holder of a group lock's value, and when its hold expires. */
type Owner = { readonly holder: string; readonly endsAt: RedisTime | null };

/**
 * The values of a group lock, as Redis must have them: the holder of each, the expiry, and the hold count.
 *
 * A count outlives its hold: after an expiry it stays in the hash, and the next acquisition by the same holder adds to
 * it. So one unlock may leave the value locked.
 */
export class GroupValues {
  readonly #owners = new Map<string, Owner>();
  /** Hold counts by value and holder; null: not known, since it was set before Redis was watched. */
  readonly #counts = new Map<string, number | null>();
  /** Values and holders whose holds expired, at most 1000. */
  readonly #lost = new Set<string>();

  /** Whether no holder and no count is left: then the hash is gone. */
  get isEmpty(): boolean {
    return this.#owners.size === 0 && this.#counts.size === 0;
  }

  /** Whether this holder's hold of the value expired. */
  hasLost(value: string, holder: string): boolean {
    return this.#lost.has(key(value, holder));
  }

  ownerOf(value: string): string | undefined {
    return this.#owners.get(value)?.holder;
  }

  endOf(value: string): RedisTime | null {
    return this.#owners.get(value)?.endsAt ?? null;
  }

  /** Adds one to the count of a value, which this holder now holds. If `endsAt` is null, the expiry does not change. */
  take(value: string, holder: string, endsAt: RedisTime | null): void {
    const count = this.#counts.get(key(value, holder));
    this.#counts.set(key(value, holder), count === undefined ? 1 : count === null ? null : count + 1);
    this.#owners.set(value, { holder, endsAt: endsAt ?? this.endOf(value) });
    this.#lost.delete(key(value, holder));
  }

  /**
   * Subtracts one from the count of a value; with `isGone`, removes the hold. If `endsAt` is null, the expiry does not
   * change.
   */
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

  /** Notes that this holder holds the value, until `endsAt`. If `endsAt` is null, the expiry does not change. */
  renew(value: string, holder: string, endsAt: RedisTime | null): void {
    if (!this.#counts.has(key(value, holder))) this.#counts.set(key(value, holder), null);
    this.#owners.set(value, { holder, endsAt: endsAt ?? this.endOf(value) });
  }

  /** The hold expired: the value has no holder, but its count remains. */
  expire(value: string): void {
    const holder = this.ownerOf(value);
    if (holder !== undefined && this.#lost.size < MOST_LOST) this.#lost.add(key(value, holder));
    this.#owners.delete(value);
  }

  /** The value was deleted, with its count. */
  drop(value: string): void {
    const holder = this.ownerOf(value);
    if (holder !== undefined) this.#counts.delete(key(value, holder));
    this.#owners.delete(value);
  }

  /** Sets the values that a read found for one holder, which has no others. */
  set(holder: string, values: readonly HeldValue[]): void {
    for (const { value } of this.heldBy(holder)) if (!values.some((each) => each.value === value)) this.drop(value);
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

  heldBy(holder: string): HeldValue[] {
    const held: HeldValue[] = [];
    for (const [value, owner] of this.#owners) {
      if (owner.holder !== holder) continue;
      held.push({ value, holdCount: this.#counts.get(key(value, holder)) ?? null, expiresAt: owner.endsAt });
    }
    return held;
  }

  /** The values that have expired by `at`, by holder. */
  overAt(at: RedisTime): Map<string, string[]> {
    const over = new Map<string, string[]>();
    for (const [value, { holder, endsAt }] of this.#owners) {
      if (endsAt !== null && endsAt <= at) over.set(holder, [...(over.get(holder) ?? []), value]);
    }
    return over;
  }
}

/** The hold count of the lock: the highest count of its values. Null: not known. */
export function countOf(values: readonly HeldValue[]): number | null {
  const counts = values.map(({ holdCount }) => holdCount);
  return counts.includes(null) ? null : Math.max(0, ...counts.map(Number));
}

function key(value: string, holder: string): string {
  return `${value}:${holder}`;
}
