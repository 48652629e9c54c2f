import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';

const URL_OF_HOOK = 'https://hooks.example/T0KEN';
const parse = (words: string, env: NodeJS.ProcessEnv = {}) => parseConfig(words.split(' ').filter(Boolean), env);

test('the webhook comes from a flag or from the environment', () => {
  expect(parse(`--webhook ${URL_OF_HOOK}`)).toMatchObject({ value: { webhook: { url: URL_OF_HOOK } } });
  expect(parse('demo', { LOCKSCOPE_WEBHOOK: URL_OF_HOOK })).toMatchObject({ value: { webhook: { url: URL_OF_HOOK } } });
  expect(parse('check', { LOCKSCOPE_WEBHOOK: URL_OF_HOOK })).toMatchObject({ ok: true, value: { command: 'check' } });
});

test.each([
  ['--webhook ftp://x/T0KEN', 'take an http:// or https:// URL'],
  ['--webhook https://T0KEN:T0KEN@x/', 'without user and password'],
  ['--webhook T0KEN', 'take an http:// or https:// URL'],
  ['--webhook-template x', 'needs a --webhook URL'],
  [`--webhook ${URL_OF_HOOK} --webhook-template /none/there`, 'ENOENT'],
  [`check --webhook ${URL_OF_HOOK}`, 'only while Lockscope serves its page'],
  [`open x --webhook ${URL_OF_HOOK}`, 'only while Lockscope serves its page'],
])('%s is refused, and the error does not contain the address', (words, message) => {
  const result = parse(words);
  expect(result).toMatchObject({ ok: false, error: { exitCode: 2, message: expect.stringContaining(message) } });
  expect(JSON.stringify(result)).not.toContain('T0KEN');
});

test('a template is checked at the start', () => {
  const folder = mkdtempSync(join(tmpdir(), 'lockscope-template-'));
  const file = join(folder, 'message.json');
  writeFileSync(file, '{"text": "{{title}}"}');
  expect(parse(`--webhook ${URL_OF_HOOK} --webhook-template ${file}`)).toMatchObject({
    value: { webhook: { template: { isJson: true } } },
  });
  writeFileSync(file, '{{nothing}}');
  expect(parse(`--webhook ${URL_OF_HOOK} --webhook-template ${file}`)).toMatchObject({ ok: false });
  rmSync(folder, { recursive: true });
});
