import { describe, expect, test } from 'vitest';
import { verdictAt } from '../../../../testing/goldens/report-from-events.ts';
import { seconds, story } from '../../../../testing/stories/story.ts';
import type { LockEvent } from '../../../events/event.ts';

const [GRANT] = story('slots lease 30s\n 0.000 A attempts acquired');

/** An event of a semaphore with permit ids and two permits. */
function reported(seq: number, at: number, detail: object): LockEvent {
  const { holder: _, ...about } = GRANT as LockEvent & { holder: string };
  return { ...about, seq, at: seconds(at), kind: 'expirable-semaphore', total: 2, ...detail } as LockEvent; // each test adds the other fields
}

const TAKEN = reported(1, 0, {
  type: 'permits.acquired',
  holder: 'app-1',
  permits: 2,
  permitIds: ['p', 'q'],
  available: 0,
});
const ASKED = reported(2, 1, { type: 'permits.refused', holder: 'app-2', permits: 2, available: 0 });
const LISTENS = reported(3, 1.1, { type: 'waiter.subscribed', holder: 'app-2', channel: 'c', subscribers: 1 });
const BACK = reported(4, 2, { type: 'permits.released', permits: 2, permitIds: ['p', 'q'], available: 2 });
const verdict = (at: number, ...events: LockEvent[]) =>
  verdictAt('permits-free-waiter-asleep', [TAKEN, ASKED, LISTENS, ...events], seconds(at));

describe('permits-free-waiter-asleep', () => {
  test('fires if a waiter has not attempted for 3 s although enough permits are free', () => {
    expect(verdict(4.9, BACK)).toEqual([]);
    expect(verdict(5.1, BACK)).toMatchObject([
      {
        ...{ severity: 'warning', confidence: 'likely', holders: ['app-2'], from: seconds(2), to: null },
        values: { available: 2, asks: 2, freeSince: seconds(2) },
      },
    ]);
  });

  test('does not fire while fewer permits are free than the waiter asks for', () => {
    const oneBack = reported(4, 2, { type: 'permits.released', permits: 1, permitIds: ['p'], available: 1 });
    expect(verdict(9, oneBack)).toEqual([]);
  });

  test('does not fire while fewer permits are free than the highest number that a thread of the client asked for', () => {
    const refusedOnePermit = reported(4, 1.5, { type: 'permits.refused', holder: 'app-2', permits: 1, available: 0 });
    const oneBack = reported(5, 2, { type: 'permits.released', permits: 1, permitIds: ['p'], available: 1 });
    expect(verdict(9, refusedOnePermit, oneBack)).toEqual([]);
  });

  test('ends when the waiter attempts again, gets permits, or stops listening', () => {
    const again = reported(5, 3, { type: 'permits.refused', holder: 'app-2', permits: 2, available: 2 });
    expect(verdict(9, BACK, again)).toEqual([]);
    const gotPermits = reported(5, 3, {
      type: 'permits.acquired',
      holder: 'app-2',
      permits: 2,
      permitIds: ['r', 's'],
      available: 0,
    });
    expect(verdict(9, BACK, gotPermits)).toEqual([]);
    const left = reported(5, 3, { type: 'waiter.unsubscribed', holder: 'app-2', channel: 'c', subscribers: 0 });
    expect(verdict(9, BACK, left)).toEqual([]);
  });

  test('cannot know at level events', () => {
    const events = [TAKEN, ASKED, LISTENS, BACK];
    const found = verdictAt('permits-free-waiter-asleep', events, seconds(9), { level: 'events' });
    expect(found).toBe('cannot know: level');
  });
});
