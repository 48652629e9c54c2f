import { closeSync, fstatSync } from 'node:fs';
import { constants } from 'node:os';
import { isatty } from 'node:tty';
import type { Logger } from 'pino';
import { afterOwnTime } from '../redis/connection/own-time.ts';
import { isUnderNohup } from './nohup.ts';

const CLEAN_WITHIN_MS = 2800;
const LOOK_FOR_NPX_MS = 500;

/** Shutdown steps, run in reverse order. A step added during the shutdown runs at once. */
export type Undo = { add(step: () => Promise<void>): void; isEnding(): boolean };

/**
 * Ends this process: runs the shutdown steps in reverse order, within three seconds. `signal` aborts when that begins.
 */
export type Shutdown = Undo & { run(exitCode: number): Promise<void>; readonly signal: AbortSignal };

/** A signal that ends a program. */
type EndSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';

/**
 * Ends the process on an uncaught error, and calls `onSignal` for SIGINT and SIGTERM. Unless nohup started the process,
 * calls `onSignal` also for SIGHUP, and with SIGTERM once an npx that started the process has ended.
 */
export function createShutdown(
  log: Pick<Logger, 'error' | 'warn'>,
  onSignal: (signal: EndSignal, shutdown: Shutdown) => void = (_, shutdown) => void shutdown.run(0),
): Shutdown {
  const ending = new AbortController();
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
    ending.abort();
    afterOwnTime(CLEAN_WITHIN_MS, () => {
      quietly(() => log.error('Some parts did not end within three seconds.'));
      exit(1);
    }).unref();
    for (let step = steps.pop(); step; step = steps.pop()) await attempt(step);
    exit(exitCode);
  };

  process.on('SIGINT', () => onSignal('SIGINT', shutdown));
  process.on('SIGTERM', () => onSignal('SIGTERM', shutdown));
  // Under nohup the listener does nothing. Without a listener, Node would exit at once and skip the shutdown steps.
  const ignoresHangUp = isUnderNohup();
  process.on('SIGHUP', () => ignoresHangUp || onSignal('SIGHUP', shutdown));
  if (!ignoresHangUp) onNpxEnded(() => onSignal('SIGTERM', shutdown));
  const onMistake = (error: unknown) => {
    quietly(() => log.error({ err: error }, 'Internal error in Lockscope. It exits.'));
    void run(1);
  };
  process.on('uncaughtException', onMistake);
  process.on('unhandledRejection', onMistake);

  const shutdown: Shutdown = {
    run,
    signal: ending.signal,
    isEnding: () => isEnding,
    add: (step) => {
      if (isEnding) void attempt(step);
      else steps.push(step);
    },
  };
  return shutdown;
}

/**
 * Calls `onEnd` once the npx that started this process has ended; does nothing if npx did not start it. A signal to npx
 * ends only the shell between npx and this process, so nothing would stop MONITOR on the watched Redis.
 */
function onNpxEnded(onEnd: () => void): void {
  if (process.env.npm_command !== 'exec') return;
  const shell = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === shell) return;
    clearInterval(timer);
    onEnd();
  }, LOOK_FOR_NPX_MS);
  timer.unref();
}

/**
 * Exits. At exit, Node restores the modes of its terminal, and crashes if the terminal was closed. So the files of a
 * closed terminal are closed first.
 */
function exit(exitCode: number): never {
  for (const file of [0, 1, 2]) quietly(() => isHungUp(file) && closeSync(file));
  process.exit(exitCode);
}

/** Whether a file is a closed terminal; also true for other devices that are not terminals, such as /dev/null. */
function isHungUp(file: number): boolean {
  return fstatSync(file).isCharacterDevice() && !isatty(file);
}

/** The exit code of a program that a signal ended, as a shell reports it. */
export function exitCodeOfSignal(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}

/** Runs a step and ignores its failure, for example of the log after the terminal was closed: the shutdown goes on. */
function quietly(step: () => void): void {
  try {
    step();
  } catch {
    // The failure can be reported nowhere.
  }
}
