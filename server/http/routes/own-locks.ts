import { Router } from 'express';
import { ownLocksBody } from '../../../shared/wire/http.ts';
import type { ApiContext } from '../app-context.ts';
import { checked } from '../problem.ts';
import { checkSource } from './observe.ts';

/** `POST /api/sources/:id/own-locks`: shows or hides keys that look like an application's own locks. */
export function ownLocksRoute({ observatory }: ApiContext): Router {
  return Router().post('/sources/:id/own-locks', async (req, res) => {
    const { shown } = checked(ownLocksBody, req.body ?? {}, 'body');
    const { id } = req.params;
    checkSource(observatory, id);
    res.json({ v: 1, source: await observatory.showOwnLocks(id, shown) });
  });
}
