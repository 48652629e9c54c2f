import express, { type Express, type RequestHandler } from 'express';
import type { DemoStage } from '../demo/demo-stage.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { Guard } from './guard.ts';
import { securityHeaders } from './headers.ts';
import { HttpProblem, problemHandler, sendProblem, unknownPath } from './problem.ts';
import { demoRoutes } from './routes/demo.ts';
import { demoClientRoutes } from './routes/demo-clients.ts';
import { eventsRoute } from './routes/events.ts';
import { healthRoute } from './routes/health.ts';
import { laterRoutes } from './routes/later.ts';
import { lockRoute } from './routes/lock.ts';
import { locksRoute } from './routes/locks.ts';
import { observeRoute } from './routes/observe.ts';
import { pageRoutes } from './routes/page.ts';
import { recordingRoute } from './routes/recording.ts';
import { signalsRoute } from './routes/signals.ts';
import { spansRoute } from './routes/spans.ts';

/** What the routes answer from. */
export type AppContext = {
  readonly observatory: Observatory;
  /** Present in a demo only. */
  readonly stage: DemoStage | undefined;
  readonly guard: Guard;
  readonly version: string;
  readonly allowRelease: boolean;
  /** Folder of the built page. */
  readonly webDir: string;
  /** Told of errors that are our own mistakes. */
  readonly report: (error: Error) => void;
};

const BODY_LIMIT = '2500kb';

/** The HTTP side of Lockscope: guard, API, page. */
export function createApp(context: AppContext): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('query parser', 'simple');
  app.set('etag', false);
  app.use(securityHeaders());
  app.use(guarded(context.guard));
  app.use('/api', noStore, jsonOnly, express.json({ limit: BODY_LIMIT }));
  app.use('/api', healthRoute(context), locksRoute(context), lockRoute(context));
  app.use('/api', eventsRoute(context), signalsRoute(context), spansRoute(context), observeRoute(context));
  app.use('/api', recordingRoute(context));
  app.use('/api', demoRoutes(context), demoClientRoutes(context), laterRoutes(context));
  app.use('/api', unknownPath);
  app.use(pageRoutes(context.webDir));
  app.use(problemHandler(context.report));
  return app;
}

function guarded(guard: Guard): RequestHandler {
  return (req, res, next) => {
    const { method, originalUrl, headers } = req;
    const verdict = guard({ method, url: originalUrl, headers, isHandshake: false });
    if (!verdict.ok) return sendProblem(res, verdict);
    if (verdict.cookie === undefined) return next();
    res.setHeader('Set-Cookie', verdict.cookie);
    const isPage = method === 'GET' && !req.path.startsWith('/api/');
    if (isPage) return res.redirect(303, withoutToken(req.path, originalUrl));
    next();
  };
}

/** The page's own address without the token, so that it stays in no history and no Referer. */
function withoutToken(path: string, url: string): string {
  const query = new URLSearchParams(url.slice(url.indexOf('?')));
  query.delete('token');
  // Two leading slashes would lead to another host.
  const local = path.replace(/^[/\\]+/, '/');
  return query.size === 0 ? local : `${local}?${query}`;
}

const noStore: RequestHandler = (_req, res, next) => {
  res.setHeader('Cache-Control', 'no-store');
  next();
};

/** A form of another site can post text, but not JSON: so bodies must say that they are JSON. */
const jsonOnly: RequestHandler = (req, _res, next) => {
  const hasBody = req.headers['transfer-encoding'] !== undefined || Number(req.headers['content-length'] ?? 0) > 0;
  if (!hasBody || req.is('application/json')) return next();
  next(
    new HttpProblem(
      415,
      'not-json',
      'The body is not marked as JSON.',
      'Send "Content-Type: application/json".',
      'content-type',
    ),
  );
};
