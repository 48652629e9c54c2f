import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Interpreter } from '../../shared/events/interpreter.ts';
import { goldens } from '../../testing/traces/read-trace.ts';
import { signalsFromTrace, stepsFromSignals } from '../../testing/traces/trace-file.ts';
import { OpenError } from './read-file.ts';
import { replaceText, UPLOAD_LIMITS } from './replace-text.ts';
import { openRecording } from './replay-observatory.ts';

const MEMORY = 512 * 1024 * 1024;
const HOLDER = '0a000000-0000-4000-8000-000000000001:1';
let dir: string;
let path: string;

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
  path = join(dir, 'a.txt');
});
afterEach(() => rmSync(dir, { recursive: true }));

/** One acquisition of `orders:42`, as MONITOR prints it. */
const acquire = (second: number, db = 0, lock = 'orders:42') =>
  [
    `[${db} 10.0.0.7:51422] "EVALSHA" "${'f'.repeat(40)}" "1" "${lock}" "30000" "${HOLDER}"`,
    `[${db} lua] "exists" "${lock}"`,
    `[${db} lua] "hincrby" "${lock}" "${HOLDER}" "1"`,
    `[${db} lua] "pexpire" "${lock}" "30000"`,
  ].map((rest) => `179521845${second}.000001 ${rest}`);
const ping = (second: number) => `179521845${second}.000009 [0 10.0.0.9:1] "PING"`;

async function opened(text: string | Buffer) {
  writeFileSync(path, text);
  const { observatory, summary } = await openRecording(path, { memory: MEMORY, limits: UPLOAD_LIMITS });
  const { events } = await observatory.history.search({ limit: 100_000 });
  return { observatory, summary, events, types: events.map(({ type }) => type) };
}

async function problemOf(text: string | Buffer) {
  const error = await opened(text).catch((reason: unknown) => reason);
  if (!(error instanceof OpenError)) throw new Error(`no problem but ${String(error)}`);
  return error.problem.code;
}

/** The events without their source, which differs between an opened file and a trace. */
const plain = (events: readonly object[]) => events.map((event) => ({ ...event, source: '' }));

