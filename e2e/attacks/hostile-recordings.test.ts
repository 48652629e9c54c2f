import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { launchLockscopeProcess } from '../support/lockscope/lockscope-process.ts';
import { startRedis } from '../support/servers/redis.ts';

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

function pathOf(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-attack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'x.lockscope');
  writeFileSync(path, content);
  return path;
}

test.each<[string, () => string | Buffer, RegExp]>([
  ['an empty file', () => '', /This file is empty/],
  ['100 MB of zeros', () => gzipSync(Buffer.alloc(100 * 1024 * 1024)), /binary file, not a recording/],
  [
    'a line of 100 MB of spaces',
    () => gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), spaces])),
    /longer than 64 MB/,
  ],
  ['broken gzip', () => Buffer.from([0x1f, 0x8b, 1, 2, 3]), /not a Lockscope recording/],
  ['another format', () => HEADER.replace('"format":1', '"format":99'), /newer version/],
  ['a header of nonsense', () => HEADER.replace('"id":"redis"', `"id":"${'x'.repeat(300)}"`), /cannot be read/],
  [
    'a line of 100 MB after a line of MONITOR',
    () => gzipSync(Buffer.concat([Buffer.from(`${PING}\n`), spaces])),
    /longer than 64 MB/,
  ],
  ['only the first word of MONITOR', () => 'OK\n', /not a Lockscope recording/],
  ['colours in its header', () => HEADER.replace('"format":1', '"format":"\\u001b[31m"'), /cannot be read/],
])('%s is refused in one line', async (_, content, why) => {
  const error = await launchLockscopeProcess('open', [pathOf(content())], {}).then(
    (lockscope) => lockscope.stop().then(() => 'it was opened'),
    (reason: Error) => reason.message,
  );
  expect(error).toMatch(/ended with code 1: /);
  expect(error).toMatch(why);
  expect(error.trim().split('\n')).toHaveLength(1);
});

test.each<[string, () => string | Buffer]>([
  ['a million bad lines', () => gzipSync(`${HEADER}\n${'{"at":1}\n'.repeat(1_000_000)}`)],
  [
    'a million lines of MONITOR that go back in time',
    () => gzipSync(`${PING}\n${'1.000001 [0 x:1] "DEL" "a"\n'.repeat(1_000_000)}`),
  ],
  [
    'MONITOR text with prototypes and control characters',
    () => `${PING}\n${PING.replace('"PING"', '"DEL" "__proto__" "\\x1b[31m"')}\r\n`,
  ],
  ['forms within forms', () => `${PING}\n${'1.000001 [0 “”&lt;\\n"'.repeat(50_000)}\n`],
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
])('%s: it is shown, with control characters escaped in the log', async (_, content) => {
  const lockscope = await launchLockscopeProcess('open', [pathOf(content())], {});
  onTestFinished(() => lockscope.stop());
  const { sources } = await lockscope.health();
  expect(sources).toHaveLength(1);
  expect(await lockscope.locks()).toBeInstanceOf(Array);
  expect(lockscope.output()).not.toMatch(/[\0-\x08\x0b-\x1f]/);
});

/** Uploads a file, and returns the status and the code of the problem. */
async function uploadTo(url: string, content: string | Buffer): Promise<{ status: number; code: string | undefined }> {
  const answer = await fetch(`${url}/api/recordings?name=${encodeURIComponent('../x\u001b[31m.lockscope')}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/octet-stream' },
    body: new Uint8Array(Buffer.from(content)),
  });
  const { error } = (await answer.json()) as { error?: { code: string } };
  return { status: answer.status, code: error?.code };
}

test('uploaded: each file is refused with its reason, or shown, and what is watched goes on', async () => {
  const redis = await startRedis();
  onTestFinished(() => redis.stop());
  const lockscope = await launchLockscopeProcess(redis.url, [], {});
  onTestFinished(() => lockscope.stop());
  const refused: [string | Buffer, string][] = [
    ['', 'not-a-recording'],
    ['<html>', 'not-a-recording'],
    [Buffer.from([0x1f, 0x8b, 1, 2, 3]), 'not-a-recording'],
    [gzipSync(Buffer.alloc(100 * 1024 * 1024)), 'not-a-recording'],
    [gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), spaces])), 'recording-too-large'],
    [gzipSync(Buffer.concat([Buffer.from(`${PING}\n`), spaces])), 'recording-too-large'],
    [HEADER.replace('"format":1', '"format":99'), 'recording-newer'],
    [HEADER.replace('"id":"redis"', '"id":5'), 'recording-damaged'],
  ];
  for (const [content, code] of refused) expect(await uploadTo(lockscope.url, content)).toEqual({ status: 422, code });
  for (const content of [`${HEADER}\n{"at":1}\n[[[`, `${PING}\n?\n${PING}`, gzipSync(PING).subarray(0, -9)]) {
    expect((await uploadTo(lockscope.url, content)).status).toBe(200);
  }
  const { sources } = await lockscope.health();
  expect(sources[0]?.status).toBe('observing');
  expect(lockscope.output()).not.toMatch(/[\0-\x08\x0b-\x1f]/);
});
