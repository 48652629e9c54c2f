import { describe, expect, test } from 'vitest';
import { eventsFromScripts, stepsAt } from '../../testing/stories/script-story.ts';
import { holderOf, reported, story } from '../../testing/stories/story.ts';
import type { LockEvent } from './event.ts';
import { Interpreter } from './interpreter.ts';

const REDIS_PY_RELEASE = 'c3f8721cbb97f72bc19e972846bd7aaf91901658';

/** Refused unlocks and renewals, with their holder and certainty. */
function refusals(events: readonly LockEvent[]): string[] {
  return reported(events.filter(({ type }) => type === 'unlock.refused' || type === 'renewal.refused'));
}

describe('[L5] a refusal shows only that the caller has no hold, if it is not known who holds the lock', () => {
  test.each(['unlock', 'renewal'])(
    '[L5] a refused %s as the first line about a lock shows only that the caller has no hold',
    (what) => {
      const events = story(`
      orders:42 lease 6s
      0.000  A ${what} refused
    `);
      expect(reported(events)).toEqual([`${what}.refused A no-lock (inferred)`]);
    },
  );

  test('[L5] an unlock refused after the refused attempt of another thread does not show which thread holds the lock', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  B attempts refused
      0.100  A unlock refused
    `);
    expect(refusals(events)).toEqual(['unlock.refused A not-owner (inferred)']);
    expect(events.at(-1)).not.toHaveProperty('heldBy');
  });

  test.each([
    ['held by another thread', '0.000  B attempts acquired', 'not-owner'],
    ['free', '0.000  B attempts acquired\n0.100  B releases', 'no-lock'],
    ['held by the caller', '0.000  A attempts acquired', 'no-lock'],
  ])(
    '[L5] a refusal after a blind spot does not show which thread holds the lock if the lock was %s before',
    (_, before, reason) => {
      const events = story(`
      orders:42 lease 60s
      ${before}
      1.000  - loses sight
      2.000  - sees again
      3.000  A unlock refused
      4.000  C renewal refused
    `);
      expect(refusals(events)).toEqual([
        `unlock.refused A ${reason} (inferred)`,
        `renewal.refused C ${reason} (inferred)`,
      ]);
      expect(events.filter((event) => 'heldBy' in event)).toEqual([]);
    },
  );

  test('[L5] a hold known before a blind spot has ended if its caller is refused after the end of the lease', () => {
    const events = story(`
      orders:42 lease 6s
      0.000  A attempts acquired
      1.000  - loses sight
      2.000  - sees again
      9.000  A unlock refused
    `);
    expect(refusals(events)).toEqual(['unlock.refused A no-lock (inferred)']);
  });

  test('[L5] a refused release of a token lock that was never seen is followed by a read of the lock', () => {
    const token = 'f81d4fae7dec11d0a76500a0c91e6bf6';
    const words = ['EVALSHA', REDIS_PY_RELEASE, '1', 'lock:a', token];
    const release = { by: 'a', words, ran: ['get lock:a'] };
    expect(eventsFromScripts([release])).toMatchObject([
      { type: 'unlock.refused', holder: token, reason: 'no-lock', certainty: 'inferred' },
    ]);
    const interpreter = new Interpreter({ source: 'story' });
    const read: string[] = [];
    interpreter.onDoubt = ({ name }) => read.push(name);
    for (const step of stepsAt([{ sent: release, atMs: 0 }])) interpreter.interpret(step);
    expect(read).toContain('lock:a');
  });
});

describe('[L5] a refusal is observed if the state of the lock is known', () => {
  test.each([
    ['read free', '0.000  B attempts refused\n0.100  - snapshot nothing', 'no-lock'],
    ['read held', '0.000  B attempts refused\n0.100  - snapshot B×1 5000', 'not-owner'],
    ['released', '0.000  B releases', 'no-lock'],
    ['unlocked as missing', '0.000  B releases silently', 'no-lock'],
    [
      'acquired since a blind spot',
      '0.000  - loses sight\n0.100  - sees again\n0.200  B attempts acquired',
      'not-owner',
    ],
  ])('[L5] a refused unlock is observed if the lock was %s', (_, before, reason) => {
    const events = story(`
      orders:42 lease 6s
      ${before}
      1.000  A unlock refused
    `);
    expect(refusals(events).at(-1)).toBe(`unlock.refused A ${reason}`);
    expect(events.at(-1)).toEqual(
      reason === 'not-owner' ? expect.objectContaining({ heldBy: holderOf('B') }) : expect.anything(),
    );
  });
});
