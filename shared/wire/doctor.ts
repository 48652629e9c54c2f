import { z } from 'zod';
import { FINDING_STATES } from '../doctor/finding.ts';
import { MATTERS } from '../doctor/finding-values.ts';
import { problemSchema } from './problems/problem-schema.ts';
import { observeLevel } from './source.ts';

/** One finding of the doctor, for pages as a code with values, for readers of JSON also in English. */
const findingSchema = z.object({
  id: z.enum(MATTERS),
  state: z.enum(FINDING_STATES),
  code: z.string(),
  values: z.record(z.string(), z.unknown()),
  /** The values that were read, as Redis gave them. */
  read: z.array(z.object({ name: z.string(), value: z.string() })),
  title: z.string(),
  /** Why the finding matters for locks. */
  why: z.string(),
  /** What to do; empty: nothing. */
  advice: z.string(),
  /** Lines for redis-cli, or for the configuration file of a server without CONFIG. */
  fix: z.array(z.string()),
  /** Where Redis's documentation describes the subject. */
  reference: z.string(),
  /** The incident that the subject of the finding may cause, by its id in the help. */
  incident: z.string().optional(),
});
export type FindingView = z.infer<typeof findingSchema>;

/** Whether a level works with this server and user, and what would make it work or show more. */
const levelReportSchema = z.object({
  level: observeLevel,
  works: z.boolean(),
  why: z.string(),
  unlock: z.string().nullable(),
});

/** What the doctor found on one server. */
export const serverReportSchema = z.object({
  canObserve: z.boolean(),
  /** Why the server could not be examined; null: it was. */
  problem: problemSchema.nullable(),
  bestLevel: observeLevel.nullable(),
  levels: z.array(levelReportSchema),
  /** What is not seen because this user lacks rights, although a level works. Absent: no missing right hides locks. */
  unseen: z.array(problemSchema).optional(),
  /** The worst first. Empty if the server could not be examined. */
  findings: z.array(findingSchema),
});
export type ServerReport = z.infer<typeof serverReportSchema>;

const share = z.object({ low: z.number(), high: z.number() });

/** What one level cost a server, compared with the time before and after it. */
const levelCostSchema = z.object({
  level: observeLevel,
  /**
   * `measured`: `cpuShare` is the cost. `below-noise`: the cost is smaller than the variation of Redis's own load.
   * `too-quiet`: too few commands ran. `unsteady`: the load changed too much. `no-figures`: INFO shows no CPU time.
   * `ended`: the measurement was ended early. `refused`: the level was not tried.
   */
  verdict: z.enum(['measured', 'below-noise', 'too-quiet', 'unsteady', 'no-figures', 'ended', 'refused']),
  /**
   * CPU time of Redis with the level minus without it: the lowest and the highest of the comparisons. 1 is one core.
   */
  cpuShare: share.nullable(),
  /** How much the CPU of Redis varied without the level. */
  noiseShare: z.number().nullable(),
  /** Bytes a second that Redis sent with the level minus without it. */
  outputBytesPerSecond: share.nullable(),
  /** How long the level was on, in ms. */
  onMs: z.number(),
  /** Why the level was refused or ended. */
  problem: problemSchema.optional(),
});
export type LevelCost = z.infer<typeof levelCostSchema>;

/** A measurement of what the levels cost a server. */
const costsSchema = z.object({
  levels: z.array(levelCostSchema),
  /** What Redis did without the levels: commands a second and share of a core; lowest and highest. */
  commandsPerSecond: share.nullable(),
  cpuShare: share.nullable(),
  tookMs: z.number(),
});
export type Costs = z.infer<typeof costsSchema>;

/** What the doctor found on the server of one source. */
const sourceReportSchema = serverReportSchema.extend({
  /** Id of the source. */
  source: z.string(),
  /** Without credentials. */
  url: z.string(),
});
export type SourceReport = z.infer<typeof sourceReportSchema>;

export const doctorBody = z.object({
  v: z.literal(1),
  /** Time of this machine at which the servers were examined, in µs. */
  at: z.number(),
  sources: z.array(sourceReportSchema),
});

/** What `lockscope doctor --json` prints: the first server, and with Sentinel or Cluster all of them. */
export const doctorCommandBody = serverReportSchema.extend({
  v: z.literal(1),
  url: z.string(),
  /** What the server and this user allow; null: not known. */
  capabilities: z.record(z.string(), z.unknown()).nullable(),
  /** With `--measure`. */
  costs: costsSchema.optional(),
  topology: z.enum(['single', 'sentinel', 'cluster']).optional(),
  servers: z
    .array(
      serverReportSchema.extend({
        node: z.string(),
        replicas: z.array(z.string()),
        slots: z.array(z.tuple([z.number(), z.number()])),
        capabilities: z.record(z.string(), z.unknown()).nullable(),
        costs: costsSchema.optional(),
      }),
    )
    .optional(),
});

/** How far a measurement is. */
const measurementSchema = z.object({
  source: z.string(),
  state: z.enum(['running', 'done', 'cancelled', 'failed']),
  /** The level that is on now; null: no level, for comparison. */
  level: observeLevel.nullable(),
  step: z.number(),
  steps: z.number(),
  costs: costsSchema.optional(),
  problem: problemSchema.optional(),
});
export type Measurement = z.infer<typeof measurementSchema>;

export const measureRequest = z.object({
  levels: z
    .array(observeLevel.exclude(['replication']))
    .min(1)
    .max(3)
    .optional()
    .describe('The levels to measure. Absent: all that this server allows.'),
});

/** `measurement`: null if no measurement was started. */
export const measurementBody = z.object({ v: z.literal(1), measurement: measurementSchema.nullable() });
