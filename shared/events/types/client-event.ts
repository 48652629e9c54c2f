import type { RedisTime } from '../../base/time.ts';

/** What CLIENT LIST shows about a client that has sent lock scripts. Rules: O1 to O8 in `shared/state/RULES.md`. */
export type ClientDetail = {
  /**
   * `client.unknown`: all known connections of the client have ended, but it may have others, or the list is
   * unavailable. The client may or may not be alive.
   */
  readonly type: 'client.connected' | 'client.idle' | 'client.gone' | 'client.unknown';
  /** The uuid, or the token that identifies the whole client. */
  readonly client: string;
  /** The client's connections; if it is gone or unknown, the last ones that were seen. */
  readonly addresses: readonly string[];
  /** The name of the client's connections. */
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
   * Connected: since the client's oldest known connection. Idle: since it last sent anything. Gone and unknown: the
   * last instant at which one of its connections was seen; the client was found missing at `at`.
   */
  readonly since: RedisTime;
};
