import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { groupEvents } from '../../../../testing/stories/group-story.ts';
import { readWriteStory } from '../../../../testing/stories/read-write-story.ts';
import { holderOf, seconds, story, waitsAt } from '../../../../testing/stories/story.ts';

/** `A` holds x and `B` holds y; the texts are what happens to x and y after that. */
const verdict = (x: string, y: string, at: number, watching: Watching = {}) =>
  verdictAt(
    'abba-deadlock',
    merged(
      story(`x lease 30s\n 0.000 A attempts acquired\n${x}`),
      story(`y lease 30s\n 0.100 B attempts acquired\n${y}`),
    ),
    seconds(at),
    watching,
  );

/** A thread renews its lock every 10 s: here at 10 s and 20 s, with `AGAIN` also at 30 s. */
const RENEWALS = (actor: string) => `\n 10.000 ${actor} renews\n 20.000 ${actor} renews`;
const AGAIN = (actor: string) => `\n 30.000 ${actor} renews`;

describe('abba-deadlock', () => {
  test('fires when two threads wait for each other, and reports when the first unrenewed lease breaks the deadlock', () => {
    const [A, B] = [holderOf('A'), holderOf('B')];
    expect(verdict(waitsAt('B', 1), waitsAt('A', 2), 15)).toMatchObject([
      {
        ...{ severity: 'critical', confidence: 'likely', from: seconds(2.000_003), to: null, holders: [A, B] },
        selfHealsAt: seconds(30.000_003),
        values: {
          path: [
            { holder: A, lock: 'y', heldBy: B },
            { holder: B, lock: 'x', heldBy: A },
          ],
        },
      },
    ]);
  });

  test('is certain after both locks have been renewed twice, and reports no end', () => {
    const renewed = verdict(waitsAt('B', 1) + RENEWALS('A'), waitsAt('A', 2) + RENEWALS('B'), 23);
    expect(renewed).toMatchObject([{ confidence: 'certain', selfHealsAt: null }]);
  });

  test('does not report when the deadlock breaks if another process has set the leases', () => {
    const [x, y] = [waitsAt('B', 1), waitsAt('A', 2)];
    const kept = (lock: string) => `\n 10.000 cron command PEXPIRE ${lock} 30000`;
    expect(verdict(x + kept('x'), y + kept('y'), 23)).toMatchObject([{ selfHealsAt: null }]);
  });

  test('is not certain while a thread may no longer wait: it did not attempt again, or its client listens for another thread', () => {
    const on = (at: number, x: string, y: string) =>
      verdict(x + RENEWALS('A') + AGAIN('A'), y + RENEWALS('B') + AGAIN('B'), at);
    const A2 = waitsAt('A2', 1);
    const doubtsOf = (at: number, x = waitsAt('B', 1), y = waitsAt('A', 2)) => {
      const [found] = on(at, x, y);
      if (typeof found === 'string') throw new Error(found);
      const reasons =
        found?.incident === 'abba-deadlock' ? found.values.doubts.map(({ holder, why }) => [holder, why]) : [];
      return [found?.confidence, ...reasons];
    };
    const [A, B] = [holderOf('A'), holderOf('B')];
    expect(doubtsOf(31)).toEqual(['certain']);
    // the own timers of B and A end at 30.0 s and 30.1 s
    expect(doubtsOf(32.05)).toEqual(['likely', [B, 'overdue']]);
    expect(doubtsOf(35)).toEqual(['likely', [A, 'overdue'], [B, 'overdue']]);
    const alone = '\n 2.000 A attempts refused\n 2.001 A attempts refused';
    expect(doubtsOf(23, waitsAt('B', 1), A2 + alone)).toEqual(['likely', [A, 'shared']]);
    expect(doubtsOf(35, waitsAt('B', 1), A2 + alone)).toEqual(['hint', [A, 'overdue'], [A, 'shared'], [B, 'overdue']]);
  });

  test('is not certain if a thread that was refused once is only assumed to be the listener from before watching began', () => {
    const x = story(`x lease 30s\n 0.000 - snapshot A×1 30000ms 1\n 1.000 B attempts refused${RENEWALS('A')}`);
    const y = story(`y lease 30s\n 0.100 B attempts acquired\n${waitsAt('A', 2)}${RENEWALS('B')}`);
    const doubts = [{ holder: holderOf('B'), why: 'assumed', at: seconds(1.000_003) }];
    expect(verdictAt('abba-deadlock', merged(x, y), seconds(23))).toMatchObject([
      { confidence: 'likely', values: { doubts } },
    ]);
  });

  test('does not fire if the second thread attempted only once, or after the first thread has released its lock', () => {
    expect(verdict(waitsAt('B', 1), ' 2.000 A attempts refused', 5)).toEqual([]);
    expect(verdict(`${waitsAt('B', 1)}\n 4.000 A releases\n 4.001 B attempts acquired`, waitsAt('A', 2), 5)).toEqual(
      [],
    );
  });

  test('does not fire before the circle is two seconds old, because an attempt with a short limit may end it', () => {
    expect(verdict(waitsAt('B', 1), waitsAt('A', 2), 3.9)).toEqual([]);
    expect(verdict(waitsAt('B', 1), waitsAt('A', 2), 4.1)).toMatchObject([{ confidence: 'likely' }]);
  });

  test('cannot know at level events, or if a wait began before a blind spot', () => {
    expect(verdict(waitsAt('B', 1), waitsAt('A', 2), 5, { level: 'events' })).toBe('cannot know: level');
    const blind = '\n 3.000 redis loses sight\n 4.000 redis sees again';
    expect(verdict(waitsAt('B', 1) + blind, waitsAt('A', 2), 5)).toBe('cannot know: blind-spot');
  });

  test('reports a circle of three threads over two sources as one finding', () => {
    const held = (lock: string, holder: string, waiter: string, at: number) =>
      story(`${lock} lease 30s\n 0.${at}00 ${holder} attempts acquired\n${waitsAt(waiter, at)}`);
    const elsewhere = held('z', 'C', 'B', 3).map((event) => ({ ...event, source: 'other' }));
    const events = merged(held('x', 'A', 'C', 1), held('y', 'B', 'A', 2), elsewhere);
    const found = verdictAt('abba-deadlock', events, seconds(6));
    expect(found).toMatchObject([{ holders: ['A', 'B', 'C'].map(holderOf), from: seconds(3.000_003) }]);
  });

  test('fires for a reader that waits for the write lock of its own read-write lock: it waits for itself', () => {
    const events = readWriteStory(`
      0.000 A reads
      1.000 A writes
      1.001 A subscribes
      1.002 A writes
      2.000 A renews read
      4.000 A renews read
      6.000 A renews read
    `);
    const A = holderOf('A');
    const [found] = verdictAt('abba-deadlock', events, seconds(6.5));
    expect(found).toMatchObject({
      ...{ severity: 'critical', confidence: 'certain', holders: [A], selfHealsAt: null },
      values: { path: [{ holder: A, lock: 'catalog', heldBy: A }], isUpgrade: true },
    });
  });

  test('fires if a writer waits for several readers, and one of these waits for another lock of the writer', () => {
    const readers = '0.000 A reads\n0.100 B reads\n1.000 W writes\n1.001 W subscribes\n1.002 W writes';
    const other = story(`y lease 30s\n 0.200 W attempts acquired\n${waitsAt('B', 2)}`);
    const [found] = verdictAt('abba-deadlock', merged(readWriteStory(readers), other), seconds(5));
    expect(found).toMatchObject({ holders: [holderOf('B'), holderOf('W')] });
  });

  test('fires for a circle of multi locks, which may give up, after 11 s but not after 5 s', () => {
    const events = groupEvents(`
      0.000 a A:1 acquired
      0.001 b B:1 acquired
      0.004 b A:1 sleeps
      0.005 a B:1 sleeps
    `).map((event) => ({ ...event, group: 'holder' in event ? `of ${event.holder}` : '' }));
    expect(verdictAt('abba-deadlock', events, seconds(5))).toEqual([]);
    expect(verdictAt('abba-deadlock', events, seconds(11))).toMatchObject([{ confidence: 'likely' }]);
  });

  test('does not fire if the client of a waiting thread is gone: it no longer waits', () => {
    const gone = '\n 2.500 redis lists A B\n 4.000 redis lists B';
    expect(verdict(waitsAt('B', 1) + gone, waitsAt('A', 2), 6)).toEqual([]);
  });
});
