import { z } from 'zod';
import { problemSchema } from './problems/problem-schema.ts';
import { flag } from './query.ts';

/** Something done to the process of a client. Redis does not show it. */
const demoFault = z.object({
  at: z.number(),
  /** Letter of the client. */
  client: z.string(),
  uuid: z.string(),
  name: z.enum(['frozen', 'thawed', 'killed', 'started', 'cut', 'healed']),
});

/**
 * A report by a demo client about something that Redis does not see: a lock in its own memory, or the result of a
 * group.
 */
const demoReport = z.object({
  at: z.number(),
  client: z.string(),
  thread: z.number(),
  /** Name of the lock in its memory. */
  lock: z.string(),
  name: z.enum(['local-taken', 'local-waits', 'local-gave-up', 'local-let-go', 'local-freed', 'group-refused']),
  /** Only for a group. `have`: how many of its locks were acquired. `of`: how many locks it has. */
  have: z.number().optional(),
  of: z.number().optional(),
  /** How long the thread waited, in ms. */
  waitedMs: z.number().optional(),
});

/** One call of a demo client's thread on several locks, from begin to return. Redis sees each lock separately. */
const demoGroupOperation = z.object({
  from: z.number(),
  /** When the call returned; null: it has not yet. */
  until: z.number().nullable(),
  client: z.string(),
  thread: z.number(),
  does: z.enum(['lock', 'unlock']),
});

/** Something done to a private server of the scenario. */
const demoServerFault = z.object({
  at: z.number(),
  /** Id of the source that watches it. */
  source: z.string(),
  /** Which server, by its name. */
  server: z.string(),
  name: z.enum(['killed', 'link-cut', 'promoted']),
});

/** What a scenario waits for before its first step. */
const demoStarting = z.object({
  /** Id of the requested scenario. */
  scenario: z.string(),
  /** A Docker image to be pulled, servers to answer, replicas to be in sync, or servers to be observed. */
  what: z.enum(['image', 'servers', 'copies', 'watching']),
  /** How many of its servers are ready, and how many there are. */
  done: z.number(),
  of: z.number(),
  /** The Docker image that is pulled. */
  image: z.string().optional(),
});

/** The body of `GET /api/demo`: the current run, and every demo client with its threads. */
export const demoBody = z.object({
  v: z.literal(1),
  /** A recorded run is shown: scenarios can be played again, but clients cannot be driven. */
  recorded: z.boolean().optional(),
  /** Id of the scenario last started; null before the first. */
  scenario: z.string().nullable(),
  /** The number of steps reached so far, 0 to `steps`. */
  step: z.number(),
  steps: z.number(),
  /** The steps as text, in order. */
  script: z.array(
    z.object({
      n: z.number(),
      title: z.string(),
      /** The actor: thread `A1`, client `A`, `server`, or `anybody`. */
      who: z.string().optional(),
      /** The lock of this step; absent: any lock of the scenario. */
      lock: z.string().optional(),
      /** Redis time (µs) at which the step was done; absent: not done yet. */
      at: z.number().optional(),
    }),
  ),
  state: z.enum(['idle', 'running', 'paused', 'done', 'failed']),
  /** Present while the servers of a scenario start; `state` is `idle` then. */
  starting: demoStarting.optional(),
  /** Why the run failed; absent: it did not. */
  problem: problemSchema.optional(),
  /** The prefix of every name of the demo in Redis; absent on a private Redis. */
  prefix: z.string().optional(),
  /** The main lock of the scenario; null before the first scenario. */
  lock: z.string().nullable().optional(),
  /** Every lock of the scenario in Redis, in display order; absent: only `lock`. */
  locks: z.array(z.string()).optional(),
  /** Private servers of the scenario, each with a lock of that name. A replica has the source of its master. */
  servers: z.array(z.object({ source: z.string(), name: z.string(), copyOf: z.string().optional() })).optional(),
  /** What was done to those servers since `startedAt`, oldest first. */
  serverFaults: z.array(demoServerFault).optional(),
  /** Locks in the memory of a demo client. Redis does not know them. */
  localLocks: z.array(z.object({ client: z.string(), name: z.string() })).optional(),
  /** Reports of clients since `startedAt`, oldest first. */
  tellings: z.array(demoReport).optional(),
  /** Calls on several locks since `startedAt`, oldest first. */
  groupOperations: z.array(demoGroupOperation).optional(),
  /** Redis time (µs) of this response: every fault before it is in `faults`. */
  at: z.number().optional(),
  /** Everything that Redis did before `until` (Redis time, µs) is in the events up to `seq`. */
  reported: z.object({ until: z.number(), seq: z.number() }).optional(),
  /** Redis time (µs) at which the run began; before the first run, at which the demo began. */
  startedAt: z.number().optional(),
  /** The lease that watchdogs renew, in ms. A hold with another lease is never renewed. */
  watchdogMs: z.number().optional(),
  /** What was done to client processes since `startedAt`, by Redis time (µs), oldest first. */
  faults: z.array(demoFault).optional(),
  clients: z.array(
    z.object({
      /** Letter of the client: `A`, `B`, … */
      id: z.string(),
      /** The name that the client set with CLIENT SETNAME. */
      name: z.string(),
      uuid: z.string(),
      /** The uuids of its Redisson clients for further servers. */
      uuids: z.array(z.string()).optional(),
      pid: z.number().nullable(),
      state: z.enum(['starting', 'running', 'frozen', 'cut', 'dead']),
      threads: z.array(
        z.object({
          n: z.number(),
          /** `uuid:thread` as Redis sees it. */
          holder: z.string(),
          state: z.enum(['idle', 'busy']),
          /** The current operation as text; null when idle. */
          doing: z.string().nullable(),
          /** The result or error of the last operation; null before the first. */
          last: z.object({ op: z.string(), lock: z.string(), ok: z.boolean(), result: z.string() }).nullable(),
        }),
      ),
    }),
  ),
});

