import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { launchLockscope } from '../support/clients/lockscope.ts';

/* Hostile files: each is refused in one line, or shown, and the rest of the product answers. */

const HOLDER = '00000001-d89d-4cda-962c-c6e370a8fee0:1';
const AT = 1_700_000_000_000_001;
const HEADER = JSON.stringify({
  lockscope: 'recording',
  format: 1,
  source: { id: 'redis', url: 'redis://x', redisVersion: '7', role: 'master', level: 'monitor', isPushFirst: true },
  startedAt: AT - 1,
});
const spaces = Buffer.alloc(100 * 1024 * 1024, 32);

function pathOf(content: string | Buffer): string {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-attack-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'x.lockscope');
  writeFileSync(path, content);
  return path;
}

test.each<[string, () => string | Buffer, RegExp]>([
  ['an empty file', () => '', /not a Lockscope recording/],
  ['100 MB of zeros', () => gzipSync(Buffer.alloc(100 * 1024 * 1024)), /not a Lockscope recording/],
  [
    'a line of 100 MB of spaces',
    () => gzipSync(Buffer.concat([Buffer.from(`${HEADER}\n`), spaces])),
    /longer than 64 MB/,
  ],
  ['broken gzip', () => Buffer.from([0x1f, 0x8b, 1, 2, 3]), /not a Lockscope recording/],
  ['another format', () => HEADER.replace('"format":1', '"format":99'), /newer version/],
  ['a header of nonsense', () => HEADER.replace('"id":"redis"', `"id":"${'x'.repeat(300)}"`), /cannot be read/],
  ['colours in its header', () => HEADER.replace('"format":1', '"format":"\\u001b[31m"'), /cannot be read/],
])('%s is refused in one line', async (_, content, why) => {
  const error = await launchLockscope('open', [pathOf(content())], {}).then(
    (lockscope) => lockscope.stop().then(() => 'it was opened'),
    (reason: Error) => reason.message,
  );
  expect(error).toMatch(/ended with code 1: /);
  expect(error).toMatch(why);
  expect(error.trim().split('\n')).toHaveLength(1);
});

test.each<[string, () => string | Buffer]>([
  ['a million bad lines', () => gzipSync(`${HEADER}\n${'{"at":1}\n'.repeat(1_000_000)}`)],
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
  const lockscope = await launchLockscope('open', [pathOf(content())], {});
  onTestFinished(() => lockscope.stop());
  const { sources } = await lockscope.health();
  expect(sources).toHaveLength(1);
  expect(await lockscope.locks()).toBeInstanceOf(Array);
  expect(lockscope.output()).not.toMatch(/[\0-\x08\x0b-\x1f]/);
});
