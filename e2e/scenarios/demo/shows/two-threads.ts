import type { EventsPage } from '../../../pages/events-page.ts';
import { expect } from '../../stage.ts';

/** What the page of events shows after `two-threads`, and the Redis lines of one event. */
export async function expectStory(events: EventsPage): Promise<void> {
  await expect
    .poll(async () => storyIn(await events.words()))
    .toEqual([
      'acquired',
      'refused',
      'subscribed',
      'refused', // again, when B's own timer ends first on a slow machine
      'released',
      'wake-up message',
      'acquired',
      'unsubscribed',
      'released',
      'wake-up message',
    ]);
  await expect(events.event('renewed').first()).toBeVisible();
  await expect(events.table).toContainText('order-svc-1:1');
  await expect(events.table).toContainText('order-svc-2:1');
  await events.event('wake-up message').first().click();
  await expect(events.redisLines).toContainText('"publish" "redisson_lock__channel:{orders:42}" "0"', {
    ignoreCase: true,
  });
}

/**
 * The texts without direct repetitions, verdicts and renewals: a watchdog may still renew while its lock is released.
 */
function storyIn(words: string[]): string[] {
  return words.filter((word) => !/^(renew|problem )/.test(word)).filter((word, n, all) => word !== all[n - 1]);
}

/** The numbers of the steps that a list of steps shows as reached. */
export function reachedSteps(list: string): number[] {
  const states = list.match(/not reached yet|reached/g) ?? [];
  return states.flatMap((state, index) => (state === 'reached' ? [index + 1] : []));
}
