import { nodeName } from '../../shared/base/topology-url.ts';
import type { ClusterNode } from './cluster-nodes.ts';

/** A master with slots, and who copies it. */
export type ClusterShard = {
  /** Stays the same over failovers. */
  readonly key: string;
  readonly master: ClusterNode;
  readonly replicas: readonly string[];
};

type Known = { readonly key: string; master: ClusterNode; members: ReadonlySet<string>; replicas: readonly string[] };

/**
 * Which shard of before each master of now belongs to.
 *
 *   view 1   A ◀ a, a'        B ◀ b            shards  A: {A a a'}   B: {B b}
 *   view 2   A failed         a ◀ a'   B ◀ b   a was a copy of A's:  A goes on with a
 *   view 3                    a ◀ A, a' …      C has slots: a new shard; one without slots has ended
 *
 * Each server has its own view, and one that was cut off tells what was. Of two views of one shard the one with the
 * higher epoch counts: it rises with every master that takes over.
 */
export class ClusterShards {
  readonly #known: Known[] = [];
  #keys = 0;

  /** Takes one server's view, and gives back the shards as they are known now, in order of their first sight. */
  take(nodes: readonly ClusterNode[]): ClusterShard[] {
    const masters = nodes.filter(({ isMaster, slots }) => isMaster && slots.length > 0);
    masters.sort((a, b) => (a.slots[0]?.[0] ?? 0) - (b.slots[0]?.[0] ?? 0));
    const serving = new Set(masters.map(({ id }) => id));
    for (const master of masters) {
      const shard = this.#shardOf(master, serving);
      if (this.#isOfOld(master)) continue;
      const copies = nodes.filter(({ masterId }) => masterId === master.id);
      const now = {
        master,
        members: new Set([master.id, ...copies.map(({ id }) => id)]),
        replicas: copies
          .filter(({ isFailed }) => !isFailed)
          .map(({ host, port }) => nodeName(host, port))
          .sort(),
      };
      if (shard) Object.assign(shard, now);
      else this.#known.push({ key: `shard-${++this.#keys}`, ...now });
    }
    this.#dropEnded(nodes, serving);
    return this.#known.map(({ key, master, replicas }) => ({ key, master, replicas }));
  }

  #shardOf(master: ClusterNode, serving: ReadonlySet<string>): Known | undefined {
    const own = this.#known.find((shard) => shard.master.id === master.id);
    return own ?? this.#known.find((shard) => !serving.has(shard.master.id) && shard.members.has(master.id));
  }

  /** Whether its slots are known to have gone to a master with a higher epoch. */
  #isOfOld({ epoch, slots }: ClusterNode): boolean {
    return this.#known.some(
      ({ master }) =>
        master.epoch > epoch && master.slots.some(([a, b]) => slots.some(([first, last]) => a <= last && first <= b)),
    );
  }

  /** A shard has ended when a view that is not older says that its master has no slots. */
  #dropEnded(nodes: readonly ClusterNode[], serving: ReadonlySet<string>): void {
    const newest = Math.max(0, ...nodes.map(({ epoch }) => epoch));
    for (const shard of [...this.#known]) {
      if (serving.has(shard.master.id)) continue;
      const master = nodes.find(({ id }) => id === shard.master.id);
      const isEmpty = master?.isMaster === true && !master.isFailed && newest >= shard.master.epoch;
      const heir = master?.isMaster === false ? master.masterId : null; // who loses its last slot copies who took it
      const isCopy = heir !== null && this.#known.some((other) => other !== shard && other.master.id === heir);
      const isForgotten = master === undefined && nodes.length > 0 && newest > shard.master.epoch;
      if (isEmpty || isCopy || isForgotten) this.#known.splice(this.#known.indexOf(shard), 1);
    }
  }
}
