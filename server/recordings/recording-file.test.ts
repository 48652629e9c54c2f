import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { FORMAT, type RecordedSignal, type RecordingHeader } from '../../shared/recording/format.ts';
import { soon } from '../testing/soon.ts';
import { OpenError, readRecordingFile } from './read-file.ts';
import { fileOfSource, openRecordingFile, RecordingFileError } from './recording-file.ts';

const HEADER: RecordingHeader = {
  lockscope: 'recording',
  format: FORMAT,
  source: { id: 'redis', url: 'redis://h', redisVersion: '7', role: 'master', level: 'monitor', isPushFirst: true },
  startedAt: 1_000_000,
};
const line = (n: number) => `{"at":${1_000_000 + n},"db":0,"from":"c:1","do":["DEL","orders:${n}"]}\n`;
const text = `${JSON.stringify(HEADER)}\n${Array.from({ length: 200 }, (_, n) => line(n)).join('')}`;

let dir: string;
const path = (name: string) => join(dir, name);

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-test-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

async function readBack(file: string) {
  const signals: RecordedSignal[] = [];
  const reader = await readRecordingFile(file, (signal) => void (signal.kind !== 'lost-line' && signals.push(signal)));
  return { reader, signals };
}

async function problemOf(file: string): Promise<string> {
  const error = await readBack(file).catch((reason: unknown) => reason);
  if (!(error instanceof OpenError)) throw new Error(`no problem but ${String(error)}`);
  return error.problem.message;
}

describe('writing', () => {
  test('only this user may read the file, even if it existed with other permissions', async () => {
    writeFileSync(path('old.lockscope'), '');
    chmodSync(path('old.lockscope'), 0o666);
    for (const name of ['old.lockscope', 'new.lockscope']) {
      const file = openRecordingFile(path(name));
      expect(statSync(path(name)).mode & 0o777).toBe(0o600);
      await file.end(undefined);
    }
  });

  test('a complete recording is written, from header to end', async () => {
    const file = openRecordingFile(path('a.lockscope'));
    expect(file.status()).toMatchObject({ file: 'a.lockscope', state: 'waiting', signals: 0 });
    file.begin(HEADER);
    file.write(line(1) + line(2), 2);
    expect(file.status()).toMatchObject({ state: 'writing', signals: 2 });
    await file.end(2_000_000);
    expect(file.status().state).toBe('ended');
    const { reader, signals } = await readBack(path('a.lockscope'));
    expect(signals).toHaveLength(2);
    expect(reader.end).toEqual({ end: 2_000_000, signals: 2 });
  });

  test('lines are on disk half a second after they were written', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const file = openRecordingFile(path('a.lockscope'));
    file.begin(HEADER);
    file.write(line(1), 1);
    vi.advanceTimersByTime(500);
    vi.useRealTimers(); // `soon` would let more of the false time pass
    await soon(async () => expect((await readBack(path('a.lockscope'))).signals).toHaveLength(1));
    const { reader } = await readBack(path('a.lockscope'));
    expect(reader.isCutShort).toBe(true);
    await file.end(undefined);
  });

  test('existing files are not overwritten', () => {
    writeFileSync(path('a'), 'precious');
    expect(() => openRecordingFile(path('a'))).toThrow(RecordingFileError);
    expect(() => openRecordingFile(path('a'))).toThrow('already exists');
    expect(readFileSync(path('a'), 'utf8')).toBe('precious');
    expect(() => openRecordingFile(path('no/such/a'))).toThrow('no such folder');
    expect(() => openRecordingFile(dir)).toThrow('that is a folder');
  });

  test.runIf(existsSync('/dev/full'))(
    'if the disk is full, the recording ends with a problem, and nothing is thrown',
    async () => {
      const file = openRecordingFile('/dev/full');
      let breaks = 0;
      file.onBreak(() => breaks++);
      file.begin(HEADER);
      await soon(() => expect(file.status().state).toBe('failed'));
      expect(file.status().problem).toMatchObject({ code: 'disk-full' });
      file.write(line(1), 1);
      await file.end(5);
      expect(breaks).toBe(1);
      expect(file.status().state).toBe('failed');
    },
  );

  test('every source has its own file', () => {
    expect([0, 1, 2].map((index) => fileOfSource('/x.y/night.lockscope', index))).toEqual([
      '/x.y/night.lockscope',
      '/x.y/night-2.lockscope',
      '/x.y/night-3.lockscope',
    ]);
    expect(fileOfSource('/x.y/night', 1)).toBe('/x.y/night-2');
  });
});

