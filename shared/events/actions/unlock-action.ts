import type { Millis } from '../../base/time.ts';

/**
 * What the latch of an unlock shows (3.24.0 on): which request it is, and whether the client got an answer.
 *
 *   unlock script with LATCH     begin-unlock      DEL LATCH follows once the client has its answer
 *   script that only reads it    repeat-unlock     the client sent the same request again
 *   DEL LATCH                    answer-unlock
 */
export type UnlockAction =
  | {
      readonly do: 'begin-unlock';
      readonly lock: string;
      readonly holder: string;
      readonly latch: string;
      readonly outcome: UnlockOutcome;
      /** How long the client waits for the answer. After this time, it has given up. */
      readonly answerMs: Millis;
      /** How long Redis keeps the latch; null: the script set none. */
      readonly keptMs: Millis | null;
    }
  | { readonly do: 'repeat-unlock'; readonly latch: string }
  | {
      readonly do: 'answer-unlock';
      readonly latch: string;
      /** The client put its own uuid where the id of the request belongs, so the latch stays (3.52.0 to 4.2.0). */
      readonly client?: string;
    };

/** What an unlock did in Redis, whether or not its client got the answer. */
export type UnlockOutcome = 'released' | 'partly-released' | 'refused';
