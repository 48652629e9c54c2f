import { describe, expect, test } from 'vitest';
import { command, eventsAt, type Sent, script, stepsAt } from '../../testing/stories/script-story.ts';
import { holderOf, seconds } from '../../testing/stories/story.ts';
import { Interpreter } from './interpreter.ts';

const A = holderOf('A');
const [uuid = ''] = A.split(':');
const APP = '10.0.0.1:1';
const latchOf = (request: string) => `redisson_unlock_latch:{a}:${request}`;
const KEYS = 'a redisson_lock__channel:{a}';

const attempt = script(APP, 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');
const unlock = (request: string, life = 13_500): Sent =>
  script(
    ...([APP, `${KEYS} ${latchOf(request)}`, `0 30000 ${A} PUBLISH ${life}`, `get ${latchOf(request)}`] as const),
    ...[`hexists a ${A}`, `hincrby a ${A} -1`, 'del a', 'publish redisson_lock__channel:{a} 0'],
    `set ${latchOf(request)} 1 px ${life}`,
  );
/** As `attempt` and `unlock`, of any lock and thread. */
const attemptOf = (lock: string, holder: string): Sent =>
  script(APP, lock, `30000 ${holder}`, `exists ${lock}`, `hincrby ${lock} ${holder} 1`, `pexpire ${lock} 30000`);
const unlockOf = (lock: string, holder: string): Sent => {
  const [channel, latch] = [`redisson_lock__channel:{${lock}}`, `redisson_unlock_latch:{${lock}}:${holder}`];
  return script(
    ...([APP, `${lock} ${channel} ${latch}`, `0 30000 ${holder} PUBLISH 13500`, `get ${latch}`] as const),
    ...[`hexists ${lock} ${holder}`, `hincrby ${lock} ${holder} -1`, `del ${lock}`, `publish ${channel} 0`],
    `set ${latch} 1 px 13500`,
  );
};
const refused = (request: string): Sent =>
  script(
    ...([APP, `${KEYS} ${latchOf(request)}`, `0 30000 ${A} PUBLISH 13500`] as const),
    ...[`get ${latchOf(request)}`, `hexists a ${A}`],
  );
const repeated = (request: string): Sent =>
  script(APP, `${KEYS} ${latchOf(request)}`, `0 30000 ${A} PUBLISH 13500`, `get ${latchOf(request)}`);
const answer = (request: string) => command('10.0.0.1:2', `DEL ${latchOf(request)}`);
const later = command('10.0.0.1:3', 'PING');

const FIRST = [
  { atMs: 0, sent: attempt },
  { atMs: 10, sent: unlock('1') },
  { atMs: 12, sent: answer('1') },
  { atMs: 1000, sent: attempt },
];
const about = (sent: Parameters<typeof eventsAt>[0]) =>
  eventsAt(sent).filter(({ type }) => type === 'unlock.unanswered' || type === 'unlock.latch-left');

describe('an unlock whose client got no answer', () => {
  test('[U1] an unlock without an answer is reported with its outcome once the client has waited long enough', () => {
    const lost = [...FIRST, { atMs: 2000, sent: unlock('2') }];
    expect(about([...lost, { atMs: 6400, sent: later }])).toEqual([]);
    expect(about([...lost, { atMs: 6600, sent: later }])).toMatchObject([
      { holder: A, outcome: 'released', unlockedAt: seconds(2), certainty: 'inferred', because: [5] },
    ]);
    expect(about([...FIRST, { atMs: 2000, sent: unlock('2', 3600) }, { atMs: 3300, sent: later }])).toHaveLength(1);
    expect(about([...lost, { atMs: 2100, sent: refused('3') }, { atMs: 6700, sent: later }])).toMatchObject([
      { outcome: 'refused', times: 2 },
    ]);
  });

  test('[U1] an unlock without an answer is reported for each of 25 locks at once', () => {
    const locks = Array.from({ length: 25 }, (_, n) => `orders:${n}`);
    const lost = locks.flatMap((lock) => [
      { atMs: 1100, sent: attemptOf(lock, A) },
      { atMs: 2000, sent: unlockOf(lock, A) },
    ]);
    const reported = about([...FIRST, ...lost, { atMs: 6600, sent: later }]);
    expect(reported.map(({ lock }) => lock)).toEqual(locks);
  });

  test('[U1] the report of 150 unanswered unlocks of one thread counts all and names the newest 100', () => {
    const lost = Array.from({ length: 150 }, (_, n) => ({ atMs: 2000 + n, sent: refused(`x${n}`) }));
    const [reported] = about([...FIRST, ...lost, { atMs: 7000, sent: later }]);
    expect(reported).toMatchObject({ times: 150 });
    expect(reported?.because).toHaveLength(100);
  });

  test('[U1] an unlock without an answer is reported for each thread that unlocked the lock', () => {
    const other = `${uuid}:2`;
    const lost = [
      { atMs: 2000, sent: unlock('2') },
      { atMs: 2100, sent: attemptOf('a', other) },
      { atMs: 2200, sent: unlockOf('a', other) },
      { atMs: 6800, sent: later },
    ];
    expect(about([...FIRST, ...lost])).toMatchObject([
      { holder: A, unlockedAt: seconds(2) },
      { holder: other, unlockedAt: seconds(2.2) },
    ]);
    expect(about([...FIRST, ...lost])[0]).not.toHaveProperty('times');
  });

  test('[U1] an unlock whose script an error cut off before it set its latch is not reported as unanswered', () => {
    const { by, words, ran = [] } = unlock('2');
    const cutOff = { by, words, ran: ran.slice(0, 4) };
    expect(about([...FIRST, { atMs: 2000, sent: cutOff }, { atMs: 30_000, sent: later }])).toEqual([]);
  });

  test('[U1] an unlock is not reported as unanswered if its client deleted the latch 4.4 or 5 s later', () => {
    const slow = [...FIRST, { atMs: 2000, sent: unlock('2') }, { atMs: 6400, sent: answer('2') }];
    expect(about([...slow, { atMs: 60_000, sent: later }])).toEqual([]);
    const silent = [...FIRST, { atMs: 2000, sent: unlock('2') }, { atMs: 7000, sent: answer('2') }];
    expect(about([...silent, { atMs: 60_000, sent: later }])).toEqual([]);
  });

  test('[U1] an unlock is not reported as unanswered for a client that was never seen to delete a latch', () => {
    const never = [
      { atMs: 0, sent: attempt },
      { atMs: 10, sent: unlock('1') },
      { atMs: 30_000, sent: later },
    ];
    expect(about(never)).toEqual([]);
  });

  test('[H9] [U2] an unlock without an answer is reported if its client sends it again', () => {
    const again = [{ atMs: 2000, sent: unlock('2') }, ...[{ atMs: 3200, sent: repeated('2') }]];
    const answered = [...FIRST, ...again, { atMs: 3210, sent: answer('2') }, { atMs: 4000, sent: later }];
    expect(about(answered)).toMatchObject([{ outcome: 'released', repeat: 'answered', unlockedAt: seconds(2) }]);
  });

  test('[U1] an unlock is not reported as unanswered if a blind spot may have hidden the answer', () => {
    const interpreter = new Interpreter({ source: 'story' });
    const events = stepsAt([...FIRST, { atMs: 2000, sent: unlock('2') }]).flatMap((step) =>
      interpreter.interpret(step),
    );
    interpreter.interpret({ kind: 'blind-spot', at: seconds(3), phase: 'began', reason: 'connection-lost' });
    interpreter.interpret({ kind: 'blind-spot', at: seconds(4), phase: 'ended', reason: 'watching-again' });
    const after = stepsAt([{ atMs: 30_000, sent: later }]).flatMap((step) => interpreter.interpret(step));
    expect(events.length).toBeGreaterThan(0);
    expect(after.map(({ type }) => type)).not.toContain('unlock.unanswered');
  });

  test('[U2] an unlock without an answer is reported if an old client is refused when it repeats the unlock after a time-out', () => {
    const old = script(APP, KEYS, `0 30000 ${A}`, `hexists a ${A}`, `hincrby a ${A} -1`, 'del a', 'publish c 0');
    const none = script(APP, KEYS, `0 30000 ${A}`, `hexists a ${A}`);
    const from = [
      { atMs: 0, sent: attempt },
      { atMs: 100, sent: old },
    ];
    expect(about([...from, { atMs: 1300, sent: none }])).toMatchObject([
      { outcome: 'released', repeat: 'refused', unlockedAt: seconds(0.1), because: [2] },
    ]);
    expect(about([...from, { atMs: 110, sent: none }])).toEqual([]);
    const held = [...from, { atMs: 700, sent: attempt }, { atMs: 800, sent: old }];
    expect(about([...held, { atMs: 900, sent: none }])).toEqual([]);
  });
});

describe('[U3] a client that deletes its latches under a wrong name', () => {
  const litter = (n: number) => [
    { atMs: n * 1000, sent: attempt },
    { atMs: n * 1000 + 10, sent: unlock(String(n)) },
    { atMs: n * 1000 + 12, sent: command('10.0.0.1:2', `DEL ${latchOf(uuid)}`) },
  ];

  test('[U3] a client that deletes its latches under a wrong name is reported every 10 s at most, with their number', () => {
    const many = Array.from({ length: 40 }, (_, n) => litter(n)).flat();
    const reported = about([...many, { atMs: 41_000, sent: later }]);
    expect(reported).toMatchObject([
      { type: 'unlock.latch-left', lock: '', client: uuid, since: seconds(0.012), unlocks: 1, keys: 1 },
      { unlocks: 11, keys: 11, keptMs: 13_500 },
      { unlocks: 21, keys: 13, since: seconds(0.012) },
      { unlocks: 31, keys: 13 },
      { unlocks: 40, keys: 12 },
    ]);
  });

  test('[U3] unlocks of a client that deletes its latches under a wrong name are not reported as unanswered', () => {
    const reported = about([...litter(0), { atMs: 30_000, sent: later }]);
    expect(reported.map(({ type }) => type)).toEqual(['unlock.latch-left']);
  });
});
