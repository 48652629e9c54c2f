import { expect, test } from 'vitest';
import { keySlot } from '../../shared/base/key-slot.ts';
import { redisTime } from '../../shared/base/time.ts';
import { FORMAT, type RecordingHeader } from '../../shared/recording/format.ts';
import type { LineSignal } from '../../shared/signals/signal.ts';
import { LineReader } from './read-file.ts';
import { Replay } from './replay.ts';
import { Opening } from './replay-observatory.ts';

const HOLDER = '0a000000-0000-4000-8000-000000000000:1';
const AT = 1_795_000_000_000_000;
const END = redisTime(AT + 1_000_000);

const HEADER: RecordingHeader = {
  lockscope: 'recording',
  format: FORMAT,
  source: {
    id: 'redis-1',
    url: 'redis+cluster://h',
    redisVersion: '7',
    role: 'master',
    level: 'monitor',
    isPushFirst: true,
    topology: 'cluster',
    node: '10.0.0.1:6379',
  },
  startedAt: AT,
};

function line(client: string | null, words: readonly string[]): LineSignal {
  return { kind: 'line', at: redisTime(AT + 1000), db: 0, client, words };
}

const OPTIONS = {
  now: () => END,
  rejected: () => 0,
  describe: () => ({
    ...{ name: 'a', startedAt: AT, endsAt: END, playing: false, cutShort: false },
    badLines: { count: 0, first: [] },
  }),
};

test('some verdicts cannot be determined while a recording does not name what could not be seen in it', async () => {
  const replay = new Replay([HEADER], OPTIONS);
  const watch = { kind: 'watch', at: redisTime(AT), level: 'monitor', isPushFirst: true } as const;
  const unseen = () => replay.observatory.sources()[0]?.unseen.map(({ code, values }) => values.lack ?? code);
  const unanswered = async () => {
    const { cannotTell } = await replay.observatory.insights({ isFresh: true });
    return [...new Set(cannotTell.map(({ reason }) => reason))].sort();
  };
  replay.feed(watch);
  expect(unseen()).toEqual(['unknown']);
  expect(await unanswered()).toEqual(['key-events', 'locks', 'presence', 'server']);
  replay.feed({ ...watch, lacks: ['presence'], isSame: true });
  expect(unseen()).toEqual(['presence']);
  expect(await unanswered()).toEqual(['presence', 'server']);
  replay.feed({ ...watch, lacks: [], isSame: true });
  expect(unseen()).toEqual([]);
  expect(await unanswered()).toEqual(['server']);
});

test('a recording of a shard shows the slot and the server of each lock', async () => {
  const replay = new Replay([HEADER], OPTIONS);
  const inner = ['exists a', `hincrby a ${HOLDER} 1`, 'pexpire a 30000'].map((text) => line(null, text.split(' ')));
  const head = line('c:1', ['EVALSHA', 'f'.repeat(40), '1', 'a', '30000', HOLDER]);
  replay.feed({ kind: 'command', head, inner, pushes: [] });

  const { observatory } = replay;
  const place = { node: '10.0.0.1:6379', slot: keySlot('a') };
  expect(observatory.locks()).toMatchObject([place]);
  expect(observatory.locksNamed('a')).toMatchObject([place]);

  replay.feed({
    kind: 'failover',
    at: END,
    how: 'promoted',
    from: place.node,
    to: '10.0.0.2:6379',
    replicatedUntil: null,
  });
  expect(observatory.lockById('redis-1/0/a')).toMatchObject({ ...place, node: '10.0.0.2:6379' });
  const lock = observatory.lockById('redis-1/0/a');
  const then = lock && (await observatory.detail(lock, redisTime(AT + 2000)));
  expect(then).toMatchObject({ held: true, slot: place.slot });
  expect(then).not.toHaveProperty('node');
});

/** The recording with these lines, read to its end. Times are in seconds since its beginning. */
function opened(
  source: Partial<RecordingHeader['source']>,
  ...lines: readonly (readonly [at: number, rest: object])[]
) {
  const opening = new Opening({ memory: 64 * 1024 ** 2, name: 'a' });
  const reader = new LineReader('a', (signal, facts) => opening.take(signal, facts));
  reader.add(JSON.stringify({ ...HEADER, source: { ...HEADER.source, ...source } }));
  for (const [at, rest] of lines) reader.add(JSON.stringify({ at: AT + at * 1_000_000, ...rest }));
  return opening.finish(reader.finished()).observatory;
}

const WATCH = { watch: 'monitor', pushFirst: true };
const PASSES = { time: 1 };

test('what could not be seen during the recording is reported for the instants at which it could not be seen', async () => {
  const observatory = opened(
    { lacks: [] },
    [0, { ...WATCH, lacks: [] }],
    [1, PASSES],
    [2, { ...WATCH, lacks: ['listeners'], same: true }],
    [3, PASSES],
    [4, { ...WATCH, lacks: [], same: true }],
    [5, PASSES],
  );
  const lacksAt = async (at: number) => (await observatory.unseenAt(redisTime(AT + at * 1_000_000)))[0]?.lacks;
  expect([await lacksAt(1.5), await lacksAt(3), await lacksAt(4.5)]).toEqual([undefined, ['listeners'], undefined]);
});

test('if a recording does not list what it lacks, it is treated as lacking everything, and reports that', async () => {
  const observatory = opened({}, [0, WATCH], [1, PASSES], [5, PASSES]);
  for (const at of [0, 1.5, 5]) {
    expect(await observatory.unseenAt(redisTime(AT + at * 1_000_000))).toEqual([
      { source: 'redis-1', lacks: ['key-events', 'listeners', 'locks', 'presence', 'queues'] },
    ]);
  }
  expect(observatory.sources()[0]?.unseen).toMatchObject([{ values: { lack: 'unknown' } }]);
});
