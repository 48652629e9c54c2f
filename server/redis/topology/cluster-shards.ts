import { commonSlots, type SlotRanges, slotsWithout } from '../../../shared/base/key-slot.ts';
import { nodeName } from '../../../shared/base/topology-url.ts';
import type { ClusterNode } from './cluster-nodes.ts';

/** A master with slots, and who copies it. */
export type ClusterShard = {
  /** Stays the same over failovers. */
  readonly key: string;
  readonly master: ClusterNode;
  readonly replicas: readonly string[];
  readonly slots: SlotRanges;
};

type Known = {
  readonly key: string;
  master: ClusterNode;
  /** Of the configuration by which it has its slots. */
  epoch: number;
  slots: SlotRanges;
  members: ReadonlySet<string>;
  replicas: readonly string[];
};

/**
 * Which shard of before each master of now belongs to. A shard is its slots: it goes on with whoever serves them, and
 * has ended when others serve all of them.
 *
 *   view 1   A ◀ a, a'        B ◀ b            shards  A: {A a a'}   B: {B b}
 *   view 2   A failed         a ◀ a'   B ◀ b   a serves what A served:  A goes on with a
 *   view 3                    a ◀ A, a' …      C serves some of it beside a: a new shard; all of it: A's has ended
 *
 * Each server has its own view, and one that was cut off tells what was. Of two masters of the same slots the one with
 * the higher epoch counts: it rises with every master that takes over.
 *
 * A server hears of epochs with every message of another one, of roles and slots only with its pings. Between the two
 * it tells of a failover what never was: the new epoch with the old master, or a master without slots, which nobody has.
 *
 *   view of b   a, 7: 0–99        A ◀              A told b that its master's epoch is 7, a told it everything
 *   view of c   A, 7: 0–99        a, 7: none       c does not know yet that A is a copy
 *
 * So slots that nobody serves are still those of their shard, an epoch that rises alone is believed of the master
 * itself, and of two with the same one those two know who it is.
 */
export class ClusterShards {
  readonly #known: Known[] = [];
  #keys = 0;

  /** Takes one server's view, and gives back the shards as they are known now, in order of their first sight. */
  take(nodes: readonly ClusterNode[]): ClusterShard[] {
    const masters = nodes.filter(({ isMaster, slots }) => isMaster && slots.length > 0);
    masters.sort((a, b) => (a.slots[0]?.[0] ?? 0) - (b.slots[0]?.[0] ?? 0));
    const serving = new Set(masters.map(({ id }) => id));
    const teller = nodes.find(({ isMyself }) => isMyself)?.id;
    for (const master of masters) {
      if (this.#known.some((shard) => isOfOld(master, shard, teller))) continue;
      const shard = this.#shardOf(master, serving);
      const copies = nodes.filter(({ masterId }) => masterId === master.id);
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
      for (const other of this.#known) if (other !== shard) other.slots = slotsWithout(other.slots, master.slots);
      if (shard) Object.assign(shard, now);
      else this.#known.push({ key: `shard-${++this.#keys}`, ...now });
    }
    for (const shard of [...this.#known]) {
      if (shard.slots.length === 0) this.#known.splice(this.#known.indexOf(shard), 1);
    }
    return this.#known.map(({ key, master, replicas, slots }) => ({ key, master, replicas, slots }));
  }

  /** Its own, or that of a master that serves nothing any more: one that it copied, or whose slots are mostly its own now. */
  #shardOf(master: ClusterNode, serving: ReadonlySet<string>): Known | undefined {
    const own = this.#known.find((shard) => shard.master.id === master.id);
    if (own) return own;
    let [heir, most]: [Known | undefined, number] = [undefined, 0];
    for (const shard of this.#known) {
      if (serving.has(shard.master.id)) continue;
      const common = commonSlots(shard.slots, master.slots);
      const isHeir = shard.members.has(master.id) || common * 2 > commonSlots(shard.slots, shard.slots);
      if (isHeir && common > most) [heir, most] = [shard, common];
    }
    return heir;
  }
}

/** Whether slots of this master are known to have gone to another one, or to be told by its own newer configuration. */
function isOfOld(master: ClusterNode, { master: known, epoch, slots }: Known, teller: string | undefined): boolean {
  if (master.epoch > epoch || commonSlots(slots, master.slots) === 0) return false;
  if (master.epoch < epoch) return true;
  return known.id !== master.id && teller !== known.id && teller !== master.id;
}

/** Whether somebody tells of another epoch of this master, and of nothing that it came with. */
function isEpochAlone(master: ClusterNode, shard: Known): boolean {
  if (master.id !== shard.master.id || master.isMyself) return false;
  return slotsWithout(master.slots, shard.slots).length === 0;
}
