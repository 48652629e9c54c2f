import { z } from 'zod';
import { inOrder, instant, limit } from './query.ts';

export const trendsQuery = z
  .object({
    /** Absent: 5 minutes before `to`. */
    from: instant.optional(),
    /** Absent: now. */
    to: instant.optional(),
    /** How many bins about: their length is rounded up to whole seconds. */
    bins: limit(2000, 60),
  })
  .refine(...inOrder);

const figure = z.number().nullable();

/** Figures over one stretch of time. Null: not known, which is no zero. */
export const trendBinSchema = z.object({
  /** Its beginning: a whole multiple of the length of a bin. */
  at: z.number(),
  /** The most that waited at once. */
  waiters: figure,
  /** 95 of 100 waits that ended here with the lock were no longer than this; null also if none did. */
  waitP95Ms: figure,
  /** Acquisitions by a holder that had waited. */
  handovers: figure,
  refusals: figure,
  renewals: figure,
  /**
   * `partly`: not all of the time, or not all sources; the figures are of what was seen. `forgotten`: before this process
   * began, or too long ago.
   */
  seen: z.enum(['watched', 'partly', 'unwatched', 'forgotten']),
  /** False: waits and refusals cannot be seen at the level of some source. */
  waitsSeen: z.boolean(),
});

export const trendsBody = z.object({
  v: z.literal(1),
  from: z.number(),
  to: z.number(),
  /** Length of one bin. */
  binMs: z.number(),
  /** Since when bins are counted; null: not yet. */
  oldestAt: z.number().nullable(),
  /** Oldest first; the last one may not be over yet. */
  bins: z.array(trendBinSchema),
});

export type TrendBin = z.infer<typeof trendBinSchema>;
export type Trends = z.infer<typeof trendsBody>;