describe('reading', () => {
  test('a file that is cut short opens up to the cut, or is refused as not a recording', async () => {
    const packed = gzipSync(text);
    let most = 0;
    for (let length = 60; length <= packed.length; length += 97) {
      writeFileSync(path('cut'), packed.subarray(0, length));
      const cut = await readBack(path('cut')).catch((error: unknown) => error);
      if (cut instanceof OpenError) expect(cut.problem.code, `at ${length}`).toBe('not-a-recording');
      else if (cut instanceof Error) throw cut;
      else most = Math.max(most, (cut as Awaited<ReturnType<typeof readBack>>).signals.length); // it was read, so it is not an error
    }
    expect(most).toBeGreaterThan(100);
  });

  test('plain text opens as well, including its last line', async () => {
    writeFileSync(path('plain'), text.trimEnd());
    expect((await readBack(path('plain'))).signals).toHaveLength(200);
    writeFileSync(path('plain'), text.slice(0, -5));
    const { reader, signals } = await readBack(path('plain'));
    expect(signals).toHaveLength(199);
    expect(reader.badCount).toBe(0);
  });

  test('a character of several bytes may be split between two chunks of the file', async () => {
    const name = '汉'.repeat(60_000);
    writeFileSync(path('wide'), `${JSON.stringify(HEADER)}\n{"at":1,"db":0,"from":"c","do":["DEL","x${name}"]}\n`);
    const [signal] = (await readBack(path('wide'))).signals;
    expect(signal?.kind === 'line' && signal.words[1]).toBe(`x${name}`);
  });

  test('a file that is damaged in the middle opens up to the damage', async () => {
    const packed = gzipSync(Array.from({ length: 50 }, () => text).join(''), { level: 0 });
    packed.fill(0xff, packed.length / 2, packed.length / 2 + 100);
    writeFileSync(path('damaged'), packed);
    const { reader, signals } = await readBack(path('damaged'));
    expect(signals.length).toBeGreaterThan(100);
    expect(reader.isCutShort || reader.badCount > 0).toBe(true);
  });

  test('a line of 65 MB is refused, although the compressed file is small', async () => {
    const spaces = Buffer.alloc(65 * 1024 * 1024, 32);
    writeFileSync(path('spaces'), gzipSync(Buffer.concat([Buffer.from(`${JSON.stringify(HEADER)}\n`), spaces])));
    expect(await problemOf(path('spaces'))).toContain('one of its lines is longer than 64 MB');
  });

  test('a file that is not a recording is refused with a message', async () => {
    expect(await problemOf(path('none'))).toBe('There is no such file.');
    expect(await problemOf(dir)).toBe('That is a folder.');
    for (const [name, content] of [
      ['text', 'hello\nworld\n'],
      ['packed', gzipSync('hello')],
      ['endless', 'x'.repeat(2_000_000)],
    ] as const) {
      writeFileSync(path(name), content);
      expect(await problemOf(path(name)), name).toContain('not a Lockscope recording');
    }
    writeFileSync(path('bytes'), Buffer.from([0x1f, 0x8b, 1, 2, 3]));
    expect(await problemOf(path('bytes'))).toContain('packed with gzip, and damaged');
    writeFileSync(path('empty'), '');
    expect(await problemOf(path('empty'))).toBe('This file is empty.');
    writeFileSync(path('newer'), gzipSync('{"lockscope":"recording","format":3}\n'));
    expect(await problemOf(path('newer'))).toBe('Made by a newer version (format 3; this reads 1).');
  });
});
