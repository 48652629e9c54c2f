import type { Shown, StagePage } from '../../../pages/stage-page.ts';
import type { Lockscope, ReportedEvent } from '../../../support/lockscope/lockscope.ts';
import { expect, test } from '../../stage.ts';
import { eventsOf, wakeText } from './show.ts';

/**
 * Checks a show that was played from its start to its end: the captions that the stage showed, their order and their
 * numbers. The expected captions are made here from `/api/events`, not from the page.
 */
export async function expectFullShow(stage: StagePage, lockscope: Lockscope, shown: readonly Shown[]): Promise<void> {
  const events = await eventsOf(lockscope, 'orders:42');
  const captions = shown.map(({ caption }) => caption).filter((caption) => /[.]$/.test(caption));
  const distinct = captions.filter((caption, index) => caption !== captions[index - 1]);
  expect(distinct.slice(distinct.indexOf('A acquires the lock. Redis grants a 6-second lease.'))).toEqual([
    ...captionsOf(events),
    'A release wakes the waiter; after a crash its own timer does.',
  ]);
  for (const caption of distinct) expect(caption.split(' ').length, caption).toBeLessThanOrEqual(12);

  await test.step('beats are in the order of their events, and none is missing', () => {
    const beats = shown.map(({ beat }) => beat).filter((beat) => beat.startsWith('e'));
    const seqs = [...new Set(beats)].map((beat) => Number(beat.slice(1)));
    expect(seqs).toEqual(events.filter(isBeat).map(({ seq }) => seq));
  });

  await test.step('the comparison at the end is the measured one', async () => {
    const [byMessage, byTimer] = wakeUps(events);
    await expect(stage.summary).toContainText(`woken by message, ${byMessage.text}`);
    await expect(stage.summary).toContainText(`woken by timer, after ${(byTimer.waitedMs / 1000).toFixed(1)} s`);
    await expect(stage.lesson).toContainText('B slept until the lease expired');
    await stage.button('Back').click();
    await expect(stage.card('A')).toContainText('crashed');
  });
}

/** The expected captions for these events, and for A's crash, which Redis does not report. */
function captionsOf(events: readonly ReportedEvent[]): string[] {
  const captions: string[] = [];
  const [byMessage, byTimer] = wakeUps(events);
  let isFirstRenewal = true;
  let setAt = 0;
  let hasCrashed = false;
  let leaseMs = 0;
  let isOverdueReported = false;
  for (const event of events) {
    const dueAt = setAt + (leaseMs / 3) * 1000;
    if (hasCrashed && !isOverdueReported && event.type !== 'lease.renewed' && event.at > dueAt) {
      captions.push('The renewal is overdue.');
      isOverdueReported = true;
    }
    switch (event.type) {
      case 'lock.acquired':
        if (event.seq === byMessage.seq) captions.push(`B wakes, asks again, gets it: ${byMessage.text} later.`);
        else if (event.seq === byTimer.seq) captions.push('No message came: B’s own timer woke it. It gets the lock.');
        else if (captions.length === 0)
          captions.push(`A acquires the lock. Redis grants a ${(event.leaseMs ?? 0) / 1000}-second lease.`);
        else {
          captions.push('A acquires it again.', 'A crashes. Nothing renews the lease now.');
          hasCrashed = true;
        }
        setAt = event.at;
        leaseMs = event.leaseMs ?? leaseMs;
        break;
      case 'lease.renewed':
        if (isFirstRenewal) captions.push(renewalCaption((event.at - setAt) / 1e6));
        isFirstRenewal = false;
        setAt = event.at;
        break;
      case 'lock.refused': {
        // no caption: on a busy machine, the waiter's own timer may have ended the sleep
        if (event.asleep ? event.wokenBy !== undefined : event.attempt > 1) break;
        const left = `lease left ${((event.ttlMs ?? 0) / 1000).toFixed(1)} s.`;
        if (event.asleep) captions.push('B subscribes, checks once more, then sleeps. No polling.');
        else captions.push(hasCrashed ? `B asks: ${left}` : `B asks: busy, ${left}`);
        break;
      }
      case 'lease.expired':
        captions.push('The lease expired: Redis deletes A’s key.');
        break;
      case 'lock.released':
        captions.push(
          event.seq < byMessage.seq
            ? 'A deletes the key and publishes one message.'
            : 'Released. No thread is waiting, so none wakes.',
        );
        break;
      default:
    }
  }
  return captions;
}

function renewalCaption(seconds: number): string {
  const reported = seconds.toFixed(1).replace(/\.0$/, '');
  return Math.abs(seconds - 2) <= 0.3
    ? `Every ${reported} seconds A’s watchdog renews the lease.`
    : `A’s watchdog renews the lease, ${reported} seconds after it was set.`;
}

/** The two acquisitions that ended a sleep: by the message, and by the waiter's own timer. */
function wakeUps(events: readonly ReportedEvent[]) {
  const woken = events.flatMap((event) => (event.type === 'lock.acquired' && event.wokenBy ? [event] : []));
  expect(woken.map(({ wokenBy }) => wokenBy)).toEqual(['message', 'own-timer']);
  const [first, second] = woken;
  const message = events.find(({ seq, type }) => type === 'wakeup.published' && first?.because?.includes(seq));
  return [
    { seq: first?.seq ?? 0, text: wakeText(message?.at ?? 0, first?.at ?? 0) },
    { seq: second?.seq ?? 0, waitedMs: second?.waitedMs ?? 0 },
  ] as const;
}

/**
 * Whether an event has its own beat. Subscriptions and messages are within other beats; verdicts are beside the show.
 */
function isBeat({ type }: ReportedEvent): boolean {
  return (
    !type.startsWith('insight.') && !['waiter.subscribed', 'waiter.unsubscribed', 'wakeup.published'].includes(type)
  );
}
