import { z } from 'zod';
import { ENGLISH } from '../insights/english.ts';
import { CONFIDENCES, type Insight, type Report, SEVERITIES, UNSEEN_REASONS } from '../insights/insight.ts';
import { type Say, textsOf } from '../insights/words.ts';
import { db, flag, instant, lockName, source } from './query.ts';

export const insightsQuery = z.object({
  open: flag.optional().describe('Only insights that are still so, or only those that have ended.'),
  lock: lockName.optional(),
  source: source.optional(),
  db: db.optional(),
  at: instant.optional().describe('As of this instant (Redis time, µs). Absent: now.'),
});

const value = z.union([z.string(), z.number(), z.boolean(), z.null()]);

/** One insight. Times are Redis time in µs. The texts are English, for readers of JSON; pages write their own. */
export const insightSchema = z.object({
  /** The same at every instant at which it is so. */
  id: z.string(),
  /** Which incident it is; scripts may compare it. */
  incident: z.string(),
  severity: z.enum(SEVERITIES),
  confidence: z.enum(CONFIDENCES),
  source: z.string(),
  /** Absent, as `lock` is: it is about the whole source. */
  db: z.number().optional(),
  lock: z.string().optional(),
  holders: z.array(z.string()),
  from: z.number(),
  /** Null: it is still so. */
  to: z.number().nullable(),
  title: z.string(),
  explanation: z.string(),
  advice: z.string(),
  /** When it ends by itself; null: never, or not known. */
  selfHealsAt: z.number().nullable(),
  /** `seq`s of the events that show it. */
  events: z.array(z.number()),
  /** The values in the sentences. */
  values: z.record(z.string(), z.union([value, z.array(z.record(z.string(), value))])),
});

export const insightsBody = z.object({
  v: z.literal(1),
  at: z.number(),
  /** The worst first. */
  insights: z.array(insightSchema),
  /** The number of insights that are not listed. Absent: none. */
  more: z.number().optional(),
  /**
   * What is not known: at the level of the source, while it was not watched, because of a blind spot, or because the
   * presence of clients is not known. `locks`: for how many locks that matters.
   */
  cannotTell: z.array(
    z.object({ incident: z.string(), source: z.string(), reason: z.enum(UNSEEN_REASONS), locks: z.number() }),
  ),
  /** Detectors that failed; the others are complete. */
  failed: z.array(z.object({ incident: z.string(), message: z.string() })),
});

export type WireInsight = z.infer<typeof insightSchema>;
export type InsightsBody = z.infer<typeof insightsBody>;

/** Writes a report as the API shows it. */
export function insightsBodyFrom({ at, insights, more, cannotTell, failed }: Report): InsightsBody {
  return {
    v: 1,
    at,
    insights: insights.map(wireInsight),
    ...(more > 0 ? { more } : undefined),
    cannotTell: [...cannotTell],
    failed: [...failed],
  };
}

function wireInsight({ lockId: _, db, lock, ...insight }: Insight): WireInsight {
  const { holders, events, values } = insight;
  const texts = textsOf(ENGLISH, insight, PLAIN);
  const place = lock === null ? undefined : { db, lock };
  return { ...insight, ...texts, ...place, holders: [...holders], events: [...events], values: plainValues(values) };
}

/** Lists in values are copied, because those of an insight are read-only. */
function plainValues(values: Insight['values']): WireInsight['values'] {
  return Object.fromEntries(
    Object.entries(values).map(([name, each]) => [
      name,
      Array.isArray(each) ? each.map((step) => ({ ...step })) : each,
    ]),
  );
}

/** Values in English sentences of JSON: `8f3a1c02:7`, `2026-11-21T10:41:03.000Z`. */
const PLAIN: Say = {
  who: (holder) => holder.replace(/^([0-9a-f]{8})-[0-9a-f]{4}-[0-9a-f-]{22,}(?=:|$)/i, '$1'),
  clock: (at) => new Date(Math.floor(at / 1000)).toISOString(),
};
