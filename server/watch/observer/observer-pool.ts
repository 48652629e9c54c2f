import type { SourceOptions } from '../source/worker-messages.ts';
import { threadsWithin } from '../terms/memory-shares.ts';
import { ObserverThread, type ThreadHandlers } from './observer-thread.ts';
import { SourceObserver } from './source-observer.ts';

/** Sources whose thread ended by itself. They start again together, in a thread that no other source joins. */
type Group = { thread: ObserverThread | undefined };

/**
 * The threads that observe sources. New sources share at most `most` threads: a new source joins the thread with the
 * fewest sources.
 *
 * If a thread ends by itself, one of its sources was the cause, for example the memory that it took. Which one is not
 * known, so its sources start again in two halves, each in a thread of its own. After a few ends, the cause is alone in
 * its thread, and cannot end others.
 *
 *   A B C D ─ ends ─► A B │ C D ─ ends ─► A B │ C │ D
 */
export class ObserverPool {
  readonly #most: number;
  /** Threads for any source. */
  readonly #shared = new Set<ObserverThread>();
  /** The group of each source whose thread has ended. */
  readonly #groups = new Map<string, Group>();

  constructor(most = threadsWithin()) {
    this.#most = most;
  }

  /** Begins to observe a source. */
  observe(options: SourceOptions, handlers: ThreadHandlers): SourceObserver {
    const { id, memory } = options;
    const group = this.#groups.get(id);
    const thread = group ? this.#threadOf(group, memory.heapMb) : this.#sharedThread(memory.heapMb);
    return new SourceObserver(thread, options, handlers);
  }

  /** Notes that a source is no longer watched. */
  forget(id: string): void {
    this.#groups.delete(id);
  }

  #threadOf(group: Group, heapMb: number): ObserverThread {
    if (!group.thread || group.thread.isOver) group.thread = new ObserverThread(heapMb, (ids) => this.#split(ids));
    return group.thread;
  }

  #sharedThread(heapMb: number): ObserverThread {
    const open = [...this.#shared].filter(({ isOver }) => !isOver);
    if (open.length >= this.#most) return open.reduce((least, each) => (each.size < least.size ? each : least));
    const thread = new ObserverThread(heapMb, (ids) => {
      this.#shared.delete(thread);
      this.#split(ids);
    });
    this.#shared.add(thread);
    return thread;
  }

  /** Notes that a thread ended by itself while it observed these sources. */
  #split(ids: readonly string[]): void {
    const middle = Math.ceil(ids.length / 2);
    for (const half of [ids.slice(0, middle), ids.slice(middle)]) {
      const group: Group = { thread: undefined };
      for (const id of half) this.#groups.set(id, group);
    }
  }
}
