import type { ServerRole } from '../base/server-role.ts';
import type { RedisTime } from '../base/time.ts';

/** What a server reports about its role, its memory and its settings. Null, unless a field says more: not reported. */
export type ServerFacts = {
  readonly role: ServerRole;
  /** How many replicas are connected to the server. */
  readonly replicas: number;
  /**
   * How long ago the replica that is most behind answered, in seconds, rounded down to 0, 2, 5, 10, 30 or 60. Null: the
   * server has no replica.
   */
  readonly replicaLagSeconds: number | null;
  /** Null: no limit. */
  readonly maxMemoryBytes: number | null;
  /** `maxmemory-policy`. */
  readonly evictionPolicy: string | null;
  /** Whether the server saved its last snapshot (RDB) without an error. */
  readonly canSave: boolean | null;
  /** Flags of `notify-keyspace-events`. */
  readonly keyEvents: string | null;
  /**
   * When it was first seen that a CLIENT PAUSE blocks clients, and until when it blocks them, if that is known. Absent:
   * no client is blocked.
   */
  readonly pausedSince?: RedisTime;
  readonly pausedUntil?: RedisTime;
  /**
   * A CLIENT PAUSE would not be seen: the server does not count its calls (Redis 6), or its clients cannot be listed.
   */
  readonly arePausesUnseen?: true;
  /**
   * The newest range in which the server did not answer our heartbeat for over a second. Without `unansweredUntil`, the
   * server still does not answer.
   */
  readonly unansweredSince?: RedisTime;
  readonly unansweredUntil?: RedisTime;
};

/** Something that Redis did not permit, from ACL LOG. */
export type Denial = {
  readonly user: string;
  /** The kind of object that was not permitted. */
  readonly reason: 'command' | 'key' | 'channel';
  /** The name of the denied object: a lock's key or channel, or a command. */
  readonly object: string;
  /** What was denied, as ACL LOG names it: a command of a client, in a transaction, in a script or in a module. */
  readonly context: 'toplevel' | 'multi' | 'lua' | 'module';
  /** Address of the client that was denied last. */
  readonly by: string;
  /** The command of that client, and the name of its connection. Absent: not known, or the connection has no name. */
  readonly command?: string;
  readonly connection?: string;
  /** How many times this was denied since the previous report. */
  readonly times: number;
  /**
   * It is not certain that a lock needed the command: ACL LOG does not name the key, so it may have been other code.
   */
  readonly isGuess?: true;
};

/** Redis ran no command for a while. */
export type Standstill = {
  readonly from: RedisTime;
  readonly to: RedisTime;
  /** The name of the command that took that long, and the address of its client. Absent: not known. */
  readonly command?: string;
  readonly by?: string;
  /**
   * What shows that Redis itself stood still, not our connection. `slow-log`: a command in SLOWLOG took that long.
   * `busy`: it refused commands since then with BUSY. `clients`: the lines of its clients have the same hole. `pause`:
   * there was a CLIENT PAUSE in that time.
   */
  readonly shownBy: 'slow-log' | 'busy' | 'clients' | 'pause';
  /**
   * It was a CLIENT PAUSE only for commands that write. That stops scripts of locks, while other commands are answered.
   */
  readonly isOfWrites?: true;
};

export type Counts = Readonly<Record<string, number>>;

/**
 * What the server reports about itself, if that has changed since the previous report. INFO, ACL LOG and SLOWLOG are
 * read outside the stream, so the place of this signal in the stream is approximate.
 */
export type ServerSignal = {
  readonly kind: 'server';
  readonly at: RedisTime;
  /** When the previous report was made; null: this is the first report of the connection, which has no counts. */
  readonly since: RedisTime | null;
  /** Absent: the facts are as in the previous report. */
  readonly facts?: ServerFacts;
  /** How many errors of each name the server returned since then, without those to Lockscope. */
  readonly errors?: Counts;
  /** How many calls of a command the server refused before they ran, and how many failed, since then. */
  readonly rejected?: Counts;
  readonly failed?: Counts;
  /** The number of keys that were evicted since then. */
  readonly evicted?: number;
  readonly usedMemoryBytes?: number;
  readonly denied?: readonly Denial[];
  readonly stoodStill?: Standstill;
};
