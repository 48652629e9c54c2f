import { z } from 'zod';
import type { LockEvent } from '../events/event.ts';
import type { Lock } from './locks/lock.ts';
import type { Problem } from './problems/problem.ts';
import type { Source } from './source.ts';

/** The first message of a page: its wire version and the last `seq` it has. */
export const helloMessage = z.object({
  v: z.literal(1),
  after: z.number().int().min(0).optional(),
  /** The `run` of the snapshot that the page loaded. In another run, the same `seq` belongs to another event. */
  run: z.string().max(64).optional(),
});

/** What a page wants to receive from now on. An absent field keeps its value. */
export const wantMessage = z.object({
  /** Only these lock ids (`source/db/name`) in batches; an empty list means all. */
  locks: z.array(z.string().max(2_000_000)).max(1000).optional(),
  events: z.boolean().optional(),
});

export type Hello = z.infer<typeof helloMessage>;
export type Want = z.infer<typeof wantMessage>;

/**
 * The current state as of `seq`: the locks that are held or waited for, then free ones. If the page has chosen locks by
 * `want`, only those.
 */
export type SnapshotMessage = {
  v: 1;
  seq: number;
  /** Redis time in µs of this message, by the clock of the first source. */
  at: number;
  locks: Lock[];
  sources: Source[];
  /** More locks exist than were sent; the page fetches them with `GET /api/locks`. */
  truncated: boolean;
  /** How many locks the server knows, if it sent only a part of them. */
  total?: number;
  /** How many of these locks are held. */
  totalHeld?: number;
  /** Connection names of clients, by uuid: events have ids only. If there are too many, the newest are sent. */
  names?: Record<string, string>;
  /** The id of this run of the server. A page sends it back with `after`. */
  run?: string;
};

/**
 * The events `fromSeq`..`toSeq`, and each changed lock as it is after `toSeq`. `skipped`: the number of events that
 * were left out because the page is slow. No locks were left out.
 */
export type BatchMessage = {
  v: 1;
  fromSeq: number;
  toSeq: number;
  at: number;
  events: readonly LockEvent[];
  locks: Lock[];
  /** Ids of locks that were forgotten. */
  gone: string[];
  sources?: Source[];
  skipped?: number;
};

/** Messages are missing: the page must start again from the next snapshot. `reason` is the message of the problem. */
export type ResyncMessage = { v: 1; reason: string } & Problem;

export type ServerToClient = {
  snapshot: (message: SnapshotMessage) => void;
  batch: (message: BatchMessage) => void;
  resync: (message: ResyncMessage) => void;
  problem: (message: Problem) => void;
};
export type ClientToServer = { hello: (message: Hello) => void; want: (message: Want) => void };
