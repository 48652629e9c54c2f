import { describe, expect, test } from 'vitest';
import { redisTime } from '../base/time.ts';
import { type HoldRange, orphanedFrom } from './renewals.ts';

const HOLDER = '0b5f8f0e-6c0f-4b5a-9d57-4f1f3a3f0a01:7';
const CLIENT = '0b5f8f0e-6c0f-4b5a-9d57-4f1f3a3f0a01';
const second = (n: number) => redisTime(n * 1_000_000);
const NONE_GONE = new Map();
const GONE_AT_12 = new Map([[CLIENT, second(12)]]);

/** A lease of 30 s that was last set at second 5: a watchdog renews it at second 15. */
function hold(change: Partial<HoldRange>): HoldRange {
  const base = { holder: HOLDER, from: second(5), to: null, ended: null, renewals: 0 };
  return { ...base, leaseSetAt: second(5), leaseMs: 30_000 as HoldRange['leaseMs'], ...change };
}

describe('a hold without any renewal', () => {
  test('is orphaned from when its client was gone, whether it still lasts or has expired', () => {
    expect(orphanedFrom(hold({}), second(30), GONE_AT_12)).toBe(second(12));
    const expired = hold({ to: second(35), ended: 'expired' });
    expect(orphanedFrom(expired, second(40), GONE_AT_12)).toBe(second(12));
  });

  test('is orphaned from the time its client was gone, even if a renewal would have been due before that', () => {
    const earlier = hold({ from: second(0), leaseSetAt: second(0) });
    expect(orphanedFrom(earlier, second(30), GONE_AT_12)).toBe(second(12));
  });

  test('is not orphaned while its client lives: the application may have set its lease', () => {
    expect(orphanedFrom(hold({}), second(30), NONE_GONE)).toBeNull();
    expect(orphanedFrom(hold({ to: second(35), ended: 'expired' }), second(40), NONE_GONE)).toBeNull();
  });
});

describe('a hold that was renewed', () => {
  const renewed = { renewals: 2 };

  test('is orphaned from the instant its next renewal was due', () => {
    expect(orphanedFrom(hold(renewed), second(20), NONE_GONE)).toBe(second(15));
    expect(orphanedFrom(hold({ ...renewed, to: second(35), ended: 'expired' }), second(40), NONE_GONE)).toBe(
      second(15),
    );
  });

  test('is not orphaned while its renewal is at most a second late', () => {
    expect(orphanedFrom(hold(renewed), second(16), NONE_GONE)).toBeNull();
  });

  test('is orphaned from the instant its client was gone, if no renewal was due before that', () => {
    expect(orphanedFrom(hold(renewed), second(30), GONE_AT_12)).toBe(second(12));
  });
});
