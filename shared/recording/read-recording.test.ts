import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRecording, stepsFromRecording } from '../../testing/stories/record-and-replay.ts';
import { redisTime } from '../base/time.ts';
import { Interpreter } from '../events/interpreter.ts';
import { BLIND_REASONS } from '../signals/blind-reason.ts';
import { FORMAT, type RecordedSignal } from './format.ts';
import { signalFromJson } from './parse-signal-line.ts';
import { RecordingReader } from './read-recording.ts';
import { lineFromSignal } from './signal-line.ts';
import { upgraded } from './upgrade.ts';

const header = {
  lockscope: 'recording',
  format: FORMAT,
  source: {
    id: 'redis',
    url: 'redis://h:6379',
    redisVersion: '7.0.15',
    role: 'master',
    level: 'monitor',
    isPushFirst: true,
  },
  startedAt: 1_760_000_000_000_000,
};
const HEADER = JSON.stringify(header);
const LINE = '{"at":1760000000000001,"db":0,"from":"c:1","do":["DEL","orders:42"]}';
const END = '{"end":1760000000000009,"signals":1}';

function read(...lines: string[]) {
  const recording = parseRecording(lines.join('\n'));
  if (!recording.ok) throw new Error(recording.error.message);
  return recording.value;
}

function problem(...lines: string[]): string {
  const recording = parseRecording(lines.join('\n'));
  if (recording.ok) throw new Error('it opened');
  return recording.error.message;
}

test('a file of format 1 opens and gives its events', () => {
  const file = new URL('../traces/recordings/format-1.lockscope', import.meta.url);
  const recording = read(...gunzipSync(readFileSync(file)).toString().split('\n'));
  expect(recording.badCount).toBe(0);
  expect(recording.end?.signals).toBe(recording.signals.length);
  const interpreter = new Interpreter({ source: 'redis' });
  const events = stepsFromRecording(recording.signals).flatMap((step) => interpreter.interpret(step));
  const seen = events.map(({ type }) => type).filter((type) => type !== 'lease.renewed');
  expect(seen).toEqual([
    ...['lock.acquired', 'lock.refused', 'waiter.subscribed', 'lock.refused'],
    ...['client.connected', 'client.connected'],
    ...['lock.released', 'wakeup.published', 'lock.acquired', 'waiter.unsubscribed', 'lock.released'],
    'wakeup.published',
  ]);
});

describe('RecordingReader', () => {
  test('reads header, signals and end', () => {
    const recording = read(HEADER, LINE, END, '');
    expect(recording).toMatchObject({ header, badCount: 0, end: { signals: 1 } });
    expect(recording.signals).toEqual([
      { kind: 'line', at: 1_760_000_000_000_001, db: 0, client: 'c:1', words: ['DEL', 'orders:42'] },
    ]);
  });

  test('opens a recording that was cut short: it has no end line', () => {
    const recording = read(HEADER, LINE);
    expect(recording.end).toBeUndefined();
    expect(recording.signals).toHaveLength(1);
  });

  test('reports a bad line by its number and goes on', () => {
    const recording = read(
      HEADER,
      '{"at":1',
      LINE,
      '{"at":"x","time":1}',
      '[]',
      '{"at":1,"do":[],"db":0,"from":"c"}',
      END,
    );
    expect(recording.badLines.map(({ line }) => line)).toEqual([2, 4, 5, 6]);
    expect(recording.signals).toHaveLength(1);
    expect(recording.end).toBeDefined();
  });

  test('reports an end line that counts more signals than the file has', () => {
    const lost = { badCount: 1, badLines: [{ line: 2, reason: 'lines-missing' }], end: { signals: 1 } };
    expect(read(HEADER, END)).toMatchObject(lost);
  });

  test('a damaged line may have been any signal, so it is reported as lost', () => {
    const reader = new RecordingReader();
    const found = [
      HEADER,
      '{"at":17600000',
      LINE,
      'x',
      LINE.replace('"at":1', '"at":"'),
      HEADER,
      '{"at":1,"new":2}',
      END,
      HEADER,
    ]
      .map((line) => reader.add(line))
      .map((read) => (read.ok ? read.value.map(({ kind, at }) => `${kind} ${at}`) : read.error.code));
    const lost = ['lost-line 1760000000000001'];
    expect(found).toEqual([
      [],
      ['lost-line 1760000000000000'],
      ['line 1760000000000001'],
      lost,
      lost,
      lost,
      [],
      [],
      [],
    ]);
    expect(reader.badLines.map(({ reason }) => reason)).toEqual([
      ...['not-json', 'not-json', 'not-json', 'other-recording', 'not-signal', 'other-recording'],
    ]);
  });

  test('reports a line after the end as bad, and returns no signal for it', () => {
    expect(read(HEADER, LINE, END, LINE)).toMatchObject({ badCount: 1, signals: [{ kind: 'line' }] });
  });

  test('lists the first 100 bad lines, and counts all', () => {
    const recording = read(HEADER, ...Array<string>(1000).fill('x'));
    expect(recording.badCount).toBe(1000);
    expect(recording.badLines).toHaveLength(100);
  });

  test('ignores fields of later versions', () => {
    const more = JSON.stringify({ ...header, later: { deep: 1 } });
    expect(read(more, '{"at":5,"time":1,"later":2}').signals).toEqual([{ kind: 'time', at: 5 }]);
  });

  test('refuses a newer format with a message', () => {
    expect(problem(JSON.stringify({ lockscope: 'recording', format: 3 }))).toBe(
      'Made by a newer version (format 3; this reads 1).',
    );
  });

  test.each([
    ['', 'not a Lockscope recording'],
    ['hello', 'not a Lockscope recording'],
    ['null', 'not a Lockscope recording'],
    ['{"lockscope":"other"}', 'not a Lockscope recording'],
    ['{"lockscope":"recording"}', 'has no format'],
    ['{"lockscope":"recording","format":"1"}', 'has no format'],
    ['{"lockscope":"recording","format":0}', 'has no format'],
    ['{"lockscope":"recording","format":1.5}', 'has no format'],
    ['{"lockscope":"recording","format":1}', '"source"'],
    [JSON.stringify({ ...header, startedAt: -1 }), '"startedAt"'],
    [JSON.stringify({ ...header, source: { ...header.source, level: 'all' } }), '"source.level"'],
  ])('a recording whose first line is %j is refused with the reason', (first, words) => {
    expect(problem(first, LINE)).toContain(words);
  });

  test('reading a recording never throws, whatever the text is', () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.string(), fc.json(), fc.constantFrom(HEADER, LINE, END))), (lines) => {
        parseRecording([HEADER, ...lines].join('\n'));
        parseRecording(lines.join('\n'));
      }),
    );
  });
});

