import type { Logger } from 'pino';
import { isUnderNohup } from './nohup.ts';
import type { Undo } from './serve.ts';

const CLEAN_WITHIN_MS = 2800;

/** Ends this process: runs the shutdown steps in reverse order, within three seconds. */
export type Shutdown = Undo & { run(exitCode: number): Promise<void> };

/** Ends the process on SIGINT, SIGTERM, SIGHUP (unless under nohup), and on an uncaught error. */
export function createShutdown(log: Pick<Logger, 'error' | 'warn'>): Shutdown {
  const steps: (() => Promise<void>)[] = [];
  let isEnding = false;

  const attempt = async (step: () => Promise<void>) => {
    try {
      await step();
    } catch (error) {
      quietly(() => log.warn({ err: error }, 'a part did not shut down cleanly'));
    }
  };
  const run = async (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      quietly(() => log.error('Some parts did not end within three seconds.'));
      process.exit(1);
    }, CLEAN_WITHIN_MS).unref();
    for (let step = steps.pop(); step; step = steps.pop()) await attempt(step);
    process.exit(exitCode);
  };

  process.on('SIGINT', () => void run(0));
  process.on('SIGTERM', () => void run(0));
  // Under nohup the listener does nothing. Without a listener, Node would exit at once and skip the shutdown steps.
  const isKept = isUnderNohup();
  process.on('SIGHUP', () => void (isKept || run(0)));
  const onMistake = (error: unknown) => {
    quietly(() => log.error({ err: error }, 'Internal error in Lockscope. It exits.'));
    void run(1);
  };
  process.on('uncaughtException', onMistake);
  process.on('unhandledRejection', onMistake);

  return {
    run,
    isEnding: () => isEnding,
    add: (step) => {
      if (isEnding) void attempt(step);
      else steps.push(step);
    },
  };
}

/** Writes to the log and ignores a failure, for example after the terminal was closed: the shutdown goes on. */
function quietly(write: () => void): void {
  try {
    write();
  } catch {
    // There is nowhere left to report it.
  }
}
