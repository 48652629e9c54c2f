import type { Logger } from 'pino';
import type { ObserveLevel } from '../shared/wire/source.ts';
import type { ServeConfig } from './config.ts';
import type { DemoStage } from './demo/demo-stage.ts';
import type { ServerWatcher } from './demo/scenario-servers.ts';
import { createApp } from './http/app.ts';
import { createGuard } from './http/guard.ts';
import { createHttpServer, listen } from './http/http-server.ts';
import { urlHost } from './loopback.ts';
import { VERSION, WEB_DIR } from './product.ts';
import { openHub } from './socket/hub.ts';
import { reportSources } from './source-report.ts';
import type { Observatory } from './watch/observatory.ts';

const FIRST_ANSWER_MS = 3000;
/** A play begins when somebody watches; a server that answers and cannot be watched is no reason never to begin. */
const WATCHED_WITHIN_MS = 30_000;

/** A demo: its stage, and where no Redis is behind it, what shows it. */
export type Show = { readonly stage: DemoStage; readonly observatory?: Observatory };

/** What makes the parts that touch Redis, or stand in for it. */
export type Parts = {
  startShow(redisUrl: string | undefined): Promise<Show>;
  createObservatory(redisUrls: readonly string[]): Promise<Observatory> | Observatory;
};

/** Steps to undo, run in reverse order; what is added while that goes on is undone at once. */
export type Undo = { add(step: () => Promise<void>): void };

/**
 * Starts everything and gives back the page's address, once every Redis has had its chance to answer.
 *
 * The port comes first: when it is taken, nothing else was started yet.
 */
export async function serve(config: ServeConfig, parts: Parts, log: Logger, undo: Undo): Promise<string> {
  const server = createHttpServer(config.host);
  const port = await listen(server, config.host, config.port);
  undo.add(async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const [ownRedis] = config.redisUrls;
  const show = config.command === 'demo' ? await parts.startShow(ownRedis) : undefined;
  const stage = show?.stage;
  if (stage) undo.add(() => stage.close());

  const observatory = show?.observatory ?? (await parts.createObservatory(stage ? [stage.redisUrl] : config.redisUrls));
  undo.add(() => observatory.stop());
  stage?.attach?.(watcherOf(observatory, config.level));
  const stopReporting = reportSources(observatory, log);
  undo.add(async () => stopReporting());

  const guard = createGuard({ host: config.host, token: config.token });
  const report = (error: Error) => log.error({ err: error }, 'a request failed by our own mistake');
  const { allowRelease } = config;
  server.on(
    'request',
    createApp({ observatory, stage, guard, version: VERSION, allowRelease, webDir: WEB_DIR, report }),
  );
  const hub = openHub({ server, observatory, guard });
  undo.add(() => hub.close());

  await startWatching(observatory, log);
  return `http://${urlHost(config.host)}:${port}`;
}

/** Watches further servers for a demo; each is waited for until it is observed, but not for ever. */
function watcherOf(observatory: Observatory, level: ObserveLevel): ServerWatcher {
  return {
    async watch({ id, url }) {
      observatory.watch?.({ id, url, level });
      const isObserved = () =>
        observatory.sources().some((source) => source.id === id && source.status === 'observing');
      await within(WATCHED_WITHIN_MS, () => once(observatory, isObserved));
    },
    unwatch: async (id) => observatory.unwatch?.(id),
    noteEnded: (id) => observatory.noteEnded?.(id),
  };
}

/** Starts to watch, and waits until every Redis has answered or failed, but not for one that is silent. */
async function startWatching(observatory: Observatory, log: Logger): Promise<void> {
  try {
    await within(FIRST_ANSWER_MS, async () => {
      await observatory.start();
      await firstAnswers(observatory);
    });
  } catch (error) {
    log.error({ err: error }, 'watching could not start');
  }
}

function firstAnswers(observatory: Observatory): Promise<void> {
  const isSettled = () => observatory.sources().every(({ status, problem }) => status !== 'connecting' || problem);
  return once(observatory, isSettled);
}

/** Settles when something is so of the sources. */
function once(observatory: Observatory, isSo: () => boolean): Promise<void> {
  return new Promise((resolve) => {
    if (isSo()) return resolve();
    const stop = observatory.onBatch(({ sourcesChanged }) => {
      if (!sourcesChanged || !isSo()) return;
      stop();
      resolve();
    });
  });
}

async function within(ms: number, job: () => Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  try {
    await Promise.race([job(), patience]);
  } finally {
    clearTimeout(timer);
  }
}
