import type { Logger } from 'pino';
import type { ServeConfig } from './config.ts';
import type { DemoStage } from './demo/demo-stage.ts';
import { createApp } from './http/app.ts';
import { createGuard } from './http/guard.ts';
import { createHttpServer, listen } from './http/http-server.ts';
import { urlHost } from './loopback.ts';
import { VERSION, WEB_DIR } from './product.ts';
import { openHub } from './socket/hub.ts';
import { reportSources } from './source-report.ts';
import type { Observatory } from './watch/observatory.ts';

const FIRST_ANSWER_MS = 3000;

/** What makes the parts that touch Redis. */
export type Parts = {
  startStage(redisUrl: string | undefined): Promise<DemoStage>;
  createObservatory(redisUrls: readonly string[]): Observatory;
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
  const stage = config.command === 'demo' ? await parts.startStage(ownRedis) : undefined;
  if (stage) undo.add(() => stage.close());

  const observatory = parts.createObservatory(stage ? [stage.redisUrl] : config.redisUrls);
  undo.add(() => observatory.stop());
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

  await firstAnswer(observatory.start(), log);
  return `http://${urlHost(config.host)}:${port}`;
}

/** Waits for the start, but not for a Redis that does not answer: the page shows what is wrong with it. */
async function firstAnswer(started: Promise<void>, log: Logger): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, FIRST_ANSWER_MS);
  });
  const outcome = started.catch((error: unknown) => {
    log.error({ err: error instanceof Error ? error : new Error(String(error)) }, 'watching could not start');
  });
  await Promise.race([outcome, patience]);
  clearTimeout(timer);
}
