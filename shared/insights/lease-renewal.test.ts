import { expect, test } from 'vitest';
import { type RenewedHold, renewalOf } from './lease-renewal.ts';

const MINUTE = 60_000_000;
/** A hold that began at 0 with this lease. */
function hold(leaseMs: number | null, part: Partial<RenewedHold> = {}): RenewedHold {
  const expiresAt = leaseMs === null ? null : leaseMs * 1000;
  const plain = { library: 'redisson', mode: 'exclusive', watchdog: 'unknown', presence: 'connected' } as const;
  return { ...plain, holdCount: 1, renewals: 0, leaseMs, expiresAt, ...part };
}
const reasonOf = (of: RenewedHold, now: number) => renewalOf(of, now)?.reason;

test('a lease of 15 min without a renewal is inferred to be longer than the lease of a watchdog', () => {
  const finding = renewalOf(hold(900_000), MINUTE);
  expect(finding).toMatchObject({ reason: 'long', isInferred: true, dueAt: 5 * MINUTE });
});

test('a lease of 30 s may come from a watchdog until a renewal is missing', () => {
  expect(renewalOf(hold(30_000), 5_000_000)).toMatchObject({ reason: 'due', isInferred: false, dueAt: 10_000_000 });
  expect(renewalOf(hold(30_000, { watchdog: 'off' }), 12_000_000)).toMatchObject({
    reason: 'missed',
    isInferred: true,
  });
});

test('a renewal that was seen is observed; once a later one is missing, the finding is inferred', () => {
  const renewed = hold(30_000, { watchdog: 'on', renewals: 3 });
  expect(renewalOf(renewed, 9_000_000)).toMatchObject({ reason: 'renewed', isInferred: false });
  expect(renewalOf(renewed, 12_000_000)).toMatchObject({ reason: 'late', isInferred: true });
});

test('the lease of a client that is gone counts as not renewed, with or without earlier renewals', () => {
  expect(reasonOf(hold(30_000, { presence: 'gone', watchdog: 'on', renewals: 3 }), 1)).toBe('gone');
  expect(reasonOf(hold(900_000, { presence: 'gone' }), 1)).toBe('gone');
});

test('nothing is concluded from a lease whose setting was not seen', () => {
  expect(reasonOf(hold(null, { expiresAt: 60 * MINUTE }), MINUTE)).toBe('unseen');
});

test('a key without an end needs no renewal', () => {
  expect(reasonOf(hold(null, { neverEnds: true }), MINUTE)).toBe('never-ends');
  expect(reasonOf(hold(30_000, { expiresAt: null, neverEnds: true }), MINUTE)).toBe('never-ends');
});

test('a lease whose end is not known is not treated as a lease without an end', () => {
  expect(reasonOf(hold(null), MINUTE)).toBe('unseen');
  expect(reasonOf(hold(30_000, { expiresAt: null }), MINUTE)).toBe('unseen');
});

test('nothing is concluded about permits, or about other libraries before a renewal is seen', () => {
  expect(renewalOf(hold(900_000, { mode: 'permit' }), MINUTE)).toBeNull();
  expect(renewalOf(hold(900_000, { library: 'redis-py' }), MINUTE)).toBeNull();
});

test('no renewal counts as missed if the lease was set later, for example by the watchdog of another reader', () => {
  const reader = hold(30_000, { mode: 'read', watchdog: 'off', expiresAt: 42_000_000 });
  expect(reasonOf(reader, 13_000_000)).toBe('due');
  expect(reasonOf(reader, 24_000_000)).toBe('missed');
});

test('a renewal by another library does not show when the next one is due', () => {
  const extended = hold(30_000, { library: 'redis-py', watchdog: 'on', renewals: 1 });
  for (const now of [1, 25_000_000])
    expect(renewalOf(extended, now)).toMatchObject({ reason: 'extended', isInferred: false });
});

test('the lease of a writer that locked twice is a sum, so it does not count as longer than that of a watchdog', () => {
  expect(reasonOf(hold(59_000, { mode: 'write', holdCount: 2 }), 1)).toBe('due');
  expect(reasonOf(hold(59_000, { mode: 'write' }), 1)).toBe('long');
});

test('if the length of a lease is not known, its renewal is late once the lease is over', () => {
  const renewed = hold(null, { expiresAt: 30_000_000, watchdog: 'on', renewals: 1 });
  expect(reasonOf(renewed, 29_000_000)).toBe('renewed');
  expect(reasonOf(renewed, 31_000_000)).toBe('late');
});
