import { z } from 'zod';
import type { Lock } from '../../../shared/wire/lock.ts';
import { problem } from '../../../shared/wire/problems/problem.ts';
import { releaseBody, releaseRequest } from '../../../shared/wire/release.ts';
import { printable } from '../../printable.ts';
import { ConnectionLost } from '../../redis/command-connection.ts';
import { Releaser, unsafeReason } from '../../release/release-lock.ts';
import type { Observatory } from '../../watch/observatory.ts';
import type { ApiContext } from '../app-context.ts';
import { checked, HttpProblem } from '../problem.ts';
import { route } from '../route.ts';
import { theOne } from './lock.ts';

/** Releases a lock by force, or answers what that would send. Only if Lockscope was started with --allow-release. */
export const releaseRoute = route({
  method: 'POST',
  path: '/locks/:name/release',
  params: z.object({ name: z.string() }),
  body: z.unknown(),
  answer: releaseBody,
}).handledBy(async ({ observatory, allowRelease, audit }: ApiContext, { params: { name }, body }) => {
  if (!allowRelease) throw new HttpProblem(403, problem('release-not-allowed'));
  const { confirm, source, db, holders, dryRun = false } = checked(releaseRequest, body, 'body');
  if (confirm !== name) throw new HttpProblem(400, problem('release-not-confirmed'), 'confirm');
  const lock = theOne(observatory.locksNamed(name, { source, db }));
  const reason = unsafeReason(lock);
  if (reason) throw new HttpProblem(409, problem('release-unsafe', { reason }), 'name');
  const held = lock.holders.map(({ id }) => id);
  if (holders && !isSame(holders, held)) throw changed();
  const releaser = new Releaser(serverOf(observatory, lock), lock.db);
  try {
    const plan = await releaser.plan(lock);
    const outcome = dryRun ? 'planned' : await releaser.send(plan);
    if (outcome === 'changed') throw changed();
    if (outcome === 'unknown') {
      audit?.(`perhaps ${auditLine(lock, held)}; the connection to Redis broke before its answer`);
      throw new HttpProblem(502, problem('release-unknown'));
    }
    if (outcome === 'released') audit?.(auditLine(lock, held));
    const { words, channel } = plan.force;
    const about = {
      source: lock.source,
      db: lock.db,
      lock: lock.name,
      holders: held,
      waiting: lock.waiters.length + (lock.moreWaiters ?? 0),
    };
    return { body: { v: 1, released: outcome === 'released', dryRun, ...about, channel, command: [...words] } };
  } catch (error) {
    throw problemFrom(error);
  } finally {
    releaser.close();
  }
});

export function serverOf({ serverOf: find }: Observatory, lock: Lock) {
  const server = find?.(lock.source);
  if (!server) throw new HttpProblem(409, problem('recording'));
  return server;
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}

export function changed(field = 'holders'): HttpProblem {
  return new HttpProblem(409, problem('release-changed'), field);
}

export function problemFrom(error: unknown): unknown {
  if (error instanceof ConnectionLost) return new HttpProblem(503, problem('not-connected'));
  if (error instanceof Error && error.name === 'ReplyError') {
    return new HttpProblem(502, problem('release-refused', { said: printable(error.message) }));
  }
  return error;
}

/** One line for the log: what was released, and who held it. */
function auditLine({ name, source, db, kind }: Lock, holders: readonly string[]): string {
  return `released by force: ${kind} ${printable(name)} (source ${source}, database ${db}), held by ${holders.map(printable).join(', ')}`;
}
