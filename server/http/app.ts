import { TLSSocket } from 'node:tls';
import express, { type Express, type RequestHandler, type Router } from 'express';
import { isJsonWithin, type JsonBounds } from '../../shared/base/json-bounds.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import { Doctor } from '../doctor/doctor.ts';
import { problemsIn } from '../problems/follow-problems.ts';
import { baseOf } from './answer/base-path.ts';
import { EventStreams } from './answer/event-stream.ts';
import { securityHeaders } from './answer/headers.ts';
import { mounted } from './answer/route.ts';
import type { ApiContext, AppContext } from './app-context.ts';
import { askSources, sourcePages } from './fleet-mount.ts';
import { setCookieText } from './guard/cookies.ts';
import { type Guard, KEYS_IN_URL } from './guard/guard.ts';
import type { Bounds } from './limits/room.ts';
import { docsPages } from './openapi/docs-page.ts';
import { type ApiDocument, documentOf } from './openapi/document.ts';
import { HttpProblem, problemHandler, sendProblem, unknownPath } from './problems/problem.ts';
import { recordingPages } from './recording-mount.ts';
import { API_ROUTES, DEMO_ROUTES } from './routes/all.ts';
import { metricsRoutes } from './routes/metrics.ts';
import { type PagesOf, pageRoutes } from './routes/page.ts';

const BODY_LIMIT = '2500kb';

/**
 * The HTTP application of Lockscope: the guard, then API, demo, metrics and page. It works under any path of another
 * application: `app.use('/ops/locks', createApp(…))`.
 */
export function createApp(context: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(securityHeaders());
  if (context.connections) app.use(bounded(context.connections));
  if (context.recordings) app.use('/recordings/:id', recordingPages(context.recordings, guarded(context.guard)));
  if (context.fleet) app.use('/sources/:name', sourcePages(context.fleet, guarded(context.guard)));
  app.use(guarded(context.guard));
  app.use(createContent(context, context.fleet ? { of: 'fleet' } : undefined));
  app.use(problemHandler(context.report));
  return app;
}

/** What is behind the guard: API, demo, metrics and page, for any path. */
export function createContent(context: Omit<AppContext, 'guard' | 'report'>, part?: PagesOf): Router {
  const router = express.Router();
  router.use('/api', noStore, jsonOnly, jsonBody);
  const { stage, webDir } = context;
  const isDemo = stage !== undefined;
  const { observatory, streams = new EventStreams(), doctor = new Doctor(observatory) } = context;
  const { problems = () => problemsIn(observatory.history) } = context;
  const api = { ...context, streams, doctor, problems, isDemo, describe: describer(isDemo, context.version) };
  if (part?.of === 'fleet' && context.fleet) router.use('/api', askSources(context.fleet));
  router.use('/api', mounted(API_ROUTES, api, context.connections));
  router.use('/api', stage ? mounted(DEMO_ROUTES, { ...api, stage }, context.connections) : noDemo());
  router.use('/api', docsPages(api.describe));
  router.use('/api', unknownPath);
  router.use(metricsRoutes(context.metrics, context.connections));
  router.use(pageRoutes(webDir, part));
  return router;
}

/** Returns the API description. The schemas are made once, when they are first requested: that takes about 20 ms. */
function describer(isDemo: boolean, version: string): ApiContext['describe'] {
  const routes = isDemo ? [...API_ROUTES, ...DEMO_ROUTES] : API_ROUTES;
  let made: ApiDocument | undefined;
  return (base) => {
    made ??= documentOf(routes, version);
    return { ...made, servers: [{ url: base === '' ? '/' : base }] };
  };
}

/** Answers everything under `/api/demo` if there is no demo. */
function noDemo(): Router {
  return express.Router().use('/demo', () => {
    throw new HttpProblem(404, problem('no-demo'));
  });
}

const RETRY_AFTER_SECONDS = 5;

/**
 * Refuses a request with 503 while too many bytes are buffered, or too many answers are pending on its connection. The
 * answer to `/api/health` is small, so it is sent however much is buffered.
 */
function bounded(connections: Bounds): RequestHandler {
  return (req, res, next) => {
    const why = connections.begin(req, res);
    if (why === undefined || (why === 'no-room' && req.path === '/api/health')) return next();
    if (connections.ownsConnections) res.setHeader('Connection', 'close');
    const seconds = RETRY_AFTER_SECONDS;
    const busy = problem('busy', { why: why === 'no-room' ? 'unread' : 'connection', seconds });
    sendProblem(res, { status: 503, problem: busy, retryAfterSeconds: seconds });
  };
}

function guarded(guard: Guard): RequestHandler {
  return (req, res, next) => {
    const { method, url, headers } = req;
    const address = req.socket.remoteAddress ?? '';
    const verdict = guard({
      method,
      url,
      headers,
      address,
      hasTls: req.socket instanceof TLSSocket,
      isHandshake: false,
    });
    if (!verdict.ok) return sendProblem(res, verdict);
    const { cookies = [] } = verdict;
    if (cookies.length === 0) return next();
    // The application may have set cookies of its own.
    for (const cookie of cookies) res.append('Set-Cookie', setCookieText(cookie, baseOf(req)));
    const isPage = method === 'GET' && !/^\/api\/./.test(req.path);
    if (isPage && hasKey(url)) return res.redirect(303, req.baseUrl + withoutKeys(req.path, url));
    next();
  };
}

function hasKey(url: string): boolean {
  const query = new URLSearchParams(url.split('?')[1]);
  return KEYS_IN_URL.some((key) => query.has(key));
}

/** The page's address without token and code, so that neither stays in the browser's history or in a Referer. */
function withoutKeys(path: string, url: string): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  for (const key of KEYS_IN_URL) query.delete(key);
  // A path with two leading slashes would redirect to another host.
  const local = path.replace(/^[/\\]+/, '/');
  return query.size === 0 ? local : `${local}?${query}`;
}

const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/**
 * Every real body has far fewer levels and values. Parsed brackets would take a hundred times the memory of the body.
 */
const BODY_BOUNDS: JsonBounds = { depth: 32, values: 50_000 };

const parseJson = express.json({
  limit: BODY_LIMIT,
  inflate: false,
  verify(_req, _res, body) {
    if (isJsonWithin(BODY_BOUNDS, body.toString('latin1'))) return;
    throw Object.assign(new Error('too deep, or too many values'), { status: 400, type: 'entity.parse.failed' });
  },
});

/** Parses JSON bodies, but not those that a route reads as a file. */
const jsonBody: RequestHandler = (req, res, next) => {
  if (isUpload(req.method, req.path)) next();
  else parseJson(req, res, next);
};

/** Whether a route reads this body as a file: it checks the content type itself. */
function isUpload(method: string, path: string): boolean {
  return API_ROUTES.some((row) => row.uploadTypes && row.method === method && row.path === path);
}

/** Requires the JSON content type for bodies. A form on another site can post text, but not JSON. */
const jsonOnly: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (!hasBody || req.is('application/json') || isUpload(req.method, req.path)) return next();
  next(new HttpProblem(415, problem('not-json'), 'content-type'));
};
