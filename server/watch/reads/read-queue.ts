import type { KeyToRead } from '../../redis/reads/key-reads.ts';

type Waiting = { readonly key: KeyToRead; readonly since: number };

/** Known locks that wait to be read, each once, the oldest first. `oldest` counts keys that were taken until `done`. */
export class ReadQueue {
  readonly #waiting = new Map<string, Waiting>();
  #underWaySince: number | undefined;
  #underWay: readonly KeyToRead[] = [];

  get size(): number {
    return this.#waiting.size;
  }

  /** Adds a key. `since`: it has no unread change from before this instant. A key that waits already keeps its place. */
  add(key: KeyToRead, since: number): void {
    const id = `${key.db}/${key.name}`;
    const before = this.#waiting.get(id);
    this.#waiting.set(id, { key: { ...before?.key, ...key }, since: before?.since ?? since });
  }

  take(most: number): KeyToRead[] {
    const taken: KeyToRead[] = [];
    this.#underWaySince = this.oldest();
    for (const [id, { key }] of this.#waiting) {
      if (taken.length >= most) break;
      this.#waiting.delete(id);
      taken.push(key);
    }
    this.#underWay = taken;
    return taken;
  }

  has({ db, name }: KeyToRead): boolean {
    return this.#waiting.has(`${db}/${name}`) || this.#underWay.some((key) => key.db === db && key.name === name);
  }

  /** Notes that the keys that were taken have been read. */
  done(): void {
    this.#underWaySince = undefined;
    this.#underWay = [];
  }

  /** Since when the oldest key has waited to be read, or has been under way; `undefined` if the queue is empty. */
  oldest(): number | undefined {
    const [oldest] = this.#waiting.values();
    return this.#underWaySince ?? oldest?.since;
  }
}
