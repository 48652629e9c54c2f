import { ownLocksBody, sourceBody } from '../../../../shared/wire/http.ts';
import { route } from '../../answer/route.ts';
import type { ApiContext } from '../../app-context.ts';
import { checkSource, OBSERVER_GONE, sourcePath } from '../observe.ts';

/** Shows, confirms or dismisses keys that look like an application's own locks. */
export const ownLocksRoute = route({
  method: 'POST',
  path: '/sources/:id/own-locks',
  operation: 'decideOwnLocks',
  tag: 'sources',
  summary:
    "Shows all keys that look like an application's own locks as locks, or confirms or dismisses those of one form.",
  refusals: { 404: ['unknown-source'], 409: ['recording', 'watched-elsewhere'], 503: OBSERVER_GONE },
  params: sourcePath,
  body: ownLocksBody,
  answer: sourceBody,
}).handledBy(async ({ observatory }: ApiContext, { params: { id }, body: { shown, name = '', isLock = null } }) => {
  checkSource(observatory, id);
  const wish = shown === undefined ? { name, isLock } : { shown };
  return { body: { v: 1, source: await observatory.decideOwnLocks(id, wish) } };
});
