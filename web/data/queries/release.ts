import type { z } from 'zod';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import type { DeadHeadBody, deadHeadBody, ReleaseBody, releaseBody } from '../../../shared/wire/release.ts';
import { BASE_PATH } from '../../url/base-path.ts';
import { type BodySchema, requestJson } from '../http/http.ts';

/**
 * Releases the holds of a lock that `plan` shows, or asks what that would send (`plan` null). Throws like `getJson`.
 */
export function releaseLock(lock: LockName, plan: ReleaseBody | null): Promise<ReleaseBody> {
  const asked = plan === null ? { dryRun: true } : { holders: plan.holders, since: plan.since };
  return ask<typeof releaseBody>(lock, 'release', asked);
}

/** Removes the dead head of a fair lock's queue as `plan` shows it, or asks what that would send (`plan` null). */
export function removeHead(lock: LockName, plan: DeadHeadBody | null): Promise<DeadHeadBody> {
  const asked = plan === null ? { dryRun: true } : { head: plan.head, deadline: plan.deadline };
  return ask<typeof deadHeadBody>(lock, 'dead-head', asked);
}

type LockName = Pick<Lock, 'name' | 'source' | 'db'>;

function ask<S extends BodySchema>({ name, source, db }: LockName, what: string, asked: object): Promise<z.infer<S>> {
  return requestJson<S>(`${BASE_PATH}/api/locks/${encodeURIComponent(name)}/${what}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: name, source, db, ...asked }),
  });
}
