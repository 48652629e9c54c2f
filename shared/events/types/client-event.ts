import type { RedisTime } from '../../base/time.ts';

/** What CLIENT LIST shows about a client that uses locks. Rules: O1 to O8 in `shared/state/RULES.md`. */
export type ClientDetail = {
  /**
   * `client.unknown`: the client may or may not be alive. There are three cases:
   * - All its known connections have ended, but it may have others.
   * - The list is unavailable.
   * - The client holds a lock, but was never seen to send a command.
   */
  readonly type: 'client.connected' | 'client.idle' | 'client.gone' | 'client.unknown';
  /** The uuid. For a lock with a token: the token, which may belong to a single hold. For a permit: its id. */
  readonly client: string;
  /**
   * The client's connections, at most 20. If the client is gone or unknown: the last ones that were seen; empty if it
   * was never seen to send a command.
   */
  readonly addresses: readonly string[];
  /** The name of the client's connections; null: they have none, or it is not known. */
  readonly name: string | null;
  readonly library: string;
  readonly clientVersion?: string;
  /**
   * `client.unknown` of a client that holds a lock but was never seen to send a command: the number of open connections
   * that may be its own. 0: it is probably gone. More: all of them have long been silent, so the client is paused, cut
   * off or gone. Absent: nothing is known.
   */
  readonly connections?: number;
  /**
   * - Connected: when the oldest of its listed connections began. If none of them is in the list: when the client last
   *   sent a command.
   * - Idle: when it last sent anything.
   * - Gone and unknown: the last instant at which one of its connections was seen.
   * - Never seen to send a command: since when no open connection may be its own, or since when all of these are
   *   silent.
   */
  readonly since: RedisTime;
};
