import { afterAll, beforeAll, describe } from 'vitest';
import { coreStories } from '../testing/core-stories.ts';
import { costStories } from '../testing/cost-stories.ts';
import { schemasOf } from '../testing/postgres-place.ts';
import { PrivatePostgres } from '../testing/private-postgres.ts';

let server: PrivatePostgres;
beforeAll(async () => {
  server = await PrivatePostgres.start();
});
afterAll(() => server?.stop());

const schemas = schemasOf(() => server);
describe('PostgreSQL does what SQLite does', () => coreStories(schemas));
describe('PostgreSQL ranks costs as SQLite does', () => costStories(schemas));
