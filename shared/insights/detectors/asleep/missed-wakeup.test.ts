import { describe, expect, test } from 'vitest';
import { merged, verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { fairStory } from '../../../../testing/stories/fair-story.ts';
import { listed } from '../../../../testing/stories/listed.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('missed-wakeup', story(`orders:42 lease 30s\n${text}`), seconds(at), watching);

const FREED = `
  0.000  A attempts acquired
  1.000  redis lists A B
  2.000  B attempts refused
  2.001  B subscribes
  2.002  B attempts refused
  2.500  redis lists A B
  4.000  A releases
`;

describe('missed-wakeup', () => {
  test('fires if a sleeper does not attempt after the message, with more confidence the longer it is silent', () => {
    expect(verdict(FREED, 5.9)).toEqual([]);
    const found = { holders: [holderOf('B')], from: seconds(4.000_004), to: null };
    expect(verdict(FREED, 6.1)).toMatchObject([
      { ...found, severity: 'hint', confidence: 'hint', selfHealsAt: seconds(30.000_003) },
    ]);
    expect(verdict(FREED, 11)).toMatchObject([
      { ...found, severity: 'warning', confidence: 'likely', values: { asleep: 1, resubscribedAt: null } },
    ]);
  });

  test('is certain if the client subscribes again without an attempt', () => {
    const cut = `${FREED}\n 7.000 B2 subscribes`;
    expect(verdict(cut, 8)).toMatchObject([{ confidence: 'certain', values: { resubscribedAt: seconds(7) } }]);
  });

  test('ends when the waiter attempts', () => {
    expect(verdict(`${FREED}\n 7.000 B attempts acquired`, 8)).toEqual([]);
  });

  test('does not fire if the waiter wakes, if it subscribes late and has not slept, or if no message was sent', () => {
    const late = '0.000 A attempts acquired\n 1.000 B attempts refused\n 1.001 redis lists A B\n 1.010 B subscribes';
    expect(verdict(`${late}\n 1.500 A releases`, 3.4)).toEqual([]);
    expect(verdict(`${FREED}\n 4.005 B attempts acquired\n 5.000 B releases`, 9)).toEqual([]);
    expect(verdict(FREED.replace('A releases', 'operator command DEL orders:42'), 9)).toEqual([]);
  });

  test('does not fire for a client that reacts late to other messages, unless its subscription was cut', () => {
    const late = (at: number) => `other lease 30s
      0.100  A attempts acquired
      0.200  B2 attempts refused
      0.201  B2 subscribes
      0.202  B2 attempts refused
      ${at}  A releases
      ${at + 1.5} B2 attempts acquired`;
    const at = (s: number, ...texts: string[]) => verdictAt('missed-wakeup', merged(story(...texts)), seconds(s), {});
    const freed = `orders:42 lease 30s\n${FREED}`;
    expect(at(11, freed, late(4))).toEqual([]);
    expect(at(11, freed, late(4), 'orders:42 lease 30s\n 7.000 B2 subscribes')).toMatchObject([
      { confidence: 'certain' },
    ]);
  });

  test('ends 2 s after the own timer of the waiter', () => {
    expect(verdict(FREED, 31.9)).toMatchObject([{ confidence: 'likely' }]);
    expect(verdict(FREED, 32.1)).toEqual([]);
  });

  test('does not fire if the client of the waiter is gone', () => {
    expect(verdict(`${FREED}\n 5.500 redis lists A`, 6.5)).toEqual([]);
  });

  test('cannot know without the presence of the client, after a blind spot since the release, or at level events', () => {
    expect(verdict(FREED.replaceAll(/.*redis lists.*\n/g, ''), 7)).toBe('cannot know: presence');
    expect(verdict(`${FREED}\n 5.000 - loses sight\n 5.500 - sees again`, 7)).toBe('cannot know: blind-spot');
    expect(verdict(FREED, 7, { level: 'events' })).toBe('cannot know: level');
  });

  test('in a fair queue, fires for the head if the waiter that was called is behind it, and for that waiter while it is the head', () => {
    const called = `
  0.000  A waits 300
  1.000  B waits 5
  1.001  B subscribes
  1.002  B waits 5
  2.000  C waits 300
  2.001  C subscribes
  2.002  C waits 300
  5.000  A waits 300
  5.900  B waits 5
  5.910  C waits 300
  9.000  A waits 300
  9.100  B waits 5
  9.110  C waits 300
  10.000 A unlocks
  10.001 A unlocks
  10.500 A unlocks
`;
    const passedOver = `${called}\n 12.000 B waits 5`;
    const lists = listed('connected', 2.5, 'A', 'B', 'C');
    const fair = (text: string, at: number) =>
      verdictAt('missed-wakeup', merged(fairStory(text), lists), seconds(at), {});
    expect(fair(passedOver, 14.5)).toMatchObject([
      { holders: [holderOf('C')], from: seconds(10.5), to: null, values: { called: holderOf('B'), queued: 2 } },
    ]);
    expect(fair(`${passedOver}\n 13.000 C waits 300`, 14.5)).toEqual([]);
    expect(fair(called, 12.9)).toMatchObject([{ holders: [holderOf('B')], values: { called: null, queued: 2 } }]);
  });

  test('in a fair queue, also fires for a head that queued after the message', () => {
    const later = fairStory(`
  0.000  A waits 300
  1.000  B waits 5
  1.001  B subscribes
  1.002  B waits 5
  5.000  A waits 300
  5.900  B waits 5
  9.000  A waits 300
  9.100  B waits 5
  10.000 A unlocks
  10.001 A unlocks
  10.500 A unlocks
  10.700 D waits 300
  10.701 D subscribes
  10.702 D waits 300
  12.000 B waits 5
`).map((event) =>
      // before 3.32, a waiter that is not first sleeps
      event.type === 'lock.refused' && event.holder === holderOf('D') && event.attempt === 2
        ? { ...event, ttlMs: 300_000, asleep: true }
        : event,
    );
    const lists = listed('connected', 2.5, 'A', 'B', 'D');
    expect(verdictAt('missed-wakeup', merged(later, lists), seconds(14.5))).toMatchObject([
      { holders: [holderOf('D')], from: seconds(10.5), values: { called: holderOf('B') } },
    ]);
  });
});
