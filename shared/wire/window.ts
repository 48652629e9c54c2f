import { z } from 'zod';
import { BLIND_REASONS } from '../signals/blind-reason.ts';
import { lockEventSchema } from './locks/lock-event.ts';
import { lockStateSchema } from './locks/lock-state.ts';
import { db, inOrder, instant, limit, lockName, source } from './query.ts';

export const windowQuery = z
  .object({
    from: instant.describe('Begin (Redis time, µs).').meta({ examples: [0] }),
    to: instant.optional().describe('End (Redis time, µs). Absent: now.'),
    lock: lockName.optional().describe('Name of a lock. Absent: all locks.'),
    source: source.optional(),
    db: db.optional(),
    limit: limit(50_000, 10_000).describe('How many events to return at most. A hot loop counts as two.'),
  })
  .refine(...inOrder);

/**
 * A range of time, with everything that is needed to compute the states of locks at any instant in it.
 *
 *   from                                                      to
 *    | locks, after `stateSeq`   event   event  …   event      |
 *
 * `reduceLock` computes each later state of a lock from its state in `locks` (absent: empty) and its events.
 */
export const windowBody = z.object({
  v: z.literal(1),
  /** Not before `oldestAt`, whatever was requested. */
  from: z.number(),
  /** All events up to this instant are in the response. */
  to: z.number(),
  /** Redis time of the oldest instant in memory; null while memory is empty. */
  oldestAt: z.number().nullable(),
  oldestSeq: z.number(),
  /** The `seq` that the next event will have. */
  nextSeq: z.number(),
  /** `locks` are as they were after the event with this `seq`. */
  stateSeq: z.number(),
  /**
   * Every lock that was held, waited for or listened for at `from`, or had a believer. Of the other locks that existed
   * at `from`, those with an event in the window.
   */
  locks: z.array(lockStateSchema),
  /** Sources that were not watched at `from`, and since when. */
  blind: z.array(z.object({ source: z.string(), since: z.number(), reason: z.enum(BLIND_REASONS) })),
  /**
   * After the event `afterSeq`, the state of some locks was no longer known: of the locks with these `ids`, of all
   * locks of `source` or, without either, of all locks. Locks that were dropped before `from` are listed if their state
   * was still unknown at `from`.
   */
  forgotten: z.array(
    z.object({
      afterSeq: z.number(),
      at: z.number(),
      source: z.string().optional(),
      ids: z.array(z.string()).optional(),
    }),
  ),
  /** Oldest first, with a `seq` above `stateSeq`. A dense run has only its first and last attempt. */
  events: z.array(lockEventSchema),
  /** The answer has only the events up to `to`: request the rest from there. */
  isCut: z.boolean(),
});

export type WindowBody = z.infer<typeof windowBody>;
