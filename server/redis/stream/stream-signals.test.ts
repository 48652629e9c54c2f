import { expect, test } from 'vitest';
import { type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { makeSink } from '../../testing/open-feed.ts';
import type { LineHole } from '../lines/line-holes.ts';
import { LineReader } from '../lines/line-reader.ts';
import { BookmarkGate, type Streamed } from './bookmark-gate.ts';
import { StreamSignals } from './stream-signals.ts';

const BEGIN_SECONDS = 1_795_225_613;
const GET = '"GET" "session:7"';
const EVAL = '"EVALSHA" "a" "1" "orders:42"';

/** Opens the signals of a stream, and collects what they pass on. By our clock, Redis's time is `now`. */
function open({
  hasLines,
  now = redisTime(0),
  setBack = 0,
  latest = undefined,
  isDoubtful = false,
  mayEnd = true,
}: {
  hasLines: boolean;
  now?: RedisTime;
  setBack?: number;
  latest?: RedisTime | undefined;
  isDoubtful?: boolean;
  mayEnd?: boolean;
}) {
  const passed: Streamed[] = [];
  let [timesSet, timesDoubtful] = [0, 0];
  const holes: LineHole[] = [];
  const nothing = () => {};
  const signals = new StreamSignals({
    lines: new LineReader(),
    gate: new BookmarkGate({ emit: (signal) => passed.push(signal), onLost: nothing, onFull: nothing }),
    sink: makeSink(),
    hasLines,
    clock: { setBack, latest, isDoubtful, mayEnd, trustsLines: mayEnd },
    now: () => now,
    onClockSet: () => {
      timesSet++;
    },
    onDoubtful: () => {
      timesDoubtful++;
    },
    onHole: (hole) => holes.push(hole),
    waitedMs: () => 10_000,
  });
  return { signals, passed, holes, timesSet: () => timesSet, timesDoubtful: () => timesDoubtful };
}

/** Passes lines on; each is its ms after the beginning, its origin and its words. `push` is a pushed message. */
function heard(lines: readonly (readonly [ms: number, origin: string, words: string] | 'push')[], setBack = 0) {
  const { signals, passed, holes, timesSet } = open({ hasLines: true, setBack });
  for (const line of lines) {
    if (line === 'push') {
      signals.push(['message', 'redisson_lock__channel:{a}', '0']);
      continue;
    }
    const [ms, origin, words] = line;
    const second = BEGIN_SECONDS + Math.floor(ms / 1000);
    const text = `${second}.${String(ms % 1000).padStart(3, '0')}000 [0 ${origin}] ${words}`;
    signals.line(Buffer.from(`+${text}\r\n`, 'latin1'), 1, text.length + 1);
  }
  const kinds = passed.map((signal) => (signal === 'other' ? 'other' : signal.kind));
  return { passed: kinds, holes, lines: signals.lines, at: signals.at, timesSet: timesSet() };
}

const CLIENT = '127.0.0.1:5000';

test('lines in a row that cannot matter are counted and emitted as one signal', () => {
  const { passed, lines } = heard([
    [0, CLIENT, GET],
    [1, CLIENT, GET],
    [2, CLIENT, EVAL],
    [3, CLIENT, GET],
    [4, CLIENT, GET],
    'push',
    [5, CLIENT, GET],
    [6, CLIENT, '"EVALSHA" "broken'],
    [7, CLIENT, GET],
  ]);
  expect(passed).toEqual(['other', 'line', 'other', 'push', 'other', 'other', 'other']);
  expect(lines).toBe(8);
});

test('without lines, a message has the time of our clock as its earliest and latest time', () => {
  const now = redisTime(BEGIN_SECONDS * 1_000_000);
  const { signals, passed } = open({ hasLines: false, now });
  signals.push(['message', 'redisson_lock__channel:{a}', '0']);
  expect(passed).toMatchObject([{ kind: 'push', at: now, nextAt: now }]);
});

test('the inner commands of a script do not end a hole', () => {
  const { holes } = heard([
    [0, CLIENT, GET],
    [900, 'lua', '"get" "a"'],
    [1800, 'lua', '"get" "a"'],
    [2700, CLIENT, EVAL],
    [2900, CLIENT, GET],
  ]);
  expect(holes).toMatchObject([
    { from: BEGIN_SECONDS * 1_000_000, to: (BEGIN_SECONDS + 2.7) * 1_000_000, isOfClients: false },
  ]);
});

test('if lines that cannot matter follow within each second, no hole is found', () => {
  const { holes } = heard([
    [0, CLIENT, EVAL],
    [900, CLIENT, GET],
    [1800, CLIENT, GET],
    [2700, CLIENT, EVAL],
    [2900, CLIENT, GET],
  ]);
  expect(holes).toEqual([]);
});

test('a line that is more than a second earlier than one before shows that the clock went back', () => {
  const early = [5000, CLIENT, EVAL] as const;
  expect(heard([early, [4100, CLIENT, EVAL]])).toMatchObject({ passed: ['line', 'line'], timesSet: 0 });
  expect(heard([early, [3900, CLIENT, EVAL]])).toMatchObject({ passed: ['line'], timesSet: 1 });
});

test('the time by which the clock was set back is added to the times of lines, and of seconds without a line', () => {
  const { at, holes } = heard(
    [
      [0, CLIENT, EVAL],
      [2700, CLIENT, GET],
      [2900, CLIENT, EVAL],
    ],
    60_000_000,
  );
  expect(at).toBe((BEGIN_SECONDS + 62.9) * 1_000_000);
  expect(holes).toMatchObject([{ from: (BEGIN_SECONDS + 60) * 1_000_000, to: (BEGIN_SECONDS + 62.7) * 1_000_000 }]);
});

test('while the clock is behind, a line that is later than now shows that it went forward', () => {
  const latest = redisTime((BEGIN_SECONDS + 61) * 1_000_000);
  const { signals, passed, timesSet } = open({ hasLines: true, setBack: 60_000_000, latest });
  for (const second of [0, 2]) {
    const text = `${BEGIN_SECONDS + second}.000000 [0 ${CLIENT}] ${EVAL}`;
    signals.line(Buffer.from(`+${text}\r\n`, 'latin1'), 1, text.length + 1);
  }
  expect(passed).toMatchObject([{ kind: 'line', at: redisTime((BEGIN_SECONDS + 60) * 1_000_000) }]);
  expect(timesSet()).toBe(1);
});

test('the time of a message is not taken from our clock after this machine slept', () => {
  const { signals, passed, timesDoubtful } = open({ hasLines: false, isDoubtful: true });
  signals.push(['message', 'redisson_lock__channel:{a}', '0']);
  expect(passed).toEqual([]);
  expect(timesDoubtful()).toBe(1);
});

test('after a connection was ended because of doubtful times, the next one is not ended for the same reason', () => {
  const lines = open({ hasLines: true, mayEnd: false });
  for (const second of [5, 0]) {
    const text = `${BEGIN_SECONDS + second}.000000 [0 ${CLIENT}] ${EVAL}`;
    lines.signals.line(Buffer.from(`+${text}\r\n`, 'latin1'), 1, text.length + 1);
  }
  expect(lines.passed).toHaveLength(2);
  const pushes = open({ hasLines: false, isDoubtful: true, mayEnd: false });
  pushes.signals.push(['message', 'redisson_lock__channel:{a}', '0']);
  expect(pushes.passed).toHaveLength(1);
  expect([lines.timesSet(), pushes.timesDoubtful()]).toEqual([0, 0]);
});
