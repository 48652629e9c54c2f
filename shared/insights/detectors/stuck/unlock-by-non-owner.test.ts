import { describe, expect, test } from 'vitest';
import { verdictAt, type Watching } from '../../../../testing/goldens/report-from-events.ts';
import { command, eventsAt, type SentAt, script } from '../../../../testing/stories/script-story.ts';
import { holderOf, seconds, story } from '../../../../testing/stories/story.ts';

const verdict = (text: string, at: number, watching: Watching = {}) =>
  verdictAt('unlock-by-non-owner', story(`orders:42 lease 6s\n${text}`), seconds(at), watching);

const WRONG = `
  0.000  A attempts acquired
  1.000  B unlock refused
  2.000  B unlock refused
`;

const latchOf = (request: string) => `redisson_unlock_latch:{a}:${request}`;
const refusal = (request: string) =>
  script(
    ...([
      '10.0.0.1:2',
      `a redisson_lock__channel:{a} ${latchOf(request)}`,
      `0 30000 ${holderOf('B')} PUBLISH 13500`,
    ] as const),
    ...[`get ${latchOf(request)}`, `hexists a ${holderOf('B')}`],
  );
/** A acquires a. B acquires and unlocks b, and its client deletes the latch. Then B tries to unlock a. */
const LATCHED: SentAt = [
  {
    atMs: 0,
    sent: script(
      '10.0.0.1:1',
      'a',
      `30000 ${holderOf('A')}`,
      'exists a',
      `hincrby a ${holderOf('A')} 1`,
      'pexpire a 30000',
    ),
  },
  {
    atMs: 10,
    sent: script(
      '10.0.0.1:2',
      'b',
      `30000 ${holderOf('B')}`,
      'exists b',
      `hincrby b ${holderOf('B')} 1`,
      'pexpire b 30000',
    ),
  },
  {
    atMs: 20,
    sent: script(
      '10.0.0.1:2',
      `b redisson_lock__channel:{b} redisson_unlock_latch:{b}:1`,
      `0 30000 ${holderOf('B')} PUBLISH 13500`,
      'get redisson_unlock_latch:{b}:1',
      `hexists b ${holderOf('B')}`,
      `hincrby b ${holderOf('B')} -1`,
      'del b',
      'publish redisson_lock__channel:{b} 0',
      'set redisson_unlock_latch:{b}:1 1 px 13500',
    ),
  },
  { atMs: 22, sent: command('10.0.0.1:2', 'DEL redisson_unlock_latch:{b}:1') },
  { atMs: 2000, sent: refusal('2') },
];

describe('unlock-by-non-owner', () => {
  test('does not fire if the lock was not seen since a blind spot, because its holder may have released it then', () => {
    const afterBlindSpot = `
      0.000  A attempts acquired
      1.000  - loses sight
      2.000  - sees again
      2.100  B unlock refused
    `;
    expect(verdict(afterBlindSpot, 4)).toEqual([]);
    expect(verdict('0.000  A attempts refused\n 1.000  B unlock refused', 4)).toEqual([]);
  });

  test('fires if another thread held the lock, and is reported for ten minutes', () => {
    const found = [
      {
        ...{
          severity: 'warning',
          confidence: 'likely',
          holders: [holderOf('B')],
          from: seconds(1.000_001),
          to: seconds(2.000_001),
        },
        ...{ events: [2, 3], values: { times: 2, how: 'other-client', ownerThen: holderOf('A') } },
      },
    ];
    expect(verdict(WRONG, 3)).toMatchObject(found);
    expect(verdict(WRONG, 600)).toMatchObject(found);
    expect(verdict(WRONG, 700)).toEqual([]);
  });

  test('does not fire if the lease of the caller had run out, or if no thread held the lock', () => {
    expect(verdict('0.000 A attempts acquired\n 7.000 B attempts acquired\n 8.000 A unlock refused', 9)).toEqual([]);
    expect(verdict('0.000 A attempts acquired\n 1.000 A releases\n 2.000 B unlock refused', 3)).toEqual([]);
  });

  test('does not fire if an operator had deleted the lock of the caller', () => {
    const deleted = '0.000 A attempts acquired\n 1.000 operator command DEL orders:42\n 1.500 B attempts acquired';
    expect(verdict(`${deleted}\n 2.000 A unlock refused`, 3)).toEqual([]);
  });

  test('does not blame a thread whose lock was deleted, even once the deletion is too old to be looked at', () => {
    const deleted = '0.000 A attempts acquired\n 1.000 operator command DEL orders:42\n 1.500 B attempts acquired';
    for (const at of [3, 600.5, 601.5, 602.5]) expect(verdict(`${deleted}\n 2.000 A unlock refused`, at)).toEqual([]);
    const kept = '0.000 A attempts acquired\n 1.000 operator command DEL orders:42\n 1.500 - snapshot B×1 3600000ms';
    for (const at of [590, 1190, 1210]) expect(verdict(`${kept}\n 580.000 A unlock refused`, at)).toEqual([]);
  });

  test('distinguishes a thread of the same client from one that never got the lock', () => {
    const how = (text: string) => verdict(text, 3);
    expect(how('0.000 A attempts acquired\n 1.000 A2 unlock refused')).toMatchObject([
      { values: { how: 'other-thread' } },
    ]);
    const tried = '0.000 A attempts acquired\n 0.500 B attempts refused\n 1.000 B unlock refused';
    expect(how(tried)).toMatchObject([{ values: { how: 'never-got-it', triedAt: seconds(0.500_003) } }]);
  });

  test('is certain once the client had time to delete its latch and deleted it, and does not fire if it kept the latch', () => {
    const reported = (after: SentAt, at: number) =>
      verdictAt('unlock-by-non-owner', eventsAt([...LATCHED, ...after]), seconds(at));
    const answered = { atMs: 2002, sent: command('10.0.0.1:2', `DEL ${latchOf('2')}`) };
    const later = { atMs: 9000, sent: command('10.0.0.1:3', 'PING') };
    expect(reported([answered], 3)).toMatchObject([{ confidence: 'likely' }]);
    expect(reported([answered, later], 9)).toMatchObject([{ confidence: 'certain' }]);
    expect(reported([later], 9)).toEqual([]);
  });

  test('cannot know at level events', () => {
    expect(verdict(WRONG, 3, { level: 'events' })).toBe('cannot know: level');
  });
});
