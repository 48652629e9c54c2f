import { z } from 'zod';
import { BLIND_REASONS } from '../signals/blind-reason.ts';
import { reportBody } from './insights/insight.ts';
import { sourceFields } from './source.ts';

/** What a command for scripts has watched. Times are Redis time in µs. */
const watchedSchema = z.object({
  /** Each source as it was at the end, with its level and what that level cannot see. */
  sources: z.array(
    sourceFields.pick({
      id: true,
      url: true,
      redisVersion: true,
      role: true,
      status: true,
      level: true,
      guard: true,
      cannotSee: true,
      missing: true,
      problem: true,
    }),
  ),
  /** Locks that were held or waited for at the end. */
  busyLocks: z.number(),
  /** Ranges that were not watched. `to` null: until the end. */
  blindSpots: z.array(
    z.object({
      source: z.string(),
      from: z.number(),
      to: z.number().nullable(),
      reason: z.enum(BLIND_REASONS),
    }),
  ),
  /** The incidents that could be seen at every source and every lock. `cannotTell` and `failed` list the others. */
  checked: z.array(z.string()),
});

/** What `lockscope check --json` prints. */
export const checkBody = reportBody.extend({
  ...watchedSchema.shape,
  /** When watching for verdicts began; it ended at `at`. */
  from: z.number(),
  /**
   * - 4: there is a critical verdict.
   * - 3: there is a warning, and no critical verdict.
   * - 1: neither, but a source was not watched to the end or with all rights, or a detector failed.
   * - 0: no verdicts, or only hints.
   */
  exitCode: z.number(),
});
export type CheckBody = z.infer<typeof checkBody>;
export type Watched = z.infer<typeof watchedSchema>;

const faultSchema = z.object({
  /** `left-behind`, `deadlock`, `lease-ended`, `unlock-refused` or `other-verdict`. */
  kind: z.string(),
  /**
   * The incident of the verdict that shows the fault. Absent: an event, or a lock that is still held, shows the fault.
   */
  incident: z.string().optional(),
  source: z.string(),
  db: z.number().optional(),
  /** Absent: the fault is about the whole source. */
  lock: z.string().optional(),
  holders: z.array(z.string()),
  at: z.number(),
  text: z.string(),
  events: z.array(z.number()),
});

/** The report of `lockscope run --json`: one line on stderr. */
export const runReport = z.object({
  event: z.literal('report'),
  v: z.literal(1),
  ...watchedSchema.shape,
  ...reportBody.pick({ cannotTell: true, failed: true }).shape,
  /** When the program was started, and when the report was made. */
  from: z.number(),
  at: z.number(),
  /** The exit code of `lockscope run`: that of the program unless it is 0. */
  exitCode: z.number(),
  /** The exit code of the program; above 128, a signal ended it. */
  programExitCode: z.number(),
  /** What fails the run. */
  faults: z.array(faultSchema),
  /** The number of faults that are not listed. They fail the run as well. Absent: none. */
  more: z.number().optional(),
  /** What `--allow` allows. */
  allowed: z.array(faultSchema),
  /** Kinds of fault that may have happened unseen, or were not looked for, each with the reason. */
  notChecked: z.array(z.object({ kind: z.string(), why: z.string() })),
});
export type RunReport = z.infer<typeof runReport>;