const text = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
  fc.constantFrom('', '__proto__', '\n', '\u2028', '"', '\\xff', '<b>', 'constructor', 'end'),
);
const time = fc.nat({ max: 2 ** 52 }).map(redisTime);
const count = fc.nat({ max: 1000 });
const signal: fc.Arbitrary<RecordedSignal> = fc.oneof(
  fc.record({
    kind: fc.constant('line' as const),
    at: time,
    db: count,
    client: fc.option(text),
    words: fc.array(text, { minLength: 1 }),
  }),
  fc.record({ kind: fc.constantFrom('push' as const, 'inner-push' as const), at: time, channel: text, message: text }),
  fc.record({
    kind: fc.constant('bookmark' as const),
    at: time,
    reads: fc.array(
      fc.record({
        db: count,
        name: text,
        type: text,
        fields: fc.dictionary(text, text, { noNullPrototype: true }),
        pttl: fc.integer(),
        hasChanged: fc.boolean(),
        subscribers: fc.option(count),
      }),
    ),
  }),
  fc.record({
    kind: fc.constant('clients' as const),
    at: time,
    clients: fc.array(fc.record({ address: text, name: text, library: text, ageSeconds: count, idleSeconds: count })),
  }),
  fc.record({
    kind: fc.constant('blind-spot' as const),
    at: time,
    phase: fc.constantFrom('began' as const, 'ended' as const),
    reason: fc.constantFrom(...BLIND_REASONS),
  }),
  fc.record({
    kind: fc.constant('watch' as const),
    at: time,
    level: fc.constantFrom('snapshot' as const, 'events' as const, 'monitor' as const),
    isPushFirst: fc.boolean(),
  }),
  fc.record({
    kind: fc.constant('connection' as const),
    at: time,
    address: text,
    client: fc.option(text),
    name: fc.option(text),
  }),
  fc.record({ kind: fc.constant('time' as const), at: time }),
);

test('reading the line of a signal returns an equal signal, and the line contains no line break', () => {
  fc.assert(
    fc.property(signal, (each) => {
      const line = lineFromSignal(each);
      expect(line).not.toContain('\n');
      expect(signalFromJson(JSON.parse(line))).toEqual({ ok: true, value: each });
    }),
  );
});

describe('the upgrade of a recording', () => {
  const upgrades = new Map<number, (line: unknown) => unknown>([
    [1, (line: unknown) => ({ ...(line as object), two: true })],
    [2, (line: unknown) => ({ ...(line as object), three: true })],
  ]);

  test('upgrades a line through every format in between', () => {
    expect(upgraded({ at: 1 }, 1, upgrades, 3)).toEqual({ at: 1, two: true, three: true });
    expect(upgraded({ at: 1 }, 2, upgrades, 3)).toEqual({ at: 1, three: true });
  });

  test('returns a line of the current format unchanged', () => {
    const line = { at: 1 };
    expect(upgraded(line, FORMAT)).toBe(line);
  });
});
