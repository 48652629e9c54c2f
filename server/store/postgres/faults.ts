import { DatabaseError, type DatabaseFault } from '../database.ts';

/** By SQLSTATE code, or by its first two characters, which are its class. */
const FAULTS: Readonly<Record<string, DatabaseFault>> = {
  '08': 'gone',
  25006: 'gone', // a standby: it may become the server that accepts writes
  28: 'login',
  '3D000': 'no-database',
  '3F': 'no-place',
  40: 'gone', // another process changed the same rows: the transaction is repeated
  42501: 'no-rights',
  53100: 'full',
  53300: 'gone',
  57: 'gone',
};
const NETWORK = /terminated|timeout|not queryable|SSL|closed|getaddrinfo/i;

/** Why PostgreSQL refused, or why it did not answer. The message does not contain the password. */
export function postgresError(error: unknown): DatabaseError {
  if (error instanceof DatabaseError) return error;
  // of several addresses of a host, the first has the reason
  if (error instanceof AggregateError) return postgresError(error.errors[0]);
  if (!(error instanceof Error)) return new DatabaseError('other', String(error));
  const { code } = error as Error & { readonly code?: unknown }; // a SQLSTATE, or the code of a network error
  if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) && 'severity' in error) {
    return new DatabaseError(FAULTS[code] ?? FAULTS[code.slice(0, 2)] ?? 'other', error.message);
  }
  const isNetwork = typeof code === 'string' || NETWORK.test(error.message);
  return new DatabaseError(isNetwork ? 'gone' : 'other', error.message);
}
