import type { Logger } from 'pino';
import type { Undo } from './serve.ts';

const CLEAN_WITHIN_MS = 2800;

/** How this process ends: what was started is undone in reverse order, within three seconds. */
export type Shutdown = Undo & { isEnding(): boolean; run(exitCode: number): Promise<void> };

/** Ends the process on SIGINT, SIGTERM and the end of its terminal, and on a mistake of ours that nobody caught. */
export function createShutdown(log: Pick<Logger, 'error' | 'warn'>): Shutdown {
  const steps: (() => Promise<void>)[] = [];
  let isEnding = false;

  const attempt = async (step: () => Promise<void>) => {
    try {
      await step();
    } catch (error) {
      log.warn({ err: error }, 'something did not end cleanly');
    }
  };
  const run = async (exitCode: number) => {
    if (isEnding) return;
    isEnding = true;
    setTimeout(() => {
      log.error('Some parts did not end within three seconds.');
      process.exit(1);
    }, CLEAN_WITHIN_MS).unref();
    for (let step = steps.pop(); step; step = steps.pop()) await attempt(step);
    process.exit(exitCode);
  };

  process.on('SIGINT', () => void run(0));
  process.on('SIGTERM', () => void run(0));
  // Away from a terminal, as under nohup, a terminal that closes is none of our business.
  if (process.stdout.isTTY) process.on('SIGHUP', () => void run(0));
  const onMistake = (error: unknown) => {
    log.error({ err: error }, 'Lockscope made a mistake and ends.');
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
