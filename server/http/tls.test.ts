import { generateKeyPairSync } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseConfig } from '../config.ts';
import { readTls } from './tls.ts';

let dir: string;
const file = (name: string) => join(dir, name);
const pem = { type: 'pkcs8', format: 'pem' } as const;

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'lockscope-tls-'));
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  writeFileSync(file('key.pem'), privateKey.export(pem));
  writeFileSync(file('locked.pem'), privateKey.export({ ...pem, cipher: 'aes-256-cbc', passphrase: 'x' }));
  writeFileSync(file('broken.pem'), '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n');
});
afterAll(() => rmSync(dir, { recursive: true }));

test.each([
  ['none.pem', 'key.pem', /--tls-cert: cannot read .*none\.pem \(ENOENT\)/],
  ['broken.pem', 'none.pem', /--tls-key: cannot read .*none\.pem \(ENOENT\)/],
  ['key.pem', 'key.pem', /--tls-cert: .*key\.pem has no certificate/],
  ['broken.pem', 'locked.pem', /--tls-key: .*locked\.pem needs a passphrase/],
  ['broken.pem', 'key.pem', /cannot be used/],
])('certificate %s with key %s is refused', (cert, key, message) => {
  expect(readTls({ cert: file(cert), key: file(key) })).toMatchObject({
    ok: false,
    error: expect.stringMatching(message),
  });
});

test.each([
  ['--tls-cert x', '--tls-cert needs --tls-key'],
  ['--tls-key x', '--tls-key needs --tls-cert'],
  ['check --tls-key x', 'only while Lockscope serves its page'],
  ['--tls-cert /none/c --tls-key /none/k', '--tls-cert: cannot read /none/c (ENOENT)'],
])('%s is refused', (words, message) => {
  const result = parseConfig(words.split(' '), {});
  expect(result).toMatchObject({ ok: false, error: { exitCode: 2, message: expect.stringContaining(message) } });
});
