import pino, { type Logger } from 'pino';
import { z } from 'zod';
import { printable, printableLines } from './printable.ts';

const entry = z.looseObject({ time: z.string(), level: z.string(), msg: z.string().default('') });

/**
 * A log on stderr, as JSON lines or plain text. stdout carries only the ready line and reports. `write` replaces stderr
 * for plain text.
 */
export function createLog(isJson: boolean, write = (text: string): void => void process.stderr.write(text)): Logger {
  const options = {
    base: null,
    timestamp: pino.stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  const plain = { write: (line: string) => write(plainLine(line)) };
  return isJson ? pino(options, pino.destination({ fd: 2, sync: true })) : pino(options, plain);
}

/** `12:04:31 warn  The private Redis is gone. (port 4711)` from a JSON line. */
export function plainLine(line: string): string {
  const { time, level, msg, err, ...rest } = entry.parse(JSON.parse(line));
  const details = Object.entries(rest).map(([name, value]) => `${name} ${printed(value)}`);
  const error = z.object({ stack: z.string() }).safeParse(err);
  const tail = details.length > 0 ? ` (${details.join(', ')})` : '';
  const stack = error.success ? `\n${error.data.stack}` : '';
  return `${time.slice(11, 19)} ${level.padEnd(5)} ${printable(msg + tail)}${printableLines(stack)}\n`;
}

function printed(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}
