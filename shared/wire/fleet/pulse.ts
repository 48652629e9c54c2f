import { z } from 'zod';
import { insightSchema } from '../insights/insight.ts';
import { lockKind } from '../locks/lock.ts';
import { sourceSchema } from '../source.ts';

/** A lock in a pulse: enough for a list. Its page shows the rest. */
export const pulseRowSchema = z.object({
  id: z.string(),
  source: z.string(),
  db: z.number(),
  name: z.string(),
  kind: lockKind,
  held: z.boolean(),
  /** Redis time (µs) since which it is held; null: not known, or it is free. */
  since: z.number().nullable(),
  /** The first holders: client id, thread and connection name, as far as they are known. */
  holders: z.array(
    z.object({
      client: z.string(),
      thread: z.string().nullable(),
      name: z.string().nullable(),
      isGone: z.boolean(),
    }),
  ),
  /** How many threads want it. */
  waiters: z.number(),
});

/** What is counted of a source. */
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
  /** The run of the observer: its start in ms, and more than the run before. */
  run: z.number(),
  /** The last line of the run that the bus has. */
  lastLine: z.number(),
  /** Redis time (µs) of the watched server. */
  at: z.number(),
  observer: z.object({
    host: z.string(),
    pid: z.number(),
    version: z.string(),
    /** Redis time (µs) of the watched server at which this run began. */
    since: z.number(),
    /** Observers of this source that would take over. */
    standbys: z.number(),
    /** Bytes that wait for the bus. */
    waitingBytes: z.number(),
  }),
  sources: z.array(sourceSchema),
  counts: z.object({
    ...pulseCounts,
    /** Redis time (µs) since which the thread waits that waits longest; null: none waits. */
    oldestWait: z.number().nullable(),
  }),
  /** Open verdicts, the worst first; `more`: how many are left out. */
  verdicts: z.array(insightSchema),
  more: z.number(),
  /** The locks that need attention first, 200 at most. */
  rows: z.array(pulseRowSchema),
});

export type PulseRow = z.infer<typeof pulseRowSchema>;
export type Pulse = z.infer<typeof pulseSchema>;
