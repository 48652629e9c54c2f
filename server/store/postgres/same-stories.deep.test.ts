import { describe } from 'vitest';
import { coreStories } from '../testing/core-stories.ts';
import { costStories } from '../testing/cost-stories.ts';
import { usePostgres } from '../testing/postgres-place.ts';

const postgres = usePostgres();
describe('PostgreSQL does what SQLite does', () => coreStories(postgres));
describe('PostgreSQL ranks costs as SQLite does', () => costStories(postgres));
