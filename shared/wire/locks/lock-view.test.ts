import { expect, test } from 'vitest';
import { redisTime } from '../../base/time.ts';
import type { LockEvent } from '../../events/event.ts';
import { reduceLock } from '../../state/reduce.ts';
import { believerSchema } from './lock.ts';
import { lockView, UNKNOWN_PRESENCE } from './lock-view.ts';

test('[X3] a believer on the wire has the fields of its schema and no others', () => {
  const lost: LockEvent = {
    type: 'lock.lost',
    seq: 7,
    at: redisTime(1_000_000),
    source: 's',
    db: 0,
    lock: 'orders:42',
    kind: 'lock',
    certainty: 'inferred',
    holder: '6f0c1b52-3a49-4b8e-9d5f-6b1c0c6f2a11:41',
    mode: 'exclusive',
    reason: 'failover',
    expiresAt: redisTime(9_000_000),
  };
  const { believers } = lockView(reduceLock(undefined, lost), redisTime(2_000_000), UNKNOWN_PRESENCE);
  expect(believers).toHaveLength(1);
  expect(() => believerSchema.strict().parse(believers?.[0])).not.toThrow();
});
