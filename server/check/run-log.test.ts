import { describe, expect, test } from 'vitest';
import type { LockEvent } from '../../shared/events/event.ts';
import { holderOf, seconds, story } from '../../testing/stories/story.ts';
import { EventStore } from '../watch/store/event-store.ts';
import { isAllowed, withoutRepeats } from './fault.ts';
import { RunLog } from './run-log.ts';

/** The faults of a program that runs in a story from `from` to `to`, in seconds. */
function faultsOf(text: string, from: number, to: number) {
  const events = story(text);
  const before = locksOf(events.filter(({ at }) => at <= seconds(from)));
  const log = new RunLog(before);
  for (const event of events) if (event.at > seconds(from)) log.take(event);
  return log
    .faults(locksOf(events), () => seconds(to))
    .map(({ kind, holders, text: quote }) => ({ kind, holders, quote }));
}

function locksOf(events: readonly LockEvent[]) {
  const store = new EventStore(() => seconds(20));
  store.add(events);
  return store.answers.locks(0);
}

const A = holderOf('A');

describe('faults of a run', () => {
  test('a hold that the program left behind is a fault; a hold from before the program began is not', () => {
    const text = `
      orders:42 lease 60s
      1.000  A attempts acquired
    `;
    expect(faultsOf(text, 0, 5)).toMatchObject([{ kind: 'left-behind', holders: [A] }]);
    expect(faultsOf(text, 2, 5)).toEqual([]);
  });

  test('a client with a name is shown by that name', () => {
    const text = `
      orders:42 lease 60s
      1.000  A attempts acquired
      3.000  redis lists A=orders
    `;
    expect(faultsOf(text, 0, 5)[0]?.quote).toMatch(/:1 \(client orders\) still holds this lock, since /);
  });

  test('a hold whose lease ends while the program runs was not left behind', () => {
    const text = `
      orders:42 lease 2s
      1.000  A attempts acquired
      3.001  redis hears expired
      4.000  A releases silently
    `;
    const found = faultsOf(text, 0, 5);
    expect(found.map(({ kind }) => kind)).toEqual(['lease-ended', 'unlock-refused']);
    expect(found[0]?.quote).toContain('It still worked');
  });

  test('a hold whose lease ends after its program or its client has ended was left behind', () => {
    const text = `
      orders:42 lease 2s
      1.000  A attempts acquired
      3.001  redis hears expired
    `;
    expect(faultsOf(text, 0, 2).map(({ kind }) => kind)).toEqual(['left-behind']);
    const gone = `
      orders:42 lease 4s
      0.500  A attempts acquired
      1.000  redis lists A B
      2.500  redis lists B
      4.501  redis hears expired
    `;
    expect(faultsOf(gone, 0, 10)).toMatchObject([
      { kind: 'left-behind', quote: expect.stringContaining('last seen at') },
    ]);
  });
});

describe('permits and latches', () => {
  const about = { seq: 1, at: seconds(3), source: 'story', db: 0, lock: 'gate', certainty: 'observed' } as const;

  test('a permit that was acquired before the program began is not a fault of the run', () => {
    const expired = { ...about, kind: 'expirable-semaphore', type: 'permits.expired' } as const;
    const before = locksOf(story('gate lease 60s\n1.000 A attempts acquired'));
    const log = new RunLog(
      before.map((lock) => ({ ...lock, holders: lock.holders.map((h) => ({ ...h, id: 'old' })) })),
    );
    log.take({ ...expired, permits: 1, permitIds: ['old'] });
    expect(log.faults([], () => seconds(5))).toEqual([]);
    log.take({ ...expired, permits: 2, permitIds: ['old', 'new'] });
    expect(log.faults([], () => seconds(5))).toMatchObject([{ text: '1 permit expired before it was released.' }]);
  });

  test('a latch whose key expires is not a fault of the run', () => {
    const log = new RunLog([]);
    log.take({ ...about, kind: 'latch', type: 'lease.expired', mode: 'permit' });
    expect(log.faults([], () => seconds(5))).toEqual([]);
  });
});

test('a verdict replaces the fault that it reports, and is allowed by its kind or by its incident', () => {
  const about = {
    kind: 'unlock-refused',
    source: 's',
    db: 0,
    lock: 'a',
    holders: ['x:1'],
    at: 1,
    text: '',
    events: [],
  } as const;
  const verdict = { ...about, incident: 'unlock-by-non-owner' };
  const other = { ...about, holders: ['y:1'] };
  expect(withoutRepeats([verdict], [about, other])).toEqual([verdict, other]);
  expect(isAllowed(verdict, ['unlock-by-non-owner'])).toBe(true);
  expect(isAllowed(verdict, ['unlock-refused'])).toBe(true);
  expect(isAllowed(about, ['unlock-by-non-owner'])).toBe(false);
});
