import { expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { Clients } from './clients.ts';

test('of many clients the newest are known, and those that are still connected', () => {
  const clients = new Clients();
  const uuid = (n: number) => `${String(n).padStart(8, '0')}-5c12-4b4c-9d1a-2b1a5e1e7f11`;
  clients.learn('10.0.0.1:1', uuid(0), redisTime(1));
  for (let n = 1; n < 60_000; n++) clients.learn('10.0.0.2:2', uuid(n), redisTime(n)); // the same port again and again
  const known = clients.all().map((client) => client.uuid);
  expect(known.length).toBeLessThanOrEqual(50_000);
  expect([known.includes(uuid(0)), known.includes(uuid(1)), known.includes(uuid(59_999))]).toEqual([true, false, true]);
  expect(clients.uuidAt('10.0.0.1:1')).toBe(uuid(0));
});
