import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { OpenError, type ReadOptions, readRecordingFile } from './read-file.ts';
import { readInThread as read } from './read-in-thread.ts';
import { UPLOAD_LIMITS } from './replace-text.ts';

const MB = 1024 * 1024;
const TWO_THREADS = 'server/demo/recorded/two-threads.lockscope';
const HEADER = JSON.stringify({
  lockscope: 'recording',
  format: 1,
  source: { id: 'redis', url: 'redis://x', redisVersion: '7', role: 'master', level: 'monitor', isPushFirst: true },
  startedAt: 1_700_000_000_000_000,
});
const PING = JSON.stringify({ at: 1_700_000_000_000_001, db: 0, from: '10.0.0.1:1', do: ['PING'] });

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'lockscope-read-'));
});

afterAll(() => rmSync(folder, { recursive: true }));

function fileOf(text: string): string {
  const path = join(folder, 'x.lockscope');
  writeFileSync(path, gzipSync(text));
  return path;
}

/** The signals of a file, and what is known about it. */
async function allOf(path: string, options: ReadOptions = {}, how = read) {
  const signals: unknown[] = [];
  const {
    header,
    end,
    isCutShort,
    signals: count,
    badCount,
    badLines,
  } = await how(path, (signal) => signals.push(signal), options);
  return { signals, header, end, isCutShort, count, badCount, badLines };
}

const problemOf = async (path: string, options: ReadOptions = {}) => {
  const error = await allOf(path, options).catch((reason: unknown) => reason);
  return error instanceof OpenError ? error.problem : error;
};

test('a recording, and the text of MONITOR, give the same result whether they are read in a thread or not', async () => {
  const text = fileOf(
    'OK\n1795218454.496776 [0 127.0.0.1:1] "DEL" "a"\nnonsense\n1795218455.496776 [0 127.0.0.1:1] "DEL" "b"\n',
  );
  for (const path of [TWO_THREADS, text]) {
    const plain = await allOf(path, {}, readRecordingFile);
    expect(plain.signals.length).toBeGreaterThan(0);
    expect(await allOf(path)).toEqual(plain);
  }
});

test('lines that are too deep, wide or long are counted as bad, and the other line is read', async () => {
  const lines = ['['.repeat(15 * MB), `[${'{},'.repeat(2 * MB)}0]`, `{"at":1,"do":["${'x'.repeat(9 * MB)}"]}`, PING];
  const { signals, badLines, badCount } = await allOf(fileOf(`${HEADER}\n${lines.join('\n')}\n`), {
    limits: UPLOAD_LIMITS,
  });
  expect(signals).toHaveLength(1);
  expect([badCount, badLines]).toEqual([3, [2, 3, 4].map((line) => ({ line, reason: 'too-long' }))]);
});

test('the largest lines that are read fit into the memory of the thread', async () => {
  const keys = Array.from({ length: 290_000 }, (_, n) => `"key${n}":1`).join();
  const wide = '\u4e00'.repeat(8 * MB - 200);
  const name = JSON.stringify({ at: 1_700_000_000_000_001, db: 0, from: '10.0.0.1:1', do: ['DEL', wide] });
  const { signals } = await allOf(fileOf(`${HEADER}\n${`{${keys}}\n`.repeat(3)}${`${name}\n`.repeat(3)}`));
  expect(signals).toHaveLength(3);
});

test('a file that cannot be read in a thread is refused with the reason', async () => {
  expect(await problemOf(join(folder, 'none'))).toMatchObject({
    code: 'recording-unreadable',
    values: { why: 'missing' },
  });
  expect(await problemOf(fileOf('<html>'))).toMatchObject({ code: 'not-a-recording' });
  const long = fileOf(`${HEADER}\n${'x'.repeat(17 * MB)}`);
  expect(await problemOf(long, { limits: UPLOAD_LIMITS })).toMatchObject({ values: { part: 'line', megabytes: 16 } });
  const lines = { ...UPLOAD_LIMITS, lines: 1000 };
  expect(await problemOf(fileOf(`${HEADER}\n${'\n'.repeat(2000)}`), { limits: lines })).toMatchObject({
    code: 'recording-too-long',
    values: { lines: 1000 },
  });
});

test('reading in a thread ends when its result is no longer needed, or when the receiver of signals throws', async () => {
  const path = fileOf(`${HEADER}\n${`${PING}\n`.repeat(200_000)}`);
  const wanted = new AbortController();
  let taken = 0;
  const reading = read(
    path,
    () => {
      if (++taken === 1000) wanted.abort();
    },
    { signal: wanted.signal },
  );
  await expect(reading).rejects.toThrow('aborted');
  const before = taken;
  expect(before).toBeLessThan(200_000);
  await expect(read(path, () => undefined, { signal: wanted.signal })).rejects.toBe(wanted.signal.reason);
  const broken = read(path, () => {
    throw new Error('cannot take it');
  });
  await expect(broken).rejects.toThrow('cannot take it');
  expect(taken).toBe(before);
});
