import { beforeEach, expect, test } from 'vitest';
import { DatabaseError } from '../database.ts';
import { openCore } from '../open-core.ts';
import type { StoreCore, StoreOptions } from '../store-core.ts';
import { usePostgres } from '../testing/postgres-place.ts';
import { openPostgres } from './postgres.ts';

const RETENTION = { retainMs: 1e12, mostBytes: 1e12 };
const RUN = { source: 'a', run: 1, beganAt: 1e15, gap: 'not-running' } as const;
const BATCH = { runs: [RUN], blocks: [], checkpoints: [] };

const postgres = usePostgres();
let url = '';
beforeEach(async () => {
  url = await postgres.open();
});

async function opened(options: Partial<StoreOptions> = {}, path = url): Promise<StoreCore> {
  const core = await openCore(path, { ...RETENTION, ...options });
  if (!core.ok) throw new Error(core.error);
  return core.value;
}

/** Why a database is refused; empty: it is opened. */
async function refusalOf(path: string, options: Partial<StoreOptions> = {}): Promise<string> {
  const core = await openCore(path, { ...RETENTION, ...options });
  if (!core.ok) return core.error;
  await core.value.close();
  return '';
}

test('a store is made, and opened again', async () => {
  expect(await refusalOf(url)).toBe('');
  expect(await refusalOf(url)).toBe('');
});

test('several processes that begin in a new database at the same time all open it', async () => {
  const all = await Promise.all(Array.from({ length: 5 }, () => refusalOf(url)));
  expect(all).toEqual(['', '', '', '', '']);
});

test('a schema with other tables is refused, and not changed', async () => {
  const database = await postgres.database(url);
  await database.all('CREATE TABLE invoices (id INTEGER)');
  expect(await refusalOf(url)).toContain('that database has tables of something else. Name an empty one, or a schema');
  expect(await database.tables()).toEqual(['invoices']);
  await database.close();
});

test('a database of a newer Lockscope is refused, also for reading', async () => {
  expect(await refusalOf(url)).toBe('');
  const database = await postgres.database(url);
  await database.all("UPDATE lockscope_store SET value = '7' WHERE name = 'version'");
  await database.close();
  const newer = 'a newer Lockscope made that database (version 7; this one reads 3)';
  expect(await refusalOf(url)).toContain(newer);
  expect(await refusalOf(url, { isReader: true })).toContain(newer);
});

test('a wrong password, user, database, schema or port is named, and no password is shown', async () => {
  expect(await refusalOf(postgres.server().url('postgres', 'wr0ng'))).toContain(
    'PostgreSQL refuses that user or password',
  );
  expect(await refusalOf(postgres.server().url('postgres', 'x', 'stranger'))).toContain(
    'refuses that user or password',
  );
  expect(await refusalOf(postgres.server().url('none'))).toContain('PostgreSQL has no database of that name');
  expect(await refusalOf(`${postgres.server().url()}?options=-c%20search_path%3Dnone`)).toContain(
    'names no schema that exists',
  );
  const away = postgres.server().url().replace(`:${postgres.server().port}/`, ':1/');
  const refusal = await refusalOf(away);
  expect(refusal).toContain(
    '--store postgres://127.0.0.1:1/postgres: PostgreSQL does not answer there (connect ECONNREFUSED',
  );
  expect(refusal).not.toContain('s3cret');
});

test('a server without TLS is refused if the URL asks for it', async () => {
  expect(await refusalOf(`${postgres.server().url()}?sslmode=require`)).toContain(
    'The server does not support SSL connections',
  );
  expect(await refusalOf(`${postgres.server().url('template1')}?sslmode=disable`)).toBe('');
});

test('a user who may not create tables is refused, until the tables exist', async () => {
  const schema = url.slice(url.lastIndexOf('%3D') + 3);
  await postgres.server().sql(`CREATE USER weak PASSWORD 'p'; GRANT USAGE ON SCHEMA ${schema} TO weak;
    ALTER DEFAULT PRIVILEGES IN SCHEMA ${schema} GRANT SELECT, INSERT, UPDATE, DELETE ON TABLES TO weak`);
  const weak = `${postgres.server().url('postgres', 'p', 'weak')}?${url.split('?')[1]}`;
  expect(await refusalOf(weak)).toContain(`permission denied for schema ${schema}. Let that user create tables`);
  expect(await refusalOf(url)).toBe('');
  const core = await opened({}, weak);
  await core.write(BATCH);
  await core.close();
});

