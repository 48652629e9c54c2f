import { describe, expect, test } from 'vitest';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { topLine } from '../../../shared/wire/top.ts';
import { story } from '../../../testing/stories/story.ts';
import { strictly } from '../../../testing/stories/strictly.ts';
import { Looker } from '../look.ts';
import { observeStory, type StoryObservatory } from '../testing/story-observatory.ts';
import { LineReport } from './line-report.ts';
import { textOfLine } from './text-of-line.ts';

const HOSTILE = 'a\n2026 CRITICAL b\u001b[31m\u2028';
const NEVER = new AbortController().signal;
const EVENTS = story(`
  orders:42 lease 30s
  0.000  A attempts acquired
  1.000  redis lists A other
  6.000  redis lists other
  9.000  redis command DEL orders:42
`);

/** Lines at these seconds of the story, each checked against the contract. */
function linesOf(observatory: StoryObservatory) {
  const looker = new Looker(observatory);
  const report = new LineReport();
  return async (second: number) => {
    observatory.passTo(second);
    const sight = await looker.look({ filter: '', most: 100, opened: null }, NEVER);
    return report.take(sight, await observatory.insights({})).map((line) => strictly(topLine, line));
  };
}

describe('lines', () => {
  test('there is a line for each change, and no line without a change', async () => {
    const linesAt = linesOf(observeStory(EVENTS));
    const texts = [];
    for (const second of [0.5, 0.8, 3, 7, 8, 10, 11]) texts.push(...(await linesAt(second)).map(textOfLine));
    expect(texts.map((text) => text.replace(/\b61000000-\S+:1/, 'A').slice(0, 130))).toMatchInlineSnapshot(`
      [
        "2026-11-18T11:06:40.500Z  Watched: redis://127.0.0.1:6379, Redis 7.0.15, level monitor.",
        "2026-11-18T11:06:40.500Z  1 held, 0 waited for, 0 waiters, no verdicts. First: orders:42 (story, database 0), held by 00000061-000",
        "2026-11-18T11:06:47.000Z  1 held, 0 waited for, 0 waiters, verdicts: 1 warning. First: orders:42 (story, database 0), held by 0000",
        "2026-11-18T11:06:47.000Z  WARNING holder-crashed-wait-ttl orders:42 (story, database 0): The client of the holder is gone. The cli",
        "2026-11-18T11:06:50.000Z  0 held, 0 waited for, 0 waiters, no verdicts.",
        "2026-11-18T11:06:50.000Z  Over: WARNING holder-crashed-wait-ttl orders:42 (story, database 0): The client of the holder is gone.",
      ]
    `);
  });

  test('the lock with the worst problem is first, even if more threads wait for another lock', async () => {
    const events = [
      ...story(
        'busy lease 60s\n 0 B attempts acquired\n 0.1 C attempts refused\n 0.11 C subscribes\n 0.12 C attempts refused',
      ),
      ...story('endless lease 60s\n 0.2 A attempts acquired\n 0.3 operator command PERSIST endless'),
    ];
    const lines = await linesOf(observeStory(events))(9);
    expect(lines.find(({ event }) => event === 'locks')).toMatchObject({ first: { lock: 'endless' } });
  });

  test('a hold that began before watching began is marked as older, and the number of its waiters is unknown, not 0', async () => {
    const late = story('orders:42 lease 900s\n 0.000 redis snapshot A×1 600000 1');
    const lines = await linesOf(observeStory(late))(0.5);
    const locks = lines.find(({ event }) => event === 'locks');
    expect(locks).toMatchObject({ wanted: 1, waiters: null, first: { isAtLeast: true, waiters: null } });
    const text = lines.map(textOfLine).find((each) => each.includes('First:'));
    expect(text).toMatch(
      /1 held, 1 waited for, waiters not known, no verdicts\. First: .* since 2026-\S+Z or earlier\.$/,
    );
  });

  test('if listeners may not be counted, a lock that was held before watching began has an unknown number of waiters', async () => {
    const observatory = observeStory(story('orders:42 lease 900s\n 0.000 redis snapshot A×1 600000'));
    const loss = { loss: 'listeners' as const, user: 'app', commands: [], absent: ['PUBSUB NUMSUB'], grant: '' };
    observatory.setSource({ unseen: [problem('unseen-without-right', loss)] });
    const lines = await linesOf(observatory)(0.5);
    expect(lines.find(({ event }) => event === 'locks')).toMatchObject({ waiters: null, first: { waiters: null } });
    const { cannotTell } = await observatory.insights({});
    expect(cannotTell).toContainEqual(expect.objectContaining({ incident: 'abba-deadlock', reason: 'blind-spot' }));
  });

  test('waiters of an own lock, and of locks that are not listed, are unknown, not 0', async () => {
    const observatory = observeStory(EVENTS);
    observatory.passTo(0.5);
    const sight = await new Looker(observatory).look({ filter: '', most: 100, opened: null }, NEVER);
    const report = await observatory.insights({});
    const waitersOf = (change: Partial<typeof sight>) =>
      new LineReport().take({ ...sight, ...change }, report).find(({ event }) => event === 'locks');
    expect(waitersOf({})).toMatchObject({ waiters: 0 });
    expect(waitersOf({ locks: sight.locks.map((lock) => ({ ...lock, library: 'unknown' })) })).toMatchObject({
      ...{ waiters: null, first: { waiters: null } },
    });
    expect(waitersOf({ total: 2 })).toMatchObject({ waiters: null });
  });

  test('if locks or verdicts are not listed, the numbers of wanted locks and of verdicts are marked as incomplete', async () => {
    const observatory = observeStory(EVENTS);
    observatory.passTo(7);
    const sight = await new Looker(observatory).look({ filter: '', most: 100, opened: null }, NEVER);
    const report = await observatory.insights({});
    const locksOf = (change: Partial<typeof sight>) =>
      new LineReport()
        .take({ ...sight, ...change }, report)
        .map((line) => strictly(topLine, line))
        .filter(({ event }) => event === 'locks');
    expect(locksOf({})[0]).not.toHaveProperty('isWantedAtLeast');
    expect(locksOf({})[0]).not.toHaveProperty('moreVerdicts');
    const [lock] = sight.locks;
    const lines = locksOf({ total: 1200, verdicts: { ...sight.verdicts, more: 7 } });
    expect(lines).toMatchObject([{ isWantedAtLeast: true, moreVerdicts: 7, waiters: null }]);
    expect(lines.map(textOfLine).join()).toContain('waiters not known, verdicts: 1 warning, 7 more.');
    const wanted = [{ ...lock!, subscribers: 2 }];
    expect(locksOf({ total: 1200, locks: wanted }).map(textOfLine).join()).toContain('1 held, 1 or more waited for, ');
  });

  test('a free lock with a problem does not hide that another lock is held', async () => {
    const observatory = observeStory(EVENTS);
    observatory.passTo(7);
    const sight = await new Looker(observatory).look({ filter: '', most: 100, opened: null }, NEVER);
    const [lock] = sight.locks;
    const free = { ...lock!, name: 'free', held: false, holders: [] };
    const [, locks] = new LineReport().take({ ...sight, locks: [free, lock!] }, await observatory.insights({}));
    expect(locks).toMatchObject({ event: 'locks', first: { lock: 'orders:42' } });
    const [, none] = new LineReport().take({ ...sight, locks: [free] }, await observatory.insights({}));
    expect(none).toMatchObject({ event: 'locks', first: null });
  });

  test('at level events the number of waiters is null, not 0', async () => {
    const lines = await linesOf(observeStory(EVENTS, { level: 'events' }))(0.5);
    expect(lines.find(({ event }) => event === 'locks')).toMatchObject({
      held: 1,
      waiters: null,
      first: { waiters: null },
    });
    expect(lines.map(textOfLine).join()).toContain('1 held, waiters not known, no verdicts.');
  });

  test('a source that is no longer watched gives one line, without unknown figures', async () => {
    const observatory = observeStory(EVENTS);
    const linesAt = linesOf(observatory);
    await linesAt(0.5);
    observatory.setSource({ status: 'reconnecting', problem: problem('lost', { where: 'h:1', quote: 'gone' }) });
    expect(await linesAt(0.6)).toMatchObject([
      { event: 'source', isWatched: false, source: { problem: { code: 'lost' } } },
    ]);
    expect(await linesAt(0.7)).toEqual([]);
  });

  test('a lock name with a line break adds no line', async () => {
    const linesAt = linesOf(observeStory(EVENTS.map((event) => ({ ...event, lock: HOSTILE }))));
    const texts = [...(await linesAt(0.5)), ...(await linesAt(7))].map(textOfLine);
    expect(texts.some((text) => text.includes('a\\x0a2026 CRITICAL b\\x1b[31m\\u2028'))).toBe(true);
    expect(texts.filter((text) => /[\n\u2028\u001b]/.test(text))).toEqual([]);
  });
});