describe('the text of a real MONITOR', () => {
  const chosen = goldens().filter(
    ({ folder, name }) =>
      /^(redisson-4.7.0|redisson-3.5.7|valkey-8.1.1)$/.test(folder) && /^(contention|crash)/.test(name),
  );
  test('is tested with traces of several versions', () => {
    expect(new Set(chosen.map(({ folder }) => folder)).size).toBe(3);
  });

  test.each(chosen.map((golden) => [`${golden.folder} ${golden.name}`, golden] as const))(
    'gives the events of its commands: %s',
    async (_, golden) => {
      const lines = golden
        .trace()
        .split('\n')
        .filter((line) => !/^[#>]/.test(line));
      const interpreter = new Interpreter({ source: '' });
      const steps = stepsFromSignals(signalsFromTrace(lines.join('\n')), true);
      const expected = steps.flatMap((step) => interpreter.interpret(step));
      const { events } = await opened(`OK\n${lines.join('\n')}`);
      expect(events.length).toBeGreaterThan(5);
      expect(events.map(({ type, at }) => [type, at])).toEqual(expected.map(({ type, at }) => [type, at]));
      expect(plain(events)).toMatchObject(plain(expected));
    },
  );
});

describe('the order of lines', () => {
  test('a text with the newest line first, as logs are exported, is read backwards, and the source reports that', async () => {
    const lines = [...acquire(1), ping(2), ...acquire(3, 0, 'b'), ping(4)].map((line, n) => {
      return line.replace('.00000', `.0000${n % 10}`);
    });
    const forward = await opened(lines.join('\n'));
    const backward = await opened(lines.toReversed().join('\n'));
    expect(forward.types).toEqual(['lock.acquired', 'lock.acquired']);
    expect(plain(backward.events)).toEqual(plain(forward.events));
    expect(backward.summary).toMatchObject({ badLines: 0, startedAt: forward.summary.startedAt });
    expect(backward.observatory.sources()[0]?.recording?.skipped?.values.around).toEqual(['newest-first']);
  });

  test('with the newest line first, nothing is inferred across a line that cannot be read', async () => {
    const [head = '', ...inner] = acquire(2);
    const lines = [...acquire(1, 0, 'a'), head, 'Error: Connection reset by peer', ...inner, ping(3), ping(4)];
    const { types, summary } = await opened(
      lines
        .map((line, n) => line.replace('.00000', `.0000${n}`))
        .reverse()
        .join('\n'),
    );
    expect(types).toEqual(['lock.acquired', 'blind-spot.began', 'blind-spot.ended']);
    expect(summary.badLines).toBe(1);
  });

  test('captures in one text are read in the order of time, and nothing is inferred from one to the next', async () => {
    const later = [...acquire(5, 0, 'b'), ping(6)];
    const earlier = [ping(1), ...acquire(2, 0, 'a'), ping(3)];
    const { types, summary, observatory } = await opened([...later, ...earlier].join('\n'));
    expect(types).toEqual(['lock.acquired', 'blind-spot.began', 'blind-spot.ended', 'lock.acquired']);
    expect(summary).toMatchObject({ badLines: 0, startedAt: 1_795_218_451_000_009, endsAt: 1_795_218_456_000_009 });
    expect(observatory.sources()[0]?.recording?.skipped?.values.around).toEqual(['captures']);
    expect((await opened([...earlier, ...later].join('\n'))).types).toEqual(['lock.acquired', 'lock.acquired']);
  });

  test('captures of the same time are not mixed: lines that are out of order are reported', async () => {
    const { observatory } = await opened([ping(1), ...acquire(5, 0, 'b'), ping(2), ping(6)].join('\n'));
    const { recording } = observatory.sources()[0] ?? {};
    expect(recording).not.toHaveProperty('skipped');
    expect(recording?.badLines.first).toEqual([{ line: 6, reason: 'out-of-order' }]);
  });

  test('a single line that is out of order does not reverse the text', async () => {
    const { types, summary } = await opened([ping(2), ping(0), ...acquire(3), ping(4)].join('\n'));
    expect(types).toContain('lock.acquired');
    expect(summary.badLines).toBe(1);
  });
});

test.each<[string, (lines: string[]) => string | Buffer]>([
  ['plain', (lines) => `${lines.join('\n')}\n`],
  ['with OK first', (lines) => `OK\n${lines.join('\n')}\n`],
  ['with CRLF', (lines) => `OK\r\n${lines.join('\r\n')}\r\n`],
  ['without a last line break', (lines) => lines.join('\n')],
  ['gzipped', (lines) => gzipSync(lines.join('\n'))],
  ['with a mark at its beginning', (lines) => `\uFEFF${lines.join('\n')}`],
])('a text of MONITOR, %s, is read', async (_, textOf) => {
  const { observatory, summary, types } = await opened(textOf([...acquire(1), ping(4)]));
  expect(types).toEqual(['lock.acquired']);
  expect(summary).toMatchObject({ startedAt: 1_795_218_451_000_001, endsAt: 1_795_218_454_000_009, badLines: 0 });
  expect(observatory.locks()).toMatchObject([{ name: 'orders:42', holders: [{ id: HOLDER }] }]);
});

test('quotes and backslashes that Valkey 8.1.0 does not escape are read as they are written', async () => {
  const names = ['say "hi"', String.raw`back\slash`];
  const { observatory } = await opened([...names.flatMap((name, n) => acquire(n + 1, 0, name)), ping(4)].join('\n'));
  expect(
    observatory
      .locks()
      .map(({ name }) => name)
      .sort(),
  ).toEqual([...names].sort());
});

test('a line that is cut off does not change how escaped lines after it are read', async () => {
  const cut = ping(2).slice(0, -3);
  const { observatory } = await opened([...acquire(1), cut, ...acquire(3, 0, String.raw`a\" \"b`), ping(4)].join('\n'));
  expect(observatory.locks().map(({ name }) => name)).toContain('a" "b');
});

test('each database has its own locks', async () => {
  const { observatory } = await opened([...acquire(1), ...acquire(2, 7), ping(3)].join('\n'));
  expect(observatory.locks().map(({ db, name }) => [db, name])).toEqual(
    expect.arrayContaining([
      [0, 'orders:42'],
      [7, 'orders:42'],
    ]),
  );
});

test('facts that a text of MONITOR cannot show are listed, and the clients are unknown', async () => {
  const { observatory } = await opened([...acquire(1), ping(2)].join('\n'));
  const [source] = observatory.sources();
  expect(source).toMatchObject({ level: 'monitor', keyEvents: 'off', recording: { isText: true } });
  expect(source?.unseen.map(({ code }) => code)).toEqual([
    ...['unseen-expiries', 'unseen-before-text', 'unseen-connections', 'unseen-replies'],
  ]);
  expect(observatory.locks()[0]?.holders[0]?.presence).toBe('unknown');
});

describe('nothing is inferred across a line that is missing', () => {
  test.each<[string, string, string]>([
    ['cannot be read', 'Error: Connection reset by peer', 'not-monitor'],
    ['is out of order', ping(0), 'out-of-order'],
  ])('if a line within a script %s, the script is unseen', async (_, wrong, reason) => {
    const [head = '', ...inner] = acquire(2);
    const lines = [...acquire(1, 0, 'a'), head, wrong, ...inner, ping(3)];
    const { observatory, summary, types } = await opened(lines.join('\n'));
    expect(types).toEqual(['lock.acquired', 'blind-spot.began', 'blind-spot.ended']);
    expect(summary.badLines).toBe(1);
    expect(observatory.sources()[0]?.recording?.badLines.first).toEqual([{ line: 6, reason }]);
  });

  test('many wrong lines in a row are one blind spot', async () => {
    const { types, summary } = await opened([...acquire(1), ...Array<string>(1000).fill('?'), ping(2)].join('\n'));
    expect(types.filter((type) => type === 'blind-spot.began')).toHaveLength(1);
    expect(summary.badLines).toBe(1000);
  });

  test('the newest script is left out if the file ends within a line, or is cut short', async () => {
    const lines = [...acquire(1, 0, 'a'), ...acquire(2, 0, 'b')].join('\n');
    expect((await opened(lines.slice(0, -9))).types.filter((type) => type === 'lock.acquired')).toHaveLength(1);
    const packed = gzipSync(lines.repeat(1), { level: 0 });
    expect((await opened(packed.subarray(0, -30))).types.filter((type) => type === 'lock.acquired')).toHaveLength(1);
  });
});

test('lines that could not be read are still counted once the text has become a recording', async () => {
  writeFileSync(path, [...acquire(1), 'what?', 'what?', ping(2)].join('\n'));
  const text = await replaceText(path, { memory: MEMORY });
  const badLines = { count: 2, first: [5, 6].map((line) => ({ line, reason: 'not-monitor' })) };
  expect(text).toEqual({ badLines, skipped: null });
  const { observatory, summary } = await openRecording(path, { memory: MEMORY, ...(text && { text }) });
  expect(summary.badLines).toBe(2);
  expect(observatory.sources()[0]?.recording?.badLines).toEqual(badLines);
});

test.each<[string, () => string | Buffer, string]>([
  ['only OK', () => 'OK\n', 'not-a-recording'],
  ['OK and something else', () => 'OK\nhello\n', 'not-a-recording'],
  ['a half line', () => '1795218454.49', 'not-a-recording'],
  ['a line of 17 MB', () => `${acquire(1).join('\n')}\n${'x'.repeat(17 * 1024 * 1024)}`, 'recording-too-large'],
])('%s is refused', async (_, text, code) => {
  expect(await problemOf(text())).toBe(code);
});

test('a stored text becomes a recording of lock signals only, with the same events', async () => {
  const secret = `1795218451.500000 [0 10.0.0.9:1] "SET" "password" "hunter2"`;
  const script = `1795218453.000000 [0 10.0.0.9:1] "EVAL" "return 'hunter2'" "0"`;
  const text = `${[...acquire(1), secret, ...acquire(2, 0, 'b'), script, ping(4)].join('\n')}\n`;
  const before = await opened(text);
  await replaceText(path, { memory: MEMORY });
  expect(readdirSync(dir)).toEqual(['a.txt']);
  const kept = gunzipSync(readFileSync(path)).toString();
  expect(kept).not.toContain('hunter2');
  expect(kept).not.toContain('password');
  expect(kept.split('\n')[0]).toContain('"lockscope":"recording"');
  const { observatory, summary } = await openRecording(path, { memory: MEMORY });
  const { events } = await observatory.history.search({ limit: 100 });
  expect(plain(events)).toEqual(plain(before.events));
  expect(summary).toMatchObject({ startedAt: before.summary.startedAt, endsAt: before.summary.endsAt });
  expect(observatory.sources()[0]?.recording?.isText).toBe(true);
});

test('[S8] after a line that cannot be read, a holder from before it is only assumed', async () => {
  const text = [...acquire(1, 0, 'a'), ping(2), 'broken', ping(3), ...acquire(4, 0, 'b'), ping(5)].join('\n');
  const locks = (await opened(text)).observatory.locks();
  expect(locks.map(({ name, certainty, assumedSince }) => [name, certainty, assumedSince])).toEqual([
    ['a', 'inferred', 1_795_218_452_000_009],
    ['b', 'observed', undefined],
  ]);
});
