import { z } from 'zod';
import { CONFIDENCES, SEVERITIES } from '../../insights/insight.ts';
import { source } from '../query.ts';

/** What a person wrote about a problem. */
const noteSchema = z.object({
  at: z.number(),
  /** Empty: the problem was only acknowledged. */
  text: z.string(),
  /** Null: no name was entered. */
  author: z.string().nullable(),
  /** A person has noted that they work on the problem. The newest note decides. */
  isAcknowledged: z.boolean(),
});

/** A problem that is open, or ended in the last 24 hours. Times are Redis time in µs. */
export const loggedProblemSchema = z.object({
  /** The id of the insight, as in `GET /api/insights`. */
  insight: z.string(),
  incident: z.string(),
  /** The worst severity that the problem had. */
  severity: z.enum(SEVERITIES),
  confidence: z.enum(CONFIDENCES),
  source: z.string(),
  db: z.number(),
  /** Null: the problem is about the whole source. */
  lock: z.string().nullable(),
  holders: z.array(z.string()),
  /** The `seq` and the instant of the event that first reported the problem. */
  seq: z.number(),
  reportedAt: z.number(),
  from: z.number(),
  /** The problem began at `from` or earlier, unseen. */
  isAtLeast: z.literal(true).optional(),
  /** When the problem ended; null: it is still open. */
  to: z.number().nullable(),
  /** From `to` on it is not known whether the problem still exists. */
  isUnknown: z.literal(true).optional(),
  /** The newest 20 notes, the oldest of them first. */
  notes: z.array(noteSchema),
});
export type LoggedProblem = z.infer<typeof loggedProblemSchema>;

export const problemsQuery = z.object({ source: source.optional() });

export const problemsBody = z.object({
  v: z.literal(1),
  at: z.number(),
  /** The newest first; at most 2,000. */
  problems: z.array(loggedProblemSchema),
});
export type ProblemsBody = z.infer<typeof problemsBody>;

export const noteBody = z.strictObject({
  insight: z.string().max(2_100_000).describe('The id of the insight, as in GET /api/insights.'),
  text: z.string().max(500).default('').describe('What everybody else who looks at it should know.'),
  author: z.string().max(60).optional().describe('Who writes it.'),
  isAcknowledged: z.boolean().default(true).describe('Whether a person takes care of it.'),
});
