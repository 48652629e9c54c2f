import { z } from 'zod';
import { demoKind, threadAction } from '../../../shared/wire/demo.ts';

/** What a thread may do to several locks at once; `connectAll` only makes the clients for their servers, `awaitConnected` waits for them. */
const groupAction = z.enum(['connectAll', 'awaitConnected', 'tryLockAll', 'unlockAll']);
export type GroupAction = z.infer<typeof groupAction>;
/** One lock of a group; without a server it is on the demo's own. */
export type GroupMember = NonNullable<Operation['members']>[number];

/** What a thread may do to a lock in its process's own memory. */
const localAction = z.enum(['localLock', 'localTryLock', 'localUnlock']);
export type LocalAction = z.infer<typeof localAction>;

/**
 * What a demo client process and its parent say to each other over IPC, and how it is started.
 *
 *   parent                       child
 *   fork(main.js, env)     →
 *                          ←     ready {uuid}                 once its connections are up
 *   do {op, thread, …}     →
 *                          ←     truth {op, phase: called}    when the thread begins it
 *                          ←     milestone {name, op, …}      any number: refused, subscribed, …
 *                          ←     truth {op, phase: returned}  what the thread got
 *   network {want: cut}    →
 *                          ←     network {is: cut}
 *   interrupt              →     every wait of this client ends with an exception
 *   settle                 →
 *                          ←     settled                      waits interrupted, holds released
 *
 * Operations of one thread run in the order they came, those of different threads side by side.
 * Times are microseconds since the epoch by the client's own clock.
 */
export const parentMessage = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('do'),
    /** Number of the operation, chosen by the parent, unique for this process. */
    op: z.number().int(),
    thread: z.number().int().min(1),
    action: z.union([threadAction, localAction, groupAction]),
    lock: z.string().min(1),
    /** Absent: a plain lock. */
    kind: demoKind.optional(),
    /** How many permits, or the count of a latch; absent: 1. */
    permits: z.number().int().min(1).optional(),
    /** Fair lock: how long it may stand in the queue; absent: Redisson's five minutes. */
    queueMs: z.number().int().min(0).optional(),
    /** `tryLock` only: how long to wait; absent: not at all. */
    waitMs: z.number().int().min(0).optional(),
    /** Absent: the watchdog renews it. */
    leaseMs: z.number().int().min(1).optional(),
    /** The locks of a group, in their order. */
    members: z.array(z.object({ lock: z.string(), server: z.string().optional() })).optional(),
    /** How many of them need not be had; absent: none, as in a multi lock. */
    mayFail: z.number().int().min(0).optional(),
    /** URL of the server; absent: the demo's own. */
    server: z.string().optional(),
    /** On a Redis with other keys: when a counter that it makes expires, in ms since the epoch. */
    endsAt: z.number().int().optional(),
    /** On a Redis with other keys: what proves that a key is the demo's. Other keys stay as they are. */
    own: z.object({ uuids: z.array(z.string()), ends: z.array(z.number()) }).optional(),
  }),
  z.object({ type: z.literal('network'), want: z.enum(['cut', 'heal']) }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('settle') }),
]);

export type ParentMessage = z.infer<typeof parentMessage>;
export type Operation = Omit<Extract<ParentMessage, { type: 'do' }>, 'type'>;

/** One call or one return, as the thread saw it. */
export type Truth = Operation & { type: 'truth'; at: number } & (
    | { phase: 'called' }
    | {
        phase: 'returned';
        /** False when it threw. `tryLock` that gave up is `ok` with the result `false`. */
        ok: boolean;
        /** `ok`, `true`, `false`, or the exception's text. */
        result: string;
        /** Name of the exception, when it threw. */
        error?: string;
      }
  );

/** One step of the protocol that this process has just finished. */
export type Milestone = {
  type: 'milestone';
  at: number;
  lock: string;
  /** Absent for what the process did for several threads. */
  thread?: number;
  /** The operation it belongs to; absent for the watchdog. */
  op?: number;
} & MilestoneDetail;

export type MilestoneDetail =
  | { name: 'acquired'; attempt: number; wokenBy?: 'message' | 'own-timer' }
  | { name: 'refused'; attempt: number; ttlMs: number; wokenBy?: 'message' | 'own-timer' }
  | { name: 'subscribed' | 'unsubscribed'; channel: string }
  | { name: 'gave-up' | 'local-gave-up' | 'local-let-go'; waitedMs: number }
  | { name: 'local-taken' | 'local-waits' | 'local-freed' }
  | { name: 'group-acquired' | 'group-refused'; have: number; of: number }
  | { name: 'group-released' }
  | {
      name:
        | 'partially-released'
        | 'released'
        | 'unlock-refused'
        | 'force-released'
        | 'renewed'
        | 'renewal-refused'
        | 'renewal-failed'
        | 'permits-set'
        | 'permits-released'
        | 'permit-refused'
        | 'latch-set'
        | 'counted-down';
    };

export type ChildMessage =
  | { type: 'ready'; uuid: string }
  /** It has a client for a further server, with this uuid. */
  | { type: 'also'; uuid: string }
  | Truth
  | Milestone
  | { type: 'network'; is: 'cut' | 'healed' }
  | { type: 'settled' };

/** The environment a client is started with. */
export const clientEnvironment = z.object({
  DEMO_REDIS_URL: z.string().min(1),
  /** CLIENT SETNAME of all its connections. */
  DEMO_CLIENT_NAME: z.string().regex(/^[\x21-\x7e]+$/),
  /** Threads are numbered 1 to this; the holder is `uuid:number`. */
  DEMO_THREADS: z.coerce.number().int().min(1).max(1000).default(3),
  /** The watchdog's lease; it renews every third of it. */
  DEMO_WATCHDOG_MS: z.coerce.number().int().min(100).default(6000),
  /** Every key it uses begins with this; any key when absent. */
  DEMO_PREFIX: z.string().default(''),
  /** A random one when absent. */
  DEMO_UUID: z.string().min(1).optional(),
});

export type ClientEnvironment = z.input<typeof clientEnvironment>;
