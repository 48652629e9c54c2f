import type { LockState } from './lock-state.ts';

/**
 * When the oldest wait began, in Redis time (µs). `isAtLeast`: one of the waits, this or another one, may have begun
 * earlier than was seen.
 */
export type OldestWait = { readonly at: number; readonly isAtLeast: boolean };

type Entry = OldestWait & { readonly id: string };

/** The oldest wait of each source, kept up to date lock by lock: the first of a heap for each source. */
export class OldestWaits {
  readonly #sources = new Map<string, SourceWaits>();

  /** Takes the current state of a lock; undefined: it was dropped. */
  set(source: string, id: string, lock: LockState | undefined): void {
    const oldest = lock && oldestOf(lock);
    const waits = this.#sources.get(source);
    if (waits) {
      waits.set(id, oldest);
      if (waits.isEmpty) this.#sources.delete(source);
    } else if (oldest) {
      const first = new SourceWaits();
      first.set(id, oldest);
      this.#sources.set(source, first);
    }
  }

  /** The oldest wait of each source that has one. */
  *entries(): Generator<[source: string, oldest: OldestWait]> {
    for (const [source, waits] of this.#sources) {
      const at = waits.first();
      if (at !== undefined) yield [source, { at, isAtLeast: waits.isAtLeast }];
    }
  }
}

/**
 * The waits of one source. The heap may have outdated entries. Such an entry is dropped when it reaches the top. When
 * they outnumber the others by more than 16, all outdated entries are dropped.
 */
class SourceWaits {
  readonly #locks = new Map<string, Entry>();
  #heap: Entry[] = [];
  #uncertain = 0;

  get isEmpty(): boolean {
    return this.#locks.size === 0;
  }

  get isAtLeast(): boolean {
    return this.#uncertain > 0;
  }

  set(id: string, oldest: OldestWait | undefined): void {
    const before = this.#locks.get(id);
    if (before?.at === oldest?.at && before?.isAtLeast === oldest?.isAtLeast) return;
    this.#uncertain += Number(oldest?.isAtLeast ?? false) - Number(before?.isAtLeast ?? false);
    if (!oldest) {
      this.#locks.delete(id);
      return;
    }
    const entry = { id, at: oldest.at, isAtLeast: oldest.isAtLeast };
    this.#locks.set(id, entry);
    if (this.#heap.length > 2 * this.#locks.size + 16) this.#rebuild();
    else push(this.#heap, entry);
  }

  first(): number | undefined {
    for (let top = this.#heap[0]; top; top = this.#heap[0]) {
      if (this.#locks.get(top.id) === top) return top.at;
      dropFirst(this.#heap);
    }
    return undefined;
  }

  #rebuild(): void {
    this.#heap = [...this.#locks.values()].sort((a, b) => a.at - b.at);
  }
}

function push(heap: Entry[], entry: Entry): void {
  let place = heap.length;
  while (place > 0) {
    const parent = heap[(place - 1) >> 1];
    if (!parent || parent.at <= entry.at) break;
    heap[place] = parent;
    place = (place - 1) >> 1;
  }
  heap[place] = entry;
}

function dropFirst(heap: Entry[]): void {
  const last = heap.pop();
  if (!last || heap.length === 0) return;
  let place = 0;
  for (;;) {
    const left = heap[2 * place + 1];
    const right = heap[2 * place + 2];
    const isRight = left && right && right.at < left.at;
    const child = isRight ? right : left;
    if (!child || child.at >= last.at) break;
    heap[place] = child;
    place = 2 * place + (isRight ? 2 : 1);
  }
  heap[place] = last;
}

/**
 * The oldest listed wait of those that `waitingFor` counts. A wait that a read found began at an unknown earlier time,
 * and so may one that is only counted.
 */
function oldestOf({ waiters, waitersBeyond }: LockState): OldestWait | undefined {
  let at: number | undefined;
  let isAtLeast = waitersBeyond > 0;
  for (const { since, isConfirmed, presumedGoneAt, attempts, isAsleep, position, isOlder } of waiters) {
    if (!isConfirmed || presumedGoneAt !== null) continue;
    if (at === undefined || since < at) at = since;
    if (isOlder || (attempts === 0 && !isAsleep && position !== null)) isAtLeast = true;
  }
  return at === undefined ? undefined : { at, isAtLeast };
}
