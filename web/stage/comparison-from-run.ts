import { type Millis, millisBetween } from '../../shared/base/time.ts';
import type { Score } from './beats-from-events.ts';

/** The two ways a wait ended in this run, measured. Null: it did not happen. */
export type Comparison = {
  /** From the message to the acquisition. */
  readonly messageMs: Millis | null;
  /** From the first refusal to the acquisition by the waiter's own timer. */
  readonly timerMs: Millis | null;
};

/** What the show ends with; null when no wait ended in it. */
export function comparisonFrom({ run, beats }: Score): Comparison | null {
  let messageMs: Millis | null = null;
  let timerMs: Millis | null = null;
  const bySeq = new Map(run.events.map((event) => [event.seq, event]));
  for (const { seq, lens } of beats) {
    const event = bySeq.get(seq ?? -1);
    if (event?.type !== 'lock.acquired') continue;
    const message = bySeq.get(lens?.message ?? -1);
    if (message) messageMs = millisBetween(message.at, event.at);
    if (event.wokenBy === 'own-timer') timerMs = event.waitedMs ?? null;
  }
  return messageMs === null && timerMs === null ? null : { messageMs, timerMs };
}
