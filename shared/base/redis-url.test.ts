import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseRedisUrl, type RedisUrl, redactUrl, topologyOf } from './redis-url.ts';

function parsed(text: string): RedisUrl {
  const result = parseRedisUrl(text);
  if (!result.ok) throw new Error(result.error);
  return result.value;
}

function refusal(text: string): string {
  const result = parseRedisUrl(text);
  if (result.ok) throw new Error(`read as ${result.value.displayUrl}`);
  return result.error;
}

describe('parseRedisUrl', () => {
  test('fills in port and database', () => {
    expect(parsed('redis://cache.example')).toEqual({
      scheme: 'redis',
      host: 'cache.example',
      port: 6379,
      path: null,
      db: 0,
      username: null,
      password: null,
      tls: false,
      displayUrl: 'redis://cache.example:6379',
    });
    expect(parsed('redis://')).toMatchObject({ host: '127.0.0.1', port: 6379 });
    expect(parsed('redis:///3')).toMatchObject({ host: '127.0.0.1', db: 3 });
  });

  test('takes user, password and database, and shows neither user nor password', () => {
    const url = parsed('rediss://ann:s%40cr%25t@10.0.0.1:7000/12');
    expect(url).toMatchObject({ username: 'ann', password: 's@cr%t', db: 12, port: 7000, tls: true });
    expect(url.displayUrl).toBe('rediss://10.0.0.1:7000/12');
    expect(parsed('redis://:pw@h')).toMatchObject({ username: null, password: 'pw' });
    expect(parsed('redis://h?db=4&password=pw')).toMatchObject({
      db: 4,
      password: 'pw',
      displayUrl: 'redis://h:6379/4',
    });
  });

  test('reads IPv6 hosts, upper case schemes and hosts with an underscore', () => {
    expect(parsed('redis://[::1]:6380')).toMatchObject({ host: '::1', displayUrl: 'redis://[::1]:6380' });
    expect(parsed('REDIS://my_redis')).toMatchObject({ host: 'my_redis', scheme: 'redis' });
  });

  test('reads the path of a Unix socket, with and without a login', () => {
    expect(parsed('unix:///run/redis%20a.sock?db=2')).toMatchObject({
      scheme: 'unix',
      path: '/run/redis a.sock',
      db: 2,
      displayUrl: 'unix:///run/redis a.sock?db=2',
    });
    expect(parsed('unix://ann:pw@/run/r.sock')).toMatchObject({ path: '/run/r.sock', username: 'ann', password: 'pw' });
    expect(parsed('unix://ann:pw@/run/r.sock').displayUrl).toBe('unix:///run/r.sock');
  });

  test.each([
    ['', 'empty'],
    ['localhost:6379', 'not a Redis URL'],
    ['http://localhost', 'not a Redis URL'],
    ['redis://host:port', 'the port'],
    ['redis://host:70000/2', 'the port'],
    ['redis://[::1]:x', 'the port'],
    ['redis://:hun/ter@host', 'Percent-encode'],
    ['redis://host:0', 'port 0'],
    ['redis://host/one', 'database number'],
    ['redis://host/0/1', 'database number'],
    ['redis://host/-1', 'database number'],
    ['redis://ho%20st', 'host'],
    ['redis://a b', 'spaces'],
    ['redis://ho\nst', 'control'],
    ['redis://u:%zz@host', 'percent'],
    ['redis://host#x', '%23'],
    ['unix://run/redis.sock', 'three slashes'],
    ['unix:///', 'socket path'],
    ['unix:///a?db=x', 'db'],
    ['redis+sentinel://a,b/master', 'several servers'],
    ['redis+cluster://a,b', 'several servers'],
  ])('refuses %j, and the error gives the reason', (text, why) => {
    expect(refusal(text)).toContain(why);
  });

  test('an error about a URL does not contain its password', () => {
    for (const text of [
      'http://u:hunter2@host',
      'u:hunter2@host',
      'redis://:hunter2#x@host',
      'redis://:hun/hunter2@host',
      'redis://u:%zzhunter2@host',
      'redis://host/x?password=hunter2',
      'redis://host/x?password=a@hunter2',
      'redis+sentinel://u:hunter2@a,b/m',
      'unix://u:hunter2@host/x',
    ]) {
      expect(refusal(text)).not.toContain('hunter2');
    }
  });

  test('reads any percent-encoded password, and the shown URL does not contain it', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), fc.nat({ max: 15 }), (password, db) => {
        const url = parsed(`redis://u:${encodeURIComponent(password)}@h:1/${db}`);
        expect(url.password).toBe(password);
        expect(url.displayUrl).toBe(db === 0 ? 'redis://h:1' : `redis://h:1/${db}`);
      }),
    );
  });

  test('reading a URL never throws, whatever the text is', () => {
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.string().map((tail) => `redis://${tail}`),
          fc.webUrl(),
        ),
        (text) => {
          expect(typeof parseRedisUrl(text).ok).toBe('boolean');
        },
      ),
    );
  });
});

test('redactUrl removes what may be a login, and shortens a long URL', () => {
  expect(redactUrl('redis://u:p@h:1/2')).toBe('redis://h:1/2');
  expect(redactUrl('redis://u:p@ss@h')).toBe('redis://h');
  expect(redactUrl('redis://:a?b@h')).toBe('redis://…');
  expect(redactUrl(`redis://${'h'.repeat(500)}`).length).toBeLessThan(220);
});

test('topologyOf recognises URLs of Sentinels and clusters', () => {
  expect(topologyOf('redis+sentinel://a')).toBe('sentinel');
  expect(topologyOf('rediss+cluster://a')).toBe('cluster');
  expect(topologyOf('redis://a')).toBeUndefined();
});
