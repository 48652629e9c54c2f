import type { z } from 'zod';
import type { Lock } from '../../../../shared/wire/locks/lock.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import { printable } from '../../../cli/printable.ts';
import { ConnectionLost } from '../../../redis/connection/command-connection.ts';
import type { Observatory } from '../../../watch/observatory.ts';
import { checked, HttpProblem, withoutServer } from '../../problems/problem.ts';
import { onlyLock } from './lock.ts';

/*
 * What the routes that write to Redis have in common. Without --allow-release, they refuse every request.
 */

/** With which problems these routes may refuse a request. */
export const REFUSALS_OF_WRITES = {
  400: ['release-not-confirmed'],
  403: ['release-not-allowed'],
  404: ['unknown-lock'],
  409: ['ambiguous-lock', 'recording', 'watched-elsewhere', 'release-changed', 'release-unsafe'],
  502: ['release-refused', 'release-unknown'],
  503: ['not-connected'],
} as const;

/** The checked body of a request. Throws a 403 if writing is not allowed, and a 400 if the body is wrong. */
export function permitted<Schema extends z.ZodType>(
  isAllowed: boolean | undefined,
  request: Schema,
  body: unknown,
): z.output<Schema> {
  if (!isAllowed) throw new HttpProblem(403, problem('release-not-allowed'));
  return checked(request, body, 'body');
}

/**
 * The only lock with this name. Throws an `HttpProblem` if there is none or several, or if `confirm` is another name.
 */
export function confirmedLock(
  observatory: Observatory,
  name: string,
  { confirm, source, db }: { confirm: string; source?: string | undefined; db?: number | undefined },
): Lock {
  if (confirm !== name) throw new HttpProblem(400, problem('release-not-confirmed'), 'confirm');
  return onlyLock(observatory.locksNamed(name, { source, db }));
}

export function serverOf(observatory: Observatory, lock: Lock) {
  const server = observatory.serverOf?.(lock.source);
  if (!server) throw withoutServer(observatory);
  return server;
}

export function changed(field = 'holders'): HttpProblem {
  return new HttpProblem(409, problem('release-changed'), field);
}

export function problemFrom(error: unknown): unknown {
  if (error instanceof ConnectionLost) return new HttpProblem(503, problem('not-connected'));
  if (error instanceof Error && error.name === 'ReplyError') {
    return new HttpProblem(502, problem('release-refused', { quote: printable(error.message) }));
  }
  return error;
}
