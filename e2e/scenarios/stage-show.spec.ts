import { SHOWN_WITHIN_MS, StagePage } from '../pages/stage-page.ts';
import type { ToldEvent } from '../support/clients/lockscope.ts';
import { expect, test } from './stage.ts';

/*
 * The show, from Play to its end, on a real Redis: its captions, their order and their numbers. The expected captions are
 * made here from `/api/events`, not from the page.
 */

test('both scenes, from Play to the end: captions and beats in order, with the numbers of the events', async ({
  demo,
  page,
}) => {
  const stage = new StagePage(page);
  await stage.open(demo.url);
  const after = await demo.newestSeq();
  const shown = await stage.recordShow();
  await stage.button('Play the show').click();
  await expect(stage.summary).toBeVisible({ timeout: SHOWN_WITHIN_MS });

  const events = await demo.eventsAfter(after, { lock: 'orders:42' });
  const captions = (await shown()).map(({ caption }) => caption).filter((caption) => /[.]$/.test(caption));
  const said = captions.filter((caption, index) => caption !== captions[index - 1]);
  expect(said.slice(said.indexOf('A acquires the lock. Redis grants a 6-second lease.'))).toEqual(captionsOf(events));
  for (const caption of said) expect(caption.split(' ').length, caption).toBeLessThanOrEqual(12);

  await test.step('beats are in the order of their events, and none is missing', async () => {
    const beats = (await shown()).map(({ beat }) => beat).filter((beat) => beat.startsWith('e'));
    const seqs = [...new Set(beats)].map((beat) => Number(beat.slice(1)));
    expect(seqs).toEqual(events.filter(isBeat).map(({ seq }) => seq));
  });

  await test.step('the comparison at the end is the measured one', async () => {
    const [byMessage, byTimer] = wakeUps(events);
    await expect(stage.summary).toContainText(`woken by message, ${wakeText(byMessage.ms)}`);
    await expect(stage.summary).toContainText(`woken by timer, after ${(byTimer.waitedMs / 1000).toFixed(1)} s`);
    await expect(stage.lesson).toContainText('B slept until the lease expired');
    await stage.button('Back').click();
    await expect(stage.card('A')).toContainText('crashed');
  });
});

test('the crash alone, the watchdog alone, and a lease without one', async ({ demo, page }) => {
  test.slow();
  const stage = new StagePage(page);
  await stage.open(demo.url);
  const play = async (id: string) => {
    const shown = await stage.recordShow();
    await stage.playToTheEnd(id);
    await expect(stage.caption).toHaveText('Released. No thread is waiting, so none wakes.', {
      timeout: SHOWN_WITHIN_MS,
    });
    return new Set((await shown()).map(({ caption }) => caption));
  };
  const watchdog = await play('watchdog');
  expect([...watchdog].some((caption) => caption.includes('A’s watchdog renews the lease'))).toBe(true);
  const accident = await play('no-watchdog');
  expect(accident).toContain('A acquires the lock for 3 seconds, without a watchdog.');
  expect(accident).toContain('B gets it; A still works. Two believe they hold it.');
  expect(accident).toContain('A’s unlock is refused: its lease has expired.');
  const crash = await play('holder-crash');
  expect(crash).toContain('A crashes. Nothing renews the lease now.');
  expect(crash).toContain('The renewal is overdue.');
  expect(crash).toContain('The lease expired. No message: B’s own timer woke it.');
});

/** The expected captions for these events, and for A's crash, which Redis does not report. */
function captionsOf(events: readonly ToldEvent[]): string[] {
  const captions: string[] = [];
  const [byMessage, byTimer] = wakeUps(events);
  let isFirstRefill = true;
  let setAt = 0;
  let hasCrashed = false;
  let leaseMs = 0;
  let isOverdueTold = false;
  for (const event of events) {
    const dueAt = setAt + (leaseMs / 3) * 1000;
    if (hasCrashed && !isOverdueTold && event.type !== 'lease.renewed' && event.at > dueAt) {
      captions.push('The renewal is overdue.');
      isOverdueTold = true;
    }
    switch (event.type) {
      case 'lock.acquired':
        if (event.seq === byMessage.seq)
          captions.push(`B wakes, asks again, gets it: ${wakeText(byMessage.ms)} later.`);
        else if (event.seq === byTimer.seq) captions.push('The lease expired. No message: B’s own timer woke it.');
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
        if (isFirstRefill) captions.push(refillCaption((event.at - setAt) / 1e6));
        isFirstRefill = false;
        setAt = event.at;
        break;
      case 'lock.refused': {
        // on a busy machine its own timer may end first: no caption
        if (event.asleep ? event.wokenBy !== undefined : event.attempt > 1) break;
        const left = `lease left ${((event.ttlMs ?? 0) / 1000).toFixed(1)} s.`;
        if (event.asleep) captions.push('B subscribes, checks once more, then sleeps. No polling.');
        else captions.push(hasCrashed ? `B asks: ${left}` : `B asks: busy, ${left}`);
        break;
      }
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

function refillCaption(seconds: number): string {
  const told = seconds.toFixed(1).replace(/\.0$/, '');
  return Math.abs(seconds - 2) <= 0.3
    ? `Every ${told} seconds A’s watchdog renews the lease.`
    : `A’s watchdog renews the lease, ${told} seconds after it was set.`;
}

/** The two acquisitions that ended a sleep: by the message, and by the waiter's own timer. */
function wakeUps(events: readonly ToldEvent[]) {
  const woken = events.flatMap((event) => (event.type === 'lock.acquired' && event.wokenBy ? [event] : []));
  expect(woken.map(({ wokenBy }) => wokenBy)).toEqual(['message', 'own-timer']);
  const [first, second] = woken;
  const message = events.find(({ seq, type }) => type === 'wakeup.published' && first?.because?.includes(seq));
  return [
    { seq: first?.seq ?? 0, ms: ((first?.at ?? 0) - (message?.at ?? 0)) / 1000 },
    { seq: second?.seq ?? 0, waitedMs: second?.waitedMs ?? 0 },
  ] as const;
}

function wakeText(ms: number): string {
  if (ms < 0.095) return `${Math.round(ms * 1000)} µs`;
  return `${ms < 9.95 ? ms.toFixed(1) : Math.round(ms)} ms`;
}

/** Whether an event has its own beat. Subscriptions and messages are within other beats; verdicts are beside the show. */
function isBeat({ type }: ToldEvent): boolean {
  return (
    !type.startsWith('insight.') && !['waiter.subscribed', 'waiter.unsubscribed', 'wakeup.published'].includes(type)
  );
}
