import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import { startTimer, stopTimer, type Timer } from '../../redis/connection/surroundings.ts';
import type { Group, Topology, TopologyView } from '../../redis/topology/replication-group.ts';
import type { SourceHandle } from '../observer/source-handle.ts';
import type { Place } from '../source/worker-messages.ts';
import { memoryForSources, sourcesWithin } from '../terms/memory-shares.ts';

/** A group that disappeared is watched a little longer, until what happened to its last keys has been reported. */
const LAST_LOOK_MS = 3000;
/** A topology has at most this many watched sources, whatever its servers report and memory allows. */
export const MOST_SOURCES = 200;

type SourceKeeper = {
  /** The limit for the memory of the process, in bytes. */
  memory(): number;
  /** Begins to watch one more source. `place` null: its address is not known yet. */
  open(place: Place | null): SourceHandle;
  /** Ends a source. */
  close(handle: SourceHandle): void;
};

/**
 * Keeps one source for each replication group that a topology reports.
 *
 *   nothing is known      one source that waits, and reports why
 *   A, B, C               it becomes A; B and C join
 *   A has another master  the same source continues with it
 *   D is new, B is empty  D joins; B ends
 */
export class TopologySources {
  readonly #topology: Topology;
  readonly #keeper: SourceKeeper;
  readonly #handles = new Map<string, SourceHandle>();
  readonly #ending = new Set<Timer>();
  #waiting: SourceHandle | undefined;
  #beyond: SourceHandle | undefined;

  constructor(topology: Topology, keeper: SourceKeeper) {
    this.#topology = topology;
    this.#keeper = keeper;
  }

  start(): void {
    this.#waiting = this.#keeper.open(null);
    this.#topology.start((view) => this.#take(view));
  }

  /** Notes that the status of a source changed. Asks more often while a source is not observing. */
  changed(): void {
    this.#topology.hurry([...this.#handles.values()].some(({ source }) => source.status !== 'observing'));
  }

  stop(): void {
    this.#topology.stop();
    for (const timer of this.#ending) stopTimer(timer);
  }

  #take({ groups, problem }: TopologyView): void {
    let refused = 0;
    for (const group of groups) if (!this.#place(group, problem)) refused++;
    this.#report(refused, groups.length);
    this.#waiting?.moveTo(null, problem);
    const keys = new Set(groups.map(({ key }) => key));
    for (const [key, handle] of this.#handles) if (!keys.has(key)) this.#end(key, handle);
    if (problem) for (const handle of this.#handles.values()) handle.moveTo(null, problem);
  }

  get #most(): number {
    return Math.min(MOST_SOURCES, sourcesWithin(this.#keeper.memory()));
  }

  /** Watches a group. Returns false if there are too many sources for a new one. */
  #place({ key, master, replicas, slots }: Group, problem: Problem | null): boolean {
    const place: Place = { server: master, replicas, slots };
    const known = this.#handles.get(key) ?? this.#waiting;
    if (!known && this.#handles.size + this.#ending.size >= this.#most) return false;
    if (known === this.#waiting) this.#waiting = undefined;
    if (known) known.moveTo(place, problem);
    this.#handles.set(key, known ?? this.#keeper.open(place));
    return true;
  }

  /** Shows the groups that are not watched as one more source, whose problem names their number. */
  #report(refused: number, all: number): void {
    if (refused === 0) {
      if (this.#beyond) this.#keeper.close(this.#beyond);
      this.#beyond = undefined;
      return;
    }
    this.#beyond ??= this.#keeper.open(null);
    const most = this.#most;
    const needsMb = most < MOST_SOURCES ? memoryForSources(Math.min(all, MOST_SOURCES)) : null;
    this.#beyond.moveTo(null, problem('too-many-shards', { refused, most, needsMb }));
  }

  #end(key: string, handle: SourceHandle): void {
    this.#handles.delete(key);
    const timer = startTimer(() => {
      this.#ending.delete(timer);
      this.#keeper.close(handle);
    }, LAST_LOOK_MS);
    this.#ending.add(timer);
  }
}
