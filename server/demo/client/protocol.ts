import { z } from 'zod';
import { demoKind, threadAction } from '../../../shared/wire/demo.ts';

/**
 * Operations on several locks at once. `connectAll` creates the clients for their servers; `awaitConnected` also waits
 * until they are connected.
 */
const groupAction = z.enum(['connectAll', 'awaitConnected', 'tryLockAll', 'unlockAll']);
export type GroupAction = z.infer<typeof groupAction>;
/** One lock of a group. Without `server` it is on the demo's Redis. */
export type GroupMember = NonNullable<Operation['members']>[number];

/** Operations on a lock in the process's own memory. */
const localAction = z.enum(['localLock', 'localTryLock', 'localUnlock']);
export type LocalAction = z.infer<typeof localAction>;

/**
 * The messages between a demo client process and its parent over IPC.
 *
 *   parent                       child
 *   fork(main.js, env)     →
 *                          ←     ready {uuid}                 once its connections are up
 *                          ←     also {uuid}                  once for each further server that an operation names
 *   do {op, thread, …}     →
 *                          ←     truth {op, phase: called}    when the thread begins it
 *                          ←     milestone {name, op, …}      any number: refused, subscribed, …
 *                          ←     truth {op, phase: returned}  what the thread got
 *   network {want: cut}    →
 *                          ←     network {is: cut}
 *   clock {aheadMs}        →     its clock jumps
 *   interrupt              →     every wait of this client ends with an exception
 *   settle                 →
 *                          ←     settled                      waits interrupted, holds released
 *
 * Operations of one thread run in order; different threads run concurrently. Times are microseconds since the epoch by
 * the machine's clock. Fair locks and permits that expire use the client's own clock, which `clock` sets.
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
    /** Number of permits, or the count of a latch; absent: 1. */
    permits: z.number().int().min(1).optional(),
    /** Fair lock: how long the waiter may stay in the queue; absent: `waitMs`, else Redisson's five minutes. */
    queueMs: z.number().int().min(0).optional(),
    /** How long to wait at most. Absent: `tryLock` and `tryAcquire` do not wait, `await` has no limit. */
    waitMs: z.number().int().min(0).optional(),
    /** Absent: the watchdog renews the lease of a lock; a permit never expires. */
    leaseMs: z.number().int().min(1).optional(),
    /** The locks of a group, in their order. */
    members: z.array(z.object({ lock: z.string(), server: z.string().optional() })).optional(),
    /** How many members may be refused; absent: 0, as in a multi lock. */
    mostRefused: z.number().int().min(0).optional(),
    /** URL of the server; absent: the demo's own. */
    server: z.string().optional(),
    /** On a Redis with other keys: when a counter that the operation creates expires, in ms since the epoch. */
    endsAt: z.number().int().optional(),
    /** On a Redis with other keys: what proves that a key is the demo's. Other keys are not changed. */
    own: z.object({ uuids: z.array(z.string()), ends: z.array(z.number()) }).optional(),
  }),
  z.object({ type: z.literal('network'), want: z.enum(['cut', 'heal']) }),
  z.object({ type: z.literal('clock'), aheadMs: z.number().int() }),
  z.object({ type: z.literal('interrupt') }),
  z.object({ type: z.literal('settle') }),
]);

export type ParentMessage = z.infer<typeof parentMessage>;
export type Operation = Omit<Extract<ParentMessage, { type: 'do' }>, 'type'>;

/** A thread called an operation, or the operation returned. */
export type Truth = Operation & { type: 'truth'; at: number } & (
    | { phase: 'called' }
    | {
        phase: 'returned';
        /** False if the operation threw. A `tryLock` that gave up is `ok` with the result `false`. */
        ok: boolean;
        /** `ok`, `true`, `false`, or the exception's text. */
        result: string;
        /** Name of the exception, if the operation threw. */
        error?: string;
      }
  );

/** A step that this process has just finished, for example `acquired` or `subscribed`. */
export type Milestone = {
  type: 'milestone';
  at: number;
  lock: string;
  /** Absent if the process took the step for several threads. */
  thread?: number;
  /** The operation to which the step belongs; absent for a step of the watchdog. */
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
  /** The process created a client for a further server, with this uuid. */
  | { type: 'also'; uuid: string }
  | Truth
  | Milestone
  | { type: 'network'; is: 'cut' | 'healed' }
  | { type: 'settled' };

/** The environment variables of a client process. */
export const clientEnvironment = z.object({
  DEMO_REDIS_URL: z.string().min(1),
  /** The name of all its connections, set by CLIENT SETNAME. */
  DEMO_CLIENT_NAME: z.string().regex(/^[\x21-\x7e]+$/),
  /** Number of threads, counted from 1. The holder of thread 2 is `uuid:2`. */
  DEMO_THREADS: z.coerce.number().int().min(1).max(1000).default(3),
  /** The watchdog's lease, in ms. The watchdog renews after each third of it. */
  DEMO_WATCHDOG_MS: z.coerce.number().int().min(100).default(6000),
  /** Every key of the client begins with this. Absent: the client may use any key. */
  DEMO_PREFIX: z.string().default(''),
  /** Absent: a random uuid. */
  DEMO_UUID: z.string().min(1).optional(),
});

export type ClientEnvironment = z.input<typeof clientEnvironment>;
