import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { setBase } from '../server/http/answer/base-path.ts';
import { limitsWithin } from '../server/http/limits/connections.ts';
import { OwnAnswers } from '../server/http/limits/own-answers.ts';
import { otlpConfigOf } from '../server/otlp/config.ts';
import { startOtlp } from '../server/otlp/otlp.ts';
import { loadSdk } from '../server/otlp/sdk.ts';
import { VERSION } from '../server/package-info.ts';
import { reportSources } from '../server/process/source-report.ts';
import { startWatching } from '../server/process/start-watching.ts';
import { openSite } from '../server/site.ts';
import { createObservatory } from '../server/watch/create-observatory.ts';
import { sharesOf } from '../server/watch/terms/memory-shares.ts';
import { openAccess } from './access.ts';
import { createAppLog } from './app-log.ts';
import { Mounts } from './mounts.ts';
import { type LockscopeOptions, readOptions } from './options.ts';
import { type Taker, takeUpgrades } from './upgrades.ts';

export type { AppLog } from './app-log.ts';
export type { LockscopeOptions } from './options.ts';

/** A Lockscope inside an application. */
export type Lockscope = {
  /**
   * Answers the page and the API: `app.use('/ops/locks', lockscope.router)` in Express 4 or 5, or called by hand for each
   * request of a `node:http` server. Who may see it is decided in front of it, by the application's own login.
   */
  readonly router: (req: IncomingMessage, res: ServerResponse, next?: (error?: unknown) => void) => void;
  /**
   * Takes the WebSockets of its pages from this server; all others are left alone. They do not pass the middleware of the
   * application, so each needs a ticket: a cookie that the answers of `router` set, and that ends 3 minutes after the last
   * request of its page.
   */
  attach(server: Server): void;
  /** Starts to watch. Settles once every Redis has answered or failed, at the latest after 3 s; it goes on trying. */
  start(): Promise<void>;
  /** Ends MONITOR, restores settings, closes connections to Redis and to pages, and leaves the servers it was attached to. */
  close(): Promise<void>;
};

/**
 * Creates a Lockscope for an application, which has no port of its own. Several in one process do not share anything.
 *
 *   const lockscope = await createLockscope({ redis: 'redis://127.0.0.1:6379', basePath: '/ops/locks' });
 *   app.use('/ops/locks', auth, lockscope.router);
 *   lockscope.attach(app.listen(3000));
 *   await lockscope.start();
 *
 * Throws a `TypeError` that names the first invalid option, or the packages that `otlp` lacks.
 */
export async function createLockscope(options: LockscopeOptions): Promise<Lockscope> {
  const { redisUrls, level, match, memory, configureNotifications, allowRelease, metricsLock, ...rest } =
    readOptions(options);
  const { basePath } = rest;
  const logger = createAppLog(rest.log);
  const sdk = rest.otlp === undefined ? undefined : await loadSdk();
  if (sdk?.ok === false) throw new TypeError(`createLockscope: ${sdk.error}`);
  const observatory = createObservatory({
    ...{ redisUrls, level, match, configureNotifications, memory, log: logger },
    madeBy: `lockscope ${VERSION}`,
  });
  // Requests and upgrades are passed on to this server, which never listens.
  const server = createServer();
  const { answersBytes, changesBytes } = sharesOf(memory, redisUrls.length);
  const end = new EventEmitter();
  const connections = new OwnAnswers(limitsWithin(answersBytes), end);
  let isClosing = false;
  const warn = (line: string) => logger.warn(line);
  const { guard, channels, noteUrl } = openAccess(rest, warn);
  const otlp =
    rest.otlp !== undefined && sdk
      ? startOtlp({
          config: otlpConfigOf(rest.otlp, process.env),
          ...{ sdk: sdk.value, observatory, version: VERSION, warn },
        })
      : undefined;
  const site = openSite({
    ...{ server, observatory, guard, connections, channels, memory, allowRelease, changesBytes },
    ...{ metrics: { locks: metricsLock }, otlp, audit: warn, recordsProblems: true },
    report: (error) => {
      if (!isClosing) logger.error({ err: error }, 'internal error while handling a request');
    },
  });
  const stopReporting = reportSources(observatory, logger);
  const mounts = new Mounts(basePath);
  const detach: (() => void)[] = [];

  const takeChannel: Taker = (req) => {
    const url = mounts.channelOf(req.url ?? '/');
    if (url === undefined) return undefined;
    return (socket, head) => {
      noteUrl(req);
      req.url = url;
      server.emit('upgrade', req, socket, head);
    };
  };

  return {
    router(req, res, next) {
      if (isClosing) return next ? next() : void res.writeHead(503, { 'Retry-After': '5' }).end();
      const own = mounts.enter(req);
      if (!own) return next ? next() : void res.writeHead(404).end();
      noteUrl(req);
      req.url = own.url;
      setBase(req, own.base);
      server.emit('request', req, res);
    },
    attach(outer) {
      detach.push(takeUpgrades(outer, takeChannel));
    },
    start: () => startWatching(observatory, logger),
    async close() {
      if (isClosing) return;
      isClosing = true;
      for (const leave of detach) leave();
      stopReporting();
      const exported = otlp?.stop();
      await site.close();
      await observatory.stop();
      await exported;
      end.emit('close');
    },
  };
}
