import type { KeyToRead } from '../../redis/reads/key-reads.ts';

type Waiting = { readonly key: KeyToRead; readonly since: number };

/** Known locks that wait to be read, each once, the oldest first. Keys that were taken count until `done`. */
export class ReadQueue {
  readonly #waiting = new Map<string, Waiting>();
  #underWaySince: number | undefined;
  #underWay: readonly KeyToRead[] = [];

  get size(): number {
    return this.#waiting.size;
  }

  /** `since`: an instant before which the key did not change unread. A key that waits already keeps its place. */
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

  /** What was taken has been read. */
  done(): void {
    this.#underWaySince = undefined;
    this.#underWay = [];
  }

  /** Since when the oldest key has been waiting or under way; undefined if there is none. */
  oldest(): number | undefined {
    const [oldest] = this.#waiting.values();
    return this.#underWaySince ?? oldest?.since;
  }
}
