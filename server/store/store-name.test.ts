import { expect, test } from 'vitest';
import { isDatabaseUrl, nameOfStore, shownStore } from './store-name.ts';

test('the URL of a database is shown without user, password and parameters', () => {
  for (const shown of [shownStore, nameOfStore]) {
    expect(shown('postgres://me:s3cret@db:5432/locks?sslmode=require')).toBe('postgres://db:5432/locks');
    expect(shown('postgresql://me:a@b@db/locks')).toBe('postgresql://db/locks');
    expect(shown('postgres:///locks?host=/run/postgresql&user=me&password=s3cret')).toBe('postgres:///locks');
    expect(shown('postgres://db/locks?password=a@b')).toBe('postgres://…');
  }
});

test('a file is shown by its path, or on pages by its name', () => {
  expect([shownStore('/var/a.store'), nameOfStore('/var/a.store')]).toEqual(['/var/a.store', 'a.store']);
  expect(isDatabaseUrl('postgres.store')).toBe(false);
});
