import type { RedisTime } from '../../base/time.ts';
import type { Counts, Denial, ServerFacts, Standstill } from '../../signals/server-signal.ts';

export type { Counts, ServerFacts };

/** What a server reports about itself. Rules: I1 to I7 in `shared/state/RULES.md`. */
export type ServerDetail =
  /** The first report of a server, and each later one in which a fact has changed. */
  | ({ readonly type: 'server.reported' } & ServerFacts)
  | {
      /**
       * The server returned errors that clients of locks may have received. INFO does not show which client, or for
       * which key.
       */
      readonly type: 'server.refused';
      /** The number of errors since `since`, by the name of the error. */
      readonly errors: Counts;
      readonly since: RedisTime;
      /** The time since which each error has been repeated, without a pause of 20 s. */
      readonly began: Readonly<Record<string, RedisTime>>;
      /**
       * Calls that the server refused before they ran, and calls that failed. Absent: no such call of a command that
       * locks use.
       */
      readonly rejected?: Counts;
      readonly failed?: Counts;
      readonly evicted?: number;
      readonly usedMemoryBytes?: number;
    }
  /** ACL LOG shows that a user may not use a key, a channel or a command that locks need. */
  | ({
      readonly type: 'server.denied';
      /** The time since which the user has been denied, without a pause of 10 min. */
      readonly began: RedisTime;
    } & Omit<Denial, 'by'>)
  | {
      /**
       * The server ran no command for a while. Observed if SLOWLOG or a BUSY error shows it, or if a CLIENT PAUSE
       * stopped only writes. Otherwise inferred from a time without any client's line, or from a CLIENT PAUSE in it.
       */
      readonly type: 'server.stood-still';
      readonly from: RedisTime;
      readonly to: RedisTime;
      readonly command?: string;
      readonly shownBy: Standstill['shownBy'];
      /** A CLIENT PAUSE stopped only commands that write, so also the scripts of locks. */
      readonly isOfWrites?: true;
    };
