import { describe, expect, test } from 'vitest';
import { plusMillis } from '../../../shared/base/time.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { story } from '../../../testing/stories/story.ts';
import { widthOf } from '../../cli/text/width.ts';
import { Looker } from '../look.ts';
import { look, textOf, textsOf } from '../testing/shown.ts';
import { observeStory } from '../testing/story-observatory.ts';
import { FIRST_VIEW } from '../view.ts';
import { screenOf } from './screen.ts';

const NEVER = new AbortController().signal;
const HOSTILE =
  '\u001b[31m\u001b]0;title\u0007\u009b2J\u202egnol\u200d\u0301锁锁锁😀\u{1f468}\u200d\u{1f469}\ufe0f\ud800';
/** The client of the holder is gone, and a thread waits. */
const CRASH = story(`
  orders:42 lease 30s
  0.000  A attempts acquired
  0.100  B attempts refused
  0.110  B subscribes
  0.120  B attempts refused
  1.000  redis lists A=order-svc-1 B=order-svc-2 other
  6.000  redis lists B=order-svc-2 other
`);
const CALM = story(`
  jobs:nightly-report-of-the-whole-company lease 30s
  0.000  C attempts acquired
  0.500  C attempts reentered
  5.000  C renews
`);

function hostileStory(name: string) {
  return CALM.map((event) => ({ ...event, lock: name }));
}

async function crashAt(second: number, level: 'monitor' | 'events' = 'monitor') {
  const observatory = observeStory([...CRASH, ...CALM], { level });
  observatory.passTo(second);
  return { observatory, sight: await look(observatory) };
}

describe('the list', () => {
  test('in 80 columns shows verdicts with their ends, then locks by the attention that they need', async () => {
    const { sight } = await crashAt(7);
    expect(textOf(sight)).toMatchInlineSnapshot(`
      [
        "redis://127.0.0.1:6379  Redis 7.0.15  level monitor  lag 12 ms         11:06:47Z",
        "",
        "Verdicts: 1 warning. Not known for 8 kinds of incident (press ?).",
        "   WARNING   orders:42  The client of the holder is gone           ends in 23.0s",
        "2 held, 1 waited for, 2 in memory",
        "   LOCK                 HOLDER            N    HELD  LEASE WDOG  WAITERS  OLDEST",
        " ! orders:42            gone A …svc-1:1   1      6s  23.0s ?           1      6s",
        "   jobs:night…e-company A 00000063:1      2      6s  28.0s on          0",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "",
        "q quit   up/down select   Enter open   / filter   space pause   ? help",
      ]
    `);
  });

  test('in 40 columns shows the most important columns', async () => {
    const { sight } = await crashAt(7);
    expect(textOf(sight, {}, { columns: 40, rows: 12 })).toMatchInlineSnapshot(`
      [
        "redis:/…1:6379  level monitor  11:06:47Z",
        "",
        "Verdicts: 1 warning. Not known for 8 ki…",
        "   WARNING   orders:42  T… ends in 23.0s",
        "2 held, 1 waited for, 2 in memory",
        "   LOCK        HOLDER     LEASE  WAITERS",
        " ! orders:42   gone…-1:1  23.0s        1",
        "   jobs:…mpany A 00…63:1  28.0s        0",
        "",
        "",
        "",
        "q quit   up/down select   Enter open   …",
      ]
    `);
  });

  test('at level events shows waiters as hidden or counts connections, and never 0', async () => {
    const { sight } = await crashAt(0.05, 'events');
    const listened = { ...sight, locks: sight.locks.map((lock, n) => ({ ...lock, waiters: [], subscribers: n })) };
    const rows = textOf(listened).filter((row) => /orders|jobs/.test(row));
    expect(rows.map((row) => row.slice(62).trim())).toEqual(['hidden', '1 listen']);
    expect(textOf(listened).find((row) => row.includes(' held, '))).toContain('1 or more waited for');
    expect(textOf(sight)[1]).toMatch(/^Cannot see: Refused attempts, so who waits: .*\+1, press \?$/);
  });

  test('at level monitor shows 0 if there is no waiter', async () => {
    const { sight } = await crashAt(7);
    expect(textOf(sight).find((row) => row.includes('jobs'))).toMatch(/ 0$/);
  });

  test('in 72 window sizes has as many lines as rows and no wider line, as have the other pages', async () => {
    const observatory = observeStory([...CRASH, ...hostileStory(HOSTILE), ...hostileStory('锁'.repeat(200))]);
    observatory.passTo(7);
    const sight = await look(observatory, { opened: 'story/0/orders:42' });
    const opened = { lockId: 'story/0/orders:42', verdictId: sight.verdicts.insights[0]?.id ?? '' };
    for (const page of ['list', 'help', opened] as const) {
      for (const columns of [1, 2, 7, 20, 39, 40, 41, 79, 80, 81, 132, 300]) {
        for (const rows of [1, 2, 5, 8, 24, 60]) {
          const { lines } = screenOf(sight, { ...FIRST_VIEW, page }, { columns, rows });
          expect(lines).toHaveLength(rows);
          for (const text of textsOf({ lines })) expect(widthOf(text)).toBeLessThanOrEqual(columns);
        }
      }
    }
  });

  test('with many locks shows the selected one, and counts the others', async () => {
    const many = Array.from({ length: 60 }, (_, n) => hostileStory(`lock-${String(n).padStart(2, '0')}`)).flat();
    const observatory = observeStory(many);
    observatory.passTo(6);
    const sight = await look(observatory);
    const rows = textOf(sight, { selected: 'lock story/0/lock-40' });
    expect(rows.filter((row) => row.startsWith('>'))).toEqual([expect.stringContaining('lock-40')]);
    expect(rows.filter((row) => row.includes('lock-'))).toHaveLength(18);
    expect(rows.find((row) => row.includes('held'))).toBe('60 held, 0 waited for, 60 in memory  (42 more locks)');
  });
});

