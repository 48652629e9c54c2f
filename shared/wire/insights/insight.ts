import { z } from 'zod';
import { CONFIDENCES, EFFECTS, SEVERITIES, UNSEEN_REASONS } from '../../insights/insight.ts';
import { db, flag, instant, lockName, source } from '../query.ts';
import { unseenThen } from '../unseen-at.ts';

export const insightsQuery = z.object({
  open: flag.optional().describe('Only open insights, or only those that have ended.'),
  lock: lockName.optional(),
  source: source.optional(),
  db: db.optional(),
  at: instant.optional().describe('As of this instant (Redis time, µs). Absent: now.'),
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One insight. Times are Redis time in µs. The texts are English, for readers of JSON; pages write their own. */
const insightFields = z.object({
  /** The same id at every instant at which the problem exists. */
  id: z.string(),
  /** The kind of the insight; scripts may compare it. */
  incident: z.string(),
  /** The effect on the lock. */
  effect: z.enum(EFFECTS),
  severity: z.enum(SEVERITIES),
  confidence: z.enum(CONFIDENCES),
  source: z.string(),
  /** Absent, as `lock` is, if the insight is about the whole source. */
  db: z.number().optional(),
  lock: z.string().optional(),
  holders: z.array(z.string()),
  from: z.number(),
  /** The problem began at `from` or earlier, unseen. */
  isAtLeast: z.literal(true).optional(),
  /** When the problem ended; null: it is still open. */
  to: z.number().nullable(),
  title: z.string(),
  explanation: z.string(),
  /** What to do now. */
  advice: z.string(),
  /** How to prevent the next such problem. Absent: the advice also prevents it. */
  later: z.string().optional(),
  /** When the problem ends by itself; null: never, or not known. */
  selfHealsAt: z.number().nullable(),
  /** `seq`s of the events that show the problem. */
  events: z.array(z.number()),
  /** The values in the sentences. */
  values: z.record(z.string(), z.union([value, z.array(value), z.array(z.record(z.string(), value))])),
});
export interface WireInsight extends z.infer<typeof insightFields> {}
export const insightSchema: z.ZodType<WireInsight> = insightFields;

/** What the detectors found at one instant. */
export const reportBody = z.object({
  v: z.literal(1),
  at: z.number(),
  /** The worst first. */
  insights: z.array(insightSchema),
  /** The number of insights that are not listed. Absent: none. */
  more: z.number().optional(),
  /**
   * Incidents that may exist unseen, each with its source and the reason. For example, the level of the source does not
   * show them, or it was not watched. `locks`: at how many locks they may exist unseen.
   */
  cannotTell: z.array(
    z.object({
      incident: z.string(),
      effect: z.enum(EFFECTS),
      source: z.string(),
      reason: z.enum(UNSEEN_REASONS),
      locks: z.number(),
    }),
  ),
  /** Detectors that failed; the others are complete. */
  failed: z.array(z.object({ incident: z.string(), message: z.string() })),
});

/** The answer of `GET /api/insights`. `kinds`: how many kinds of problems are looked for. */
export const insightsBody = reportBody.extend({ kinds: z.number(), ...unseenThen });

export type ReportBody = z.infer<typeof reportBody>;
export type InsightsBody = z.infer<typeof insightsBody>;
