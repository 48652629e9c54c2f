import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../../shared/events/event.ts';
import { merged } from '../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../testing/stories/fair-story.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { inSlices } from '../slices/in-slices.ts';
import { EventStore } from '../store/event-store.ts';
import { traitsOf } from './traits-of.ts';

const clientOf = (actor: string) => holderOf(actor).split(':')[0] ?? '';

/** What the events show of a client. `level` null: the source is not watched. */
async function traits(
  events: readonly LockEvent[],
  {
    of = 'B',
    to = 60,
    level = 'monitor' as 'monitor' | 'events' | 'snapshot' | null,
    since = -1,
    source = 'story',
  } = {},
) {
  const store = new EventStore(() => seconds(3000));
  store.add(merged(events));
  const sight = level === null ? undefined : { level, watchedSince: seconds(since) };
  return inSlices(traitsOf(store.history.remembered(), { source, client: clientOf(of), to: seconds(to) }, sight));
}

const LISTENING = `x lease 30s
  0.000 A attempts acquired
  1.000 B attempts refused
  1.001 B subscribes
  1.002 B attempts refused`;

describe('subscriptions', () => {
  test('a channel is listed from the SUBSCRIBE to the UNSUBSCRIBE of its client', async () => {
    const events = story(`${LISTENING}\n 5.000 A releases\n 5.001 B attempts acquired\n 5.002 B unsubscribes`);
    const { channels } = (await traits(events, { to: 3 })).subscriptions;
    expect(channels).toMatchObject([
      { id: 'story/0/x', lock: 'x', since: seconds(1.001), mayHaveEnded: false, channel: expect.stringContaining('x') },
    ]);
    expect((await traits(events)).subscriptions).toMatchObject({ unseen: null, channels: [] });
    expect((await traits(events, { of: 'A', to: 3 })).subscriptions.channels).toEqual([]);
    expect((await traits(events, { to: 3, source: 'other' })).subscriptions.channels).toEqual([]);
  });

  test('no channel is listed below level monitor, or while the source is not watched', async () => {
    const events = story(LISTENING);
    expect((await traits(events, { level: 'events' })).subscriptions).toMatchObject({ unseen: 'events', channels: [] });
    expect((await traits(events, { level: 'snapshot' })).subscriptions.unseen).toBe('snapshot');
    expect((await traits(events, { level: null })).subscriptions).toMatchObject({ unseen: 'unwatched', channels: [] });
  });

  test('a SUBSCRIBE from before level monitor was switched on again is ignored', async () => {
    const { subscriptions } = await traits(story(LISTENING), { since: 2 });
    expect(subscriptions).toMatchObject({ from: seconds(2), channels: [] });
  });

  test('a client whose connections have ended has no channels', async () => {
    const gone = story(`${LISTENING}
      2.000 redis lists A=app B=web B-pubsub=web other
      7.000 redis lists A=app other
      12.000 redis lists A=app other`);
    expect((await traits(gone, { to: 3 })).subscriptions.channels).toHaveLength(1);
    expect((await traits(gone)).subscriptions.channels).toEqual([]);
  });

  test('a SUBSCRIBE from before a blind spot or a failover is ignored', async () => {
    expect(
      (await traits(story(`${LISTENING}\n 2.000 - loses sight\n 3.000 - sees again`))).subscriptions,
    ).toMatchObject({
      channels: [],
    });
    const failover = story(LISTENING).map((event, n, all): LockEvent => {
      if (n < all.length - 1) return event;
      const { source, db, seq, at } = event;
      const about = { source, db, seq, at, lock: '', kind: 'lock', certainty: 'observed' } as const;
      return { ...about, type: 'failover', how: 'promoted', from: '10.0.0.1:1', to: '10.0.0.1:2' };
    });
    expect((await traits(failover)).subscriptions.channels).toEqual([]);
  });

  test('after an unknown client left a channel, the channel is marked as possibly ended', async () => {
    const [, ...rest] = story(`${LISTENING}\n 5.000 A releases\n 5.001 B attempts acquired\n 5.002 B unsubscribes`);
    const leave = (subscribers: number) =>
      rest.map((event): LockEvent => {
        if (event.type !== 'waiter.unsubscribed') return event;
        const { client: _client, holder: _holder, ...unknown } = event;
        return { ...unknown, subscribers } as LockEvent; // the type without two optional fields
      });
    expect((await traits(leave(1))).subscriptions.channels).toMatchObject([{ lock: 'x', mayHaveEnded: true }]);
    expect((await traits(leave(0))).subscriptions.channels).toEqual([]);
  });
});

describe('the clock of a client', () => {
  const QUEUE = '0.000 A waits 300\n 1.000 B waits 300';

  test('is reported as ahead of Redis, or behind it, at the newest attempt at a fair lock', async () => {
    const events = fairStory(
      `${QUEUE}\n 2.000 B clock 1200\n 2.001 B waits 300\n 3.000 B clock -90\n 3.001 B waits 300`,
    );
    expect((await traits(events, { to: 2.5 })).clock.measure).toMatchObject({
      ...{ aheadMs: 1_200_000, at: seconds(2.001), lock: 'orders:42' },
    });
    expect((await traits(events)).clock.measure).toMatchObject({ aheadMs: -90_000, at: seconds(3.001) });
  });

  test('that differs by less than 1 s is reported as measured, without a number', async () => {
    expect((await traits(fairStory(QUEUE))).clock.measure).toMatchObject({ aheadMs: null, at: seconds(1) });
    const near = fairStory(`${QUEUE}\n 2.000 B clock 0.9\n 2.001 B waits 300`);
    expect((await traits(near)).clock.measure).toMatchObject({ aheadMs: null, at: seconds(2.001) });
  });

  test('is not measured by other locks, by other clients, or by attempts that were not seen as a script', async () => {
    expect((await traits(story(LISTENING))).clock.measure).toBeNull();
    expect((await traits(fairStory(QUEUE), { of: 'C' })).clock.measure).toBeNull();
    const unseen = fairStory(QUEUE).map(({ by: _by, ...event }) => event as LockEvent); // the type without one optional field
    expect((await traits(unseen)).clock.measure).toBeNull();
    // the script of a plain lock with the same name
    expect((await traits(fairStory('0.000 A waits 300\n 1.000 B plainly'))).clock.measure).toBeNull();
    // an argument that is not a number
    expect((await traits(fairStory(QUEUE.replace('1.000', '0.500 B clock none\n 1.000')))).clock.measure).toBeNull();
  });
});
