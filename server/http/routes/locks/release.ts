import { lockPath } from '../../../../shared/wire/http.ts';
import type { Lock } from '../../../../shared/wire/locks/lock.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import { releaseBody } from '../../../../shared/wire/release.ts';
import { releaseRequest } from '../../../../shared/wire/release-request.ts';
import { printable } from '../../../cli/printable.ts';
import { Releaser, unsafeReason } from '../../../release/release-lock.ts';
import type { Observatory } from '../../../watch/observatory.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem } from '../../problems/problem.ts';
import { changed, confirmedLock, permitted, problemFrom, REFUSALS_OF_WRITES, serverOf } from './guarded-write.ts';

/** Releases a lock by force, or answers what that would send. Only if Lockscope was started with --allow-release. */
export const releaseRoute = route({
  method: 'POST',
  path: '/locks/:name/release',
  operation: 'releaseLock',
  tag: 'locks',
  summary: 'Releases a lock by force. Only with `--allow-release`.',
  refusals: REFUSALS_OF_WRITES,
  params: lockPath,
  uncheckedBody: releaseRequest,
  answer: releaseBody,
}).handledBy(({ observatory, allowRelease, audit }: ApiContext, { params: { name }, body }) => {
  const { holders, since, dryRun = false, ...asked } = permitted(allowRelease, releaseRequest, body);
  confirmedLock(observatory, name, asked);
  return {
    // Each release opens its own connection: many at once would use up the connections of the application.
    inTurn: async () => {
      const lock = confirmedLock(observatory, name, asked);
      const reason = unsafeReason(lock);
      if (reason) throw new HttpProblem(409, problem('release-unsafe', { reason }), 'name');
      const held = lock.holders.map(({ id }) => id);
      if (holders && !isSame(holders, held)) throw changed();
      if (holders && since && !isSame(holdsOf(holders, since), holdsIn(lock))) throw changed('since');
      const releaser = new Releaser(serverOf(observatory, lock), lock.db);
      try {
        const plan = await releaser.plan(lock);
        const outcome = dryRun ? 'planned' : await releaser.send(plan, () => isStillHeld(observatory, lock));
        if (outcome === 'changed') throw changed();
        if (outcome === 'unknown') {
          audit?.(`perhaps ${auditLine(lock, held)}; the connection to Redis broke before its answer`);
          throw new HttpProblem(502, problem('release-unknown'));
        }
        if (outcome === 'released') audit?.(auditLine(lock, held));
        const about = {
          source: lock.source,
          db: lock.db,
          lock: lock.name,
          holders: held,
          since: lock.holders.map((holder) => holder.since),
          waiting: lock.waiters.length + (lock.moreWaiters ?? 0),
          channel: plan.force.channel,
          command: [...plan.words],
        };
        return { v: 1 as const, released: outcome === 'released', dryRun, ...about };
      } catch (error) {
        throw problemFrom(error);
      } finally {
        releaser.close();
      }
    },
  };
});

/** After this time, plus the lag of its source, everything that Redis has done until now has arrived here. */
const ARRIVED_MS = 300;

/**
 * Whether the lock still has the holds that it had when it was looked at. A release that was followed by an acquisition
 * of the same thread is another hold. Waits until everything has arrived that Redis has done until now.
 */
async function isStillHeld(observatory: Observatory, lock: Lock): Promise<boolean> {
  const lagMs = observatory.sources().find(({ id }) => id === lock.source)?.lagMs ?? 0;
  await new Promise((resolve) => setTimeout(resolve, ARRIVED_MS + lagMs));
  const now = observatory.lockById(lock.id);
  return now !== undefined && isSame(holdsIn(lock), holdsIn(now));
}

function holdsIn({ holders }: Lock): string[] {
  return holders.map(({ id, since }) => `${since} ${id}`);
}

function holdsOf(holders: readonly string[], since: readonly (number | null)[]): string[] {
  return holders.map((id, n) => `${since[n]} ${id}`);
}

function isSame(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id)) && b.every((id) => a.includes(id));
}

/** One line for the log: which lock was released, and its holders. */
function auditLine({ name, source, db, kind }: Lock, holders: readonly string[]): string {
  return `released by force: ${kind} ${printable(name)} (source ${source}, database ${db}), held by ${holders.map(printable).join(', ')}`;
}
