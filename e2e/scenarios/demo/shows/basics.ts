import { expect } from '../../stage.ts';
import { beatAt, beatsOf, RELEASED, type Show, textIn } from './show.ts';

/** Scenarios with one plain lock. */
export const BASICS: readonly Show[] = [
  {
    id: 'reentrancy',
    says: 'a thread enters twice, and has to release twice',
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      expect(textIn(beats)).toEqual([
        'A acquires the lock. Redis grants a 6-second lease.',
        'A enters again: hold count 2.',
        'A releases once. Hold count 1: it still holds the lock.',
        'B asks: busy, lease left … s.',
        'Released. No thread is waiting, so none wakes.',
        'B acquires the lock. Redis grants a 6-second lease.',
        'Released. No thread is waiting, so none wakes.',
      ]);
      expect(beatAt(beats, 'A enters again').redis).toContain('A order-svc-1:1 ×2');
    },
  },
  {
    id: 'watchdog',
    says: 'the lease is renewed while the lock is held',
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      expect(beats.some(({ caption }) => caption.includes('A’s watchdog renews the lease'))).toBe(true);
    },
  },
  {
    id: 'no-watchdog',
    says: 'the lease ends before its holder is done',
    expect: async (performance) => {
      const captions = (await beatsOf(performance, RELEASED)).map(({ caption }) => caption);
      expect(captions).toContain('A acquires the lock for 3 seconds, without a watchdog.');
      expect(captions).toContain('B gets it; A still works. Two work at once.');
      expect(captions).toContain('A’s unlock is refused: its lease has expired.');
    },
  },
  {
    id: 'trylock-timeout',
    says: 'a waiter gives up',
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      expect(textIn(beats)).toContain('B gives up after … seconds and leaves.');
      expect(beatAt(beats, 'B subscribes').cards.B).toContain('asleep');
      expect(beatAt(beats, 'B gives up').cards.B).toContain('not using it');
    },
  },
  {
    id: 'unlock-by-non-owner',
    says: 'only the thread that holds the lock can release it',
    expect: async (performance) => {
      const beats = await beatsOf(performance, /^A’s unlock is refused/);
      expect(textIn(beats)).toEqual([
        'A acquires the lock. Redis grants a 6-second lease.',
        'B’s unlock is refused: the lock is not its own.',
        'A2’s unlock is refused: the lock is not its own.',
        'Released. No thread is waiting, so none wakes.',
        'A’s unlock is refused: no client holds the lock.',
      ]);
      expect(beatAt(beats, 'A2’s unlock').redis).toContain('A order-svc-1:1 ×1');
    },
  },
  {
    id: 'holder-crash',
    says: 'after a crash the waiter’s own timer wakes it',
    expect: async (performance) => {
      const captions = (await beatsOf(performance, RELEASED)).map(({ caption }) => caption);
      expect(captions).toContain('A crashes. Nothing renews the lease now.');
      expect(captions).toContain('The renewal is overdue.');
      expect(captions).toContain('No message came: B’s own timer woke it. It gets the lock.');
    },
  },
  {
    id: 'frozen-holder',
    says: 'a frozen process continues, unaware that it no longer holds the lock',
    expect: async (performance) => {
      const beats = await beatsOf(performance, RELEASED);
      const captions = beats.map(({ caption }) => caption);
      expect(captions).toContain('A freezes: its process stops, and all its timers.');
      expect(beatAt(beats, 'A resumes, unaware: A and B both work now.').cards.A).toContain('works on');
      expect(captions).toContain('A’s unlock is refused: its lease has expired.');
      expect(beatAt(beats, 'A freezes').cards.A).toContain('frozen');
    },
  },
];
