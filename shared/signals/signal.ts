import type { RedisTime } from '../base/time.ts';

/**
 * What Redis told us, verbatim and in the order of one connection.
 *
 * A recording stores signals, so everything later can be worked out again by a better interpreter.
 */
export type Signal = LineSignal | PushSignal | BookmarkSignal | BlindSpotSignal | FailoverSignal | ClientsSignal;

/** One MONITOR line. Script texts are replaced by `<script SHA1>` before anybody sees them. */
export type LineSignal = {
  readonly kind: 'line';
  readonly at: RedisTime;
  readonly db: number;
  /** Address of the client; null for a command run by a script. */
  readonly client: string | null;
  /** Command name and arguments, decoded. */
  readonly words: readonly string[];
  /** Where whoever read it keeps it as Redis wrote it. */
  readonly place?: number;
};

/** A MONITOR line was lost at this place of the stream. Not recorded: the blind spot it causes is. */
export type LostLine = { readonly kind: 'lost-line'; readonly at: RedisTime };

/** One pub/sub message pushed on the same connection. */
export type PushSignal = {
  readonly kind: 'push';
  /** Redis time of the newest line before it, or an estimate where there are no lines. */
  readonly at: RedisTime;
  readonly channel: string;
  readonly message: string;
};

/** What one key held at one point of the stream. */
export type KeyRead = {
  readonly db: number;
  readonly name: string;
  /** Redis type; `none` when there is no such key. */
  readonly type: string;
  /** Fields and values, for a hash. */
  readonly fields: Readonly<Record<string, string>>;
  /** PTTL in ms; -1 no expiry, -2 no key. */
  readonly pttl: number;
  /** Key events before it, and since its last read, are those of an acquisition. */
  readonly hasChanged: boolean;
  /** A flush of its database took the key away, and no key event was about it. */
  readonly isFlushed?: true;
  /** PUBSUB NUMSUB of its channel; null when it was not asked. */
  readonly subscribers: number | null;
  /** The channel, where it is not that of a plain lock. */
  readonly channel?: string;
  /**
   * What the keys beside the lock's own held, by their role: the items of a list, members and scores of a sorted set, or
   * one value. Empty: no such key. Absent: not read.
   */
  readonly companions?: Readonly<Record<string, readonly string[]>>;
  /** The server said that this key is kept by another one, `host:port`: nothing was read. */
  readonly movedTo?: string;
};

/** Our own read of some keys, valid exactly at its place in the stream. */
export type BookmarkSignal = {
  readonly kind: 'bookmark';
  readonly at: RedisTime;
  readonly reads: readonly KeyRead[];
};

/** Watching stopped or began again. */
export type BlindSpotSignal = {
  readonly kind: 'blind-spot';
  readonly at: RedisTime;
  readonly phase: 'began' | 'ended';
  readonly reason: string;
};

/** Another server is watched from here on: it took over, or was started anew. Stands within a blind spot. */
export type FailoverSignal = {
  readonly kind: 'failover';
  readonly at: RedisTime;
  readonly how: 'promoted' | 'restarted';
  /** `host:port`, or the path of a socket. */
  readonly from: string;
  readonly to: string;
  /** Until when everything written is known to have reached the server that took over; null: not known. */
  readonly replicatedUntil: RedisTime | null;
};

/** One row of CLIENT LIST. */
export type ClientRow = {
  readonly address: string;
  readonly name: string;
  readonly library: string;
  readonly ageSeconds: number;
  readonly idleSeconds: number;
};

/** Who is connected, as CLIENT LIST said at about `at`. */
export type ClientsSignal = {
  readonly kind: 'clients';
  readonly at: RedisTime;
  readonly clients: readonly ClientRow[];
  /** There is no list: it is too long to be asked for, or not permitted any longer. */
  readonly isUnavailable?: true;
  /** In a recording, which has not every list: when the list before was made, and which rows were not in it. */
  readonly before?: { readonly at: RedisTime; readonly fresh: readonly string[] };
};
