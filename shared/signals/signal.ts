import type { ObserveLevel } from '../base/observe-level.ts';
import type { Millis, RedisTime } from '../base/time.ts';
import type { BlindReason } from './blind-reason.ts';
import type { ServerSignal } from './server-signal.ts';

/**
 * What Redis sent us, in the order of one connection. Client lists, reports of the server and notes of people have no
 * exact place in that order.
 *
 * A recording stores signals, so that a better interpreter can compute everything else again.
 */
export type Signal =
  | LineSignal
  | PushSignal
  | BookmarkSignal
  | BlindSpotSignal
  | FailoverSignal
  | ClientsSignal
  | ServerSignal
  | NoteSignal;

/** One MONITOR line. Script texts are replaced by `<script SHA1>`. */
export type LineSignal = {
  readonly kind: 'line';
  readonly at: RedisTime;
  readonly db: number;
  /** Address of the client; null for a command run by a script. */
  readonly client: string | null;
  /** Command name and arguments, decoded. */
  readonly words: readonly string[];
  /** Where the reader has archived the original line. */
  readonly place?: number;
};

/** A MONITOR line was lost at this place of the stream. Only the blind spot that this causes is recorded. */
export type LostLine = { readonly kind: 'lost-line'; readonly at: RedisTime };

/** One pub/sub message pushed on the same connection. */
export type PushSignal = {
  readonly kind: 'push';
  /** Redis time of the newest line before the push, or by our clock if there are no lines. */
  readonly at: RedisTime;
  /**
   * Redis sent the message before this time: the time of the line after it, or `at` if that is by our clock. Absent:
   * not known.
   */
  readonly nextAt?: RedisTime;
  readonly channel: string;
  readonly message: string;
};

/** The content of one key at one place of the stream. */
export type KeyRead = {
  readonly db: number;
  readonly name: string;
  /** Redis type; `none` if the key does not exist. */
  readonly type: string;
  /** Fields and values, for a hash. */
  readonly fields: Readonly<Record<string, string>>;
  /** PTTL in ms; -1 no expiry, -2 no key. */
  readonly pttl: number;
  /** The key events since the last read of this key have the form of an acquisition. */
  readonly hasChanged: boolean;
  /**
   * A flush of the database removed the key. `perhaps`: the lease may have ended before, or the key was changed before.
   */
  readonly isFlushed?: true | 'perhaps';
  /** The key does not exist in any database: all of them were searched. */
  readonly isNowhere?: true;
  /** PUBSUB NUMSUB of the lock's channel; null if it was not requested. */
  readonly subscribers: number | null;
  /** The channel, if it differs from that of a plain lock. */
  readonly channel?: string;
  /**
   * The content of the keys beside the lock's own, by their role: the items of a list, the members and scores of a
   * sorted set, or one value. Empty: no such key. Absent: not read.
   */
  readonly companions?: Readonly<Record<string, readonly string[]>>;
  /** The server replied that another one, `host:port`, has this key: nothing was read. */
  readonly movedTo?: string;
};

/** Our own read of some keys: their content at exactly this place of the stream. */
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
  readonly reason: BlindReason;
};

/** From here on another server is watched: it took over, or was restarted. This signal comes within a blind spot. */
export type FailoverSignal = {
  readonly kind: 'failover';
  readonly at: RedisTime;
  readonly how: 'promoted' | 'restarted';
  /** `host:port`, or the path of a socket. */
  readonly from: string;
  readonly to: string;
  /** Everything written until then is known to have been replicated to the new master; null: not known. */
  readonly replicatedUntil: RedisTime | null;
};

/** One row of CLIENT LIST. */
export type ClientRow = {
  readonly address: string;
  readonly name: string;
  readonly library: string;
  readonly ageSeconds: number;
  readonly idleSeconds: number;
  /** The connection of a replica, or one with MONITOR. */
  readonly isServer?: true;
};

/** A client of a holder that has sent nothing since watching began, and the open connections that may be its own. */
export type UnheardClient = {
  readonly client: string;
  /** The number of those connections. All of them have long been silent. */
  readonly connections: number;
  /** When no open connection was left, or when the silence of the last one began. */
  readonly since: RedisTime;
};

/** The connections that CLIENT LIST reported at about `at`. */
export type ClientsSignal = {
  readonly kind: 'clients';
  readonly at: RedisTime;
  readonly clients: readonly ClientRow[];
  /** There is no list: it is too long to be requested, or is no longer permitted. */
  readonly isUnavailable?: true;
  /**
   * Only in a recording, which does not contain every list: when the previous list was made, and which rows are new
   * since.
   */
  readonly before?: { readonly at: RedisTime; readonly fresh: readonly string[] };
  /** Only in a recording: what the whole list shows about clients that sent nothing so far. Absent: nothing. */
  readonly unheard?: readonly UnheardClient[];
};

/** A note of a person about a problem. Every person who watches this source can read it. */
export type NoteSignal = {
  readonly kind: 'note';
  readonly at: RedisTime;
  /** The id of the insight, and the lock that the insight is about. `lock` is empty: it is about the whole source. */
  readonly insight: string;
  readonly db: number;
  readonly lock: string;
  /** Empty: the problem is only acknowledged. */
  readonly text: string;
  /** The name that its author entered; null: no name. */
  readonly author: string | null;
  /** A person has noted that they work on the problem. */
  readonly isAcknowledged: boolean;
};

/** How the source is watched from here on: which signals there can be, and in which order. */
export type WatchSignal = {
  readonly kind: 'watch';
  readonly at: RedisTime;
  readonly level: ObserveLevel;
  readonly isPushFirst: boolean;
  /** False: wake-up messages do not arrive here. In a cluster they may be sharded, and a replica does not get them. */
  readonly hearsMessages?: false | undefined;
  /** By how much Redis's clock is behind the times of the signals, in ms. Absent: by nothing. */
  readonly clockBehindMs?: Millis | undefined;
  /** The server has SET with IFEQ, as its version shows. Absent: not known. */
  readonly hasIfEqual?: true | undefined;
  /** What cannot be seen, as far as checks depend on it. Absent: not known. */
  readonly lacks?: readonly string[] | undefined;
  /** Only `lacks` has changed since the previous signal of this kind: the connection is the same as before. */
  readonly isSame?: true | undefined;
};

/**
 * Time passed. A recording contains it instead of steps that were left out, for example if the passing of time ended a
 * lease.
 */
export type TimeSignal = { readonly kind: 'time'; readonly at: RedisTime };

/** The client and the name of a connection, if known. A recording contains it instead of lines that were left out. */
export type ConnectionSignal = {
  readonly kind: 'connection';
  readonly at: RedisTime;
  readonly address: string;
  readonly client: string | null;
  readonly name: string | null;
  /** When the connection set its name, if that was seen: a client list made just before does not contain it. */
  readonly namedAt?: RedisTime;
  /** This client and others may take turns on the connection, as through a proxy, so its end proves nothing. */
  readonly isBehindProxy?: true;
};
