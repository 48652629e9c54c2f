import { z } from 'zod';
import type { RedisTime } from '../base/time.ts';
import type { Signal } from '../signals/signal.ts';

/** The format this version writes. It reads this one and every one before. */
export const FORMAT = 1;

/** How a stretch was watched: which signals it can contain, and how they stood in the stream. */
export type WatchSignal = {
  readonly kind: 'watch';
  readonly at: RedisTime;
  readonly level: 'snapshot' | 'events' | 'monitor';
  readonly isPushFirst: boolean;
  /** Messages of releases do not come by: in a cluster they go out in shards, and a replica is not sent them. */
  readonly hearsMessages?: false | undefined;
};

/** Time went by with nothing else worth keeping, and something was looked at because of it. */
export type TimeSignal = { readonly kind: 'time'; readonly at: RedisTime };

/** Whose connection an address is, and its name, as far as was known: what a line that was left out had told. */
export type ConnectionSignal = {
  readonly kind: 'connection';
  readonly at: RedisTime;
  readonly address: string;
  readonly client: string | null;
  readonly name: string | null;
};

/** A message that was pushed while the command before it ran. Alone, it is a plain `push`. */
export type InnerPushSignal = {
  readonly kind: 'inner-push';
  readonly at: RedisTime;
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

/** First line. Unknown fields are kept out; a newer format is told apart before this is asked. */
export const headerSchema = z.object({
  lockscope: z.literal('recording'),
  format: z.literal(FORMAT),
  /** The Redis that was watched, as it was when the recording began. */
  source: z.object({
    id: z.string().max(256),
    /** Never with credentials. */
    url: z.string().max(10_000),
    redisVersion: z.string().max(256),
    role: z.enum(['master', 'replica']),
    level: z.enum(['snapshot', 'events', 'monitor']),
    /** Whether this server sends a push before the line of the command that caused it. */
    isPushFirst: z.boolean(),
    /** As in `watch`; `host:port` of the server then, and what it was one of. */
    hearsMessages: z.literal(false).optional(),
    node: z.string().max(1024).optional(),
    topology: z.enum(['single', 'sentinel', 'cluster']).optional(),
  }),
  /** Redis time in µs. */
  startedAt: time,
  /** The version that made it. */
  madeBy: z.string().max(256).optional(),
});

/** Last line; without it the recording was cut short. */
export const endSchema = z.object({ end: time, signals: z.number().int().min(0) });

export type RecordingHeader = z.infer<typeof headerSchema>;
export type RecordingEnd = z.infer<typeof endSchema>;

/** Why a file cannot be opened, in words for the user. */
export type RecordingProblem = {
  readonly code: 'not-a-recording' | 'newer-format' | 'unreadable';
  readonly message: string;
  readonly hint: string;
};
