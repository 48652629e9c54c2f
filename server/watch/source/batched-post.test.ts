import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { batchedPost } from './batched-post.ts';
import type { FromWorker } from './worker-messages.ts';

function event(seq: number): LockEvent {
  const head = { seq, at: redisTime(seq), source: 'redis', db: 0, lock: 'orders:42', kind: 'lock' } as const;
  return { ...head, certainty: 'observed', type: 'blind-spot.began', reason: 'connection-lost' };
}

function reported(): { post: (message: FromWorker) => void; seen: (number[] | string)[] } {
  const seen: (number[] | string)[] = [];
  const post = batchedPost((message) => {
    seen.push(message.type === 'events' ? message.events.map(({ seq }) => seq) : message.type);
  });
  return { post, seen };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

test('events of one turn are posted together, in order', async () => {
  const { post, seen } = reported();
  post({ type: 'events', events: [event(1), event(2)] });
  post({ type: 'events', events: [event(3)] });
  expect(seen).toEqual([]);
  await turn();
  post({ type: 'events', events: [event(4)] });
  await turn();
  await turn();
  expect(seen).toEqual([[1, 2, 3], [4]]);
});

test('another message does not overtake the events before it', async () => {
  const { post, seen } = reported();
  post({ type: 'events', events: [event(1)] });
  post({ type: 'stopped' });
  post({ type: 'events', events: [event(2)] });
  await turn();
  expect(seen).toEqual([[1], 'stopped', [2]]);
});

test('5,000 events are posted before the turn ends', () => {
  const { post, seen } = reported();
  for (let seq = 1; seq <= 5001; seq++) post({ type: 'events', events: [event(seq)] });
  expect(seen.map((batch) => batch.length)).toEqual([5000]);
});
