import { expect, test } from 'vitest';
import type { WireInsight } from '../../shared/wire/insights/insight.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import type { ShownWaits } from '../data/queries/waits.ts';
import { lockRows, problemRows, waitRows } from './file-rows.ts';

const at = 1_795_000_000_000_000;
const waiter = { id: 'b:1', client: 'b', since: at, attempts: 3, asleep: true, position: null, presumedGone: false };
const lock = (isAtLeast: boolean) =>
  ({
    ...{ id: 'redis/0/x', name: 'x', source: 'redis', db: 0, kind: 'lock', held: true, subscribers: 0 },
    holders: [{ id: 'a:1', ...(isAtLeast ? { since: null, firstSeenAt: at } : { since: at }) }],
    waiters: [isAtLeast ? { ...waiter, isAtLeast } : waiter],
    lease: { ms: 30_000, expiresAt: null },
  }) as unknown as Lock; // the rows read only these fields

test('an exported file marks times at which something was only first seen', () => {
  const [older] = lockRows([lock(true)], []);
  const [seen] = lockRows([lock(false)], []);
  expect(older).toMatchObject({ heldSinceIsAtLeast: true, oldestWaitIsAtLeast: true });
  expect(seen).toMatchObject({ heldSinceIsAtLeast: false, oldestWaitIsAtLeast: false });
  expect(older?.heldSince).toBe(seen?.heldSince);

  const problem = { holders: [], from: at, isAtLeast: true, to: null, selfHealsAt: null } as unknown as WireInsight;
  const texts = () => ({ title: '', explanation: '', advice: '' });
  expect(problemRows([problem], texts)).toMatchObject([{ sinceIsAtLeast: true }]);

  const wait = { lock: 'x', source: 'redis', holder: 'b:1', from: at, to: null, ms: 5, parts: [] };
  const longest = [true, false].map((isOpenStart) => ({ ...wait, isOpenStart }));
  expect(waitRows({ longest } as unknown as ShownWaits)).toMatchObject([
    { fromIsAtLeast: true },
    { fromIsAtLeast: false },
  ]);
});
