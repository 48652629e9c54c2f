import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { heardStory, readFree, readHeld, released } from '../../../../testing/stories/heard-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';
import type { Step } from '../../../signals/step.ts';

/** A `tryLock(wait)` of B that ends while its SUBSCRIBE is under way. */
const leak = (lock: string, at: number) => `${lock} lease 30s
  ${at}      A attempts acquired
  ${at + 1}  B attempts refused
  ${at + 1.001}  B subscribes
`;
const later = (lock: string, text: string) => `${lock} lease 30s\n${text}`;
const LISTS = ['lists lease 30s\n 3.000 redis lists A B', 'lists lease 30s\n 9.000 redis lists A B'];

const verdict = (texts: readonly string[], at: number, watching: Watching = {}) =>
  verdictAt('subscription-pool-exhausted', story(...texts), seconds(at), watching);

describe('subscription-pool-exhausted', () => {
  /** B waits for a lock as it should: its client is on time. */
  const onTime = (at: number) =>
    later(
      'other',
      `${at} A attempts acquired\n ${at} B3 attempts refused\n ${at} B3 subscribes\n ${at} B3 attempts refused`,
    );
  const leaks = [
    leak('item:1', 0.1),
    leak('item:2', 1.3),
    onTime(2.5),
    later('item:3', '8 A attempts acquired'),
    ...LISTS,
  ];

  test('fires if a client stays subscribed for threads that did something else since', () => {
    const acts = later('item:4', '2.4 B attempts acquired');
    expect(verdict(leaks.toSpliced(2, 0, acts), 9.1)).toMatchObject([
      {
        ...{ severity: 'hint', confidence: 'certain', holders: [holderOf('B')], to: null },
        values: { leaked: 2, isShown: true, silent: null },
      },
    ]);
    // about the other subscription, only the missing attempt is known
    expect(verdict(leaks, 9.1)).toMatchObject([{ confidence: 'certain', values: { leaked: 1, isShown: true } }]);
  });

  test('is only likely if the thread was not seen to do something else', () => {
    const oneLeak = [leak('item:1', 0.1), onTime(2.5), later('item:3', '8 A attempts acquired'), ...LISTS];
    expect(verdict(oneLeak, 9.1)).toMatchObject([{ confidence: 'likely', values: { leaked: 1, isShown: false } }]);
  });

  test('does not fire while nothing shows that the client reacts in time, or if it reacts late elsewhere', () => {
    const silent = [leak('item:1', 0.1), later('item:3', '8 A attempts acquired'), ...LISTS];
    expect(verdict(silent, 9.1)).toEqual([]);
    const late = later(
      'other',
      '2.5 A attempts acquired\n 2.6 B3 attempts refused\n 4.5 B3 subscribes\n 4.6 B3 attempts refused',
    );
    expect(verdict(silent.toSpliced(1, 0, late), 9.1)).toEqual([]);
    // the same thread attempts after all, 9 s late: its wait goes on
    const events = story(leak('item:1', 0.1), later('item:1', '10.2 B attempts refused'));
    expect(events.at(-1)).toMatchObject({ type: 'lock.refused', attempt: 2, asleep: true });
    expect(events.map(({ type }) => type)).not.toContain('waiter.dequeued');
  });

  test('is a warning if another thread of the client was refused once and is silent', () => {
    const all = [
      ...leaks,
      later('item:9', '9.100 A attempts acquired\n 9.200 B2 attempts refused\n 20 redis lists A B'),
    ];
    expect(verdict(all, 20.1)).toMatchObject([
      { severity: 'warning', confidence: 'certain', values: { leaked: 1, silent: holderOf('B2') } },
    ]);
  });

  test('does not fire for a tryLock() without subscription, a waiter, or a client that unsubscribes or is gone', () => {
    const tried = later('item:1', '0.1 A attempts acquired\n 1.1 B attempts refused');
    expect(verdict([tried, ...LISTS], 9.1)).toEqual([]);
    const waiting = `${leak('item:1', 0.1)} 1.2 B attempts refused`;
    expect(verdict([waiting, ...LISTS], 9.1)).toEqual([]);
    const ended = `${leak('item:1', 0.1)} 1.2 B unsubscribes`;
    expect(verdict([ended, ...LISTS], 9.1)).toEqual([]);
    expect(verdict([...leaks, 'lists lease 30s\n 10 redis lists A'], 10.1)).toEqual([]);
  });

  test('cannot know without the presence of the client, or at level events', () => {
    expect(verdict(leaks.slice(0, 3).concat(later('item:3', '9 A attempts acquired')), 9.1)).toBe(
      'cannot know: presence',
    );
    expect(verdict(leaks, 9.1, { level: 'events' })).toBe('cannot know: level');
  });

  test('without commands, is a hint if a free lock still has listeners when each waiter would have attempted again', () => {
    const heard = (at: number, ...steps: readonly Step[]) => {
      const events = heardStory(readHeld(0, 'A', 30_000), ...released(4), readFree(4.01, 1), ...steps);
      return verdictAt('subscription-pool-exhausted', events, seconds(at), { level: 'events' });
    };
    const late = [readFree(9, 1), readFree(33, 1), readFree(70, 1)];
    const values = { holder: null, leaked: 1, isShown: false, silent: null };
    const hint = { severity: 'hint', confidence: 'hint', lock: 'orders:42', from: seconds(30), to: null, values };
    expect(heard(35, ...late)).toBe('cannot know: level');
    expect(heard(71, ...late)).toMatchObject([hint]);
    expect(heard(100, ...late, readFree(90, 0))).toBe('cannot know: level');
    expect(heard(100, ...late, readHeld(90, 'B', 30_000))).toBe('cannot know: level');
  });
});
