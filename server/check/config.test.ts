import { describe, expect, test } from 'vitest';
import { parseConfig } from '../config.ts';

const parse = (words: string) => parseConfig(words.split(' '), {});

describe('lockscope check and lockscope run', () => {
  test('check takes a URL and a length of time', () => {
    expect(parse('check redis://a --for 2m --json')).toMatchObject({
      ok: true,
      value: { command: 'check', redisUrls: ['redis://a'], level: 'events', forMs: 120_000, json: true },
    });
    expect(parseConfig(['check'], { REDIS_URL: 'redis://b' })).toMatchObject({
      value: { redisUrls: ['redis://b'], forMs: 0 },
    });
  });

  test('run takes everything after -- as the program', () => {
    const words =
      'run redis://a --allow left-behind --allow abba-deadlock --junit x.xml --record y -- npm test -- --json';
    expect(parse(words)).toMatchObject({
      ok: true,
      value: {
        ...{ command: 'run', redisUrls: ['redis://a'], program: ['npm', 'test', '--', '--json'], json: false },
        ...{ allow: ['left-behind', 'abba-deadlock'], junit: 'x.xml', record: 'y' },
      },
    });
    expect(parse('run -- true')).toMatchObject({ value: { redisUrls: ['redis://127.0.0.1:6379'], program: ['true'] } });
  });

  test.each([
    ['check redis://a redis://b', 'one Redis URL at most'],
    ['check redis://a --for 30', '--for takes a time'],
    ['check redis://a --for 0s', '--for takes a time'],
    ['check redis://a --record x', 'Leave out --record'],
    ['check redis://a --junit x', '--junit works only with "lockscope run"'],
    ['redis://a --for 3s', '--for works only with "lockscope check"'],
    ['run redis://a npm test', '"--" and a command'],
    ['run redis://a --', '"--" and a command'],
    ['run redis://a --allow nonsense -- true', 'there is no such incident'],
    ['run nonsense -- true', 'neither a command nor a Redis URL'],
  ])('%s is refused', (words, message) => {
    expect(parse(words)).toMatchObject({
      ok: false,
      error: { exitCode: 2, message: expect.stringContaining(message) },
    });
  });
});
