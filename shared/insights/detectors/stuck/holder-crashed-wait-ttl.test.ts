import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number) =>
  verdictAt('holder-crashed-wait-ttl', story(`orders:42 lease 30s\n${text}`), seconds(at));

const CRASH = `
  0.000  A attempts acquired
  1.000  redis lists A B
  2.000  B attempts refused
  2.001  B subscribes
  2.002  B attempts refused
  6.000  redis lists B
`;

describe('holder-crashed-wait-ttl', () => {
  test('fires if the client of a holder has no connection left, and reports when the lease ends', () => {
    expect(verdict(CRASH, 7)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', lock: 'orders:42', holders: [holderOf('A')], events: [1] },
        ...{ from: seconds(1), to: null, selfHealsAt: seconds(30.000_003) },
        values: { holder: holderOf('A'), goneSince: seconds(1), waiting: 1, isPermit: false },
      },
    ]);
    expect(verdict(CRASH, 5.9)).toEqual([]);
  });

  test('does not report when the hold ends if another process sets the lease again', () => {
    const kept = (by: string) => `${CRASH}\n 10.000 ${by}`;
    expect(verdict(kept('cron command PEXPIRE orders:42 30000'), 12)).toMatchObject([
      { selfHealsAt: null, values: { endsAt: null, neverEnds: false } },
    ]);
    const older = CRASH.replace('A attempts acquired', '- snapshot A×1 20000ms');
    const listedFirst = older.replace('1.000  redis', '0.500  A renews\n1.000  redis');
    expect(verdict(listedFirst, 12)).toMatchObject([{ selfHealsAt: seconds(30.500_002) }]);
  });

  test('does not report when the hold of a reader ends beside readers of other clients, if its timeout keys are not known', () => {
    const readers = (...names: string[]) =>
      names.map((name) => ({ holder: holderOf(name), holdCount: 1, mode: 'read' as const }));
    const found = (...names: string[]) => {
      const text = 'orders:42 lease 30s\n 0.000 redis snapshot A×1 30000\n 0.500 redis lists A B\n 5.500 redis lists B';
      const events = [...story(text), ...listed('connected', 1, 'A', 'B'), ...listed('gone', 5.5, 'A')].map((event) =>
        event.type === 'lock.found'
          ? { ...event, kind: 'read-write-lock' as const, holders: readers(...names) }
          : event,
      );
      return verdictAt('holder-crashed-wait-ttl', events, seconds(7), { level: 'events' });
    };
    expect(found('A', 'B')).toMatchObject([
      { selfHealsAt: null, values: { endsAt: null, isReader: true, isShared: true, neverEnds: false } },
    ]);
    expect(found('A')).toMatchObject([{ selfHealsAt: seconds(30), values: { isReader: true, isShared: false } }]);
  });

  test('has the same id at three instants', () => {
    const ids = [6, 12, 29]
      .map((at) => verdict(CRASH, at))
      .flatMap((found) => (typeof found === 'string' ? [] : found.map(({ id }) => id)));
    expect(ids).toHaveLength(3);
    expect(new Set(ids).size).toBe(1);
  });

  test('does not fire if only a waiter is gone, or if a holder is connected and idle', () => {
    expect(verdict(`${CRASH.replace('6.000  redis lists B', '6.000  redis lists A')}`, 7)).toEqual([]);
    expect(verdict(`${CRASH.replace('6.000  redis lists B', '6.000  redis lists A/40 B')}`, 7)).toEqual([]);
  });

  test('does not fire for a lease of hours, which orphan-job-lock reports', () => {
    const events = story(`orders:42 lease 7200s\n${CRASH}`);
    expect(verdictAt('holder-crashed-wait-ttl', events, seconds(7))).toEqual([]);
  });

  test('cannot know if no list has shown the client, or while the source is not watched', () => {
    expect(verdict('0.000 A attempts acquired', 1)).toBe('cannot know: presence');
    expect(verdict(`${CRASH}\n 8.000 redis loses sight`, 9)).toBe('cannot know: unwatched');
  });

  test('does not fire for a key that is known to have no end, which no-ttl-lock reports', () => {
    const events = story(`orders:42 lease 30s\n${CRASH}`);
    const withLease = (expiresAt: null | undefined) =>
      verdictAt(
        'holder-crashed-wait-ttl',
        events.map((event) => {
          if (event.type !== 'lock.acquired') return event;
          const { expiresAt: _, ...rest } = event;
          return expiresAt === undefined ? rest : { ...rest, expiresAt };
        }),
        seconds(7),
      );
    expect(withLease(null)).toEqual([]);
    expect(withLease(undefined)).toMatchObject([{ values: { endsAt: null, neverEnds: false } }]);
  });
});
