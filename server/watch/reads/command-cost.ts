import type { Reply } from '../../redis/connection/reply.ts';

/** What one command of ours costs Redis at most, in µs, without the bytes of its arguments and its reply. */
const MICROS = 1;
const OF_COMMAND: Readonly<Record<string, number>> = {
  MEMORY: 2,
  HGETALL: 2,
  HKEYS: 2,
  INFO: 60,
};
/** One key that SCAN looks at, with its type, while few keys exist. */
const MICROS_PER_KEY = 0.8;
export const CHARACTERS_PER_MICRO = 1000;

/** What these commands cost Redis at most, in µs: a high estimate, so that reads keep to a budget on any server. */
export function microsOf(
  commands: readonly (readonly string[])[],
  replies: readonly Reply[],
  perKey = MICROS_PER_KEY,
): number {
  let micros = 0;
  for (const words of commands) {
    micros += (OF_COMMAND[words[0] ?? ''] ?? MICROS) + keysOf(words) * perKey;
    for (const word of words) micros += word.length / CHARACTERS_PER_MICRO;
  }
  return micros + charactersIn(replies) / CHARACTERS_PER_MICRO;
}

/** How many keys a SCAN looks at; 0 for another command. */
export function keysOf(words: readonly string[]): number {
  return words[0] === 'SCAN' ? Number(words[words.lastIndexOf('COUNT') + 1]) : 0;
}

function charactersIn(reply: Reply | readonly Reply[]): number {
  if (typeof reply === 'string') return reply.length;
  if (!Array.isArray(reply)) return 8;
  return reply.reduce((sum: number, each: Reply) => sum + charactersIn(each), 0);
}
