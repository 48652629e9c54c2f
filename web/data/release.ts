import type { Lock } from '../../shared/wire/lock.ts';
import { type ReleaseBody, releaseBody } from '../../shared/wire/release.ts';
import { BASE_PATH } from '../url/base-path.ts';
import { requestJson } from './http.ts';

/**
 * Releases a lock by force, or asks what that would send (`holders` null). `holders`: those that the reader saw. Throws
 * like `getJson`.
 */
export function releaseLock(
  { name, source, db }: Pick<Lock, 'name' | 'source' | 'db'>,
  holders: readonly string[] | null,
): Promise<ReleaseBody> {
  const asked = holders === null ? { dryRun: true } : { holders };
  return requestJson(`${BASE_PATH}/api/locks/${encodeURIComponent(name)}/release`, releaseBody, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ confirm: name, source, db, ...asked }),
  });
}
