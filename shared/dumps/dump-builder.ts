import { fail, ok, type Result } from '../base/result.ts';
import {
  type DumpFault,
  type DumpThread,
  type JvmWait,
  MOST_FRAMES,
  MOST_HELD,
  MOST_THREADS,
  type ParsedDump,
  shortFrame,
  shortName,
  type ThreadState,
} from './thread-dump.ts';

type OpenThread = {
  readonly javaId: number;
  readonly name: string;
  state: ThreadState | null;
  isVirtual: boolean;
  readonly stack: number[];
  framesBeyond: number;
  /** What the dump lists as held, and the monitors among these that `Object.wait()` has released. */
  readonly holds: Set<string>;
  readonly released: Set<string>;
  waitsFor: JvmWait | null;
};

/** What is known about a dump besides its threads. */
type DumpFacts = Omit<ParsedDump, 'threads' | 'frames'>;

/**
 * How many different lines of stacks are kept, and how many locks of all threads. Further ones are left out, so that
 * memory is bounded.
 */
const MOST_DIFFERENT = 200_000;
const MOST_LOCKS = 200_000;

/** Collects the threads of one dump in order, with their frames, their locks and the owners of these locks. */
export class DumpBuilder {
  readonly #threads = new Map<number, OpenThread>();
  readonly #frames = new Map<string, number>();
  #thread: OpenThread | null = null;
  #isFull = false;
  #locks = 0;
  /** The frames by their places, once all of them are known. */
  #list: readonly string[] | undefined;

  /** The number of threads so far. */
  get size(): number {
    return this.#threads.size;
  }

  /** Whether the dump has a thread with this id, and a state or a stack of that thread. */
  has(javaId: number): boolean {
    const thread = this.#threads.get(javaId);
    return thread !== undefined && hasContent(thread);
  }

  /**
   * Begins the next thread. The lines that follow are ignored if the id is not a Java id, if the dump `has` the thread,
   * or if there are too many threads.
   */
  begin(javaId: number, name: string): void {
    this.#thread = null;
    if (!Number.isSafeInteger(javaId) || javaId < 1 || this.has(javaId)) return;
    this.#threads.delete(javaId);
    if (this.#threads.size >= MOST_THREADS) {
      this.#isFull = true;
      return;
    }
    this.#thread = {
      ...{ javaId, name: shortName(name), state: null, isVirtual: false, stack: [], framesBeyond: 0 },
      ...{ holds: new Set(), released: new Set(), waitsFor: null },
    };
    this.#threads.set(javaId, this.#thread);
  }

  /** Ends the current thread: the lines that follow belong to no thread with an id. */
  end(): void {
    this.#thread = null;
  }

  state(state: ThreadState): void {
    if (this.#thread) this.#thread.state = state;
  }

  /** Forgets the state of the thread if no frame followed it: the state may belong to another thread. */
  forgetStateWithoutFrames(): void {
    if (this.#thread && this.#thread.stack.length === 0) this.#thread.state = null;
  }

  virtual(): void {
    if (this.#thread) this.#thread.isVirtual = true;
  }

  frame(text: string): void {
    const thread = this.#thread;
    if (!thread) return;
    const frame = shortFrame(text);
    const known = this.#frames.get(frame);
    if (thread.stack.length >= MOST_FRAMES || (known === undefined && this.#frames.size >= MOST_DIFFERENT)) {
      thread.framesBeyond++;
      return;
    }
    const place = known ?? this.#frames.size;
    if (known === undefined) this.#frames.set(frame, place);
    thread.stack.push(place);
  }

  /** Notes that the stack has more lines than the dump lists. */
  more(): void {
    if (this.#thread) this.#thread.framesBeyond++;
  }

  holds(kind: JvmWait['kind'], id: string): void {
    if (this.#thread && this.#locks++ < MOST_LOCKS) add(this.#thread.holds, keyOf(kind, id));
  }

  /** The thread called `Object.wait()` in this frame. That releases a monitor which the dump still lists as locked. */
  releases(id: string): void {
    if (this.#thread && this.#locks++ < MOST_LOCKS) add(this.#thread.released, keyOf('monitor', id));
  }

  waitsFor(wait: JvmWait): void {
    if (this.#thread) this.#thread.waitsFor ??= wait;
  }

  /**
   * Whether this dump has every thread of `other` with the same state and stack: then `other` is a quoted part of it.
   * Nothing may be added to this dump afterwards.
   */
  contains(other: DumpBuilder): boolean {
    this.#list ??= [...this.#frames.keys()];
    const [frames, others] = [this.#list, [...other.#frames.keys()]];
    return [...other.#threads.values()].every(({ javaId, state, stack }) => {
      const own = this.#threads.get(javaId);
      if (!own || (state === null && stack.length === 0)) return own !== undefined;
      const isSame = own.stack.every((place, n) => frames[place] === others[stack[n] ?? -1]);
      return isSame && own.state === state && own.stack.length === stack.length;
    });
  }

  /** Notes the owner of the lock that the thread waits for, which another line than that of the lock names. */
  ownedBy(ownerId: number, wait: Omit<JvmWait, 'ownerId'>): void {
    if (this.#thread) this.#thread.waitsFor = { ...(this.#thread.waitsFor ?? wait), ownerId };
  }

  /** The dump; fails if it has too many threads. */
  result(facts: DumpFacts): Result<ParsedDump, DumpFault> {
    if (this.#isFull) return fail('too-many-threads');
    const open = [...this.#threads.values()];
    const owners = ownersOf(open);
    return ok({ ...facts, threads: open.map((thread) => finished(thread, owners)), frames: [...this.#frames.keys()] });
  }
}

function hasContent({ state, stack }: OpenThread): boolean {
  return state !== null || stack.length > 0;
}

function add(set: Set<string>, id: string): void {
  if (set.size < MOST_HELD) set.add(id);
}

/** A thread may park on an object whose monitor another thread has: these are two different things. */
function keyOf(kind: JvmWait['kind'], id: string): string {
  return `${kind} ${id}`;
}

/** The thread that holds each monitor and lock; null if several seem to. */
function ownersOf(threads: readonly OpenThread[]): ReadonlyMap<string, number | null> {
  const owners = new Map<string, number | null>();
  for (const { javaId, holds, released, waitsFor } of threads) {
    // a thread that re-enters after Object.wait() is listed as if it still had the monitor
    const wanted = waitsFor && keyOf(waitsFor.kind, waitsFor.id);
    for (const key of holds) {
      if (!released.has(key) && key !== wanted) owners.set(key, owners.has(key) ? null : javaId);
    }
  }
  return owners;
}

function finished(open: OpenThread, owners: ReadonlyMap<string, number | null>): DumpThread {
  const { javaId, name, state, isVirtual, stack, framesBeyond, waitsFor } = open;
  const thread = { javaId, name, state, isVirtual, stack, framesBeyond };
  if (waitsFor === null) return { ...thread, waitsFor };
  const ownerId = waitsFor.ownerId ?? owners.get(keyOf(waitsFor.kind, waitsFor.id)) ?? null;
  return { ...thread, waitsFor: ownerId === javaId ? null : { ...waitsFor, ownerId } };
}
