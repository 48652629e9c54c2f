import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import type { RedisUrl } from '../shared/base/redis-url.ts';
import { Bus } from './bus/bus.ts';
import { failed } from './cli/failed.ts';
import { createLog } from './cli/log.ts';
import type { ServeConfig } from './config.ts';
import { startDemoStage } from './demo/stage.ts';
import { startFleetDemo } from './fleet-demo.ts';
import { emptyObservatory, openFleet, type ViewerFleet } from './fleet-site.ts';
import { sdkFor } from './otlp/sdk.ts';
import { VERSION } from './package-info.ts';
import { hasScreen, openBrowser, pageToOpen } from './process/browser.ts';
import { keepHeapsSmall, memoryLimit } from './process/memory-limit.ts';
import { createShutdown, type Shutdown } from './process/shutdown.ts';
import { openRecordedDemo } from './recorded-demo.ts';
import { readInThread } from './recordings/read-in-thread.ts';
import { RecordFiles } from './recordings/record-files.ts';
import { openRecording } from './recordings/replay-observatory.ts';
import { NoRedisServerError } from './redis/private-server/find-redis-server.ts';
import { type Show, serve } from './serve.ts';
import { otherServerIn } from './store/other-server.ts';
import { openStore } from './store/store.ts';
import { linkInThread } from './store/store-link.ts';
import type { StoreTask } from './store/thread-messages.ts';
import { withStore } from './store/with-store.ts';
import { createObservatory } from './watch/create-observatory.ts';

const BUS_WITHIN_MS = 3000;

/**
 * Runs a command with a page. Returns an exit code if the command cannot begin. Else `undefined`: the page is served
 * until a signal ends the process, or an error has ended the process.
 */
export async function serveUntilSignal(config: ServeConfig): Promise<number | undefined> {
  const log = createLog(config.json);
  const otlp = await sdkFor(config.otlp, { warn: (line) => log.warn(line), info: (line) => log.info(line) });
  if (!otlp.ok) return failed(otlp.error, 2);
  // a viewer watches nothing itself: its store keeps the entries of the bus
  const store = config.command === 'view' ? undefined : config.store && (await openStore(config.store));
  if (store && !store.ok) return failed(store.error);
  const other = store && otherServerIn(store.value.task.path, store.value.known, config.redisUrls);
  if (other !== undefined) {
    await store?.value.close();
    return failed(other);
  }
  const shutdown = createShutdown(log);
  try {
    const { level, match, configureNotifications, file, record } = config;
    keepHeapsSmall();
    const memory = memoryLimit(config.memory);
    const isPrivate = config.command === 'demo' && config.redisUrls.length === 0;
    const madeBy = `lockscope ${VERSION}`;
    const openCode = config.token === undefined ? undefined : randomBytes(24).toString('hex');
    const records = record === undefined ? undefined : new RecordFiles(record);
    const bus = config.isFleetDemo ? await startFleetDemo(config.json, log, shutdown) : config.bus;
    const fleet = bus && (await connectFleet(bus, memory, config.store, log, shutdown));
    const url = await serve(
      { ...config, memory },
      {
        startDemo: (redisUrl) => startDemo(redisUrl, record, log),
        createObservatory: (redisUrls) =>
          fleet
            ? emptyObservatory()
            : file === undefined
              ? withStore(store?.value, memory, (keeper) =>
                  createObservatory({
                    redisUrls,
                    level,
                    isPrivate,
                    match,
                    configureNotifications,
                    memory,
                    madeBy,
                    log,
                    ...(records ? { openSink: records.openSink } : {}),
                    ...keeper,
                  }),
                )
              : openRecording(file, { memory, read: readInThread }).then(({ observatory }) => observatory),
        openCode,
        fleet,
        records,
        otlp: otlp.value,
      },
      log,
      shutdown,
    );
    process.stdout.write(config.json ? `${JSON.stringify({ event: 'ready', url })}\n` : `lockscope ready ${url}\n`);
    if (config.open && hasScreen())
      await openBrowser(pageToOpen(url, config.command === 'view' ? 'observe' : config.command, openCode));
  } catch (error) {
    if (!shutdown.isEnding()) log.error(error instanceof Error ? error.message : String(error));
    await shutdown.run(1);
  }
  return undefined;
}

/** The sources of a viewer, read from its bus. Rejects if the bus does not answer within 3 s. */
async function connectFleet(
  url: RedisUrl,
  memory: number,
  store: StoreTask | undefined,
  log: Logger,
  shutdown: Shutdown,
): Promise<ViewerFleet> {
  const link = store && (await linkInThread(store));
  if (link && !link.ok) throw new Error(link.error);
  const bus = new Bus(url, 'lockscope-viewer');
  const fleet = openFleet(bus, memory, {
    store: link && store && { link: link.value, path: store.path, isReader: store.isReader === true },
    warn: (line) => log.warn(line),
  });
  shutdown.add(() => fleet.stop());
  await bus.connection.whenReady(BUS_WITHIN_MS).catch((error: Error) => {
    throw new Error(`The bus ${url.displayUrl} does not answer: ${error.message}. Check --bus.`);
  });
  const { problem } = await bus.server();
  if (problem !== undefined) throw new Error(problem);
  return fleet;
}

/** Starts the demo with a Redis server. If this machine has no redis-server, plays a recorded demo. */
async function startDemo(redisUrl: string | undefined, record: string | undefined, log: Logger): Promise<Show> {
  try {
    return { stage: await startDemoStage({ logger: log, ...(redisUrl === undefined ? {} : { redisUrl }) }) };
  } catch (error) {
    if (!(error instanceof NoRedisServerError)) throw error;
    log.warn(`${error.message} Until then, the demo is a recording.`);
    if (record !== undefined) log.warn(`Nothing is written to ${record}, because the demo is a recording.`);
    return openRecordedDemo();
  }
}
