import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type RequestHandler, Router } from 'express';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { Store } from '../recordings/store.ts';
import type { Mount } from '../recordings/store-options.ts';
import { HttpProblem } from './problems/problem.ts';

/**
 * The pages and the API (`answer`) of a recording or a source, and its live channel (`upgrade`, also for requests to
 * it).
 */
export type ObservatoryPages = {
  readonly answer: RequestHandler;
  readonly channel: RequestHandler;
  upgrade(req: IncomingMessage, socket: Duplex, head: Buffer): void;
};

/** An open recording. */
export type RecordingMount = Mount & ObservatoryPages;

/** What is under an open recording, or a source of a viewer, and is not a page. */
export const NOT_A_PAGE = /^\/(?:api|assets|metrics|socket\.io)(?:\/|$)/i;

/**
 * Everything under `/recordings/ID`. The guard sees each request as if the recording were alone at the root, so the
 * same rules apply. A page that is visited or loaded again opens its recording; a request of the API does not.
 *
 *   GET /recordings/ID/events       opens it, and returns the page
 *   GET /recordings/ID/api/events   409 if it is closed
 */
export function recordingPages(recordings: Store<RecordingMount>, guard: RequestHandler): Router {
  const router = Router({ mergeParams: true });
  const idOf = (params: Record<string, unknown>) => String(params.id);
  router.use(guard);
  router.use(({ params, path }, _res, next) => {
    if (recordings.nameOf(idOf(params)) !== undefined) return next();
    next(NOT_A_PAGE.test(path) ? new HttpProblem(404, problem('unknown-recording')) : 'router');
  });
  router.use(async (req, _res, next) => {
    const isPage = req.method === 'GET' && !NOT_A_PAGE.test(req.path) && req.accepts('html') !== false;
    if (isPage && !recordings.use(idOf(req.params))) await recordings.open(idOf(req.params));
    next();
  });
  router.use((req, res, next) => {
    const id = idOf(req.params);
    const mount = recordings.use(id);
    if (!mount) throw new HttpProblem(409, problem('recording-closed', { name: recordings.nameOf(id) ?? '' }));
    return /^\/socket\.io\//.test(req.path) ? mount.channel(req, res, next) : mount.answer(req, res, next);
  });
  return router;
}

/** Passes an upgrade to the recording in its path, if that recording is open. Returns whether it is. */
export function upgradeRecording(
  recordings: Store<RecordingMount>,
): (req: IncomingMessage, socket: Duplex, head: Buffer) => boolean {
  return (req, socket, head) => {
    const id = /^\/recordings\/([^/?]+)\/socket\.io\//.exec(req.url ?? '')?.[1];
    const mount = id === undefined ? undefined : recordings.use(id);
    mount?.upgrade(req, socket, head);
    return mount !== undefined;
  };
}
