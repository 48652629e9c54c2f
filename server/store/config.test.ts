import { expect, test } from 'vitest';
import { parseConfig } from '../config.ts';

/** The store of a command line, or why it is refused. */
function storeOf(args: string, env: NodeJS.ProcessEnv = {}): unknown {
  const config = parseConfig(args.split(' '), env);
  if (!config.ok) return config.error.message;
  return 'store' in config.value ? config.value.store : undefined;
}

const DAY_MS = 86_400_000;

test('a store keeps 30 days and 10 GB unless the command line says otherwise', () => {
  expect(storeOf('--store a.store')).toEqual({ path: 'a.store', retainMs: 30 * DAY_MS, mostBytes: 10 * 1024 ** 3 });
  expect(storeOf('--store a.store --retain 12h --store-size 500mb')).toEqual({
    ...{ path: 'a.store', retainMs: DAY_MS / 2, mostBytes: 500 * 1024 ** 2 },
  });
});

test('the environment can name a store too, and the command line has precedence', () => {
  expect(storeOf('redis://h', { LOCKSCOPE_STORE: 'b.store' })).toMatchObject({ path: 'b.store' });
  expect(storeOf('--store a.store', { LOCKSCOPE_STORE: 'b.store' })).toMatchObject({ path: 'a.store' });
  expect(storeOf('redis://h')).toBeUndefined();
});

test('a value that cannot be a store is refused', () => {
  expect(storeOf('--retain 5d')).toBe('--retain works only with --store.');
  expect(storeOf('demo --store a.store')).toContain('--store works only with "lockscope REDIS_URL"');
  expect(storeOf('--store mysql://h/db')).toContain('--store takes a file name, such as locks.store, or a database');
  expect(storeOf('--store a.store --retain 5m')).toContain('--retain takes a time from 1h to 3650d');
  expect(storeOf('--store a.store --store-size 1mb')).toContain('--store-size takes a size from 16mb');
});

test('with a database, the source is named after the watched servers; a viewer only reads, and the command store has no source', () => {
  const url = 'postgres://me:s3cret@db:5432/locks?sslmode=verify-full';
  expect(storeOf(`redis://a redis://b:7000/2 --store ${url}`)).toMatchObject({
    path: url,
    source: 'lockscope a-6379 b-7000-2',
  });
  expect(storeOf('redis://a', { LOCKSCOPE_STORE: url })).toMatchObject({ source: 'lockscope a-6379' });
  expect(storeOf(`view --bus redis://b --store ${url}`)).toMatchObject({ path: url, isReader: true });
  expect(storeOf('view --bus redis://b --store a.store')).not.toHaveProperty('isReader');
  expect(storeOf(`store --bus redis://b --store ${url}`)).not.toHaveProperty('source');
});

test('a URL that cannot be read is refused, and the error has no password', () => {
  const refusal = storeOf('--store postgres://me:s3cret%zz@db/locks');
  expect(refusal).toContain('--store: postgres://db/locks cannot be read');
  expect(refusal).not.toContain('s3cret');
});
