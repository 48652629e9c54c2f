import type { ZodType } from 'zod';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { type DeadHeadBody, deadHeadBody, type ReleaseBody, releaseBody } from '../../../shared/wire/release.ts';
import { BASE_PATH } from '../../url/base-path.ts';
import { requestJson } from '../http/http.ts';

/** Releases the holds of a lock that `plan` shows, or asks what that would send (`plan` null). Throws like `getJson`. */
export function releaseLock(lock: LockName, plan: ReleaseBody | null): Promise<ReleaseBody> {
  const asked = plan === null ? { dryRun: true } : { holders: plan.holders, since: plan.since };
  return ask(lock, 'release', releaseBody, asked);
}

/** Removes the dead head of a fair lock's queue as `plan` shows it, or asks what that would send (`plan` null). */
export function removeHead(lock: LockName, plan: DeadHeadBody | null): Promise<DeadHeadBody> {
  const asked = plan === null ? { dryRun: true } : { head: plan.head, deadline: plan.deadline };
  return ask(lock, 'dead-head', deadHeadBody, asked);
}

type LockName = Pick<Lock, 'name' | 'source' | 'db'>;

function ask<T>({ name, source, db }: LockName, what: string, answer: ZodType<T>, asked: object): Promise<T> {
  return requestJson(`${BASE_PATH}/api/locks/${encodeURIComponent(name)}/${what}`, answer, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: name, source, db, ...asked }),
  });
}
