import { type Millis, millisBetween } from '../../../shared/base/time.ts';
import type { DemoFault } from '../../../shared/wire/demo.ts';
import type { Storyboard } from './beats-from-events.ts';

/** The measured times of the two ways a wait ended in this run. Null: it did not happen. */
type Comparison = {
  /** From the message to the acquisition. */
  readonly messageMs: Millis | null;
  /** From the first refusal to the acquisition by the waiter's own timer. */
  readonly timerMs: Millis | null;
  /** The fault that stopped a client before, so that no message came; null: no fault, the lease ran out. */
  readonly before: 'killed' | 'frozen' | null;
};

/** The comparison shown at the end; null if no waiter was woken in the run. */
export function comparisonFrom({ run, beats }: Storyboard): Comparison | null {
  let messageMs: Millis | null = null;
  let timerMs: Millis | null = null;
  let before: Comparison['before'] = null;
  const bySeq = new Map(run.events.map((event) => [event.seq, event]));
  for (const { seq, lens } of beats) {
    const event = bySeq.get(seq ?? -1);
    if (event?.type !== 'lock.acquired') continue;
    const message = bySeq.get(lens?.message ?? -1);
    if (message) messageMs = millisBetween(message.at, event.at);
    if (event.wokenBy !== 'own-timer') continue;
    timerMs = event.waitedMs ?? null;
    before = run.faults.filter(({ at }) => at < event.at).reduce<Comparison['before']>(stoppedBy, null);
  }
  return messageMs === null && timerMs === null ? null : { messageMs, timerMs, before };
}

function stoppedBy(before: Comparison['before'], { name }: DemoFault): Comparison['before'] {
  return name === 'killed' || name === 'frozen' ? name : before;
}
