import { afterAll, beforeAll } from 'vitest';
import { openPostgres } from '../postgres/postgres.ts';
import { PrivatePostgres } from './private-postgres.ts';
import type { TestPlace } from './test-place.ts';

/** One PostgreSQL for all tests of this file. Each place is a new schema in it. */
export function usePostgres(): TestPlace & { server(): PrivatePostgres } {
  let started: PrivatePostgres | undefined;
  let last = 0;
  beforeAll(async () => {
    started = await PrivatePostgres.start();
  });
  afterAll(() => started?.stop());
  const server = (): PrivatePostgres => {
    if (!started) throw new Error('PostgreSQL has not started');
    return started;
  };
  return {
    server,
    async open() {
      const name = `store_${++last}`;
      await server().sql(`CREATE SCHEMA ${name}`);
      return `${server().url()}?options=-c%20search_path%3D${name}`;
    },
    drop: () => undefined,
    async database(path) {
      const opened = await openPostgres(path);
      if (!opened.ok) throw opened.error;
      return opened.value;
    },
  };
}
