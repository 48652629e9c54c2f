import { z } from 'zod';
import { SEVERITIES } from '../../insights/insight.ts';
import { observeLevel } from '../source.ts';
import { pulseCounts, pulseRowSchema } from './pulse.ts';
import { spanningSchema } from './spanning.ts';

export const fleetQuery = z.object({
  q: z.string().max(1000).default('').describe('A part of the name of a lock, of a client or of a source.'),
});

/** One source of a fleet, from its newest pulse. Times are in ms of the viewer's clock. */
const fleetSourceSchema = z.object({
  name: z.string(),
  /** Without credentials, one for each server. */
  urls: z.array(z.string()),
  /** The source has a pulse now, and each of its servers is watched. */
  isWatched: z.boolean(),
  /** When its newest pulse arrived, if no other followed in time; null: it still has a pulse. */
  notLiveSince: z.number().nullable(),
  /** Since when one of its servers is not watched; null: all are watched, or the instant is not known. */
  blindSince: z.number().nullable(),
  level: observeLevel.nullable(),
  lagMs: z.number(),
  counts: z.object(pulseCounts),
  /** How long the longest present wait has lasted; null: no thread is known to wait. */
  longestWaitMs: z.number().nullable(),
  /** Open verdicts. */
  critical: z.number(),
  warnings: z.number(),
  hints: z.number(),
  /** Open verdicts that are not in these counts, because a pulse has only the worst 50. */
  more: z.number(),
  /** Deadlocks over several sources that contain a lock of this source. */
  spanning: z.number(),
  /** The three worst open verdicts. */
  worst: z.array(
    z.object({
      incident: z.string(),
      severity: z.enum(SEVERITIES),
      title: z.string(),
      lock: z.string().optional(),
      db: z.number().optional(),
      source: z.string(),
    }),
  ),
  observer: z.object({ host: z.string(), version: z.string(), since: z.number(), standbys: z.number() }),
  /** The viewer follows its events now. */
  isFollowed: z.boolean(),
});

/** The answer of `GET /api/fleet`. The sources that need attention come first. */
export const fleetBody = z.object({
  v: z.literal(1),
  /** The viewer's time, in ms. */
  at: z.number(),
  bus: z.object({ url: z.string(), isConnected: z.boolean() }),
  sources: z.array(fleetSourceSchema),
  /** Deadlocks, RedLocks and clients that span several sources. */
  spanning: spanningSchema,
  /** How many sources are followed now, and how many can be at once. */
  followed: z.number(),
  most: z.number(),
  /**
   * At most 200 locks in the pulses that match `q`: by their name, the name of their source, or the connection name or
   * client id of a holder or waiter.
   */
  found: z.array(z.object({ name: z.string(), row: pulseRowSchema })),
  /** The number of further locks that match. */
  more: z.number(),
});

export type FleetSource = z.infer<typeof fleetSourceSchema>;
export type FleetBody = z.infer<typeof fleetBody>;
export type FoundLock = FleetBody['found'][number];
