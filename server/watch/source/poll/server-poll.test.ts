import { expect, test } from 'vitest';
import { plusMillis, redisTime } from '../../../../shared/base/time.ts';
import { Interpreter } from '../../../../shared/events/interpreter.ts';
import { seconds } from '../../../../testing/stories/story.ts';
import type { OrderedFeed } from '../../../redis/stream/ordered-feed.ts';
import { ServerPoll } from './server-poll.ts';

/**
 * What Redis 7.0.15 answers, every 2 s: calls of CLIENT PAUSE, the flags of the client that sends a lock script, and
 * further lines of INFO.
 */
type Answer = readonly [pauses: number, flags: string, extra?: string];

/** The signals of these answers. `lists`: how often the list of clients was requested. */
async function signalsOf(answers: readonly Answer[], version = '7.0.15') {
  let n = 0;
  let lists = 0;
  const reply = ([pauses, flags, extra = '']: Answer, [name]: readonly string[]) => {
    if (name === 'CLIENT') lists++;
    return name === 'CLIENT'
      ? `id=5 addr=127.0.0.1:1 flags=${flags} db=0 cmd=eval user=default`
      : `role:master\r\nconnected_clients:3\r\n${extra}${pauses === 0 ? '' : `cmdstat_client|pause:calls=${pauses},usec=4\r\n`}`;
  };
  const feed = {
    now: () => seconds(2 * n),
    ask: async (...commands: string[][]) => commands.map((command) => reply(answers[n] ?? [0, 'N'], command)),
    ...{ capabilities: { version, notifications: 'KEA', canListClients: true }, refusals: new Map() },
  } as unknown as OrderedFeed; // the code under test uses only these parts
  const poll = new ServerPoll(feed, new Interpreter({ source: 'test' }));
  const signals = [];
  for (; n < answers.length; n++) signals.push(await poll.ask());
  return { signals, lists };
}

test('after CLIENT PAUSE, clients are reported as paused while a client is blocked', async () => {
  const { signals, lists } = await signalsOf([
    [0, 'N'],
    [1, 'N'],
    [1, 'b'],
    [1, 'b'],
    [1, 'N'],
  ]);
  expect(signals[2]?.facts).toMatchObject({ pausedSince: seconds(4) });
  expect(signals[3]).toBeUndefined();
  expect(signals[4]?.facts).not.toHaveProperty('pausedSince');
  const pause = { command: 'CLIENT PAUSE', shownBy: 'pause', isOfWrites: true };
  expect(signals[4]?.stoodStill).toEqual({ from: seconds(4), to: seconds(6), ...pause });
  expect(lists).toBe(4);
});

test('errors that another Lockscope gets for keys of other types are not counted as errors of clients', async () => {
  const counted = (errors: number, reads: number, lengths: number): Answer => [
    ...([0, 'N'] as const),
    `errorstat_WRONGTYPE:count=${errors}\r\ncmdstat_hgetall:calls=90,failed_calls=${reads}\r\ncmdstat_hlen:calls=90,failed_calls=${lengths}\r\n`,
  ];
  const { signals } = await signalsOf([counted(10, 5, 4), counted(18, 9, 8), counted(24, 11, 10)]);
  expect(signals[1]).toBeUndefined();
  expect(signals[2]).toMatchObject({ errors: { WRONGTYPE: 2 } });
});

test('a pause that began before the first report is noticed, and so is a second one after a time without blocked clients', async () => {
  const { signals } = await signalsOf([
    [1, 'b'],
    [1, 'N'],
    [1, 'b'],
  ]);
  expect(signals[0]?.facts).toMatchObject({ pausedSince: seconds(0) });
  expect(signals[1]?.stoodStill).toMatchObject({ from: seconds(0), to: seconds(0) });
  expect(signals[2]?.facts).toMatchObject({ pausedSince: seconds(4) });
});

test('without a call of CLIENT PAUSE the list of clients is not requested, and a waiting client shows no pause', async () => {
  const { signals, lists } = await signalsOf([
    [0, 'b'],
    [0, 'b'],
  ]);
  expect(signals.map((signal) => signal?.facts?.pausedSince)).toEqual([undefined, undefined]);
  expect(lists).toBe(0);
});

