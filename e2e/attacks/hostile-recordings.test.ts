import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { recordingBody } from '../../shared/wire/recordings.ts';
import { speakTo } from '../support/lockscope/lockscope.ts';
import { type LockscopeProcess, launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';

/* Hostile files: each is refused in one line, or shown, and the rest of the product answers. */

const HOLDER = '00000001-d89d-4cda-962c-c6e370a8fee0:1';
const AT = 1_700_000_000_000_001;
const HEADER = JSON.stringify({
  lockscope: 'recording',
  format: 1,
  source: { id: 'redis', url: 'redis://x', redisVersion: '7', role: 'master', level: 'monitor', isPushFirst: true },
  startedAt: AT - 1,
});
const PING = '1795218451.000001 [0 10.0.0.9:1] "PING"';
const spaces = Buffer.alloc(100 * 1024 * 1024, 32);
const COLOURED = HEADER.replace('"format":1', '"format":"\\u001b[31m"');
const CONTROL = /[\0-\x08\x0b-\x1f]/;
/** A MONITOR text with the newest line first. */
function descending(lines: number, more: string): string {
  return Array.from({ length: lines }, (_, n) => `${1_795_218_451 - n}.000001 [0 x:1] "DEL" "a${more}"\n`).join('');
}

/** MONITOR text with prototypes and control characters. */
const HOSTILE_TEXT = `${PING}\n${PING.replace('"PING"', '"DEL" "__proto__" "\\x1b[31m"')}\r\n`;

function pathOf(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-attack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'x\u001b[31m.lockscope');
  writeFileSync(path, content);
  return path;
}

describe('lockscope open', () => {
  test.each<[string, () => string | Buffer, RegExp]>([
    ['an empty file', () => '', /This file is empty/],
    [
      'a line of 100 MB of spaces',
      () => gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), spaces])),
      /longer than 64 MB/,
    ],
    ['colours in its header', () => COLOURED, /cannot be read/],
  ])('%s is refused in one line', async (_, content, why) => {
    const error = await launchLockscopeProcess('open', [pathOf(content())], {}).then(
      (lockscope) => lockscope.stop().then(() => 'it was opened'),
      (reason: Error) => reason.message,
    );
    expect(error).toMatch(/ended with code 1: /);
    expect(error).toMatch(why);
    expect(error.trim().split('\n')).toHaveLength(1);
    expect(error).not.toMatch(CONTROL);
  });

  test('text with prototypes and control characters is shown, and is escaped in the log', async () => {
    const lockscope = await launchLockscopeProcess('open', [pathOf(HOSTILE_TEXT)], {});
    onTestFinished(() => lockscope.stop());
    const { sources } = await lockscope.health();
    expect(sources).toHaveLength(1);
    expect(await lockscope.locks()).toBeInstanceOf(Array);
    expect(lockscope.output()).not.toMatch(CONTROL);
  });
});

describe('an upload', () => {
  let redis: RunningRedis;
  let lockscope: LockscopeProcess;

  beforeAll(async () => {
    redis = await startRedis();
    lockscope = await launchLockscopeProcess(redis.url, [], {});
  });
  afterAll(async () => {
    await lockscope.stop();
    await redis.stop();
  });

  async function upload(content: string | Buffer): Promise<{ status: number; body: unknown }> {
    const answer = await fetch(
      `${lockscope.url}/api/recordings?name=${encodeURIComponent('../x\u001b[31m.lockscope')}`,
      {
        method: 'POST',
        headers: { 'Content-Type': 'application/octet-stream' },
        body: new Uint8Array(Buffer.from(content)),
      },
    );
    return { status: answer.status, body: await answer.json() };
  }

  /** What is watched goes on, and nothing hostile is in the log. */
  async function expectCalm(): Promise<void> {
    const { sources } = await lockscope.health();
    expect(sources[0]?.status).toBe('observing');
    expect(lockscope.output()).not.toMatch(CONTROL);
  }

  test.each<[string, () => string | Buffer, string]>([
    ['an empty file', () => '', 'not-a-recording'],
    ['a page', () => '<html>', 'not-a-recording'],
    ['broken gzip', () => Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'not-a-recording'],
    ['only the first word of MONITOR', () => 'OK\n', 'not-a-recording'],
    ['100 MB of zeros', () => gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'not-a-recording'],
    [
      'a line of 100 MB of spaces',
      () => gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), spaces])),
      'recording-too-large',
    ],
    [
      'a line of 100 MB after a line of MONITOR',
      () => gzipSync(Buffer.concat([Buffer.from(`${PING}\n`), spaces])),
      'recording-too-large',
    ],
    ['another format', () => HEADER.replace('"format":1', '"format":99'), 'recording-newer'],
    ['a header of nonsense', () => HEADER.replace('"id":"redis"', `"id":"${'x'.repeat(300)}"`), 'recording-damaged'],
    ['a number as an id', () => HEADER.replace('"id":"redis"', '"id":5'), 'recording-damaged'],
    ['colours in its header', () => COLOURED, 'recording-damaged'],
  ])('%s is refused with its reason, and what is watched goes on', async (_, content, code) => {
    expect(await upload(content())).toMatchObject({ status: 422, body: { error: { code } } });
    await expectCalm();
  });

  test.each<[string, () => string | Buffer]>([
    ['a million bad lines', () => gzipSync(`${HEADER}\n${'{"at":1}\n'.repeat(1_000_000)}`)],
    [
      'a million lines of MONITOR that go back in time',
      () => gzipSync(`${PING}\n${'1.000001 [0 x:1] "DEL" "a"\n'.repeat(1_000_000)}`),
    ],
    ['a million lines of MONITOR with the newest line first', () => gzipSync(descending(1_000_000, ''))],
    ['100 MB of MONITOR with the newest line first', () => gzipSync(descending(1000, 'x'.repeat(100_000)))],
    ['MONITOR text with prototypes and control characters', () => HOSTILE_TEXT],
    ['MONITOR text with a line of nonsense', () => `${PING}\n?\n${PING}`],
    ['MONITOR text that was cut off', () => gzipSync(PING).subarray(0, -9)],
    ['forms within forms', () => `${PING}\n${'1.000001 [0 “”&lt;\\n"'.repeat(50_000)}\n`],
    ['lines of nonsense', () => `${HEADER}\n{"at":1}\n[[[`],
    ['three million brackets', () => `${HEADER}\n${'['.repeat(3_000_000)}\n`],
    [
      'numbers beyond measure',
      () => `${HEADER}\n{"at":9007199254740991,"time":1}\n{"at":1e400,"time":1}\n{"at":-1,"time":1}\n`,
    ],
    [
      'names of prototypes',
      () =>
        `${HEADER}\n{"at":${AT},"db":0,"from":"__proto__","do":["__proto__","constructor"]}\n` +
        `{"at":${AT},"read":[{"db":0,"name":"__proto__","type":"hash","fields":{"__proto__":"1","${HOLDER}":"1"},"pttl":5}]}\n`,
    ],
  ])('%s is shown, and what is watched goes on', async (_, content) => {
    const { status, body } = await upload(content());
    expect(status).toBe(200);
    const { id } = recordingBody.parse(body).recording;
    const { url, output, stop } = lockscope;
    const opened = speakTo({ url: `${url}/recordings/${id}`, output, how: output, stop });
    expect((await opened.health()).sources).toHaveLength(1);
    expect(await opened.locks()).toBeInstanceOf(Array);
    await expectCalm();
  });
});
