import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Refusal } from './cli/usage-problem.ts';
import { type Config, parseConfig } from './config.ts';
import { isLoopbackHost } from './http/guard/loopback.ts';

function config(words: string, env: NodeJS.ProcessEnv = {}): Config {
  const result = parseConfig(words.split(' ').filter(Boolean), env);
  if (!result.ok) throw new Error(result.error.message);
  return result.value;
}

function refusal(words: readonly string[], env: NodeJS.ProcessEnv = {}): Refusal {
  const result = parseConfig(words, env);
  if (result.ok) throw new Error(`accepted: ${JSON.stringify(result.value)}`);
  return result.error;
}

describe('parseConfig', () => {
  test('without arguments, the local Redis is observed at level events', () => {
    expect(config('')).toEqual({
      command: 'observe',
      redisUrls: ['redis://127.0.0.1:6379'],
      level: 'events',
      match: [],
      host: '127.0.0.1',
      port: 4680,
      token: undefined,
      configureNotifications: false,
      memory: 512 * 1024 ** 2,
      allowRelease: false,
      open: true,
      json: false,
    });
  });

  test('the flags of the watching command can be used together', () => {
    expect(
      config(
        'redis://a rediss://u:p@b/2 --port 0 --host 127.0.0.2 --observe monitor --match a:* --match=b:* --no-open ' +
          '--configure-notifications --allow-release --memory 1gb --token t0k --metrics-lock a:* --metrics-lock b:* --json',
      ),
    ).toEqual({
      command: 'observe',
      redisUrls: ['redis://a', 'rediss://u:p@b/2'],
      level: 'monitor',
      match: ['a:*', 'b:*'],
      host: '127.0.0.2',
      port: 0,
      token: 't0k',
      configureNotifications: true,
      memory: 1024 ** 3,
      allowRelease: true,
      metricsLocks: ['a:*', 'b:*'],
      open: false,
      json: true,
    });
  });

  test('the environment sets the Redis and the token if the command line does not', () => {
    const env = { REDIS_URL: 'redis://env:1', LOCKSCOPE_TOKEN: 'from-env' };
    expect(config('', env)).toMatchObject({ redisUrls: ['redis://env:1'], token: 'from-env' });
    expect(config('redis://x --token mine', env)).toMatchObject({ redisUrls: ['redis://x'], token: 'mine' });
    expect(config('doctor', env)).toEqual({ command: 'doctor', redisUrl: 'redis://env:1', json: false });
    expect(config('', { REDIS_URL: '', LOCKSCOPE_TOKEN: '' })).toMatchObject({ token: undefined });
  });

  test('a demo uses level monitor, on a private Redis unless --redis is given', () => {
    const env = { REDIS_URL: 'redis://production' };
    expect(config('demo', env)).toMatchObject({ command: 'demo', redisUrls: [], level: 'monitor' });
    expect(config('demo --redis redis://x --observe events', env)).toMatchObject({
      redisUrls: ['redis://x'],
      level: 'events',
    });
  });

  test('the same Redis given twice is one source', () => {
    expect(config('redis://a redis://a:6379 redis://a/1')).toMatchObject({
      redisUrls: ['redis://a:6379', 'redis://a/1'],
    });
  });

  test('help, version, open and doctor are commands', () => {
    expect(config('--help')).toEqual({ command: 'help' });
    expect(config('demo -h')).toEqual({ command: 'help' });
    expect(config('--version')).toEqual({ command: 'version' });
    expect(config('open a.lockscope --port 0')).toMatchObject({ command: 'open', file: 'a.lockscope', port: 0 });
    expect(config('doctor redis://a --measure')).toMatchObject({ measure: { isAgreed: false } });
    expect(config('doctor redis://a --measure --yes')).toMatchObject({ measure: { isAgreed: true } });
    expect(config('doctor unix:///r.sock --json')).toEqual({
      command: 'doctor',
      redisUrl: 'unix:///r.sock',
      json: true,
    });
  });

  test.each([
    [['--prot', '1'], '--prot'],
    [['--__proto__'], '--__proto__'],
    [['-x'], '-x'],
    ...['', '512', '255mb', '65gb', '1.5gb', '-512mb', 'much'].map((size): [string[], string] => [
      [`--memory=${size}`],
      '--memory',
    ]),
    [['--port', 'abc'], '--port'],
    [['--port', '65536'], '--port'],
    [['--port', '-1'], '--port'],
    [['--port=-1'], '--port'],
    [['--port'], '--port'],
    [['--port', '--json'], '--port'],
    [['--port', ''], '--port'],
    [['--json=yes'], '--json'],
    [['--observe', 'all'], '--observe'],
    [['--match', ''], '--match'],
    [['--match', 'orders:['], '--match'],
    [['--token', 'has space'], '--token'],
    [['--token', ''], '--token'],
    [['--host', 'a/b'], '--host'],
    [['--host', '0.0.0.0'], '--token'],
    [['--host', '::'], '--token'],
    [['--redis', 'redis://a'], '--redis'],
    [['demo', 'redis://a'], '--redis'],
    [['demo', '--redis', 'nope'], 'nope'],
    [['start'], '"start"'],
    [['localhost:6379'], 'redis://'],
    [['redis://a/x'], 'database number'],
    [['open'], 'one file'],
    [['open', 'a', 'b'], 'one file'],
    [['open', 'redis://:secret@a'], 'To watch a Redis'],
    [['open', '-'], 'Save the text'],
    [['open', 'https://a/b.txt'], 'Save the text'],
    [['check', 'dir/monitor.txt'], '"lockscope open FILE"'],
    [['night.lockscope'], '"lockscope open FILE"'],
    [['doctor', 'redis://a', 'redis://b'], 'one Redis URL'],
    [['doctor', '--yes'], '--yes works only with'],
    [['check', '--measure'], '--measure works only with'],
  ])('wrong usage %j: the message contains %j, the exit code is 2', (words, named) => {
    const { exitCode, message } = refusal(words);
    expect(message).toContain(named);
    expect(message).not.toContain('\n');
    expect(exitCode).toBe(2);
  });

  test('one URL may name several servers, except for a demo', () => {
    expect(config('redis+sentinel://a,b/m redis+cluster://c')).toMatchObject({
      redisUrls: ['redis+sentinel://a,b/m', 'redis+cluster://c'],
    });
    expect(refusal(['redis+sentinel://u:hunter2@a,b'])).toMatchObject({ exitCode: 2 });
    expect(refusal(['redis+sentinel://u:hunter2@a,b']).message).not.toContain('hunter2');
    expect(refusal(['demo', '--redis', 'redis+cluster://a'])).toMatchObject({ exitCode: 2 });
  });

  test('an error about a URL or a token does not contain the secret', () => {
    expect(refusal(['redis://u:hunter2@host/x']).message).not.toContain('hunter2');
    expect(refusal([], { REDIS_URL: 'http://u:hunter2@host' }).message).not.toContain('hunter2');
    expect(refusal(['--token', 'hunter2 x']).message).not.toContain('hunter2');
  });

  test('a host beyond loopback requires a token of at least 16 characters', () => {
    expect(config('--host 0.0.0.0 --token 0123456789abcdef')).toMatchObject({ host: '0.0.0.0' });
    expect(config('--host [::1]')).toMatchObject({ host: '::1' });
    for (const words of [
      ['--host', '0.0.0.0'],
      ['--host', '::', '--token', '0123456789abcde'],
    ]) {
      expect(refusal(words)).toMatchObject({ exitCode: 2, message: expect.stringContaining('openssl rand -hex 16') });
    }
  });

  test('the token may come from a file; its line end is ignored', () => {
    const dir = mkdtempSync(join(tmpdir(), 'lockscope-token-'));
    const file = join(dir, 'token');
    writeFileSync(file, 'from-a-file\n');
    expect(config(`--token-file ${file}`, { LOCKSCOPE_TOKEN: 'from-env' })).toMatchObject({ token: 'from-a-file' });
    expect(refusal(['--token-file', file, '--token', 'x']).message).toContain('not both');
    writeFileSync(file, '\n');
    expect(refusal(['--token-file', file]).message).toContain('--token-file');
    rmSync(dir, { recursive: true });
    expect(refusal(['--token-file', file])).toMatchObject({ exitCode: 2, message: expect.stringContaining('ENOENT') });
  });
});

test('isLoopbackHost recognises the loopback name and addresses', () => {
  for (const host of ['localhost', 'LOCALHOST', '127.0.0.1', '127.8.9.1', '::1', '0:0:0:0:0:0:0:1']) {
    expect(isLoopbackHost(host), host).toBe(true);
  }
  for (const host of ['', '127.0.0.1.evil.example', 'localhost.evil.example', '::', '::11', '10.0.0.1', '1::1']) {
    expect(isLoopbackHost(host), host).toBe(false);
  }
});
