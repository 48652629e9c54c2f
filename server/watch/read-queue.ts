import type { KeyToRead } from '../redis/key-reads.ts';

type Waiting = { readonly key: KeyToRead; readonly since: number };

/** Known locks that wait to be read, each once, the oldest first. */
export class ReadQueue {
  readonly #waiting = new Map<string, Waiting>();

  get size(): number {
    return this.#waiting.size;
  }

  /** A key that waits already keeps its place. */
  add(key: KeyToRead, now: number): void {
    const id = `${key.db}/${key.name}`;
    const before = this.#waiting.get(id);
    this.#waiting.set(id, { key: { ...before?.key, ...key }, since: before?.since ?? now });
  }

  take(most: number): KeyToRead[] {
    const taken: KeyToRead[] = [];
    for (const [id, { key }] of this.#waiting) {
      if (taken.length >= most) break;
      this.#waiting.delete(id);
      taken.push(key);
    }
    return taken;
  }

  /** How long the oldest key has been waiting, in ms. */
  age(now: number): number {
    const [oldest] = this.#waiting.values();
    return oldest ? Math.max(0, now - oldest.since) : 0;
  }
}
