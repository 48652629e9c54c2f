import { describe, expect, test } from 'vitest';
import {
  eventsFromSignals,
  holderOf,
  reported,
  seconds,
  signalsFromStory,
  story,
} from '../../testing/stories/story.ts';
import { Interpreter } from './interpreter.ts';

describe('snapshots', () => {
  test('[S1] the first read of a held lock reports it as found', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  - snapshot A×2 5000
      1.000  A releases partly
    `),
      ),
    ).toEqual(['lock.found', 'lock.partially-released A ×1']);
  });

  test('[S6] [W3] subscribers from before watching are counted, and a thread refused then is asleep', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  - snapshot A×1 5000 1
      1.000  B attempts refused
      2.000  - snapshot A×1 3000 0
    `);
    expect(reported(events)).toEqual([
      'lock.found',
      'waiter.subscribed (inferred)',
      'lock.refused B ttl 4000',
      'waiter.unsubscribed (inferred)',
    ]);
    expect(events[1]).toMatchObject({ subscribers: 1 });
    expect(events[2]).toMatchObject({ attempt: 1, asleep: true });
    expect(events[3]).toMatchObject({ subscribers: 0 });
  });

  test('[S2] a read that differs from the known holders is drift, with the expected and the found holders and the cause', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - snapshot A×2 5000
      1.100  - loses sight
      1.500  - sees again
      1.600  - snapshot B×1 5900
    `);
    expect(reported(events)).toEqual([
      'lock.acquired A ×1',
      'drift.healed',
      'blind-spot.began connection-lost',
      'blind-spot.ended watching-again',
      'drift.healed',
    ]);
    expect(events[1]).toMatchObject({ cause: 'unexplained', found: { holders: [{ holdCount: 2 }] } });
    expect(events[4]).toMatchObject({ cause: 'blind-spot', expected: { holders: [{ holder: holderOf('A') }] } });
  });

  test.each([
    [5000, 0],
    [4800, 1],
  ])(
    '[S2] a lease may count from the beginning of a script that took 110 ms: with %i ms left, a read shows drift %i times',
    (ttlMs, drifts) => {
      const signals = signalsFromStory(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - snapshot A×1 ${ttlMs}
    `);
      const slow = signals.map((signal) =>
        signal.kind === 'line' && signal.words[0] === 'pexpire' ? { ...signal, at: seconds(0.11) } : signal,
      );
      const events = reported(eventsFromSignals(slow));
      expect(events.filter((event) => event.startsWith('drift'))).toHaveLength(drifts);
    },
  );

  test('[S2] a lease that ended during a read is not drift, and expires once the key is gone', () => {
    const events = story(`
      orders:42 lease 1s
      0.000  A attempts acquired
      1.300  - snapshot A×1 0
      1.400  - snapshot nothing
    `);
    expect(reported(events)).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  });

  test.each([5400, 5850])('[X2] a hold that the new master has is kept, also with another lease: %i ms', (ttlMs) => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      0.100  - loses sight
      0.140  - fails over
      0.150  - sees again
      0.160  - snapshot A×1 ${ttlMs}
      0.170  - snapshot A×1 ${ttlMs - 10}
    `);
    expect(reported(events).slice(1)).toEqual([
      'blind-spot.began connection-lost',
      'failover',
      'blind-spot.ended watching-again',
      'lock.found',
    ]);
    expect(events.at(-1)).toMatchObject({ isKept: true, expiresAt: seconds(0.16 + ttlMs / 1000) });
  });

  test('[S2] a read that agrees with the known state reports no drift', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - snapshot A×1 5000
      7.000  A releases
      8.000  - snapshot nothing
    `),
      ).filter((event) => event.startsWith('drift')),
    ).toEqual([]);
  });

  test('[S3] a key missing after its lease ended has expired', () => {
    expect(
      reported(
        story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      6.100  - snapshot nothing
    `),
      ),
    ).toEqual(['lock.acquired A ×1', 'lease.expired A (inferred)']);
  });
});

test('a read that counted listeners as for a plain lock is repeated once if it finds a lock of another kind', () => {
  const interpreter = new Interpreter({ source: 'story' });
  const doubts: string[] = [];
  interpreter.onDoubt = ({ name }) => doubts.push(name);
  const fields = { mode: 'read', [holderOf('A')]: '1' };
  const read = { db: 5, name: 'catalog', type: 'hash', fields, pttl: 30_000, hasChanged: false } as const;
  const counted = (channel?: string) => ({ ...read, subscribers: channel ? 1 : 0, ...(channel ? { channel } : {}) });
  interpreter.interpret({ kind: 'bookmark', at: seconds(1), reads: [counted()] });
  expect(doubts).toEqual(['catalog']);
  const again = counted('redisson_rwlock:{catalog}');
  const events = interpreter.interpret({ kind: 'bookmark', at: seconds(2), reads: [again] });
  expect(events.at(-1)).toMatchObject({ type: 'waiter.subscribed', subscribers: 1 });
  interpreter.interpret({ kind: 'bookmark', at: seconds(3), reads: [counted()] });
  expect(doubts).toEqual(['catalog']);
});