export const scenariosBody = z.object({
  v: z.literal(1),
  scenarios: z.array(
    z.object({ id: z.string(), title: z.string(), summary: z.string(), steps: z.number(), lock: z.string() }),
  ),
});

const clientAction = z.enum(['freeze', 'thaw', 'kill', 'start', 'cut', 'heal']);
export const threadAction = z.enum([
  'lock',
  'tryLock',
  'unlock',
  'forceUnlock',
  'delete',
  'trySetPermits',
  'acquire',
  'tryAcquire',
  'release',
  'trySetCount',
  'countDown',
  'await',
]);

/** What a demo client can use. A read-write lock has two sides. */
export const demoKind = z.enum([
  'lock',
  'fair-lock',
  'read-lock',
  'write-lock',
  'fenced-lock',
  'spin-lock',
  'semaphore',
  'expirable-semaphore',
  'latch',
]);

/** Body of a thread action. Durations in ms. */
export const threadActionBody = z.object({
  lock: z
    .string()
    .min(1)
    .max(2_000_000)
    .optional()
    .describe("Name of the lock. Absent: the first lock of the demo, `orders:42` after the demo's prefix."),
  kind: demoKind
    .optional()
    .describe('Kind of the lock. Absent: its kind in the current scenario, otherwise a plain lock.'),
  permits: z
    .number()
    .int()
    .min(1)
    .max(1_000_000)
    .optional()
    .describe('How many permits, or the count of a latch. Absent: 1.'),
  queueMs: z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .optional()
    .describe('Fair lock: how long a waiter may stay in the queue, in ms. Absent: 5 minutes, or its wait time.'),
  waitMs: z
    .number()
    .int()
    .min(0)
    .max(3_600_000)
    .optional()
    .describe('`tryLock` only: how long to wait, in ms. Absent: do not wait.'),
  leaseMs: z
    .number()
    .int()
    .min(1)
    .max(86_400_000)
    .optional()
    .describe('Explicit lease in ms. Absent: the watchdog renews the lease.'),
});

const demoClientId = z
  .string()
  .max(64)
  .describe('Letter of the client.')
  .meta({ examples: ['A'] });
export const demoClientPath = z.object({
  client: demoClientId,
  action: clientAction.describe('What happens to its process.'),
});
export const demoThreadPath = z.object({
  client: demoClientId,
  n: z.coerce
    .number()
    .int()
    .min(0)
    .describe('Number of the thread.')
    .meta({ examples: [1] }),
  action: threadAction.describe('The operation.'),
});
export const demoScenarioPath = z.object({
  id: z
    .string()
    .describe('Id of the scenario, as in GET /api/demo/scenarios.')
    .meta({ examples: ['two-threads'] }),
});

export const threadActionQuery = z.object({
  wait: flag.optional().describe('Whether the answer waits for the result, up to a minute.'),
});
/** A thread's operation that has begun or ended. `op` is its number. */
export const threadActionAnswer = z.union([
  z.object({ v: z.literal(1), op: z.number(), state: z.enum(['started', 'running']) }),
  z.object({ v: z.literal(1), op: z.number(), ok: z.boolean(), result: z.string() }),
]);

export type Demo = z.infer<typeof demoBody>;
export type DemoClient = Demo['clients'][number];
export type DemoFault = z.infer<typeof demoFault>;
export type DemoGroupOperation = z.infer<typeof demoGroupOperation>;
export type DemoServerFault = z.infer<typeof demoServerFault>;
export type DemoStarting = z.infer<typeof demoStarting>;
export type DemoReport = z.infer<typeof demoReport>;
export type Scenario = z.infer<typeof scenariosBody>['scenarios'][number];
export type ClientAction = z.infer<typeof clientAction>;
export type DemoKind = z.infer<typeof demoKind>;
export type ThreadAction = z.infer<typeof threadAction>;
export type ThreadActionBody = z.infer<typeof threadActionBody>;
