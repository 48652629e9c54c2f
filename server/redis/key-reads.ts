import { binaryFromText, textFromBinary } from '../../shared/base/bytes-text.ts';
import { lockChannel } from '../../shared/events/names.ts';
import type { KeyRead } from '../../shared/signals/signal.ts';
import { RedisError, type Reply } from './resp-scanner.ts';

/** A key to read, and whether a key event said that it just changed. */
export type KeyToRead = { readonly db: number; readonly name: string; readonly hasChanged: boolean };

const COMMANDS_PER_KEY = 4;

/**
 * One atomic read of some keys of one database, as commands. ECHO stands last: in MONITOR its line is the bookmark,
 * after everything the reads themselves caused (reading an expired key makes Redis say `expired`).
 *
 * A user who may not count listeners is not asked to: one refused command would undo the whole read. Its place is
 * taken by a second TYPE, which counts nobody.
 */
export function readCommands(
  db: number,
  keys: readonly KeyToRead[],
  token: string,
  canCountListeners: boolean,
): string[][] {
  const commands = [['MULTI'], ['SELECT', String(db)]];
  for (const key of keys) {
    const name = binaryFromText(key.name);
    commands.push(
      ['TYPE', name],
      ['HGETALL', name],
      ['PTTL', name],
      canCountListeners ? ['PUBSUB', 'NUMSUB', binaryFromText(lockChannel(key.name))] : ['TYPE', name],
    );
  }
  commands.push(['TIME'], ['ECHO', token], ['EXEC']);
  return commands;
}

/** What `readCommands` found: the reads and the server's time (µs); undefined when Redis refused. */
export function readsFromReplies(
  keys: readonly KeyToRead[],
  replies: readonly Reply[],
): { reads: KeyRead[]; at: number } | undefined {
  const results = replies.at(-1);
  if (!Array.isArray(results)) return undefined;
  const [, ...values] = results; // SELECT
  const reads = keys.map((key, index) =>
    readOf(key, values.slice(index * COMMANDS_PER_KEY, (index + 1) * COMMANDS_PER_KEY)),
  );
  const time = values[keys.length * COMMANDS_PER_KEY];
  return { reads, at: microsFromTime(time ?? null) };
}

function readOf(key: KeyToRead, [type, fields, pttl, numsub]: readonly Reply[]): KeyRead {
  return {
    ...key,
    type: type === undefined || type instanceof RedisError ? 'none' : String(type),
    fields: Array.isArray(fields) ? fieldsFrom(fields) : {},
    pttl: typeof pttl === 'number' ? pttl : -2,
    subscribers: Array.isArray(numsub) && typeof numsub[1] === 'number' ? numsub[1] : null,
  };
}

/** Fields and values of a hash as text. */
export function fieldsFrom(flat: readonly Reply[]): Record<string, string> {
  const fields: Record<string, string> = {};
  for (let i = 0; i + 1 < flat.length; i += 2)
    fields[textFromBinary(String(flat[i]))] = textFromBinary(String(flat[i + 1]));
  return fields;
}

/** TIME's reply in µs; 0 when it was refused. */
export function microsFromTime(reply: Reply): number {
  if (!Array.isArray(reply)) return 0;
  return Number(reply[0]) * 1_000_000 + Number(reply[1]);
}
