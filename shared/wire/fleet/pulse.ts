import { z } from 'zod';
import { HOLD_MODES, WAIT_MODES } from '../../events/types/hold-event.ts';
import { UNSEEN_REASONS } from '../../insights/insight.ts';
import { insightSchema } from '../insights/insight.ts';
import { lockKind } from '../locks/lock.ts';
import { sourceSchema } from '../source.ts';

/** A thread in a pulse, as far as it is known. */
const person = {
  client: z.string(),
  /** Null: the id of the holder is a token. */
  thread: z.string().nullable(),
  /** The connection name. */
  name: z.string().nullable(),
  /** The host of all connections of the thread's client; null: not known, or several. */
  host: z.string().nullable(),
  /** Another client of this server has the same connection name and the same host. */
  hasTwin: z.boolean(),
};

/** A lock in a pulse: enough for a list, and for what spans several sources. Its page shows the rest. */
export const pulseRowSchema = z.object({
  id: z.string(),
  source: z.string(),
  db: z.number(),
  name: z.string(),
  kind: lockKind,
  library: z.string(),
  leaseMs: z.number().nullable(),
  held: z.boolean(),
  /** Redis time (µs) at which the first holder in `holders` acquired the lock; null: not known, or it is free. */
  since: z.number().nullable(),
  /** The first three holders. Times are Redis time (µs); null: not known. */
  holders: z.array(
    z.object({ ...person, isGone: z.boolean(), mode: z.enum(HOLD_MODES), since: z.number().nullable() }),
  ),
  /** How many holders are left out. Semaphore: holders beyond the first thousand are counted by their permits. */
  moreHolders: z.number(),
  /** How many threads wait for the lock or, if more, how many connections listen until it can be acquired. */
  waiters: z.number(),
  /**
   * Threads that were refused and went to sleep, and whose clients are not gone. If there are more than 200 at all
   * locks of a pulse, those that have waited longest.
   */
  sleepers: z.array(z.object({ ...person, mode: z.enum(WAIT_MODES), since: z.number() })),
});

export const pulseCounts = {
  locks: z.number(),
  held: z.number(),
  /** Threads that wait, at all locks. */
  waiting: z.number(),
};

/** What an observer writes to the bus each second. */
export const pulseSchema = z.object({
  v: z.literal(1),
  /** The name of the source on the bus. */
  name: z.string(),
  /** The run of the observer: the time of its start in ms, and always more than that of the previous run. */
  run: z.number(),
  /** The number of this pulse in its run. */
  number: z.number(),
  /** The newest pulse of the run that the bus had confirmed when this one was begun; 0: none. */
  after: z.number(),
  /** The last line of the run that the bus has. */
  lastLine: z.number(),
  /** Redis time (µs) of the watched server. */
  at: z.number(),
  /** Redis time (µs) until which the bus has everything that the observer saw; absent: it lacks the newest lines. */
  wholeUntil: z.number().optional(),
  observer: z.object({
    host: z.string(),
    pid: z.number(),
    version: z.string(),
    /** Redis time (µs) of the watched server at which this run began. */
    since: z.number(),
    /** Observers of this source that are ready to take over. */
    standbys: z.number(),
    /** Bytes that wait for the bus. */
    waitingBytes: z.number(),
  }),
  sources: z.array(sourceSchema),
  counts: z.object({
    ...pulseCounts,
    /** Redis time (µs) at which the longest present wait began; null: no thread is known to wait. */
    oldestWait: z.number().nullable(),
  }),
  /** Open verdicts, the worst first; `more`: how many are left out. */
  verdicts: z.array(insightSchema),
  more: z.number(),
  /** The locks that need attention first, 200 at most. */
  rows: z.array(pulseRowSchema),
  /** How many waits the rows leave out. */
  moreWaits: z.number(),
  /** Why waits that could be part of a deadlock may not be known. */
  unseenWaits: z.array(z.enum(UNSEEN_REASONS)),
});

/** A thread that holds or waits for a lock. */
export type PulsePerson = Pick<PulseRow['sleepers'][number], keyof typeof person>;
export type PulseRow = z.infer<typeof pulseRowSchema>;
export type Pulse = z.infer<typeof pulseSchema>;
