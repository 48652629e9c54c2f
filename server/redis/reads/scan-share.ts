/** Judging and reading a found lock costs as much as this many keys that SCAN only passes: 35 µs, and 0.8 µs a key. */
const KEYS_PER_LOCK = 40;

/**
 * How much of a scan is done. A scan makes one pass through all keys for each type, and the locks that it finds take
 * most of its time. It is assumed that in the rest of a pass the share of locks stays the same, and that later passes
 * find none. If that proves wrong, the share grows more slowly or faster, but it never falls.
 */
export class ScanShare {
  readonly #keys: number;
  readonly #passes: Map<string, { looked: number; found: number }>;
  #share = 0;

  constructor(keys: number, passes: readonly string[]) {
    this.#keys = keys;
    this.#passes = new Map(passes.map((pass) => [pass, { looked: 0, found: 0 }]));
  }

  /** From 0 to 1. */
  get share(): number {
    return this.#keys === 0 ? 1 : this.#share;
  }

  /** Notes a step of a pass that went past `looked` keys and found `found` locks among them. */
  stepped(pass: string, looked: number, found: number): void {
    const own = this.#passes.get(pass);
    if (!own || looked === 0) return;
    own.looked += looked;
    own.found += found;
    const step = workOf(looked, found);
    let left = step;
    for (const each of this.#passes.values()) left += this.#workLeft(each);
    this.#share += ((1 - this.#share) * step) / left;
  }

  #workLeft({ looked, found }: { looked: number; found: number }): number {
    const keys = Math.max(0, this.#keys - looked);
    return looked === 0 ? keys : workOf(keys, (found / looked) * keys);
  }
}

function workOf(looked: number, found: number): number {
  return looked + found * KEYS_PER_LOCK;
}
