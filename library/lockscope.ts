import { EventEmitter } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';
import { below, mountOf, removedPrefix, setBase } from '../server/http/base-path.ts';
import { Connections, limitsWithin } from '../server/http/connections.ts';
import { createGuard } from '../server/http/guard.ts';
import { otlpConfigOf } from '../server/otlp/config.ts';
import { startOtlp } from '../server/otlp/otlp.ts';
import { loadSdk } from '../server/otlp/sdk.ts';
import { VERSION } from '../server/package-info.ts';
import { openSite } from '../server/site.ts';
import { answerFor } from '../server/socket/socket-door.ts';
import { reportSources } from '../server/source-report.ts';
import { startWatching } from '../server/start-watching.ts';
import { createObservatory } from '../server/watch/create-observatory.ts';
import { sharesOf } from '../server/watch/history/memory-shares.ts';
import { createAppLog } from './app-log.ts';
import { type LockscopeOptions, readOptions } from './options.ts';

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
   * application, so each needs the cookie that an answer of `router` has set, or the token.
   */
  attach(server: Server): void;
  /** Starts to watch. Settles once every Redis has answered or failed, at the latest after 3 s; it goes on trying. */
  start(): Promise<void>;
  /** Ends MONITOR, restores settings, closes connections to Redis and to pages, and leaves the servers it was attached to. */
  close(): Promise<void>;
};

let instances = 0;

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
  const {
    redisUrls,
    basePath,
    level,
    match,
    memory,
    token,
    configureNotifications,
    allowRelease,
    metricsLock,
    ...rest
  } = readOptions(options);
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
  const arrivals = new EventEmitter();
  // How many connections there may be is decided by the application.
  const limits = { ...limitsWithin(answersBytes), connections: Number.POSITIVE_INFINITY };
  const connections = new Connections(arrivals, limits);
  const guard = createGuard({ host: '', token, port: `app-${++instances}`, isInApplication: true });
  let isClosing = false;
  const warn = (line: string) => logger.warn(line);
  const otlp =
    rest.otlp !== undefined && sdk
      ? startOtlp({
          config: otlpConfigOf(rest.otlp, process.env),
          ...{ sdk: sdk.value, observatory, version: VERSION, warn },
        })
      : undefined;
  const site = openSite({
    ...{ server, observatory, guard, connections, memory, allowRelease, changesBytes, metrics: { locks: metricsLock } },
    ...{ otlp, audit: warn },
    report: (error) => {
      if (!isClosing) logger.error({ err: error }, 'internal error while handling a request');
    },
  });
  const stopReporting = reportSources(observatory, logger);
  const bases = new Set(basePath === undefined ? [] : [basePath]);
  const met = new WeakSet<Duplex>();
  const detach: (() => void)[] = [];

  function meet(socket: Duplex): void {
    if (met.has(socket)) return;
    met.add(socket);
    arrivals.emit('connection', socket);
  }

  return {
    router(req, res, next) {
      if (isClosing) return next ? next() : void res.writeHead(503, { 'Retry-After': '5' }).end();
      const mount = mountOf(req);
      const inside = mount === '' && basePath ? below(basePath, req.url ?? '/') : undefined;
      if (inside !== undefined) req.url = inside;
      else bases.add(mount);
      setBase(req, removedPrefix(req) + (basePath ?? mount));
      meet(req.socket);
      server.emit('request', req, res);
    },
    attach(outer) {
      const onUpgrade = (req: IncomingMessage, socket: Duplex, head: Buffer) => {
        const url = liveChannelBelow(bases, req.url ?? '/');
        if (url === undefined) return answerOther(outer, req);
        req.url = url;
        meet(req.socket);
        server.emit('upgrade', req, socket, head);
      };
      outer.prependListener('upgrade', onUpgrade);
      detach.push(() => outer.off('upgrade', onUpgrade));
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
      arrivals.emit('close');
    },
  };
}

/**
 * Answers an upgrade of the application that no one else listens for. Without our listener, Node would have ignored the
 * offer, and passed on the request.
 */
function answerOther(outer: Server, req: IncomingMessage): void {
  if (outer.listenerCount('upgrade') > 1) return;
  const isWhole = req.method === 'GET' || req.method === 'HEAD'; // Node has not read a body
  if (isWhole) outer.emit('request', req, answerFor(req));
  else answerFor(req).writeHead(400, { Connection: 'close' }).end();
}

/** The URL of a live channel without the base path; undefined if it is not ours. */
function liveChannelBelow(bases: ReadonlySet<string>, url: string): string | undefined {
  for (const base of bases) {
    const inside = below(base, url);
    if (inside !== undefined && /^\/(?:recordings\/[0-9a-f]+\/)?socket\.io\//.test(inside)) return inside;
  }
  return undefined;
}
