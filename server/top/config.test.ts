import { describe, expect, test } from 'vitest';
import { parseConfig } from '../config.ts';

const parse = (words: string, env = {}) => parseConfig(words.split(' '), env);

describe('lockscope top', () => {
  test('takes several URLs, a level, patterns and a time', () => {
    expect(parse('top redis://a redis://b --observe monitor --match a:* --for 30s --json')).toEqual({
      ok: true,
      value: {
        command: 'top',
        redisUrls: ['redis://a', 'redis://b'],
        level: 'monitor',
        match: ['a:*'],
        configureNotifications: false,
        memory: 512 * 1024 ** 2,
        forMs: 30_000,
        json: true,
      },
    });
  });

  test('without a URL watches REDIS_URL at level events, until it is ended', () => {
    const found = parse('top', { REDIS_URL: 'redis://env', LOCKSCOPE_TOKEN: 'x', LOCKSCOPE_WEBHOOK: 'https://a' });
    expect(found).toMatchObject({ ok: true, value: { redisUrls: ['redis://env'], level: 'events', json: false } });
    expect(found).not.toHaveProperty('value.forMs');
  });

  test.each([
    ['top --port 1', '"lockscope top" serves no page. Leave out --port.'],
    ['top --host ::1', 'Leave out --host.'],
    ['top --no-open', 'Leave out --no-open.'],
    ['top --token abc', 'Leave out --token.'],
    ['top --allow-release', 'Leave out --allow-release.'],
    ['top --record x', '"lockscope top" cannot record. Leave out --record.'],
    ['top --junit x', '--junit works only with "lockscope run".'],
    ['top --allow left-behind', '--allow works only with "lockscope run".'],
    ['top --redis redis://a', '--redis works only with "lockscope demo".'],
    ['top --webhook https://a', '--webhook works only while Lockscope serves its page.'],
    ['top --for 3', '--for takes a time'],
    ['top nonsense', 'neither a command nor a Redis URL'],
    ['redis://a --for 3s', '--for works only with "lockscope check" and "lockscope top".'],
  ])('%s is refused', (words, message) => {
    expect(parse(words)).toMatchObject({
      ok: false,
      error: { exitCode: 2, message: expect.stringContaining(message) },
    });
  });
});
