import type { Logger } from 'pino';
import type { ObserveLevel } from '../shared/wire/source.ts';
import type { ServeConfig } from './config.ts';
import type { DemoStage } from './demo/demo-stage.ts';
import type { ServerWatcher } from './demo/scenario-servers.ts';
import { DumpShelf } from './dumps/dump-shelf.ts';
import { readInThread } from './dumps/read-in-thread.ts';
import { createApp } from './http/app.ts';
import { Connections, limitsWithin } from './http/connections.ts';
import { EventStreams } from './http/event-stream.ts';
import { createGuard } from './http/guard.ts';
import { createHttpServer, listen } from './http/http-server.ts';
import { upgradeRecording } from './http/recording-mount.ts';
import { isLoopbackHost, urlHost } from './loopback.ts';
import { watchMemory } from './memory-limit.ts';
import { VERSION, WEB_DIR } from './package-info.ts';
import { createShelf } from './recording-shelf.ts';
import type { RecordFiles } from './recordings/record-files.ts';
import { inTime } from './redis/in-time.ts';
import type { Undo } from './shutdown.ts';
import { openHub } from './socket/hub.ts';
import { reportSources } from './source-report.ts';
import { sharesOf } from './watch/history/memory-shares.ts';
import type { Observatory } from './watch/observatory.ts';
import { startWebhook } from './webhook/webhook.ts';

const FIRST_ANSWER_MS = 3000;
/** A scenario starts once its servers are watched, or after this time if a server cannot be watched. */
const WATCHED_WITHIN_MS = 30_000;

const NO_TLS =
  'Other machines can reach this page, and everything goes over plain HTTP, including the token. ' +
  'Put a TLS proxy in front of it, or use an SSH tunnel and leave out --host.';

/** A demo: its stage, and an observatory if the demo is a recording without Redis. */
export type Show = { readonly stage: DemoStage; readonly observatory?: Observatory };

/** Creates the parts that connect to Redis, or replace it. */
export type Parts = {
  startDemo(redisUrl: string | undefined): Promise<Show>;
  createObservatory(redisUrls: readonly string[]): Promise<Observatory> | Observatory;
  /** Opens the page once, instead of the token. */
  readonly openCode?: string | undefined;
  /** The files that `--record` writes. */
  readonly records?: RecordFiles | undefined;
};

/**
 * Starts everything and returns the page's address, after every Redis has answered or failed, at the latest after 3 s.
 *
 * Listens on the port first: if the port is taken, nothing else has been started yet.
 */
export async function serve(config: ServeConfig, parts: Parts, log: Logger, undo: Undo): Promise<string> {
  const server = createHttpServer(config.host);
  const { answersBytes, changesBytes } = sharesOf(config.memory, Math.max(1, config.redisUrls.length));
  const connections = new Connections(server, limitsWithin(answersBytes));
  const port = await listen(server, config.host, config.port);
  undo.add(async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  const [ownRedis] = config.redisUrls;
  const show = config.command === 'demo' ? await parts.startDemo(ownRedis) : undefined;
  const stage = show?.stage;
  if (stage) undo.add(() => stage.close());

  const observatory = show?.observatory ?? (await parts.createObservatory(stage ? [stage.redisUrl] : config.redisUrls));
  undo.add(() => observatory.stop());
  stage?.attach?.(watcherOf(observatory, config.level));
  const stopReporting = reportSources(observatory, log);
  undo.add(async () => stopReporting());

  const guard = createGuard({ host: config.host, token: config.token, port, openCode: parts.openCode });
  if (!isLoopbackHost(config.host)) log.warn(NO_TLS);
  const report = (error: Error) => {
    // While everything ends, a request fails because what it needs has ended before it, for example the demo's Redis.
    if (!undo.isEnding()) log.error({ err: error }, 'internal error while handling a request');
  };
  const base = `http://${urlHost(config.host)}:${port}`;
  const webhook = config.webhook && startWebhook(config.webhook, { observatory, base, warn: (line) => log.warn(line) });
  undo.add(async () => webhook?.stop());
  const { allowRelease, memory } = config;
  const context = {
    guard,
    connections,
    version: VERSION,
    memory,
    allowRelease,
    webDir: WEB_DIR,
    audit: (line: string) => log.warn(line),
  };
  const recordings = createShelf(context, parts.records);
  undo.add(() => recordings.end());
  const stopWatchingMemory = watchMemory(observatory, memory, log, () => recordings.closeOne());
  undo.add(async () => stopWatchingMemory());
  const streams = new EventStreams();
  const dumps = new DumpShelf(readInThread, memory);
  server.on(
    'request',
    createApp({ ...context, observatory, stage, streams, recordings, dumps, report, webhook: webhook?.state }),
  );
  const elsewhere = upgradeRecording(recordings);
  const hub = openHub({ server, observatory, guard, connections, elsewhere, changesBytes });
  undo.add(async () => {
    server.close();
    streams.close();
    await hub.close();
    server.closeAllConnections();
  });

  await startWatching(observatory, log);
  return base;
}

/** Lets a demo watch further servers. `watch` settles once the server is observed, at the latest after 30 s. */
function watcherOf(observatory: Observatory, level: ObserveLevel): ServerWatcher {
  return {
    async watch({ id, url }) {
      observatory.watch?.({ id, url, level });
      const isObserved = () =>
        observatory.sources().some((source) => source.id === id && source.status === 'observing');
      await inTime(WATCHED_WITHIN_MS, once(observatory, isObserved));
    },
    unwatch: async (id) => observatory.unwatch?.(id),
    noteEnded: (id) => observatory.noteEnded?.(id),
  };
}

/** Starts to watch. Waits until every Redis has answered or failed, at most 3 s. */
async function startWatching(observatory: Observatory, log: Logger): Promise<void> {
  try {
    const isWatching = observatory.start().then(() => firstAnswers(observatory));
    await inTime(FIRST_ANSWER_MS, isWatching);
  } catch (error) {
    log.error({ err: error }, 'could not start watching');
  }
}

function firstAnswers(observatory: Observatory): Promise<void> {
  const isSettled = () => observatory.sources().every(({ status, problem }) => status !== 'connecting' || problem);
  return once(observatory, isSettled);
}

/** Settles when `isSo` is true, checked now and after each change of the sources. */
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
