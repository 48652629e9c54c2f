import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RequestHandler, Router } from 'express';
import type { FleetBody } from '../../shared/wire/fleet/fleet.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { isOfSources } from './answer/of-sources.ts';
import { HttpProblem } from './problems/problem.ts';
import { NOT_A_PAGE, type ObservatoryPages } from './recording-mount.ts';

/** The sources that a viewer shows. */
export type Fleet = {
  /** What the fleet page shows, with the locks that match `q`. */
  body(q: string): FleetBody;
  /** Whether the bus answers. */
  isConnected(): boolean;
  /** Whether a source has this name; undefined: not known, because the bus has not been read yet. */
  has(name: string): boolean | undefined;
  /** The pages of a source; undefined: it is not followed now. */
  use(name: string): ObservatoryPages | undefined;
  /** Begins to follow a source, and returns its pages. */
  open(name: string): Promise<ObservatoryPages>;
};

/**
 * Everything under `/sources/NAME`. The guard sees each request as if the source were alone at the root. If a source is
 * not followed yet, any request begins to follow it. A viewer keeps nothing, so a page that stays open must not depend
 * on which viewer answers.
 */
export function sourcePages(fleet: Fleet, guard: RequestHandler): Router {
  const router = Router({ mergeParams: true });
  const nameOf = (params: Record<string, unknown>) => String(params.name);
  router.use(guard);
  router.use(async (req, res, next) => {
    const name = nameOf(req.params);
    const isThere = fleet.has(name);
    if (!isThere) {
      const refusal =
        isThere === undefined
          ? new HttpProblem(503, problem('sources-unread'))
          : new HttpProblem(404, problem('no-such-fleet-source'), 'source');
      if (NOT_A_PAGE.test(req.path)) return next(refusal);
      res.status(refusal.status);
      return next('router'); // the viewer's own page reports the address
    }
    const pages = fleet.use(name) ?? (await fleet.open(name));
    return /^\/socket\.io\//.test(req.path) ? pages.channel(req, res, next) : pages.answer(req, res, next);
  });
  return router;
}

/** How many sources a refusal names. */
const MOST_NAMED = 10;

/**
 * Refuses what a viewer has only for each of its sources: an empty answer would mean that nothing is wrong anywhere.
 */
export function askSources(fleet: Fleet): RequestHandler {
  return ({ path }, _res, next) => {
    if (!isOfSources(path)) return next();
    const names = fleet.body('').sources.map(({ name }) => name);
    const values = { path: path.slice(0, 200), names: names.slice(0, MOST_NAMED) };
    next(new HttpProblem(404, problem('ask-a-source', values)));
  };
}

/** Passes an upgrade to the source in its path, if that source is followed. Returns whether it is. */
export function upgradeSource(fleet: Fleet): (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean {
  return (req, socket, head) => {
    const name = /^\/sources\/([^/?]+)\/socket\.io\//.exec(req.url ?? '')?.[1];
    const pages = name === undefined ? undefined : fleet.use(name);
    pages?.upgrade(req, socket, head);
    return pages !== undefined;
  };
}
