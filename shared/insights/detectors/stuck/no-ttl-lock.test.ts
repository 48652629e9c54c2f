import { describe, expect, test } from 'vitest';
import { merged, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { command, eventsFromScripts } from '../../../../testing/stories/script-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number) => verdictAt('no-ttl-lock', story(`job lease 20s\n${text}`), seconds(at));

const PERSISTED = '0.000 A attempts acquired\n 1.000 operator command PERSIST job';

describe('no-ttl-lock', () => {
  test('fires if the key of a held lock lost its expiry', () => {
    expect(verdict(PERSISTED, 5)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'certain', lock: 'job', holders: [holderOf('A')], selfHealsAt: null },
        ...{ from: seconds(0.000_002), to: null, values: { isGone: false, isRedisson: true, waiting: 0 } },
      },
    ]);
    const gone = `${PERSISTED}\n 1.500 B attempts refused\n 2.000 redis lists A B\n 6.000 redis lists B`;
    expect(verdict(gone, 7)).toMatchObject([{ severity: 'warning', values: { isGone: true, goneSince: seconds(2) } }]);
  });

  test('counts connections that listen for the release of the lock, if no thread is seen to wait', () => {
    const listening = (text: string) => {
      const [found] = verdict(`${PERSISTED}\n 1.501 B subscribes${text}`, 7);
      return (found as unknown as { values: { waiting: number; listening: number } }).values;
    };
    expect(listening('')).toMatchObject({ waiting: 0, listening: 1 });
    expect(listening('\n 1.502 C attempts refused\n 1.503 C subscribes\n 1.504 C attempts refused')).toMatchObject({
      ...{ waiting: 1, listening: 0 },
    });
  });

  test('is critical if the client of the holder is gone and threads wait: they wait for ever', () => {
    const waits = '1.500 B attempts refused\n 1.501 B subscribes\n 1.502 B attempts refused';
    const found = (lists: string) => verdict(`${PERSISTED}\n ${waits}\n 2.000 redis lists A B\n ${lists}`, 7);
    expect(found('6.000 redis lists B')).toMatchObject([
      { severity: 'critical', values: { isGone: true, waiting: 1 } },
    ]);
    expect(found('6.000 redis lists A B')).toMatchObject([{ severity: 'warning', values: { isGone: false } }]);
  });

  test('reports the beginning as a lower limit if a read found the hold, which may have lost its expiry earlier', () => {
    const found = story('job lease 20s\n0.000 - snapshot A×1 20000').map((event) =>
      event.type === 'lock.found' ? { ...event, expiresAt: null } : event,
    );
    expect(verdictAt('no-ttl-lock', found, seconds(5))).toMatchObject([{ isAtLeast: true, values: { since: null } }]);
    expect(verdict(PERSISTED, 5)).toMatchObject([{ values: { since: seconds(0.000_002) } }]);
    expect(verdict(PERSISTED, 5)).not.toMatchObject([{ isAtLeast: true }]);
  });

  test('does not fire for a moment without a lease, or if a watchdog sets one again', () => {
    expect(verdict(PERSISTED.replace('1.000', '0.100'), 0.9)).toEqual([]);
    const renewed = '0.000 A attempts acquired\n 6.600 A renews\n 7.000 operator command PERSIST job';
    expect(verdict(renewed, 12)).toEqual([]);
    expect(verdict(`${renewed}\n 13.200 A renews`, 14)).toEqual([]);
    expect(verdict(renewed, 40)).toHaveLength(1);
  });

  test('fires at once if the client is gone before it has set an end', () => {
    const persisted = story(`job lease 20s\n${PERSISTED.replace('1.000', '0.100')}`);
    const gone = merged(persisted, listed('gone', 0.5, 'A'));
    expect(verdictAt('no-ttl-lock', gone, seconds(0.6))).toMatchObject([
      { severity: 'warning', values: { isGone: true } },
    ]);
    const ended = story(`job lease 20s\n0.000 A attempts acquired`);
    expect(verdictAt('no-ttl-lock', merged(ended, listed('gone', 0.5, 'A')), seconds(0.6))).toEqual([]);
  });

  test('does not fire if the lock has a lease or is free', () => {
    expect(verdict('0.000 A attempts acquired', 5)).toEqual([]);
    expect(verdict(`${PERSISTED}\n 2.000 A releases`, 6)).toEqual([]);
  });

  test('does not fire if the value of a token lock is a time in the near future, after which its clients acquire it', () => {
    const held = (value: string) => {
      const sent = [command('a:1', `SETNX lock.job ${value}`), command('a:1', 'DEL lock.job')];
      const events = eventsFromScripts([...sent, ...sent.slice(0, 1)], 1);
      return verdictAt('no-ttl-lock', events, seconds(5));
    };
    const now = Number(seconds(0)) / 1_000_000;
    expect(held(String(now + 60))).toEqual([]);
    expect(held(String(now - 60))).toHaveLength(1);
  });

  test('cannot know while the source is not watched', () => {
    expect(verdict(`${PERSISTED}\n 2.000 redis loses sight`, 6)).toBe('cannot know: unwatched');
  });
});
