import { expect, test } from 'vitest';
import { DatabaseError } from '../database.ts';
import { refusal } from '../open-core.ts';
import { postgresError } from './faults.ts';
import { numbered, ofRows, tableText } from './postgres.ts';

test('values become numbered parameters, and an INSERT takes several rows', () => {
  const sql = 'INSERT INTO a (b, c) VALUES (?, ?) ON CONFLICT (b) DO UPDATE SET c = a.c + excluded.c';
  expect(numbered(ofRows(sql, 2))).toBe(
    'INSERT INTO a (b, c) VALUES ($1, $2), ($3, $4) ON CONFLICT (b) DO UPDATE SET c = a.c + excluded.c',
  );
});

test('tables compare texts by their bytes, and have no clause that only SQLite supports', () => {
  expect(tableText('CREATE TABLE a (b TEXT NOT NULL, c BIGINT, PRIMARY KEY (b)) WITHOUT ROWID')).toBe(
    'CREATE TABLE a (b TEXT COLLATE "C" NOT NULL, c BIGINT, PRIMARY KEY (b))',
  );
});

const refused = (code: string, message = 'words of the server') =>
  postgresError(Object.assign(new Error(message), { code, severity: 'FATAL' }));
const network = (code: string) => postgresError(Object.assign(new Error(`connect ${code}`), { code }));

test.each([
  [refused('28P01'), 'refuses that user or password'],
  [refused('3D000'), 'has no database of that name'],
  [
    refused('42501', 'permission denied for schema public'),
    'permission denied for schema public. Let that user create',
  ],
  [refused('53100'), 'the disk of PostgreSQL is full'],
  [refused('57P03'), 'does not answer there (words of the server)'],
  [refused('XX000'), 'words of the server. Name another database.'],
  [network('ECONNREFUSED'), 'does not answer there (connect ECONNREFUSED)'],
  [new DatabaseError('foreign', ''), 'has tables of something else'],
  [new DatabaseError('in-use', ''), 'another Lockscope stores the same servers there'],
])('%s: the refusal contains "%s" and no password', ({ fault, message }, reason) => {
  const text = refusal('postgres://me:s3cret@db/locks', fault, message);
  expect(text).toContain(`--store postgres://db/locks: `);
  expect(text).toContain(reason);
  expect(text).not.toContain('s3cret');
});

test('if several addresses do not answer, the message is that of the first one', () => {
  expect(postgresError(new AggregateError([new Error('connect ECONNREFUSED ::1:5432')]))).toMatchObject({
    message: 'connect ECONNREFUSED ::1:5432',
  });
});
