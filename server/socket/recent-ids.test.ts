import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ChangeLog } from './change-log.ts';
import { bytesOfId, RecentIds } from './recent-ids.ts';

const ids = fc.constantFrom('a', 'b', 'c', 'd', 'e');
const touches = fc.array(fc.record({ id: ids, ticks: fc.nat({ max: 3 }), isRemoval: fc.boolean() }), { maxLength: 60 });

describe('RecentIds', () => {
  test('returns, for any tick, exactly the ids that were touched later and not removed', () => {
    fc.assert(
      fc.property(touches, fc.nat({ max: 100 }), (steps, asked) => {
        const recent = new RecentIds(100_000);
        const last = new Map<string, number>();
        let tick = 0;
        for (const { id, ticks, isRemoval } of steps) {
          tick += ticks;
          if (isRemoval) recent.remove(id);
          else recent.touch(id, tick, tick * 10);
          if (isRemoval) last.delete(id);
          else last.set(id, tick);
        }
        const later = [...last].filter(([, at]) => at > asked).map(([id]) => id);
        expect(recent.since(asked, tick)?.sort()).toEqual(later.sort());
        const atLeast = [...last].filter(([, at]) => at * 10 >= asked).map(([id]) => id);
        expect(recent.sinceSeq(asked)?.sort()).toEqual(atLeast.sort());
      }),
    );
  });

  test('drops the oldest ids if all take too many bytes, and then returns undefined for earlier times', () => {
    const recent = new RecentIds(2 * bytesOfId('a'));
    recent.touch('a', 1, 10);
    recent.touch('b', 2, 20);
    recent.touch('c', 3, 30);
    expect(recent.since(0, 3)).toBeUndefined();
    expect(recent.since(1, 3)).toEqual(['c', 'b']);
    expect(recent.sinceSeq(10)).toBeUndefined();
    expect(recent.sinceSeq(11)).toEqual(['b', 'c']);
  });
});

describe('ChangeLog', () => {
  const batch = { fromSeq: 1, toSeq: 1, events: [], changed: [], gone: [], sourcesChanged: false };

  test('a lock that was removed and added again is changed, not gone; one that changed and was then removed is gone', () => {
    const log = new ChangeLog(0);
    log.note({ ...batch, gone: ['a'], changed: ['b'] });
    log.note({ ...batch, gone: ['b'], changed: ['a'], sourcesChanged: true });
    expect(log.since(0)).toEqual({ changed: ['a'], gone: ['b'], haveSourcesChanged: true });
    expect(log.since(2)).toEqual({ changed: [], gone: [], haveSourcesChanged: false });
  });

  test('returns undefined for the time before its start', () => {
    const log = new ChangeLog(5);
    expect(log.sinceSeq(4)).toBeUndefined();
    expect(log.sinceSeq(5)).toEqual({ changed: [], gone: [], haveSourcesChanged: true });
  });

  test('a change without events belongs to the newest event', () => {
    const log = new ChangeLog(0);
    log.note({ ...batch, toSeq: 7, changed: ['a'] });
    log.note({ ...batch, toSeq: 0, changed: ['b'] });
    expect(log.sinceSeq(7)?.changed.toSorted()).toEqual(['a', 'b']);
    expect(log.sinceSeq(8)?.changed).toEqual([]);
  });
});
