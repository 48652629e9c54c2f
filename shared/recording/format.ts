import { z } from 'zod';
import { OBSERVE_LEVELS } from '../base/observe-level.ts';
import { SERVER_ROLES } from '../base/server-role.ts';
import type { RedisTime } from '../base/time.ts';
import type { ConnectionSignal, Signal, TimeSignal, WatchSignal } from '../signals/signal.ts';

/** The format that this version writes. It also reads all older formats. */
export const FORMAT = 1;

/** A message that was pushed while the command before it ran. A message outside a command is a `push`. */
type InnerPushSignal = {
  readonly kind: 'inner-push';
  readonly at: RedisTime;
  readonly nextAt?: RedisTime;
  readonly channel: string;
  readonly message: string;
};

/**
 * One line of a recording between header and end.
 *
 * A line with a client begins a command; the `lua` lines and inner pushes that follow belong to it.
 */
export type RecordedSignal = Signal | WatchSignal | TimeSignal | ConnectionSignal | InnerPushSignal;

const time = z.number().int().min(0).max(Number.MAX_SAFE_INTEGER);

/** The first line. Unknown fields are dropped; a newer format is recognised before this schema is used. */
export const headerSchema = z.object({
  lockscope: z.literal('recording'),
  format: z.literal(FORMAT),
  /** The source, as it was when the recording began. */
  source: z.object({
    id: z.string().max(256),
    /** Without credentials. */
    url: z.string().max(10_000),
    redisVersion: z.string().max(256),
    role: z.enum(SERVER_ROLES),
    level: z.enum(OBSERVE_LEVELS),
    /** Whether this server sends a push before the line of the command that caused it. */
    isPushFirst: z.boolean(),
    /** The next four fields are as in `WatchSignal`. */
    hearsMessages: z.literal(false).optional(),
    clockBehindMs: z.number().min(0).optional(),
    hasIfEqual: z.literal(true).optional(),
    lacks: z.array(z.string().max(64)).max(64).readonly().optional(),
    /** The recording was made from the text of `redis-cli monitor`. */
    isText: z.literal(true).optional(),
    node: z.string().max(1024).optional(),
    topology: z.enum(['single', 'sentinel', 'cluster']).optional(),
  }),
  /** Redis time in µs. */
  startedAt: time,
  /** The version of Lockscope that made the recording. */
  madeBy: z.string().max(256).optional(),
});

/** The last line. Without it, the recording was cut short. */
export const endSchema = z.object({ end: time, signals: z.number().int().min(0) });

export type RecordingHeader = z.infer<typeof headerSchema>;
export type RecordingEnd = z.infer<typeof endSchema>;
