import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { redisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import { Interpreter } from '../../../shared/events/interpreter.ts';
import { beliefsOf } from '../../../shared/recording/recorder.ts';
import { timeOfStep } from '../../../shared/recording/steps-from-recording.ts';
import { parseRecording, stepsFromRecording } from '../../../testing/stories/record-and-replay.ts';
import { signalsFromTrace, stepsFromSignals } from '../../../testing/traces/trace-file.ts';
import { soon } from '../../testing/soon.ts';
import { Pipeline } from '../source/pipeline.ts';
import { RecordingRing } from './recording-ring.ts';
import { type RecordedPost, SourceRecording } from './source-recording.ts';

const SOURCE = {
  id: 'redis',
  url: 'redis://h',
  redisVersion: '7.0.15',
  role: 'master',
  level: 'monitor',
  isPushFirst: true,
} as const;

function play(trace: string, post?: (part: RecordedPost) => void) {
  const file = new URL(`../../../shared/traces/${trace}.trace`, import.meta.url);
  const steps = stepsFromSignals(signalsFromTrace(readFileSync(file, 'latin1')), true);
  const events: LockEvent[] = [];
  const pipeline = new Pipeline(
    'redis',
    (made) => events.push(...made),
    (step, count) => recording.note(step, count),
  );
  const recording = new SourceRecording(pipeline.interpreter, 'lockscope 1.2.3', post);
  const times = steps.map(timeOfStep);
  recording.watch(SOURCE, redisTime((times[0] ?? 0) - 1));
  pipeline.take(steps);
  return { recording, events, first: times[0] ?? redisTime(0), last: times.at(-1) ?? redisTime(0) };
}

function opened(bytes: Uint8Array) {
  const recording = parseRecording(gunzipSync(bytes).toString());
  if (!recording.ok) throw new Error(recording.error.message);
  const { header, signals, end, badCount } = recording.value;
  expect(badCount).toBe(0);
  expect(end?.signals).toBe(signals.length);
  const interpreter = new Interpreter({ source: 'redis' });
  const events = stepsFromRecording(signals).flatMap((step) => interpreter.interpret(step));
  return { header, signals, end, events, interpreter };
}

/** An event without the fields that number it. */
function reported({ seq: _seq, because: _because, ...event }: LockEvent) {
  return event;
}

describe('what could not be seen', () => {
  test('is recorded when it changes, and a cut begins with what was not visible then', async () => {
    const posted: RecordedPost[] = [];
    const { recording, last } = play('redisson-4.7.0/herd', (part) => posted.push(part));
    const at = (n: number) => redisTime(last + n);
    recording.see(['listeners', 'presence'], at(1));
    recording.see(['listeners', 'presence'], at(2));
    recording.see([], at(3));
    recording.end(at(4));
    const lines = posted.flatMap((post) => (post.part === 'lines' ? post.lines.split('\n') : []));
    const watched = lines.filter((text) => text.includes('"watch"')).map((text) => JSON.parse(text));
    expect(watched.map(({ lacks, same }) => [lacks, same])).toEqual([
      [undefined, undefined],
      [['listeners', 'presence'], true],
      [[], true],
    ]);
    const cut = await recording.cut(at(2), at(4), at(4));
    const { header, signals } = opened(cut?.bytes ?? new Uint8Array());
    expect(header.source.lacks).toEqual(['listeners', 'presence']);
    expect(signals[0]).toMatchObject({ kind: 'watch', lacks: ['listeners', 'presence'] });
    expect(signals.at(-1)).toMatchObject({ kind: 'watch', lacks: [], isSame: true });
  });

  test('can change without the interpreter forgetting what its connection hears', () => {
    const interpreter = new Interpreter({ source: 'redis' });
    interpreter.hearsChanges = true;
    const watch = { kind: 'watch', at: redisTime(1), level: 'events', isPushFirst: true } as const;
    interpreter.interpret({ ...watch, lacks: [], isSame: true });
    expect(interpreter.hearsChanges).toBe(true);
    interpreter.interpret({ ...watch, lacks: [] });
    expect(interpreter.hearsChanges).toBe(false);
  });
});

describe('whether the server has SET with IFEQ', () => {
  test('is in the recording and in each cut of it', async () => {
    const posted: RecordedPost[] = [];
    const recording = new SourceRecording(new Interpreter({ source: 'redis' }), undefined, (part) => posted.push(part));
    recording.watch({ ...SOURCE, hasIfEqual: true }, redisTime(1));
    recording.watch(SOURCE, redisTime(10));
    recording.end(redisTime(20));
    const lines = posted.flatMap((post) => (post.part === 'lines' ? post.lines.split('\n') : []));
    expect(lines.filter((text) => text.includes('"ifEqual":true'))).toHaveLength(1);
    for (const [from, hasIfEqual] of [
      [5, true],
      [15, undefined],
    ] as const) {
      const cut = await recording.cut(redisTime(from), redisTime(20), redisTime(20));
      const { header, interpreter } = opened(cut?.bytes ?? new Uint8Array());
      expect(header.source.hasIfEqual).toBe(hasIfEqual);
      if (hasIfEqual === undefined) expect(interpreter.hasIfEqual).toBe(false);
    }
  });

  test('is in the first signal of a cut if a command has shown it', () => {
    const interpreter = new Interpreter({ source: 'redis' });
    const watch = { level: 'monitor', isPushFirst: true } as const;
    expect([...beliefsOf(interpreter, redisTime(1), watch)]).toEqual([{ kind: 'watch', at: 1, ...watch }]);
    interpreter.hasIfEqual = true;
    expect([...beliefsOf(interpreter, redisTime(1), watch)]).toMatchObject([{ kind: 'watch', hasIfEqual: true }]);
  });
});

describe('a cut', () => {
  test('of everything replays to the same events', async () => {
    const { recording, events, last } = play('redisson-4.7.0/herd');
    const cut = await recording.cut(undefined, undefined, last);
    expect(opened(cut?.bytes ?? new Uint8Array()).events).toEqual(events);
  });

  test.each(['reentry', 'watchdog', 'contention', 'crash'])(
    'of %s, begun at 21 instants, shows the same changes of holds from each of them on',
    async (name) => {
      const { recording, events, first, last } = play(`redisson-4.7.0/${name}`);
      for (let n = 0; n <= 20; n++) {
        const from = redisTime(first + Math.round(((last - first) * n) / 20));
        const cut = await recording.cut(from, undefined, last);
        const { header, end, events: cutEvents, signals } = opened(cut?.bytes ?? new Uint8Array());
        expect(header).toMatchObject({ startedAt: from, madeBy: 'lockscope 1.2.3' });
        expect(end?.end).toBe(last);
        for (const signal of signals) expect(signal.at).toBeGreaterThanOrEqual(from);
        const changes = (all: readonly LockEvent[]) =>
          all
            .filter(({ type, at }) => /^(lock\.(acquired|reentered|released|partially)|lease)/.test(type) && at > from)
            .map(reported)
            .map((event) => ({ ...event, clientVersion: '', waitedMs: 0, waitedAtLeast: undefined, wokenBy: '' }));
        expect(changes(cutEvents)).toEqual(changes(events));
      }
    },
  );

  test('ends at the given time', async () => {
    const { recording, first, last } = play('redisson-4.7.0/herd');
    const to = redisTime(Math.round((first + last) / 2));
    const { signals, end } = opened((await recording.cut(undefined, to, last))?.bytes ?? new Uint8Array());
    expect(end?.end).toBe(to);
    const starts = signals.filter((signal) => signal.kind !== 'line' || signal.client !== null);
    expect(Math.max(...starts.map(({ at }) => at))).toBeLessThanOrEqual(to);
  });

  test('stops when its signal aborts', async () => {
    const { recording, last } = play('redisson-4.7.0/herd');
    const client = new AbortController();
    client.abort(new Error('gone'));
    await expect(recording.cut(undefined, undefined, last, client.signal)).rejects.toThrow('gone');
  });

  test('of a time before memory is undefined', async () => {
    const { recording, first, last } = play('redisson-4.7.0/reentry');
    expect(await recording.cut(0, first - 10_000_000, last)).toBeUndefined();
    const before = await new SourceRecording(new Interpreter({ source: 'x' }), undefined).cut(
      undefined,
      undefined,
      last,
    );
    expect(before).toBeUndefined();
  });
});

test('the posted header and lines replay to the same events, and the end is posted last', () => {
  const posts: RecordedPost[] = [];
  const { recording, events, last } = play('redisson-4.7.0/herd', (post) => posts.push(post));
  recording.end(last);
  const text = posts.flatMap((post) => (post.part === 'lines' ? [post.lines] : [])).join('');
  const [begin] = posts;
  const header = begin?.part === 'begin' ? JSON.stringify(begin.header) : '';
  const recorded = parseRecording(`${header}\n${text}`);
  const interpreter = new Interpreter({ source: 'redis' });
  const signals = recorded.ok ? recorded.value.signals : [];
  expect(stepsFromRecording(signals).flatMap((step) => interpreter.interpret(step))).toEqual(events);
  expect(posts.at(-1)).toEqual({ part: 'end', at: last });
});

describe('the ring', () => {
  const at = (n: number) => redisTime(1_000_000 * n);
  const linesOf = (ring: RecordingRing, from?: number) =>
    [...ring.pieces(from === undefined ? undefined : at(from))]
      .map((piece) => piece.text())
      .join('')
      .split('\n')
      .filter(Boolean);

  function fill(limits: ConstructorParameters<typeof RecordingRing>[0], count: number): RecordingRing {
    const ring = new RecordingRing(limits);
    for (let n = 0; n < count; n++) {
      if (ring.isDue(at(n))) ring.begin(`belief ${n}\n`, at(n));
      ring.add(`line ${n} ${'x'.repeat(90)}\n`, at(n));
    }
    return ring;
  }

  test('returns every line in order, after the state of the first segment only, whether segments are packed or not', async () => {
    const ring = fill({ blockChars: 500, segmentChars: 2000, segmentMs: 1e9 }, 200);
    const all = ['belief 0', ...Array.from({ length: 200 }, (_, n) => `line ${n}`)];
    expect(linesOf(ring).map((line) => line.split(' x')[0])).toEqual(all);
    const before = ring.bytes;
    await soon(() => expect(ring.bytes).toBeLessThan(before / 2));
    expect(linesOf(ring).map((line) => line.split(' x')[0])).toEqual(all);
  });

  test('returns lines from the middle together with the last recorded state before them', () => {
    const [belief = '', line = ''] = linesOf(fill({ blockChars: 500, segmentChars: 2000, segmentMs: 1e9 }, 200), 100);
    const from = Number(belief.split(' ')[1]);
    expect(from).toBeGreaterThan(0);
    expect(from).toBeLessThanOrEqual(100);
    expect(line.startsWith(`line ${from} `)).toBe(true);
  });

  test('drops the oldest segments if they exceed its size or its age', () => {
    const small = fill({ mostBytes: 5000, blockChars: 500, segmentChars: 1000, segmentMs: 1e9 }, 500);
    expect(small.startedAt).toBeGreaterThan(at(300));
    expect(linesOf(small)[0]).toMatch(/^belief/);
    const young = fill({ longestMs: 50_000, blockChars: 500, segmentChars: 1000, segmentMs: 1e9 }, 500);
    expect(young.startedAt).toBeGreaterThan(at(400));
  });

  test('begins a new segment after some time, even for a slow stream', () => {
    const ring = fill({ segmentMs: 10_000 }, 100);
    expect(linesOf(ring, 50)[0]).not.toBe('belief 0');
  });

  test('uses at most a quarter of its text for recorded states', () => {
    const ring = new RecordingRing({ segmentChars: 100 });
    ring.begin(`${'b'.repeat(10_000)}\n`, at(0));
    let lines = 0;
    while (!ring.isDue(at(0))) {
      ring.add(`${'x'.repeat(99)}\n`, at(0));
      lines++;
    }
    expect(lines).toBeGreaterThan(290);
  });
});
