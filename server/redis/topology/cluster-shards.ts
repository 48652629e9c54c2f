import { commonSlots, type SlotRanges, slotsWithout } from '../../../shared/base/key-slot.ts';
import { nodeName } from '../../../shared/base/topology-url.ts';
import type { ClusterNode } from './cluster-nodes.ts';

/** A master with slots, and its replicas. */
type ClusterShard = {
  /** Stays the same through failovers. */
  readonly key: string;
  readonly master: ClusterNode;
  readonly replicas: readonly string[];
  readonly slots: SlotRanges;
};

type Known = {
  readonly key: string;
  master: ClusterNode;
  /** The epoch of the configuration that gave the shard's master its slots. */
  epoch: number;
  slots: SlotRanges;
  members: ReadonlySet<string>;
  replicas: readonly string[];
};

/**
 * Finds the known shard of each master. A shard is identified by its slots: it continues with the server that serves
 * them, and ends when other shards serve all of them.
 *
 *   view 1   A ◀ a, a'        B ◀ b            shards  A: {A a a'}   B: {B b}
 *   view 2   A failed         a ◀ a'   B ◀ b   a serves the slots of A:  shard A continues with a
 *   view 3                    a ◀ A, a' …      C serves some of them beside a: a new shard; all: shard A has ended
 *
 * Each server has its own view, and the view of a server that was cut off is stale. If two masters claim the same
 * slots, the one with the higher epoch counts: the epoch rises with every failover.
 *
 * A server learns epochs from every message of another server, but roles and slots only from its pings. In between, its
 * view of a failover is wrong: the new epoch with the old master, or a new master without slots.
 *
 *   view of b   a, 7: 0–99        A ◀              A sent b the epoch 7 of its master, a sent b everything
 *   view of c   A, 7: 0–99        a, 7: none       c does not know yet that A is a replica
 *
 * So there are three rules. Slots that no server serves still belong to their shard. If only the epoch of a master has
 * risen, this is believed only from the master itself. If two masters have the same epoch, only their own views count.
 */
export class ClusterShards {
  readonly #known: Known[] = [];
  #keys = 0;

  /** Takes one server's view. Returns all known shards, in the order in which they were first seen. */
  take(nodes: readonly ClusterNode[]): ClusterShard[] {
    const masters = nodes.filter(({ isMaster, slots }) => isMaster && slots.length > 0);
    masters.sort((a, b) => (a.slots[0]?.[0] ?? 0) - (b.slots[0]?.[0] ?? 0));
    const serving = new Set(masters.map(({ id }) => id));
    const reporter = nodes.find(({ isMyself }) => isMyself)?.id;
    const copiesOf = new Map<string, ClusterNode[]>();
    for (const node of nodes) {
      if (node.masterId) copiesOf.set(node.masterId, [...(copiesOf.get(node.masterId) ?? []), node]);
    }
    const byMaster = new Map(this.#known.map((shard) => [shard.master.id, shard]));
    const owners = new SlotOwners(this.#known);
    for (const master of masters) {
      const overlapping = owners.of(master.slots);
      if (overlapping.some((shard) => isStaleView(master, shard, reporter))) continue;
      const shard = byMaster.get(master.id) ?? this.#heirOf(master, serving);
      const copies = copiesOf.get(master.id) ?? [];
      const now = {
        master,
        epoch: shard && isEpochAlone(master, shard) ? shard.epoch : master.epoch,
        slots: master.slots,
        members: new Set([master.id, ...copies.map(({ id }) => id)]),
        replicas: copies
          .filter(({ isFailed }) => !isFailed)
          .map(({ host, port }) => nodeName(host, port))
          .sort(),
      };
      for (const other of overlapping) if (other !== shard) other.slots = slotsWithout(other.slots, master.slots);
      if (shard) {
        owners.clear(shard);
        byMaster.delete(shard.master.id);
      }
      const taken: Known = shard ? Object.assign(shard, now) : { key: `shard-${++this.#keys}`, ...now };
      if (!shard) this.#known.push(taken);
      owners.set(taken);
      byMaster.set(master.id, taken);
    }
    for (const shard of [...this.#known]) {
      if (shard.slots.length === 0) this.#known.splice(this.#known.indexOf(shard), 1);
    }
    return this.#known.map(({ key, master, replicas, slots }) => ({ key, master, replicas, slots }));
  }

  /**
   * The shard that this server continues as its master: the old master serves no slots now, and this server was a
   * member of the shard or serves most of its slots.
   */
  #heirOf(master: ClusterNode, serving: ReadonlySet<string>): Known | undefined {
    let [successor, most]: [Known | undefined, number] = [undefined, 0];
    for (const shard of this.#known) {
      if (serving.has(shard.master.id)) continue;
      const common = commonSlots(shard.slots, master.slots);
      const isSuccessor = shard.members.has(master.id) || common * 2 > commonSlots(shard.slots, shard.slots);
      if (isSuccessor && common > most) [successor, most] = [shard, common];
    }
    return successor;
  }
}

/** Which shard has each slot. A cluster has 16,384 slots, however many masters there are. */
class SlotOwners {
  readonly #owners: (Known | undefined)[] = [];

  constructor(shards: readonly Known[]) {
    for (const shard of shards) this.set(shard);
  }

  of(slots: SlotRanges): Known[] {
    const found = new Set<Known>();
    for (const [first, last] of slots) {
      for (let slot = first; slot <= last; slot++) {
        const owner = this.#owners[slot];
        if (owner) found.add(owner);
      }
    }
    return [...found];
  }

  set(shard: Known): void {
    for (const [first, last] of shard.slots) for (let slot = first; slot <= last; slot++) this.#owners[slot] = shard;
  }

  /** Forgets the slots that a shard had. */
  clear(shard: Known): void {
    for (const [first, last] of shard.slots) {
      for (let slot = first; slot <= last; slot++) if (this.#owners[slot] === shard) this.#owners[slot] = undefined;
    }
  }
}

/** Whether this view of a master is stale: another master has its slots by now, or a newer configuration is known. */
function isStaleView(
  master: ClusterNode,
  { master: known, epoch, slots }: Known,
  reporter: string | undefined,
): boolean {
  if (master.epoch > epoch || commonSlots(slots, master.slots) === 0) return false;
  if (master.epoch < epoch) return true;
  return known.id !== master.id && reporter !== known.id && reporter !== master.id;
}

/** Whether another server reports this master without any slots that are new to us: then its epoch is not believed. */
function isEpochAlone(master: ClusterNode, shard: Known): boolean {
  if (master.id !== shard.master.id || master.isMyself) return false;
  return slotsWithout(master.slots, shard.slots).length === 0;
}
