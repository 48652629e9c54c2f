/** Memory per id, without its text. */
const ID_BYTES = 160;

/**
 * An id that is touched again moves to a newer bucket, but its entry in the old bucket stays. The old bucket is cleaned
 * when it has more than this many entries for each id that has not moved.
 */
const MOVED_TIMES = 2;

export function bytesOfId(id: string): number {
  return ID_BYTES + id.length;
}

/**
 * The ids that were touched in one tick, of which `count` have not moved to a later bucket. `seq` is the newest event
 * of that tick.
 */
type Bucket = { readonly tick: number; readonly seq: number; ids: string[]; count: number };

/**
 * Remembers when each id was touched last. Returns cheaply which ids were touched since a given tick.
 *
 *   touch a,b at 1   touch b at 2        since(1) = b     since(0) = b, a
 *
 * Each id belongs to one bucket.
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
    let bucket = this.#buckets.get(tick);
    if (bucket && this.#bucketOf.get(id) === bucket) return;
    this.remove(id);
    if (!bucket) {
      bucket = { tick, seq, ids: [], count: 0 };
      this.#buckets.set(tick, bucket);
    }
    bucket.ids.push(id);
    bucket.count++;
    this.#bucketOf.set(id, bucket);
    this.#bytes += bytesOfId(id);
    while (this.#bytes > this.#mostBytes && this.#bucketOf.size > 0) this.#forgetOldest();
  }

  remove(id: string): void {
    const bucket = this.#bucketOf.get(id);
    if (!bucket) return;
    this.#bucketOf.delete(id);
    this.#bytes -= bytesOfId(id);
    if (--bucket.count === 0) this.#buckets.delete(bucket.tick);
    else if (bucket.ids.length > MOVED_TIMES * bucket.count) bucket.ids = this.#idsOf(bucket);
  }

  /** Ids touched after that tick; `undefined` if some of them are forgotten. */
  since(tick: number, now: number): string[] | undefined {
    if (tick < this.#forgottenTick) return undefined;
    if (now - tick > this.#buckets.size) return this.#where((bucket) => bucket.tick > tick);
    const found: string[] = [];
    for (let each = now; each > tick; each -= 1) for (const id of this.#idsOf(this.#buckets.get(each))) found.push(id);
    return found;
  }

  /** Ids touched when `seq` was the newest event, or later; `undefined` if some of them are forgotten. */
  sinceSeq(seq: number): string[] | undefined {
    return seq <= this.#forgottenSeq ? undefined : this.#where((bucket) => bucket.seq >= seq);
  }

  #where(isWanted: (bucket: Bucket) => boolean): string[] {
    const found: string[] = [];
    for (const bucket of this.#buckets.values()) {
      if (isWanted(bucket)) for (const id of this.#idsOf(bucket)) found.push(id);
    }
    return found;
  }

  /** The ids that are left in a bucket. An id that was removed and touched again in one tick is in its list twice. */
  #idsOf(bucket: Bucket | undefined): string[] {
    const left = bucket?.ids.filter((id) => this.#bucketOf.get(id) === bucket) ?? [];
    return left.length === bucket?.count ? left : [...new Set(left)];
  }

  #forgetOldest(): void {
    const oldest = this.#buckets.values().next().value;
    if (!oldest) return;
    for (const id of this.#idsOf(oldest)) {
      this.#bucketOf.delete(id);
      this.#bytes -= bytesOfId(id);
    }
    this.#buckets.delete(oldest.tick);
    this.#forgottenTick = oldest.tick;
    this.#forgottenSeq = oldest.seq;
  }
}
