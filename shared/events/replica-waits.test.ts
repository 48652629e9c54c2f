import { describe, expect, test } from 'vitest';
import { command, eventsAt, type Sent, type SentAt, script } from '../../testing/stories/script-story.ts';
import { holderOf, seconds } from '../../testing/stories/story.ts';

const A = holderOf('A');
const APP = '10.0.0.1:1';
const latchOf = (request: string) => `redisson_unlock_latch:{a}:${request}`;
const attempt = script(APP, 'a', `30000 ${A}`, 'exists a', `hincrby a ${A} 1`, 'pexpire a 30000');
const unlock = (request: string): Sent =>
  script(
    ...([APP, `a redisson_lock__channel:{a} ${latchOf(request)}`, `0 30000 ${A} PUBLISH 3300`] as const),
    ...[
      `get ${latchOf(request)}`,
      `hexists a ${A}`,
      `hincrby a ${A} -1`,
      'del a',
      'publish redisson_lock__channel:{a} 0',
    ],
    `set ${latchOf(request)} 1 px 3300`,
  );
const again = (request: string): Sent =>
  script(
    APP,
    `a redisson_lock__channel:{a} ${latchOf(request)}`,
    `0 30000 ${A} PUBLISH 3300`,
    `get ${latchOf(request)}`,
  );
const wait = command(APP, 'WAIT 1 1000');
const answer = (request: string) => command('10.0.0.1:2', `DEL ${latchOf(request)}`);
const info = command(APP, 'INFO ALL');
const later = command('10.0.0.1:3', 'PING');

const HELD: SentAt = [
  { atMs: 0, sent: attempt },
  { atMs: 0, sent: wait },
];
/** An unlock with its WAIT at second 2. */
const UNLOCKED: SentAt = [...HELD, { atMs: 2000, sent: unlock('1') }, { atMs: 2000, sent: wait }];
const awaited = (sent: SentAt) => eventsAt(sent).filter(({ type }) => type === 'replicas.awaited');

describe('waits for replicas', () => {
  test('[Y1] an unlock that is answered late is reported with how long it took at most', () => {
    expect(awaited([...UNLOCKED, { atMs: 2090, sent: answer('1') }])).toEqual([]);
    expect(awaited([...UNLOCKED, { atMs: 2400, sent: answer('1') }])).toMatchObject([
      {
        ...{ lock: 'a', holder: A, command: 'WAIT', replicas: 1, limitMs: 1000, tookMs: 400, shownBy: 'answered' },
        ...{ certainty: 'inferred', because: [3], by: APP, times: 1, began: seconds(2.4) },
      },
    ]);
    const withFile = { atMs: 2000, sent: command(APP, 'WAITAOF 1 2 500') };
    expect(awaited([...UNLOCKED.slice(0, -1), withFile, { atMs: 2400, sent: answer('1') }])).toMatchObject([
      { command: 'WAITAOF', replicas: 2, limitMs: 500 },
    ]);
  });

  test('[Y1] a WAIT is ignored if it is not right after the script of a lock, or asks for no replica', () => {
    const alone = [...UNLOCKED.slice(0, -1), { atMs: 2200, sent: wait }, { atMs: 3000, sent: answer('1') }];
    expect(awaited(alone)).toEqual([]);
    const waitOfOtherClient = { atMs: 2000, sent: command('10.0.0.9:1', 'WAIT 1 1000') };
    expect(awaited([...UNLOCKED.slice(0, -1), waitOfOtherClient, { atMs: 3000, sent: answer('1') }])).toEqual([]);
    const probe = { atMs: 2000, sent: command(APP, 'WAIT 0 0') };
    expect(awaited([...UNLOCKED.slice(0, -1), probe, { atMs: 3000, sent: answer('1') }])).toEqual([]);
  });

  test('[Y2] if a client asks for the replicas after the limit, its script was not confirmed in time', () => {
    expect(awaited([...HELD, { atMs: 1040, sent: info }])).toMatchObject([{ tookMs: 1040, shownBy: 'limit' }]);
    expect(awaited([...HELD, { atMs: 900, sent: info }])).toEqual([]);
    expect(awaited([...HELD, { atMs: 1700, sent: info }])).toEqual([]);
    expect(awaited([...HELD, { atMs: 1040, sent: command('10.0.0.9:1', 'INFO ALL') }])).toEqual([]);
  });

  test('[Y2] INFO replication counts only if the client does not send it before each script', () => {
    const ask = command(APP, 'INFO replication');
    const asking: SentAt = [
      { atMs: 0, sent: ask },
      { atMs: 5, sent: attempt },
      { atMs: 5, sent: wait },
      { atMs: 5000, sent: unlock('1') },
    ];
    expect(awaited([...asking, { atMs: 1100, sent: ask }].sort((a, b) => a.atMs - b.atMs))).toEqual([]);
    const unasked: SentAt = [...asking, { atMs: 5000, sent: wait }, { atMs: 5001, sent: answer('1') }];
    const later: SentAt = [
      { atMs: 6000, sent: attempt },
      { atMs: 6000, sent: wait },
    ];
    expect(awaited([...unasked, ...later, { atMs: 7100, sent: ask }])).toMatchObject([{ shownBy: 'limit' }]);
  });

  test('[Y2] an unlock that is sent again after the limit got its answer, but no confirmation by replicas', () => {
    const warm: SentAt = [...UNLOCKED, { atMs: 2001, sent: answer('1') }, { atMs: 3000, sent: attempt }];
    const retried = [
      ...warm,
      { atMs: 4000, sent: unlock('2') },
      { atMs: 4000, sent: wait },
      { atMs: 5300, sent: again('2') },
      { atMs: 9000, sent: later },
    ];
    const types = eventsAt(retried).map(({ type }) => type);
    expect(types.slice(-2)).toEqual(['wakeup.published', 'replicas.awaited']);
    const withoutWait = retried.filter(({ sent, atMs }) => sent !== wait || atMs < 4000);
    expect(eventsAt(withoutWait).map(({ type }) => type)).toContain('unlock.unanswered');
  });

  test('[Y3] an unlock without an answer is judged only after its WAIT must have ended', () => {
    const warm: SentAt = [...UNLOCKED, { atMs: 2001, sent: answer('1') }, { atMs: 3000, sent: attempt }];
    const lost: SentAt = [...warm, { atMs: 4000, sent: unlock('2') }, { atMs: 4000, sent: wait }];
    const at = (atMs: number) => eventsAt([...lost, { atMs, sent: later }]).map(({ type }) => type);
    expect(at(6000)).not.toContain('unlock.unanswered');
    expect(at(7000)).toContain('unlock.unanswered');
  });

  test('[Y3] waits of a client 10 s apart are counted together, and a pause of 50 s begins a new count', () => {
    const round = (n: number, atMs: number): SentAt => [
      { atMs, sent: attempt },
      { atMs: atMs + 100, sent: unlock(`${n}`) },
      { atMs: atMs + 100, sent: wait },
      { atMs: atMs + 500, sent: answer(`${n}`) },
    ];
    const events = awaited([...round(1, 0), ...round(2, 10_000), ...round(3, 60_000)]);
    expect(events).toMatchObject([
      { times: 1, began: seconds(0.5) },
      { times: 2, began: seconds(0.5) },
      { times: 1, began: seconds(60.5) },
    ]);
  });
});
