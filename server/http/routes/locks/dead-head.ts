import { lockPath } from '../../../../shared/wire/http.ts';
import type { Lock } from '../../../../shared/wire/locks/lock.ts';
import { problem } from '../../../../shared/wire/problems/problem.ts';
import { deadHeadBody } from '../../../../shared/wire/release.ts';
import { deadHeadRequest } from '../../../../shared/wire/release-request.ts';
import { printable } from '../../../cli/printable.ts';
import { Releaser } from '../../../release/release-lock.ts';
import { type UnsafeHead, unsafeHead } from '../../../release/remove-head.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { HttpProblem } from '../../problems/problem.ts';
import { changed, confirmedLock, permitted, problemFrom, REFUSALS_OF_WRITES, serverOf } from './guarded-write.ts';

/** Removes the dead head of a fair lock's queue, or answers what that would send. Only with --allow-release. */
export const deadHeadRoute = route({
  method: 'POST',
  path: '/locks/:name/dead-head',
  operation: 'removeDeadHead',
  tag: 'locks',
  summary: "Removes the dead head of a fair lock's queue. Only with `--allow-release`.",
  refusals: REFUSALS_OF_WRITES,
  params: lockPath,
  uncheckedBody: deadHeadRequest,
  answer: deadHeadBody,
}).handledBy(({ observatory, allowRelease, audit }: ApiContext, { params: { name }, body }) => {
  const { head: expected, deadline, dryRun = false, ...asked } = permitted(allowRelease, deadHeadRequest, body);
  confirmedLock(observatory, name, asked);
  return {
    inTurn: async () => {
      const lock = confirmedLock(observatory, name, asked);
      const reason = unsafeHead(lock);
      if (reason) throw unsafe(reason);
      const head = lock.waiters.find(({ position }) => position === 1)?.id ?? '';
      if (!dryRun && expected !== head) throw changed('head');
      const releaser = new Releaser(serverOf(observatory, lock), lock.db);
      try {
        const plan = await releaser.planHead(lock, head);
        if (plan === 'listened') throw unsafe('head-alive');
        if (plan === 'changed') throw changed('head');
        if (!dryRun && plan.score !== deadline) throw changed('deadline');
        const outcome = dryRun ? 'planned' : await releaser.sendHead(plan);
        if (outcome === 'changed') throw changed('head');
        if (outcome === 'unknown') {
          audit?.(`perhaps ${auditLine(lock, head)}; the connection to Redis broke before its answer`);
          throw new HttpProblem(502, problem('release-unknown'));
        }
        if (outcome === 'removed') audit?.(auditLine(lock, head));
        const next = plan.next === null ? null : { id: plan.next, gone: isGone(lock, plan.next) };
        const about = { source: lock.source, db: lock.db, lock: lock.name, head, deadline: plan.score, next };
        const { channel, words } = plan;
        return { v: 1 as const, removed: outcome === 'removed', dryRun, ...about, channel, command: [...words] };
      } catch (error) {
        throw problemFrom(error);
      } finally {
        releaser.close();
      }
    },
  };
});

function unsafe(reason: UnsafeHead): HttpProblem {
  return new HttpProblem(409, problem('release-unsafe', { reason }), 'name');
}

function isGone({ waiters }: Lock, id: string): boolean {
  return waiters.some((waiter) => waiter.id === id && waiter.goneSince !== undefined);
}

/** One line for the log: which waiter was removed, and from which queue. */
function auditLine({ name, source, db }: Lock, head: string): string {
  return `removed from its queue: ${printable(head)}, the dead head of fair-lock ${printable(name)} (source ${source}, database ${db})`;
}
