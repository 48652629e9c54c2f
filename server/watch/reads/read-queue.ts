import type { KeyToRead } from '../../redis/reads/key-reads.ts';

type Waiting = { readonly key: KeyToRead; readonly since: number; readonly dueAt: number };

/**
 * Known locks that wait to be read, each once, the oldest first. Until `done`, `oldest` also counts the keys that were
 * taken.
 */
export class ReadQueue {
  readonly #waiting = new Map<string, Waiting>();
  #underWaySince: number | undefined;
  #underWay: readonly KeyToRead[] = [];

  get size(): number {
    return this.#waiting.size;
  }

  /**
   * Adds a key. `since`: it has no unread change from before this instant. `dueAt`: it need not be read before. A key
   * that waits already keeps its place, and the earlier of both instants.
   */
  add(key: KeyToRead, since: number, dueAt = 0): void {
    const id = `${key.db}/${key.name}`;
    const before = this.#waiting.get(id);
    const earlier = Math.min(dueAt, before?.dueAt ?? dueAt);
    this.#waiting.set(id, { key: { ...before?.key, ...key }, since: before?.since ?? since, dueAt: earlier });
  }

  /** Takes keys that are due. */
  take(most: number, now: number): KeyToRead[] {
    const taken: KeyToRead[] = [];
    this.#underWaySince = this.oldest();
    for (const [id, { key, dueAt }] of this.#waiting) {
      if (taken.length >= most) break;
      if (dueAt > now) continue;
      this.#waiting.delete(id);
      taken.push(key);
    }
    this.#underWay = taken;
    return taken;
  }

  /** In how many ms the next key is due; `undefined` if none waits. */
  dueInMs(now: number): number | undefined {
    let next = Number.POSITIVE_INFINITY;
    for (const { dueAt } of this.#waiting.values()) {
      if (dueAt <= now) return 0;
      if (dueAt < next) next = dueAt;
    }
    return this.#waiting.size === 0 ? undefined : next - now;
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
