import type { Millis, RedisTime } from '../../base/time.ts';

/** The values in the sentences of each insight: the server, its users and its settings. Times are Redis time; null: none, or not known. */
export type ServerValues = {
  /** The server refuses to write, for any client. */
  'server-refuses-writes': {
    readonly error: 'OOM' | 'MISCONF' | 'NOREPLICAS' | 'CLUSTERDOWN';
    readonly refusals: number;
    readonly usedMemoryBytes: number | null;
    readonly policy: string | null;
    readonly held: number;
    /** When the next lease ends: only then does a lock become free. */
    readonly nextFreeAt: RedisTime | null;
  };
  /** The server ran no command for a while. */
  'slow-script-busy': {
    readonly lengthMs: Millis;
    /** Null: it goes on. */
    readonly endedAt: RedisTime | null;
    /** A CLIENT PAUSE makes clients wait: for all commands, or for writes. Null: no pause is known. */
    readonly pause: 'all' | 'writes' | null;
    readonly command: string | null;
    readonly by: string | null;
    /** Leases that ended in it or right after it, and of how many clients. */
    readonly expired: number;
    readonly clients: number;
  };
  /** A user may not use what locks need. */
  'acl-denied': {
    /** Null: ACL LOG was not seen, only that the commands in `objects` were refused. */
    readonly user: string | null;
    readonly reasons: readonly ('command' | 'key' | 'channel')[];
    /** The newest of the keys, channels and commands that were denied. */
    readonly objects: readonly string[];
    /** The command of the newest denial, whose reason is the last of `reasons`, the address of its client, and the name of the connection. */
    readonly command: string | null;
    readonly address: string | null;
    readonly connection: string | null;
    readonly inScript: boolean;
    /** The user may need them for something else than locks. */
    readonly isGuess?: true;
  };
  /** Clients send lock scripts to a server that does not serve them. */
  'topology-churn': {
    readonly error: 'READONLY' | 'MOVED' | 'NOSCRIPT';
    readonly refusals: number;
    readonly isReplica: boolean;
  };
  /** A client waits for replicas after each script of a lock. */
  'replica-sync-tax': {
    /** The client's uuid. */
    readonly client: string;
    readonly since: RedisTime;
    /** Long waits since then. */
    readonly times: number;
    /** The median of the last minute. */
    readonly medianMs: Millis;
    readonly longestMs: Millis;
    /** How many of the last minute lasted until the limit. */
    readonly ended: number;
    readonly recent: number;
    readonly limitMs: Millis;
    /** How many replicas the client asks for, and how many Redis reports. */
    readonly replicas: number;
    readonly connected: number | null;
  };
  /** A lock and data of the application use one name. */
  'key-name-collision': {
    /** Null: only the errors were seen, INFO does not show the name. */
    readonly lock: string | null;
    /** The command that wrote over a held lock, and the connection that sent it. */
    readonly command: string | null;
    readonly by: string | null;
    readonly refusals: number;
    /** The holder of a plain lock and that of a read-write lock of the same name, at the same time; null: not that. */
    readonly plain: string | null;
    readonly other: string | null;
  };
  /** The server announces no expiry. */
  'events-off': {
    /** Flags of `notify-keyspace-events`. */
    readonly flags: string | null;
    /** The lock whose lease ended last without an announcement. */
    readonly lastLock: string;
    readonly leases: number;
  };
};
