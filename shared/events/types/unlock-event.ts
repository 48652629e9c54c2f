import type { Millis, RedisTime } from '../../base/time.ts';

/**
 * Whether the client of an unlock got its answer, and whether its latch is left behind. Rules: U1 to U4 in
 * `shared/state/RULES.md`.
 */
export type UnlockDetail =
  | {
      /**
       * The client got no answer. Always inferred: after an answer it would have deleted the latch of this unlock
       * (3.24.0 on), and would not have sent the unlock again.
       */
      readonly type: 'unlock.unanswered';
      readonly holder: string;
      /** What the unlock did in Redis. `refused`: the script found no hold, or an error cut it off. */
      readonly outcome: 'released' | 'partly-released' | 'refused';
      readonly unlockedAt: RedisTime;
      /** The number of unanswered unlocks of this thread at this lock that this event reports; absent: one. */
      readonly times?: number;
      /**
       * The client sent the unlock again. `answered`: the latch still had the result (3.24.0 on). `refused`: older
       * clients get an error, since the hold is gone.
       */
      readonly repeat?: 'answered' | 'refused';
    }
  | {
      /** A client deletes the latches of its unlocks under a wrong name, so they stay. One event for many unlocks. */
      readonly type: 'unlock.latch-left';
      readonly client: string;
      readonly since: RedisTime;
      /** The number of unlocks since `since` whose latch was left. */
      readonly unlocks: number;
      /** The number of latches that exist now, computed from how long each is kept. */
      readonly keys: number;
      readonly keptMs: Millis;
    };
