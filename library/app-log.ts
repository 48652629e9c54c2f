import pino, { type Logger } from 'pino';
import { printable } from '../server/cli/printable.ts';

/** The log of an application, which receives the lines of the Lockscope inside it; for example `console`. */
export type AppLog = {
  info?(line: string): void;
  warn(line: string): void;
  error(line: string): void;
};

const WARN = 40;
const ERROR = 50;

/** A log whose lines go to the application. */
export function createAppLog(log: AppLog): Logger {
  return pino({ base: null, timestamp: false }, { write: (json: string) => passOn(log, json) });
}

function passOn(log: AppLog, json: string): void {
  const { level, msg, err, source } = JSON.parse(json); // what pino wrote
  const about = source === undefined ? '' : ` (${source})`;
  const line = printable(`Lockscope: ${msg}${about}${err?.stack ? `\n${err.stack}` : ''}`);
  if (level >= ERROR) log.error(line);
  else if (level >= WARN) log.warn(line);
  else log.info?.(line);
}
