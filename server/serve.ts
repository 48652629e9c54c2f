import { Server as HttpsServer } from 'node:https';
import type { Logger } from 'pino';
import type { ObserveLevel } from '../shared/wire/source.ts';
import type { ServeConfig } from './config.ts';
import type { DemoStage } from './demo/demo-stage.ts';
import type { ServerWatcher } from './demo/scenario-servers.ts';
import type { ViewerFleet } from './fleet-site.ts';
import { createGuard } from './http/guard/guard.ts';
import { isLoopbackHost, urlHost } from './http/guard/loopback.ts';
import { createHttpServer, holdRequests, listen } from './http/http-server.ts';
import { Connections, limitsWithin } from './http/limits/connections.ts';
import { followTls } from './http/tls.ts';
import { type OtlpOptions, startOtlp } from './otlp/otlp.ts';
import { VERSION } from './package-info.ts';
import { watchMemory } from './process/memory-limit.ts';
import type { Undo } from './process/shutdown.ts';
import { reportSources } from './process/source-report.ts';
import { onceSources, startWatching } from './process/start-watching.ts';
import type { ReadFile } from './recordings/read-file.ts';
import type { RecordFiles } from './recordings/record-files.ts';
import { inTime } from './redis/connection/in-time.ts';
import { openSite } from './site.ts';
import type { Observatory } from './watch/observatory.ts';
import { sharesOf } from './watch/terms/memory-shares.ts';
import { startWebhook } from './webhook/webhook.ts';

/** A scenario starts once its servers are watched, or after this time if a server cannot be watched. */
const WATCHED_WITHIN_MS = 30_000;

const NO_TLS =
  'Other machines can reach this page, and everything goes over plain HTTP, including the token. ' +
  'Use --tls-cert and --tls-key, or a TLS proxy in front of it, or an SSH tunnel without --host.';

/** A demo: its stage, and an observatory if the demo is a recording without Redis. */
export type Show = { readonly stage: DemoStage; readonly observatory?: Observatory };

/** Creates the parts that connect to Redis, or replace it. */
type Parts = {
  startDemo(redisUrl: string | undefined): Promise<Show>;
  createObservatory(redisUrls: readonly string[]): Promise<Observatory> | Observatory;
  /** A code that opens the page once, instead of the token. */
  readonly openCode?: string | undefined;
  /** The files that `--record` writes. */
  readonly records?: RecordFiles | undefined;
  /** Reads recordings; absent: they are read in a thread, which needs the build. */
  readonly readRecording?: ReadFile | undefined;
  /** The sources of a viewer; absent: this is not a viewer. */
  readonly fleet?: ViewerFleet | undefined;
  /** Where `--otlp` exports to. */
  readonly otlp?: Pick<OtlpOptions, 'config' | 'sdk'> | undefined;
};

/**
 * Starts everything and returns the page's address, after every Redis has answered or failed, at the latest 3 s after
 * the watching began.
 *
 * Listens on the port first: if the port is taken, nothing else has been started yet.
 */
export async function serve(config: ServeConfig, parts: Parts, log: Logger, undo: Undo): Promise<string> {
  const server = createHttpServer(config.host, config.tls?.texts);
  const { answersBytes, changesBytes } = sharesOf(config.memory, Math.max(1, config.redisUrls.length));
  const connections = new Connections(server, limitsWithin(answersBytes));
  const answerHeld = holdRequests(server);
  const port = await listen(server, config.host, config.port);
  undo.add(async () => {
    if (!server.listening) return;
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  // The last exports are sent while everything else ends.
  let exported: Promise<void> | undefined;
  undo.add(async () => exported);

  const [ownRedis] = config.redisUrls;
  const show = config.command === 'demo' ? await parts.startDemo(ownRedis) : undefined;
  const stage = show?.stage;
  if (stage) undo.add(() => stage.close());

  const observatory = show?.observatory ?? (await parts.createObservatory(stage ? [stage.redisUrl] : config.redisUrls));
  undo.add(() => observatory.stop());
  stage?.attach?.(watcherOf(observatory, config.level));
  const stopReporting = reportSources(observatory, log);
  undo.add(async () => stopReporting());

  const hasTls = config.tls !== undefined;
  if (config.tls && server instanceof HttpsServer) {
    const stopFollowing = followTls(server, config.tls.files, log);
    undo.add(async () => stopFollowing());
  }
  const guard = createGuard({ host: config.host, token: config.token, port, openCode: parts.openCode, hasTls });
  if (!hasTls && !isLoopbackHost(config.host)) log.warn(NO_TLS);
  const report = (error: Error) => {
    // While everything ends, a request fails because what it needs has ended before it, for example the demo's Redis.
    if (!undo.isEnding()) log.error({ err: error }, 'internal error while handling a request');
  };
  const base = `${hasTls ? 'https' : 'http'}://${urlHost(config.host)}:${port}`;
  const warn = (line: string) => log.warn(line);
  const isReal = show?.observatory === undefined;
  if (parts.otlp && !isReal) warn('Nothing is exported over OTLP, because the demo is a recording.');
  const otlp = parts.otlp && isReal ? startOtlp({ ...parts.otlp, observatory, version: VERSION, warn }) : undefined;
  const webhook = config.webhook && startWebhook(config.webhook, { observatory, base, warn });
  undo.add(async () => webhook?.stop());
  const { allowRelease, memory } = config;
  const site = openSite({
    ...{ server, observatory, stage, guard, connections, memory, allowRelease, changesBytes, report },
    ...{ records: parts.records, readRecording: parts.readRecording, fleet: parts.fleet },
    webhook: webhook?.state,
    isRecording: config.command === 'open',
    recordsProblems: config.command === 'observe',
    metrics: config.command === 'open' || config.command === 'view' ? undefined : { locks: config.metricsLocks },
    ...{ otlp, audit: warn },
  });
  answerHeld();
  const stopWatchingMemory = watchMemory(observatory, memory, log, () => site.closeOneRecording());
  undo.add(async () => {
    stopWatchingMemory();
    server.close();
    await site.close();
    server.closeAllConnections();
  });

  undo.add(async () => {
    exported = otlp?.stop();
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
      await inTime(WATCHED_WITHIN_MS, onceSources(observatory, isObserved));
    },
    unwatch: async (id) => observatory.unwatch?.(id),
    noteEnded: (id) => observatory.noteEnded?.(id),
  };
}
