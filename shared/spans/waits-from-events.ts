import type { LockEvent } from '../events/event.ts';
import { CounterWaits } from './counter-waits.ts';
import type { Wait } from './wait.ts';

/**
 * Turns one lock's events into waits, in order of their beginning.
 *
 *   event   refused   subscribed   refused (asleep)   ……   acquired (woken by message)
 *   wait    [==============================================]   attempts: 2, ended: message
 *
 * A single refused attempt that is never repeated is no wait: `tryLock()` asks once and goes on.
 */
export function waitsFromEvents(events: readonly LockEvent[]): Wait[] {
  const waits: Wait[] = [];
  const open = new Map<string, Wait>();
  const counted = new CounterWaits();

  function end(holder: string, event: LockEvent, ended: NonNullable<Wait['ended']>): void {
    const wait = open.get(holder);
    if (!wait) return;
    open.delete(holder);
    wait.to = event.at;
    wait.ended = ended;
    wait.toSeq = event.seq;
  }

  for (const event of events) {
    if (counted.take(event)) continue;
    switch (event.type) {
      case 'lock.refused': {
        const known = event.attempt > 1 ? open.get(event.holder) : undefined;
        if (known) {
          known.attempts = event.attempt;
          break;
        }
        if (event.reason === 'error' || event.reason === 'own-hold') break;
        const wait: Wait = {
          holder: event.holder,
          mode: event.mode,
          from: event.at,
          to: null,
          ended: null,
          attempts: event.attempt,
          fromSeq: event.seq,
          toSeq: null,
        };
        waits.push(wait);
        open.set(event.holder, wait);
        break;
      }
      case 'lock.acquired':
        // Asked once and did not wait: this is another call, however much later.
        if (open.get(event.holder)?.attempts === 1 && event.waitedMs === undefined) open.delete(event.holder);
        else end(event.holder, event, event.wokenBy ?? 'acquired');
        break;
      case 'waiter.dequeued':
        // Struck from a queue, or the queue gone: whoever is alive still waits.
        if (event.reason === 'presumed-gone') end(event.holder, event, 'presumed-gone');
        else if (event.reason === 'gave-up' || event.reason === 'left') end(event.holder, event, 'gave-up');
        break;
      case 'blind-spot.began':
        for (const holder of [...open.keys()]) end(holder, event, 'unseen');
        break;
      default: // the other events change no wait
    }
  }
  counted.settle();
  const repeated = waits.filter((wait) => wait.attempts > 1 || wait.ended === 'acquired');
  return counted.waits.length === 0 ? repeated : [...repeated, ...counted.waits].sort((a, b) => a.fromSeq - b.fromSeq);
}
