import { afterAll, beforeAll, expect, test } from 'vitest';
import { openCore } from '../open-core.ts';
import { PrivatePostgres } from '../testing/private-postgres.ts';
import { openPostgres } from './postgres.ts';

let server: PrivatePostgres;
beforeAll(async () => {
  server = await PrivatePostgres.start({ tls: true });
});
afterAll(() => server?.stop());

/** Whether a connection with these settings is encrypted, or why it was refused. */
async function encrypted(settings: string): Promise<unknown> {
  const url = `${server.url()}?${settings}`;
  const opened = await openPostgres(url);
  if (!opened.ok) {
    const core = await openCore(url, { retainMs: 1e12, mostBytes: 1e12 });
    return core.ok ? 'opened' : core.error;
  }
  const [row] = await opened.value.all('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
  await opened.value.close();
  return row?.ssl;
}

test('sslmode=require encrypts, and verify-full also checks the certificate', async () => {
  expect(await encrypted('sslmode=disable')).toBe(false);
  expect(await encrypted('sslmode=require')).toBe(true);
  expect(await encrypted('sslmode=verify-full')).toContain(
    'PostgreSQL does not answer there (self-signed certificate)',
  );
  const trusted = `sslrootcert=${encodeURIComponent(server.certificate)}`;
  expect(await encrypted(`sslmode=verify-full&${trusted}`)).toBe(true);
  expect(await encrypted(`sslmode=verify-ca&${trusted}`)).toBe(true);
});

test('a certificate file that is missing is named', async () => {
  const refusal = await encrypted('sslmode=verify-full&sslrootcert=/none.pem');
  expect(refusal).toContain('/none.pem');
  expect(refusal).not.toContain('s3cret');
});
