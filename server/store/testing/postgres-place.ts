import { openPostgres } from '../postgres/postgres.ts';
import type { PrivatePostgres } from './private-postgres.ts';
import type { TestPlace } from './test-place.ts';

/** Schemas of one database, a new one for each test. */
export function schemasOf(server: () => PrivatePostgres): TestPlace {
  let last = 0;
  return {
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
