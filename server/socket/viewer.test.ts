import { describe, expect, test } from 'vitest';
import { changeSubscription, newViewer, type Viewer } from './viewer.ts';

const everyLock = { others: [] as Viewer[], lockOf: (id: string) => ({ id }) };
const ids = (from: number, count: number) => Array.from({ length: count }, (_, n) => `main/0/${from + n}`);

function liveViewer(): Viewer {
  return { ...newViewer(), pending: 'live', extra: new Set() };
}

describe('a subscription of a page', () => {
  test('for too many locks waits for a snapshot instead of a thousand single locks', () => {
    const viewer = liveViewer();
    for (let n = 0; n < 100; n += 1) {
      expect(changeSubscription(viewer, { locks: ids(n * 100, 100) }, everyLock)).toBeUndefined();
      expect(viewer.extra.size).toBeLessThanOrEqual(1000);
    }
    expect(viewer.pending).toBe('snapshot');
  });

  test('for unknown locks adds nothing to send', () => {
    const viewer = liveViewer();
    changeSubscription(viewer, { locks: ['main/0/a'] }, { ...everyLock, lockOf: () => undefined });
    changeSubscription(viewer, { locks: ids(0, 500) }, { ...everyLock, lockOf: () => undefined });
    expect(viewer.extra.size).toBe(0);
  });

  test('has a short key, even with long names', () => {
    const viewer = liveViewer();
    changeSubscription(viewer, { locks: ['x'.repeat(1_000_000)] }, everyLock);
    expect(viewer.subscription.key.length).toBeLessThan(100);
    const other = liveViewer();
    changeSubscription(other, { locks: ['y'.repeat(1_000_000)] }, everyLock);
    expect(other.subscription.key).not.toBe(viewer.subscription.key);
  });

  test('that is too large, alone or together with other pages, is refused and changes nothing', () => {
    const viewer = liveViewer();
    const large = { locks: ['x'.repeat(1_000_000)] };
    expect(changeSubscription(viewer, { locks: [...large.locks, 'y'.repeat(1_000_000)] }, everyLock)).toMatchObject({
      code: 'bad-message',
      message: expect.stringContaining('locks'),
    });
    expect(viewer.subscription.locks).toBeUndefined();
    const others = Array.from({ length: 32 }, () => {
      const other = liveViewer();
      changeSubscription(other, large, everyLock);
      return other;
    });
    expect(changeSubscription(viewer, large, { ...everyLock, others })).toMatchObject({ code: 'bad-message' });
    expect(changeSubscription(viewer, large, { ...everyLock, others: others.slice(1) })).toBeUndefined();
  });
});
