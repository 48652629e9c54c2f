import { expect, test } from 'vitest';
import { redisTime } from '../../../base/time.ts';
import { Clients } from './clients.ts';
import { Listeners } from './listeners.ts';

test('a channel is forgotten when its last subscriber disconnects without UNSUBSCRIBE', () => {
  const listeners = new Listeners(new Clients());
  listeners.add(listeners.take('own'), '10.0.0.1:1', 'a client', 'orders:42');
  listeners.add(listeners.take('shared'), '10.0.0.1:1', 'a client');
  listeners.add(listeners.take('shared'), '10.0.0.2:1', 'another');
  listeners.forget('10.0.0.1:1');
  expect(listeners.find('own')).toBeUndefined();
  expect(listeners.countOwn('orders:42')).toBe(0);
  expect(listeners.count('shared')).toBe(1);
});

test('each message wakes one sleeper: if no message is left, a certain wake-up takes the message of a guessed wake-up', () => {
  const listeners = new Listeners(new Clients());
  listeners.add(listeners.take('shared'), '10.0.0.1:1', 'a client');
  listeners.published('shared', redisTime(1));
  listeners.useMessage('shared', 'a client', true);
  listeners.useMessage('shared', 'a client');
  expect(listeners.takeGuessBack('shared', 'a client')).toBe(false);
  listeners.useMessage('shared', 'a client', true);
  expect(listeners.takeGuessBack('shared', 'a client')).toBe(false);
});
