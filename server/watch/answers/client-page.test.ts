import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { holderOf, seconds, story } from '../../../testing/stories/story.ts';
import { EventStore } from '../store/event-store.ts';

const EVENTS = story(`
  orders:42 lease 60s
  0.000  A attempts  acquired
  0.500  B attempts  refused
  0.501  B subscribes
  0.502  B attempts  refused
  1.000  redis lists A=app B=web B-pubsub=web other
  6.000  redis lists A=app B=web B-pubsub=web other
  11.000 redis lists B=web B-pubsub=web other
`);
const [A = '', B = ''] = ['A', 'B'].map((actor) => holderOf(actor).split(':')[0]);

async function pageOf(query: { at?: number; presence?: 'gone'; client?: string } = {}) {
  const eventStore = new EventStore(() => seconds(12));
  eventStore.add(EVENTS);
  const at = query.at === undefined ? undefined : redisTime(seconds(query.at));
  return eventStore.answers.clientPage({ ...query, at, from: 0, limit: 10 });
}

test('a client that is gone and holds a lock is first, with its last address', async () => {
  const { clients, total } = await pageOf();
  expect(total).toBe(2);
  expect(clients).toMatchObject([
    {
      client: A,
      presence: 'gone',
      goneSince: seconds(6),
      addresses: ['10.0.0.1:A-commands'],
      holds: [
        { id: 'story/0/orders:42', holder: holderOf('A'), mode: 'exclusive', holdCount: 1, since: seconds(0) + 2 },
      ],
      waits: [],
    },
    { client: B, presence: 'connected', goneSince: null, holds: [], waits: [{ lock: 'orders:42', attempts: 2 }] },
  ]);
});

test('the clients at a past instant have the presence that they had then', async () => {
  expect((await pageOf({ at: 5 })).clients.map(({ presence }) => presence)).toEqual(['connected', 'connected']);
});

test('clients are found by presence and by UUID', async () => {
  expect((await pageOf({ presence: 'gone' })).clients.map(({ client }) => client)).toEqual([A]);
  expect((await pageOf({ client: B })).clients.map(({ name }) => name)).toEqual(['web']);
});

test('if a client is gone, the lock that it holds is reported as changed and shows the presence of its holder', () => {
  const eventStore = new EventStore(() => seconds(12));
  const changed: string[][] = [];
  eventStore.answers.onBatch((batch) => changed.push([...batch.changed]));
  eventStore.add(EVENTS.slice(0, -1));
  eventStore.add(EVENTS.slice(-1));
  expect(changed[1]).toEqual(['story/0/orders:42']);
  expect(eventStore.answers.lockById('story/0/orders:42')?.holders).toMatchObject([
    { name: 'app', presence: 'gone', goneSince: seconds(6), address: '10.0.0.1:A-commands' },
  ]);
});
