import { describe, expect, test } from 'vitest';
import { merged, verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';
import { Interpreter } from '../../../events/interpreter.ts';
import type { BookmarkSignal } from '../../../signals/signal.ts';

const QUEUE = `
  0.000  A waits 300
  1.000  B waits 300
  1.001  B subscribes
  2.000  C waits 300
  2.001  C subscribes
`;

const verdict = (text: string, at: number, ...lists: LockEvent[][]) =>
  verdictAt('fair-head-dead', merged(fairStory(QUEUE + text), ...lists), seconds(at));
const ALL = listed('connected', 2.5, 'A', 'B', 'C');

describe('fair-head-dead', () => {
  test('fires if the client of the head is gone: critical once the lock is free and others wait', () => {
    const held = verdict('', 5, ALL, listed('gone', 4, 'B'));
    expect(held).toMatchObject([
      { severity: 'warning', confidence: 'certain', holders: [holderOf('B')], from: seconds(4), to: null },
    ]);
    const free = verdict('\n 4.500 A unlocks', 5, ALL, listed('gone', 4, 'B'));
    expect(free).toMatchObject([{ severity: 'critical', values: { dead: 1, waiting: 1, isFree: true } }]);
    const [{ selfHealsAt, values }] = free as unknown as [{ selfHealsAt: number; values: { deadline: number } }];
    expect(selfHealsAt).toBe(values.deadline);
    expect(selfHealsAt).toBeGreaterThan(seconds(100));
  });

  test('counts the dead waiters right behind the head', () => {
    expect(verdict('', 5, ALL, listed('gone', 4, 'B', 'C'))).toMatchObject([{ values: { dead: 2, waiting: 0 } }]);
  });

  test('is critical if the only clients that attempt the free lock do not queue', () => {
    const refused = '\n 4.500 A unlocks\n 4.600 D tries';
    const dead = listed('gone', 4, 'B', 'C');
    expect(verdict(refused, 5, ALL, dead)).toMatchObject([{ severity: 'critical', values: { dead: 2, waiting: 0 } }]);
    expect(verdict('\n 4.500 A unlocks', 5, ALL, dead)).toMatchObject([{ severity: 'warning' }]);
  });

  test('does not fire for a dead waiter whose deadline has passed: the next caller evicts it', () => {
    const gone = listed('gone', 4, 'B', 'C');
    const [found] = verdict('', 5, ALL, gone) as unknown as [{ values: { deadline: number } }];
    const last = (found.values.deadline - seconds(0)) / 1_000_000;
    expect(verdict('', last - 1, ALL, gone)).toHaveLength(1);
    expect(verdict('', last + 1, ALL, gone)).toEqual([]);
  });

  test('does not fire if only a waiter behind the head is gone', () => {
    expect(verdict('', 5, ALL, listed('gone', 4, 'C'))).toEqual([]);
  });

  test('is only a hint about a silent head whose client reacts late elsewhere, unless the client is gone', () => {
    const asked = '\n 1.002 B waits 300\n 4.500 A unlocks\n 12 D tries';
    const late = (at: number) =>
      story(
        `other lease 30s\n ${at} A attempts acquired\n ${at}.1 B2 attempts refused\n ${at + 2}.1 B2 subscribes\n ${at + 2}.2 B2 attempts refused`,
      );
    const silent = (...more: LockEvent[][]) => verdict(asked, 13, ALL, ...more);
    expect(silent()).toMatchObject([{ confidence: 'likely', values: { goneSince: null, lateAt: null } }]);
    expect(silent(late(3))).toMatchObject([{ confidence: 'hint', values: { lateAt: seconds(5.1) } }]);
    const gone = listed('gone', 12.5, 'B');
    expect(silent(late(3), gone)).toMatchObject([{ confidence: 'certain', values: { lateAt: null } }]);
  });

  test('cannot know if it is not known whether the head is connected', () => {
    expect(verdict('', 5)).toBe('cannot know: presence');
  });

  test.each(['monitor', 'events'] as const)(
    'fires for a head that only reads have shown and that has not acquired the free lock for 30 s (%s)',
    (level) => {
      const at = (time: number, ...reads: BookmarkSignal[]) =>
        verdictAt('fair-head-dead', found(...reads), seconds(time), { level });
      const free = read(0, 'BC');
      const since = { from: seconds(0), isAtLeast: true };
      expect(at(29, free)).toBe('cannot know: presence');
      expect(at(31, free)).toMatchObject([
        {
          severity: 'critical',
          confidence: 'likely',
          holders: [holderOf('B')],
          ...since,
          values: { dead: 1, waiting: 1 },
        },
      ]);
      expect(at(31, free, read(20, 'C'))).toBe('cannot know: presence'); // the head took the lock and has released it
      expect(at(31, read(0, 'BC', 'A'))).toBe('cannot know: presence'); // the lock is held
      expect(at(31, read(0, 'BC', 'A'), read(20, 'BC'))).toBe('cannot know: presence');
    },
  );

  test('cannot know in the first 30 s about a head that only reads have shown, although its client is connected', () => {
    const verdictOf = (at: number) => verdictAt('fair-head-dead', merged(found(read(0, 'BC')), ALL), seconds(at));
    expect(verdictOf(20)).toBe('cannot know: blind-spot');
    expect(verdictOf(31)).toMatchObject([{ confidence: 'likely' }]);
  });
});

/** A read of the queue of a fair lock, and of its holder. */
function read(at: number, queue: string, holder?: string): BookmarkSignal {
  const waiters = [...queue].map(holderOf);
  const key = holder
    ? { type: 'hash', fields: { [holderOf(holder)]: '1' }, pttl: 30_000 }
    : { type: 'none', fields: {}, pttl: -2 };
  const timeouts = waiters.flatMap((waiter, n) => [waiter, String(1_900_000_000_000 + n)]);
  const companions = { queue: waiters, timeouts, queueLength: [String(waiters.length)] };
  const name = { db: 0, name: 'jobs', hasChanged: false, subscribers: null };
  return { kind: 'bookmark', at: seconds(at), reads: [{ ...name, ...key, companions }] };
}

function found(...reads: BookmarkSignal[]): LockEvent[] {
  const interpreter = new Interpreter({ source: 'story' });
  return reads.flatMap((each) => interpreter.interpret(each));
}
