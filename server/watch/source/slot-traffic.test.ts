import { expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import { keyEventFromPush } from '../../../shared/signals/keyspace-message.ts';
import type { PushSignal } from '../../../shared/signals/signal.ts';
import { asArrival } from './slot-traffic.ts';

/** The slot of `orders:42` is 11414. */
const [HERE, ELSEWHERE] = [[[10_923, 16_383]], [[0, 5460]]] as const;

function push(channel: string, message: string): PushSignal {
  return { kind: 'push', at: redisTime(1), channel, message };
}

test.each(['hset', 'set'])('[X5] %s of a key in a slot of another server is an arrival', (event) => {
  const restored = { db: 3, key: 'orders:42', event: 'restore' };
  const forms = [push(`__keyevent@3__:${event}`, 'orders:42'), push('__keyspace@3__:orders:42', event)];
  for (const form of forms) {
    expect(keyEventFromPush(asArrival(form, ELSEWHERE))).toEqual(restored);
    expect(asArrival(form, HERE)).toBe(form);
    expect(asArrival(form, [])).toBe(form); // a server without a cluster
  }
});

test.each(['hincrby', 'expire', 'del', 'restore'])(
  '%s of a key in a slot of another server is not changed',
  (event) => {
    const form = push(`__keyevent@0__:${event}`, 'orders:42');
    expect(asArrival(form, ELSEWHERE)).toBe(form);
  },
);

test('a message that is not a key event is not changed', () => {
  const message = push('redisson_lock__channel:{orders:42}', 'set');
  expect(asArrival(message, ELSEWHERE)).toBe(message);
});
