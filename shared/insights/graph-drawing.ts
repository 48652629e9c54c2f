import type { RedisTime } from '../base/time.ts';
import { clientOf } from '../events/names/names.ts';
import type { HoldMode } from '../events/types/hold-event.ts';
import type { LockKind } from '../events/types/lock-kind.ts';
import { type HolderState, idOf, type LockState, type WaiterState } from '../state/lock-state.ts';

/**
 * A thread, a client (instead of its threads), or a lock. `id` is unique in the graph and the same at every instant.
 */
export type GraphNode =
  | {
      readonly id: string;
      readonly kind: 'thread';
      readonly holder: string;
      readonly client: string;
      readonly isGone: boolean;
    }
  | {
      readonly id: string;
      readonly kind: 'client';
      readonly client: string;
      readonly isGone: boolean;
      readonly threads: number;
    }
  | {
      readonly id: string;
      readonly kind: 'lock';
      readonly source: string;
      readonly db: number;
      readonly lock: string;
      readonly lockKind: LockKind;
      /** The number of holders and waiters, also of those that have no node. */
      readonly holders: number;
      readonly waiters: number;
    };

/**
 * - `waits`: from a thread or client to a lock.
 * - `holds`: from a lock to a thread or client.
 * - `blocked`: from a thread to the thread of its JVM that it waits for, as a thread dump shows. A thread that is shown
 *   as its client has the node of that client. `since` is when the dump was taken.
 */
export type GraphEdge = {
  readonly from: string;
  readonly to: string;
  readonly kind: 'waits' | 'holds' | 'blocked';
  readonly mode: HoldMode | 'latch';
  /** When the first of the waits or holds that the edge shows began; null: one of them began before watching began. */
  readonly since: RedisTime | null;
  /** How many waits or holds the edge represents: more than one only if an end of the edge is a client. */
  readonly threads: number;
};

export const MOST_NODES = 1000;
const MOST_EDGES = 4000;

type Person = { readonly id: string; readonly client: string };

/** The nodes and edges of a graph, up to `MOST_NODES` and `MOST_EDGES`. Further ones are only counted. */
export class Drawing {
  readonly #isGone: (source: string, client: string) => boolean;
  readonly #isGrouped: (holder: string) => boolean;
  readonly #nodes = new Map<string, GraphNode>();
  readonly #edges = new Map<string, GraphEdge>();
  readonly #threadsOf = new Map<string, Set<string>>();
  readonly #unlisted = new Set<string>();
  #edgesLeft = 0;

  /** `isGrouped`: whether a thread is shown as its client. */
  constructor(isGone: (source: string, client: string) => boolean, isGrouped: (holder: string) => boolean) {
    this.#isGone = isGone;
    this.#isGrouped = isGrouped;
  }

  /** Adds a lock with its holders and waiters. */
  add(lock: LockState): void {
    const { source, db, name, kind } = lock;
    const id = `lock ${idOf(lock)}`;
    const holders = lock.holders.length + lock.holdersBeyond;
    const waiters = lock.waiters.length + lock.waitersBeyond;
    const isListed = this.#node({ id, kind: 'lock', source, db, lock: name, lockKind: kind, holders, waiters });
    for (const holder of lock.holders) this.#hold(lock, isListed ? id : null, holder);
    for (const waiter of lock.waiters) this.#wait(lock, isListed ? id : null, waiter);
  }

  /** Whether this thread has a node of its own. */
  hasThread(holder: string): boolean {
    return this.#nodes.has(`thread ${holder}`);
  }

  /** Adds what a thread waits for inside its JVM: a thread of the same client, unless both are shown as that client. */
  addBlocked(source: string, holder: string, owner: string, since: RedisTime): void {
    const from = this.#person({ source }, { id: holder, client: clientOf(holder) });
    const to = this.#person({ source }, { id: owner, client: clientOf(owner) });
    if (from === null || from !== to) this.#edge({ from, to, kind: 'blocked', mode: 'exclusive', since });
  }

  result(): { nodes: readonly GraphNode[]; edges: readonly GraphEdge[]; more: { nodes: number; edges: number } } {
    const nodes = [...this.#nodes.values()].map((node) =>
      node.kind === 'client' ? { ...node, threads: this.#threadsOf.get(node.id)?.size ?? 1 } : node,
    );
    return { nodes, edges: [...this.#edges.values()], more: { nodes: this.#unlisted.size, edges: this.#edgesLeft } };
  }

  #hold(lock: LockState, from: string | null, { id, client, mode, since }: HolderState): void {
    const to = this.#person(lock, { id, client: client ?? clientOf(id) });
    this.#edge({ from, to, kind: 'holds', mode, since });
  }

  #wait(lock: LockState, to: string | null, { id, mode, since, isOlder }: WaiterState): void {
    const from = this.#person(lock, { id, client: clientOf(id) });
    this.#edge({ from, to, kind: 'waits', mode, since: isOlder ? null : since });
  }

  /** The id of the node of a thread, or of its client; null: it is not listed. */
  #person({ source }: Pick<LockState, 'source'>, { id: holder, client }: Person): string | null {
    const isGone = this.#isGone(source, client);
    if (!this.#isGrouped(holder)) {
      const id = `thread ${holder}`;
      return this.#node({ id, kind: 'thread', holder, client, isGone }) ? id : null;
    }
    const id = `client ${client}`;
    if (!this.#node({ id, kind: 'client', client, isGone, threads: 1 })) return null;
    const threads = this.#threadsOf.get(id);
    if (threads) threads.add(holder);
    else this.#threadsOf.set(id, new Set([holder]));
    return id;
  }

  /** Adds a node, if there is room; returns whether it is in the graph. */
  #node(node: GraphNode): boolean {
    if (this.#nodes.has(node.id)) return true;
    if (this.#nodes.size < MOST_NODES) this.#nodes.set(node.id, node);
    else this.#unlisted.add(node.id);
    return this.#nodes.has(node.id);
  }

  #edge({
    from,
    to,
    ...edge
  }: Omit<GraphEdge, 'from' | 'to' | 'threads'> & { from: string | null; to: string | null }) {
    const id = `${from} ${edge.kind} ${edge.mode} ${to}`;
    const known = this.#edges.get(id);
    if (from === null || to === null || (!known && this.#edges.size >= MOST_EDGES)) this.#edgesLeft++;
    else if (!known) this.#edges.set(id, { from, to, ...edge, threads: 1 });
    else this.#edges.set(id, { ...known, since: earlier(known.since, edge.since), threads: known.threads + 1 });
  }
}

function earlier(a: RedisTime | null, b: RedisTime | null): RedisTime | null {
  return a === null || b === null ? null : a < b ? a : b;
}