describe('while nothing is watched', () => {
  async function cutAt(second: number) {
    const { observatory } = await crashAt(7);
    const looker = new Looker(observatory);
    const ask = { filter: '', most: 10, opened: null };
    await looker.look(ask, NEVER);
    observatory.setSource({ status: 'reconnecting', problem: problem('lost', { where: 'h:1', quote: 'gone' }) });
    observatory.passTo(second);
    return textOf(await looker.look(ask, NEVER));
  }

  test('the screen shows since when, countdowns stop, and the rows of locks are marked', async () => {
    const rows = await cutAt(9);
    expect(rows[0]).toMatch(/^NOT WATCHED since \d\d:\d\d:47Z {2}redis:\/\/127\.0\.0\.1:6379 +\d\d:\d\d:47Z$/);
    expect(rows[1]).toContain('gone');
    expect(rows).toContain('What is wrong now is not known, because no server is watched.');
    expect(rows.filter((row) => /orders:42 |jobs:/.test(row)).map((row) => row.slice(0, 3))).toEqual([' ? ', ' ? ']);
    expect(await cutAt(20)).toEqual(rows);
  });

  test('before the first connection, the address that is connected to is shown', async () => {
    const observatory = observeStory([]);
    observatory.setSource({ status: 'connecting' });
    expect(textOf(await look(observatory))[0]).toMatch(/^Connecting to redis:/);
  });
});