test('on Redis 6, and with more than 2,000 clients, the facts report that pauses are not seen', async () => {
  const isUnseen = async (extra: string, version?: string) =>
    (await signalsOf([[0, 'N', extra]], version)).signals[0]?.facts?.arePausesUnseen;
  expect(await isUnseen('')).toBeUndefined();
  expect(await isUnseen('', '6.2.14')).toBe(true);
  expect(await isUnseen('connected_clients:2001\r\n')).toBe(true);
  expect(await isUnseen('connected_clients:2001\r\npaused_timeout_milliseconds:0\r\n', '8.1.1')).toBeUndefined();
});

test('on Valkey, INFO shows a pause by CLIENT PAUSE and its end, and a failover is not a pause', async () => {
  const info = (reason: string, ms: number) =>
    `paused_reason:${reason}\r\npaused_actions:write\r\npaused_timeout_milliseconds:${ms}\r\n`;
  const { signals } = await signalsOf([
    [0, 'N', info('failover_in_progress', 5000)],
    [1, 'N', info('client_pause', 5000)],
    [1, 'N', info('client_pause', 3001)],
    [1, 'N', info('none', 0)],
  ]);
  expect(signals[0]?.facts).not.toHaveProperty('pausedSince');
  expect(signals[1]?.facts).toMatchObject({ pausedSince: seconds(2), pausedUntil: plusMillis(seconds(2), 5000) });
  expect(signals[2]).toBeUndefined();
  expect(signals[3]?.stoodStill).toMatchObject({ from: seconds(2), to: seconds(6) });
});

test.each([
  [
    'that began when Redis fell silent explains the silence',
    20.4,
    21,
    { from: plusMillis(seconds(100), 600), to: seconds(121) },
  ],
  [
    'that, by SLOWLOG, began in the second before the silence explains the silence',
    20.4,
    19.9,
    { from: seconds(100), to: seconds(120) },
  ],
  [
    'that began when nothing had been heard for 2 s explains the silence',
    12,
    14,
    { from: seconds(102), to: seconds(114) },
  ],
  [
    'that began with the silence, but ended long before the connection was given up, does not explain the silence',
    5,
    5,
    undefined,
  ],
  ['that ended before the silence does not explain the silence', 20.4, -1, undefined],
  ['that began more than a second before the silence does not explain the silence', 20.4, 18, undefined],
  ['that ended after the connection was given up does not explain the silence', 12, 25, undefined],
])('after a connection was given up, a slow command %s', async (_, took, endsAfter, stoodStill) => {
  const cut = { from: seconds(100), to: seconds(124) };
  const entry = [7, Math.floor((seconds(100) + endsAfter * 1e6) / 1e6), took * 1e6, ['KEYS', '*'], '10.0.0.9:5', ''];
  const feed = {
    ...{ now: () => seconds(125), setBack: 0, refusals: new Map() },
    ask: async (...commands: string[][]) => commands.map(([name]) => (name === 'SLOWLOG' ? [entry] : 'role:master')),
    capabilities: { version: '7.0.15', notifications: 'KEA', canListClients: true },
  } as unknown as OrderedFeed; // the code under test uses only these parts
  const poll = new ServerPoll(feed, new Interpreter({ source: 'test' }));
  poll.wasCut(cut);
  const expected = stoodStill && { ...stoodStill, command: 'KEYS', by: '10.0.0.9:5', shownBy: 'slow-log' };
  expect((await poll.ask())?.stoodStill).toEqual(expected);
  expect((await poll.ask())?.stoodStill).toBeUndefined();
});

test('a standstill that held up INFO is reported as of its end, not as of when INFO was sent', async () => {
  const entry = [7, Math.floor(seconds(119) / 1e6), 14e6, ['EVAL'], '10.0.0.9:5', ''];
  const feed = {
    ...{ now: () => seconds(106), setBack: 0, refusals: new Map() },
    async ask(...commands: string[][]) {
      if (commands[0]?.[0] === 'INFO')
        poll.hole({ from: redisTime(seconds(105) + 0.25), to: seconds(119), isOfClients: false });
      return commands.map(([name]) => (name === 'SLOWLOG' ? [entry] : 'role:master'));
    },
    capabilities: { version: '7.0.15', notifications: 'KEA', canListClients: true },
  } as unknown as OrderedFeed; // the code under test uses only these parts
  const poll = new ServerPoll(feed, new Interpreter({ source: 'test' }));
  expect(await poll.ask()).toMatchObject({ at: seconds(119), stoodStill: { from: seconds(105), to: seconds(119) } });
});
