import type { Millis, RedisTime } from '../../base/time.ts';

/** How long a client waited for replicas. Rules: Y1 to Y3 in `shared/state/RULES.md`. */
export type ReplicaDetail = {
  /**
   * After a lock's script, the client waited for replicas to confirm the script: for 100 ms or more, or beyond its
   * limit. Always inferred.
   */
  readonly type: 'replicas.awaited';
  readonly holder: string;
  readonly command: ReplicaCommand;
  /** The number of replicas that the client asked for. */
  readonly replicas: number;
  /** How long Redis waits at most; 0: without a limit. */
  readonly limitMs: Millis;
  /** From the command until the client continued. The answer of Redis arrived at that moment or earlier. */
  readonly tookMs: Millis;
  /**
   * How the client showed that it continued. `answered`: it deleted the latch of this unlock, or a key with a wrong
   * name instead (rule U3). `limit`: after the limit it asked which replicas there are, or sent the unlock again.
   */
  readonly shownBy: 'answered' | 'limit';
  /**
   * When the first wait of this series was reported, and the number of reported waits in it so far. A pause of 30 s
   * ends a client's series.
   */
  readonly began: RedisTime;
  readonly times: number;
};

export type ReplicaCommand = 'WAIT' | 'WAITAOF';
