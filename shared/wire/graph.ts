import { z } from 'zod';
import { WAIT_MODES } from '../events/types/hold-event.ts';
import { UNSEEN_REASONS } from '../insights/insight.ts';
import type { WaitGraph } from '../insights/wait-graph.ts';
import { lockKind } from './locks/lock.ts';
import { instant } from './query.ts';
import { unseenThen } from './unseen-at.ts';

export const graphQuery = z.object({
  at: instant.optional().describe('As of this instant (Redis time, µs). Absent: now.'),
});

/** A thread, a client in place of its threads, or a lock. The id is the same at every instant. */
const node = z.discriminatedUnion('kind', [
  z.object({
    id: z.string(),
    kind: z.literal('thread'),
    /** `uuid:thread`, or the token of other libraries. */
    holder: z.string(),
    client: z.string(),
    /** The client has no open connection. */
    isGone: z.boolean(),
  }),
  z.object({
    id: z.string(),
    kind: z.literal('client'),
    client: z.string(),
    isGone: z.boolean(),
    /** How many threads of the client this node represents. */
    threads: z.number(),
  }),
  z.object({
    id: z.string(),
    kind: z.literal('lock'),
    source: z.string(),
    db: z.number(),
    lock: z.string(),
    lockKind,
    /** All holders and waiters, also those that have no node. */
    holders: z.number(),
    waiters: z.number(),
  }),
]);

/**
 * `waits`: from a thread or client to a lock. `holds`: from a lock to a thread or client. `blocked`: from a thread to
 * the thread of its JVM that it waits for; then `since` is when the thread dump that shows it was taken.
 */
const edge = z.object({
  from: z.string(),
  to: z.string(),
  kind: z.enum(['waits', 'holds', 'blocked']),
  mode: z.enum(WAIT_MODES),
  /** When the first of the waits or holds that the edge shows began; null: its beginning was not seen. */
  since: z.number().nullable(),
  /** How many threads the edge represents: more than one only if clients are shown. */
  threads: z.number(),
});

/** Threads that wait for each other. Times are Redis time in µs. */
const cycle = z.object({
  path: z.array(z.object({ holder: z.string(), lockId: z.string(), lock: z.string(), heldBy: z.string() })),
  /** When the last of these threads began to wait. */
  from: z.number(),
  /** Present if that wait began at `from` or earlier, unseen. */
  isAtLeast: z.literal(true).optional(),
  /** Whether one of these threads may have stopped waiting, unseen. */
  mayBeOver: z.literal(true).optional(),
  /** When the first lease in the cycle ends that no watchdog renews; null: none is known. */
  breaksAt: z.number().nullable(),
  /**
   * How the cycle ends by itself. `lease`: at `breaksAt`. `give-up`: a thread acquires a multi lock, which gives up
   * after a time and attempts again. Null: neither is known.
   */
  breaksBy: z.enum(['lease', 'give-up']).nullable(),
  /** The hold to release by hand. */
  release: z.object({ holder: z.string(), lockId: z.string(), lock: z.string() }),
});

/** The locks that threads wait for, each with its holders and waiters. */
export const graphBody = z.object({
  v: z.literal(1),
  at: z.number(),
  nodes: z.array(node),
  edges: z.array(edge),
  cycles: z.array(cycle),
  /** True if there are many locks and threads: then threads outside of cycles are shown as their clients. */
  isByClient: z.boolean(),
  /** What is not listed. Absent: nothing. */
  more: z.object({ nodes: z.number(), edges: z.number(), cycles: z.number() }).optional(),
  /** Sources whose waiting threads are not known, and the reason. */
  cannotTell: z.array(z.object({ source: z.string(), reason: z.enum(UNSEEN_REASONS) })),
  ...unseenThen,
});

export type GraphBody = z.infer<typeof graphBody>;

/** Writes a graph as the API shows it. */
export function graphBodyFrom(graph: WaitGraph): GraphBody {
  const { at, nodes, edges, cycles, isByClient, more, cannotTell } = graph;
  const isCut = more.nodes + more.edges + more.cycles > 0;
  return {
    ...{ v: 1, at, isByClient, nodes: [...nodes], edges: [...edges] },
    cycles: cycles.map((each) => ({ ...each, path: [...each.path] })),
    ...(isCut ? { more } : undefined),
    cannotTell: [...cannotTell],
  };
}
