import { expect, test } from 'vitest';
import { redisTime } from '../../../base/time.ts';
import { Clients } from './clients.ts';
import { Waiters } from './waiters.ts';

test('[W1] of 250,000 single attempts at most the newest 100,000 are kept, and an older sleeper as well', () => {
  const waiters = new Waiters(new Clients());
  const holder = (n: number) => `0d5d9d1c-5c12-4b4c-9d1a-2b1a5e1e7f11:${n}`;
  const tries = (n: number) => {
    const wait = waiters.begin(0, `lock ${n % 100}`, holder(n), redisTime(n), 'channel');
    wait.attempts = 1;
    return wait;
  };
  tries(0).isAsleep = true;
  for (let n = 1; n < 250_000; n++) tries(n);
  expect([...waiters.all()].length).toBeLessThanOrEqual(100_000);
  expect(waiters.find(0, 'lock 0', holder(0))?.isAsleep).toBe(true);
  expect(waiters.find(0, 'lock 1', holder(1))).toBeUndefined();
  expect(waiters.find(0, 'lock 99', holder(249_999))).toBeDefined();
});
