/** Memory per id, without its text. */
const ID_BYTES = 160;

export function bytesOfId(id: string): number {
  return ID_BYTES + id.length;
}

/** The ids of one tick. `seq` is the newest event when they were touched. */
type Bucket = { readonly tick: number; readonly seq: number; readonly ids: Set<string> };

/**
 * Remembers when each id was touched last. Returns cheaply which ids were touched since a given tick.
 *
 *   touch a,b at 1   touch b at 2        since(1) = b     since(0) = b, a
 *
 * Each id is in one bucket.
 */
export class RecentIds {
  readonly #buckets = new Map<number, Bucket>();
  readonly #bucketOf = new Map<string, Bucket>();
  #forgottenTick = 0;
  #forgottenSeq = -1;
  readonly #mostBytes: number;
  #bytes = 0;

  /** Above this much memory (estimated), the oldest ids are forgotten. */
  constructor(mostBytes: number) {
    this.#mostBytes = mostBytes;
  }

  /** Notes that the id was touched. `tick` must not be lower than in an earlier call. */
  touch(id: string, tick: number, seq: number): void {
    this.remove(id);
    let bucket = this.#buckets.get(tick);
    if (!bucket) {
      bucket = { tick, seq, ids: new Set() };
      this.#buckets.set(tick, bucket);
    }
    bucket.ids.add(id);
    this.#bucketOf.set(id, bucket);
    this.#bytes += bytesOfId(id);
    while (this.#bytes > this.#mostBytes && this.#bucketOf.size > 0) this.#forgetOldest();
  }

  remove(id: string): void {
    const bucket = this.#bucketOf.get(id);
    if (!bucket) return;
    this.#bucketOf.delete(id);
    this.#bytes -= bytesOfId(id);
    bucket.ids.delete(id);
    if (bucket.ids.size === 0) this.#buckets.delete(bucket.tick);
  }

  /** Ids touched after that tick; `undefined` if some of them are forgotten. */
  since(tick: number, now: number): string[] | undefined {
    if (tick < this.#forgottenTick) return undefined;
    if (now - tick > this.#buckets.size) return this.#where((bucket) => bucket.tick > tick);
    const found: string[] = [];
    for (let each = now; each > tick; each -= 1) found.push(...(this.#buckets.get(each)?.ids ?? []));
    return found;
  }

  /** Ids touched when `seq` was the newest event, or later; `undefined` if some of them are forgotten. */
  sinceSeq(seq: number): string[] | undefined {
    return seq <= this.#forgottenSeq ? undefined : this.#where((bucket) => bucket.seq >= seq);
  }

  #where(isWanted: (bucket: Bucket) => boolean): string[] {
    const found: string[] = [];
    for (const bucket of this.#buckets.values()) {
      if (isWanted(bucket)) for (const id of bucket.ids) found.push(id);
    }
    return found;
  }

  #forgetOldest(): void {
    const oldest = this.#buckets.values().next().value;
    if (!oldest) return;
    for (const id of oldest.ids) {
      this.#bucketOf.delete(id);
      this.#bytes -= bytesOfId(id);
    }
    this.#buckets.delete(oldest.tick);
    this.#forgottenTick = oldest.tick;
    this.#forgottenSeq = oldest.seq;
  }
}
