import { z } from 'zod';
import { SERVER_ROLES } from '../base/server-role.ts';
import { type RedisTime, redisTime } from '../base/time.ts';
import type { ServerSignal } from '../signals/server-signal.ts';

const MOST_DENIALS = 100;
const text = z.string().max(100_000);
const count = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);
const time = count.transform((at) => redisTime(at));
const counts = z.record(z.string().max(100), count);

const serverSchema = z.object({
  since: time.nullable(),
  facts: z
    .object({
      role: z.enum(SERVER_ROLES),
      replicas: count,
      replicaLagSeconds: count.nullable(),
      maxMemoryBytes: count.nullable(),
      evictionPolicy: text.nullable(),
      canSave: z.boolean().nullable(),
      keyEvents: text.nullable(),
      pausedSince: time.optional(),
      pausedUntil: time.optional(),
      arePausesUnseen: z.literal(true).optional(),
      unansweredSince: time.optional(),
      unansweredUntil: time.optional(),
    })
    .optional(),
  errors: counts.optional(),
  rejected: counts.optional(),
  failed: counts.optional(),
  evicted: count.optional(),
  usedMemoryBytes: count.optional(),
  denied: z
    .array(
      z.object({
        user: text,
        reason: z.enum(['command', 'key', 'channel']),
        object: text,
        context: z.enum(['toplevel', 'multi', 'lua', 'module']),
        by: text,
        command: text.optional(),
        connection: text.optional(),
        times: count,
        isGuess: z.literal(true).optional(),
      }),
    )
    .max(MOST_DENIALS)
    .optional(),
  stoodStill: z
    .object({
      from: time,
      to: time,
      command: text.optional(),
      by: text.optional(),
      shownBy: z.enum(['slow-log', 'busy', 'clients', 'pause']),
      isOfWrites: z.literal(true).optional(),
    })
    .optional(),
});

/** Reads what a server reported about itself, from a recording; undefined if it cannot be read. */
export function serverFromJson(json: unknown, at: RedisTime): ServerSignal | undefined {
  const read = serverSchema.safeParse(json);
  return read.success ? ({ kind: 'server', at, ...read.data } as ServerSignal) : undefined;
}