test('a second process that stores the same servers is refused, but not one with other servers', async () => {
  const first = await opened({ source: 'a' });
  expect(await refusalOf(url, { source: 'a' })).toContain('another Lockscope stores the same servers there. End it');
  expect(await refusalOf(url, { source: 'b' })).toBe('');
  await first.close();
  expect(await refusalOf(url, { source: 'a' })).toBe('');
});

test('a process that writes from a bus does not write a source that another process writes', async () => {
  const [first, second] = [await opened(), await opened()];
  await first.write(BATCH);
  await expect(second.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] })).rejects.toThrow(
    'another Lockscope writes a there',
  );
  await second.write({ ...BATCH, runs: [{ ...RUN, source: 'b' }] });
  await first.close();
  await second.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] });
  await second.close();
});

test('a reader sees what the writing process has stored, and cannot write itself', async () => {
  expect(await refusalOf(url, { isReader: true })).toContain('nothing is stored in that database yet');
  const writer = await opened();
  const reader = await opened({ isReader: true });
  const text = '{"gone":[]}\n';
  const block = { source: 'a', run: 1, firstSeq: 1, lastSeq: 1, nextEvent: 2, fromAt: 1e15, toAt: 1e15 + 5, text };
  await writer.write({ ...BATCH, blocks: [block] });
  expect((await reader.facts()).reach).toMatchObject([{ source: 'a', run: 1, seq: 1, from: 1e15, to: 1e15 + 5 }]);
  const range = await reader.read({ source: 'a', from: 1e15, to: 1e15 + 1, most: 10 });
  expect(range?.parts.map(({ kind }) => kind)).toEqual(['run', 'block']);
  await reader.close();
  const database = await openPostgres(url, true);
  if (!database.ok) throw database.error;
  await expect(database.value.all("DELETE FROM runs WHERE source = 'a'")).rejects.toThrow('read-only transaction');
  await database.value.close();
  await writer.close();
});

test('if a server ends its connections, that is a temporary fault, and later blocks are stored', async () => {
  const core = await opened({ source: 'a' });
  await core.write(BATCH);
  await postgres.server().pause();
  const failed = core.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] });
  await expect(failed).rejects.toThrow(DatabaseError);
  await expect(failed).rejects.toMatchObject({ fault: 'gone' });
  await postgres.server().go();
  await core.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] });
  // the new connection has the lock of the source again
  expect(await refusalOf(url, { source: 'a' })).toContain('another Lockscope stores the same servers there');
  await core.close();
});

test('a connection that hangs is given up, and its locks go to the next connection', async () => {
  const core = await opened({ source: 'a' });
  await core.write(BATCH);
  const [backend] = await postgres.server().sql("SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND granted");
  process.kill(Number(backend?.pid), 'SIGSTOP');
  await expect(core.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] })).rejects.toMatchObject({ fault: 'gone' });
  await expect(core.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] })).rejects.toThrow('is still open there');
  process.kill(Number(backend?.pid), 'SIGCONT');
  await core.write({ ...BATCH, runs: [{ ...RUN, run: 2 }] });
  expect(await refusalOf(url, { source: 'a' })).toContain('another Lockscope stores the same servers there');
  expect(
    await postgres.server().sql(`SELECT run FROM ${url.slice(url.lastIndexOf('%3D') + 3)}.runs ORDER BY run`),
  ).toEqual([{ run: '1' }, { run: '2' }]);
  await core.close();
});

test('a name with a NUL is stored with the sign ␀', async () => {
  const core = await opened();
  const about = { seq: 1, at: 1e15, source: 'redis', db: 0, certainty: 'observed', lock: 'a\0b', kind: 'lock' };
  const lines = [
    { ...about, type: 'lock.acquired', holder: 'u\0:1' },
    { ...about, seq: 2, at: 1e15 + 60_000_000.5, type: 'lock.released', holder: 'u\0:1' },
  ];
  const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
  const block = {
    source: 'a',
    run: 1,
    firstSeq: 1,
    lastSeq: 2,
    nextEvent: 3,
    fromAt: 1e15,
    toAt: 1e15 + 60_000_000.5,
    text,
  };
  await core.write({ ...BATCH, blocks: [block] });
  await core.close();
  const database = await postgres.database(url);
  expect(await database.all('SELECT lock FROM lock_hours')).toEqual([{ lock: 'a␀b' }]);
  await database.close();
});
