import { z } from 'zod';
import { CONFIDENCES, SEVERITIES, UNSEEN_REASONS } from '../../insights/insight.ts';

/** A lock of one source. */
const place = {
  /** The name of the source on the bus. */
  name: z.string(),
  /** The id of the source within its observer. */
  source: z.string(),
  db: z.number(),
  lock: z.string(),
};

/** A thread, as the server of its lock shows it. */
const person = z.object({
  client: z.string(),
  /** Null: the id of the holder is a token. */
  thread: z.string().nullable(),
  /** The connection name. */
  connection: z.string().nullable(),
});

/**
 * How it is known that clients of several servers belong to one process. `id`: they have the same id. `name`: they have
 * the same connection name and the same host, and no other client of these servers has both.
 */
const sameBy = z.enum(['id', 'name']);

/**
 * Why threads that wait for each other over several sources may be missing.
 *
 * - `silent`: the source has no pulse.
 * - `beyond-pulse`: more threads wait for a lock, or hold one that others wait for, than a pulse has.
 * - `processes`: a thread waits whose process cannot be recognised at other sources. Its client has no connection name
 *   or no single known host, or another client has the same name and host.
 * - `clocks`: by the clocks of the sources, a thread acquired a lock after it began to wait.
 */
const SPANNING_UNSEEN = [...UNSEEN_REASONS, 'silent', 'beyond-pulse', 'processes', 'clocks'] as const;

/** Facts about locks of several sources, which no single observer sees. They are computed from the newest pulses. */
export const spanningSchema = z.object({
  /** Threads that wait for each other: a deadlock. */
  circles: z.array(
    z.object({
      incident: z.literal('abba-deadlock'),
      title: z.string(),
      severity: z.enum(SEVERITIES),
      confidence: z.enum(CONFIDENCES),
      sameBy,
      /** How long the newest of the waits has lasted, in ms. */
      forMs: z.number(),
      /** Each thread, the lock it waits for, and the holder of that lock: the thread of the next step. */
      steps: z.array(z.object({ ...place, waiter: person, holder: person })),
    }),
  ),
  /** One lock that one thread holds on several sources. */
  redLocks: z.array(
    z.object({
      lock: z.string(),
      on: z.array(z.object({ ...place, holder: person })),
      /** Sources where another thread holds a lock of this name. */
      notOn: z.array(z.object(place)),
      /**
       * True: the RedLock is on more than half of all sources of the bus. False: `notOn` is at least as long as `on`,
       * so it is not on more than half of its servers. Null: not known, because other servers of this RedLock may be in
       * neither list.
       */
      isMajority: z.boolean().nullable(),
    }),
  ),
  /** Clients of one process that hold or wait for locks on several sources. */
  clients: z.array(
    z.object({
      sameBy,
      connection: z.string().nullable(),
      host: z.string().nullable(),
      on: z.array(z.object({ name: z.string(), source: z.string(), client: z.string(), locks: z.number() })),
    }),
  ),
  /** How many entries each list leaves out. */
  more: z.object({ circles: z.number(), redLocks: z.number(), clients: z.number() }),
  /** Why circles may be missing, by source. */
  cannotTell: z.array(z.object({ name: z.string(), reasons: z.array(z.enum(SPANNING_UNSEEN)) })),
});

export type Spanning = z.infer<typeof spanningSchema>;
export type SpanningCircle = Spanning['circles'][number];
export type SpanningRedLock = Spanning['redLocks'][number];
export type SpanningClient = Spanning['clients'][number];
export type SpanningUnseen = (typeof SPANNING_UNSEEN)[number];