describe('a lock', () => {
  test('has its verdicts with advice, its holders, its waiters in order and its events', async () => {
    const { observatory, sight } = await crashAt(7);
    const { opened } = await look(observatory, { opened: 'story/0/orders:42' });
    const page = { lockId: 'story/0/orders:42', verdictId: null };
    expect(textOf({ ...sight, opened }, { page }, { columns: 80, rows: 34 })).toMatchInlineSnapshot(`
      [
        "redis://127.0.0.1:6379  Redis 7.0.15  level monitor  lag 12 ms         11:06:47Z",
        "",
        "WARNING holder-crashed-wait-ttl orders:42 (story, database 0)",
        "  The client of the holder is gone. Confidence: certain.",
        "  Who: 00000061-0000-4000-8000-000000000000:1",
        "  Since: 2026-11-18T11:06:41.000Z. Ends by itself at 2026-11-18T11:07:10.000Z,",
        "      in 23 s.",
        "  The client of 00000061:1 has no open connection, last seen at",
        "      2026-11-18T11:06:41.000Z. Until the lease ends at",
        "      2026-11-18T11:07:10.000Z, no client can take this lock. 1 thread waits for",
        "      it.",
        "  To do: Wait: this ends by itself at 2026-11-18T11:07:10.000Z.",
        "",
        "orders:42",
        "  lock, redisson, story, database 0",
        "  Its lease ends in 23.0s of 30s, at 11:07:10Z.",
        "",
        "Holders: 1",
        "  A order-svc-1:1: x1; held 6s, since 11:06:40Z; lease 23.0s; no renewal seen",
        "      yet; CLIENT GONE since 11:06:41Z, 10.0.0.1:A-commands; id",
        "      00000061-0000-4000-8000-000000000000:1",
        "",
        "Waiters: 1",
        "  1. B order-svc-2:1: waits 6s; attempts 2, asleep; id",
        "      00000062-0000-4000-8000-000000000000:1",
        "",
        "Newest events",
        "  11:06:40.120Z lock.refused B order-svc-2:1, 29s left, held",
        "  11:06:40.110Z waiter.subscribed B order-svc-2:1",
        "  11:06:40.100Z lock.refused B order-svc-2:1, 29s left, held",
        "  11:06:40.000Z lock.acquired A order-svc-1:1, hold count 1, lease 30s",
        "",
        "",
        "q quit   Esc back   up/down scroll   space pause",
      ]
    `);
  });

  test('at level events has hidden waiters', async () => {
    const observatory = observeStory(CALM, { level: 'events' });
    observatory.passTo(1);
    const lockId = `story/0/${CALM[0]?.lock}`;
    const rows = textOf(await look(observatory, { opened: lockId }), { page: { lockId, verdictId: null } });
    expect(rows).toContain('Waiters: hidden. They are seen at level monitor only (--observe monitor).');
  });

  test('shows why its key is not read, and that more threads may wait than were seen', async () => {
    const { sight } = await crashAt(7);
    const lockId = 'story/0/orders:42';
    const [first] = sight.locks;
    const rowsOf = (reason: 'fields' | 'beside' | 'rights') => {
      const lock = { ...first!, unread: { since: 1_763_726_671_000_000, reason } };
      return textOf({ ...sight, locks: [lock], opened: { lock, events: [] } }, { page: { lockId, verdictId: null } });
    };
    expect(rowsOf('fields').join()).toContain('NOT READ since 12:04:31Z, because its key is too large.');
    expect(rowsOf('rights').join()).toContain('NOT READ since 12:04:31Z, because this user may not read its key.');
    expect(rowsOf('beside').join()).toContain('WAITERS OR PERMITS NOT READ since 12:04:31Z, because their list is too');
    expect(rowsOf('rights')).toContain('Waiters: 1 or more');
  });

  test('at level monitor, does not show 0 waiters if connections listened before watching began', async () => {
    const observatory = observeStory(story('orders:42 lease 900s\n 0.000 redis snapshot A×1 600000 1'));
    observatory.passTo(1);
    const lockId = 'story/0/orders:42';
    const rows = textOf(await look(observatory, { opened: lockId }), { page: { lockId, verdictId: null } });
    expect(rows).toContain('Waiters: no attempt seen yet. Connections that listen for its release: 1.');
  });

  test('shows that it is no longer in memory', async () => {
    const { sight } = await crashAt(7);
    expect(textOf(sight, { page: { lockId: 'story/0/other', verdictId: 'x' } })).toEqual(
      expect.arrayContaining([
        'This verdict is over, or no longer known.',
        'This lock is not in memory. It may have been free for long.',
      ]),
    );
  });
});

test('the time left of a lease follows the clock of Redis', async () => {
  const { sight } = await crashAt(7);
  const leaseAt = (ms: number) => {
    const sources = sight.sources.map((source) => ({ ...source, now: plusMillis(source.now, ms) }));
    return textOf({ ...sight, sources }).find((row) => row.includes(' ! orders:42'));
  };
  expect(leaseAt(0)).toContain(' 23.0s ');
  expect(leaseAt(3500)).toContain(' 19.5s ');
  expect(leaseAt(40_000)).toContain(' over ');
});

test('sources without a line on the screen are counted, both watched and unwatched ones', async () => {
  const { sight } = await crashAt(7);
  const [watched] = sight.sources;
  const lost = { ...watched!, isWatched: false, unwatchedSince: watched!.now };
  const moreOf = (unwatched: number, all: number) => {
    const sources = Array.from({ length: all }, (_, n) => (n < unwatched ? lost : watched!));
    return textOf({ ...sight, sources }, {}, { columns: 80, rows: 40 }).filter((row) => row.includes('more source'));
  };
  expect(moreOf(0, 5)).toEqual(['2 more sources are watched.']);
  expect(moreOf(5, 5)).toEqual(['2 more sources are not watched.']);
  expect(moreOf(4, 6)).toEqual(['3 more sources: 2 are watched, 1 is not.']);
  expect(moreOf(3, 4)).toEqual(['1 more source is watched.']);
  expect(moreOf(3, 3)).toEqual([]);
});

test('a pause and a filter are marked on the screen', async () => {
  const { sight } = await crashAt(7);
  const rows = textOf(sight, { isPaused: true, filter: 'or', isTyping: true });
  expect(rows[0]).toMatch(/ PAUSED at \d\d:\d\d:47Z$/);
  expect(rows.find((row) => row.includes('held'))).toBe('/or_  2 held, 1 waited for, 2 match');
});

test('the help page names what is watched and what is not known', async () => {
  const { sight } = await crashAt(7, 'events');
  const text = textOf(sight, { page: 'help' }, { columns: 80, rows: 80 }).join('\n');
  expect(text).toContain('Watched: redis://127.0.0.1:6379, Redis 7.0.15, level events.');
  expect(text).toMatch(/Not known \(not at this level, use --observe monitor\): [\s\S]*abba-deadlock/);
});
