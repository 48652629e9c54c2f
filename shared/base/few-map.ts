/**
 * A map that usually has one entry, such as the holders of a lock. A single entry is kept in the object itself, which
 * takes 48 bytes; a `Map` takes about 220. A value is never `undefined`.
 */
export class FewMap<K, V extends object | string> implements ReadonlyMap<K, V> {
  #key: K | undefined;
  #value: V | undefined;
  /** All entries, from the time when there are several until `clear`. */
  #many: Map<K, V> | undefined;

  get size(): number {
    return this.#many?.size ?? (this.#value === undefined ? 0 : 1);
  }

  get(key: K): V | undefined {
    if (this.#many) return this.#many.get(key);
    return this.#key === key ? this.#value : undefined;
  }

  has(key: K): boolean {
    return this.get(key) !== undefined;
  }

  set(key: K, value: V): this {
    if (this.#many) this.#many.set(key, value);
    else if (this.#value === undefined || this.#key === key) {
      this.#key = key;
      this.#value = value;
    } else {
      this.#many = new Map(this.#entries()).set(key, value);
      this.#forgetFirst();
    }
    return this;
  }

  delete(key: K): boolean {
    if (this.#many) return this.#many.delete(key);
    const isThere = this.has(key);
    if (isThere) this.#forgetFirst();
    return isThere;
  }

  clear(): void {
    this.#many = undefined;
    this.#forgetFirst();
  }

  keys(): MapIterator<K> {
    return this.#many?.keys() ?? (this.#value === undefined ? NOTHING : [this.#key as K]).values(); // if there is a value, there is a key
  }

  values(): MapIterator<V> {
    return this.#many?.values() ?? (this.#value === undefined ? NOTHING : [this.#value]).values();
  }

  entries(): MapIterator<[K, V]> {
    return this.#many?.entries() ?? this.#entries().values();
  }

  [Symbol.iterator](): MapIterator<[K, V]> {
    return this.entries();
  }

  forEach(take: (value: V, key: K, map: ReadonlyMap<K, V>) => void): void {
    for (const [key, value] of this) take(value, key, this);
  }

  /** The entries, as long as there never were several. */
  #entries(): [K, V][] {
    return this.#value === undefined ? [] : [[this.#key as K, this.#value]]; // if there is a value, there is a key
  }

  #forgetFirst(): void {
    this.#key = undefined;
    this.#value = undefined;
  }
}

const NOTHING: readonly never[] = [];
