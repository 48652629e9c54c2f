import { binaryFromText } from '../base/bytes-text.ts';
import { bareWord } from '../events/libraries/bare-word.ts';
import { parseHolder } from '../events/names/names.ts';

/**
 * Returns a token as a sentence can contain it: without what a serializer put around it. If the rest contains bytes
 * that are not text, returns its last four bytes, for example `…0000002a`, because serialized values begin alike.
 */
export function wordOf(token: string): string {
  const word = bareWord(token);
  if (!NO_TEXT.test(word)) return word;
  const bytes = [...binaryFromText(word)].slice(-4);
  return `…${bytes.map((byte) => byte.charCodeAt(0).toString(16).padStart(2, '0')).join('')}`;
}

/** A control character, or a byte that is not text. */
const NO_TEXT = /[\x00-\x1f\x7f]|\\x[0-9a-f]{2}/;

/**
 * Shortens a client id for tables. UUIDs and other tokens are cut to their first eight characters. A token of ShedLock
 * is cut to its host and the first eight characters of its uuid. Other ids are unchanged, for example connection names
 * that people chose: words joined by hyphens.
 */
export function shortClient(id: string): string {
  const client = wordOf(id);
  if (/^[0-9a-f]{8}-[0-9a-f-]{27}$/i.test(client)) return client.slice(0, 8);
  const job = /^ADDED:[^@]*@(.*):([0-9a-f]{8})-[0-9a-f-]{27}$/.exec(client);
  if (job) return `${job[1]}:${job[2]}`;
  const isToken = /^[0-9a-f-]{20,}$/i.test(client) || (/^[\w+/=-]{20,}$/.test(client) && /[A-Z]/.test(client));
  return isToken ? `${client.slice(0, 8)}…` : client;
}

/** Returns `order-svc-1:7` if CLIENT LIST has a name for the client, otherwise `8f3a1c02:7`. */
export function personText(client: string, thread: string | null, name: string | null): string {
  const who = name !== null && name !== '' ? name : shortClient(client);
  return thread === null ? who : `${who}:${thread}`;
}

/** Splits `uuid:thread` into client and thread. A token has no thread. */
export function splitHolder(id: string): { client: string; thread: string | null } {
  return parseHolder(id) ?? { client: id, thread: null };
}
