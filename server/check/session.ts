import type { Logger } from 'pino';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { VERSION } from '../package-info.ts';
import { keepHeapsSmall, memoryLimit, watchMemory } from '../process/memory-limit.ts';
import type { Undo } from '../process/shutdown.ts';
import type { RecordFiles } from '../recordings/record-files.ts';
import { createObservatory } from '../watch/create-observatory.ts';
import type { Observatory } from '../watch/observatory.ts';
import type { WatchConfig } from './config.ts';
import { isReady } from './watching.ts';

/** Creates the observatory of a command without a page. */
export function openSession(config: WatchConfig, log: Logger, undo: Undo, records?: RecordFiles): Observatory {
  keepHeapsSmall();
  const memory = memoryLimit(config.memory);
  const { redisUrls, level, match, configureNotifications } = config;
  const observatory = createObservatory({
    ...{ redisUrls, level, match, configureNotifications, memory, log },
    madeBy: `lockscope ${VERSION}`,
    ...(records ? { openSink: records.openSink } : {}),
  });
  undo.add(() => observatory.stop());
  const stopWatchingMemory = watchMemory(observatory, memory, log);
  undo.add(async () => stopWatchingMemory());
  return observatory;
}

/**
 * Reads all locks that are held now, at level `snapshot`, with connections of its own. `undefined` if they could not be
 * read.
 */
export async function readLocks(config: WatchConfig, log: Logger, signal: AbortSignal): Promise<Lock[] | undefined> {
  const { redisUrls, match, memory } = config;
  const observatory = createObservatory({
    ...{ redisUrls, level: 'snapshot', match, configureNotifications: false, memory, log },
    madeBy: `lockscope ${VERSION}`,
  });
  try {
    await observatory.start();
    return (await isReady(observatory, signal)) ? observatory.locks(0) : undefined;
  } finally {
    await observatory.stop();
  }
}
