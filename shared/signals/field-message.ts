import { binaryFromText, textFromBinary } from '../base/bytes-text.ts';
import type { KeyEvent } from './keyspace-message.ts';
import type { PushSignal } from './signal.ts';

/** A field notification: the key event of a hash, with the fields that its command changed, in their order. */
export type FieldEvent = KeyEvent & { readonly fields: readonly string[] };

const CHANNEL = /^__subkey(space|event)@(\d{1,9})__:/;

/**
 * Returns the field notification (Redis 8.8, "subkey notification") in a push, in either of its two forms whose
 * messages name all fields; undefined for any other message. `malformed`: the message does not have the documented
 * form.
 *
 *   __subkeyevent@0__:hincrby     9:orders:42|38:9a92fa0b-…:1        <length>:<key>|<length>:<field>[,<length>:<field>]…
 *   __subkeyspace@0__:orders:42   hincrby|38:9a92fa0b-…:1            <event>|<length>:<field>[,<length>:<field>]…
 *
 * Lengths are in bytes. Names may have any bytes, also `|`, `,` and line breaks: only the lengths show where they end.
 * `isWanted`: whether the fields of this key are needed. The fields of any other key are not read: the result has none.
 */
export function fieldEventFromPush(
  { channel, message }: PushSignal,
  isWanted: (db: number, key: string) => boolean = () => true,
): FieldEvent | 'malformed' | undefined {
  const match = CHANNEL.exec(channel);
  if (!match) return undefined;
  const db = Number(match[2]);
  // A name that is not UTF-8 is text with escapes: the lengths are those of the bytes.
  const payload = binaryFromText(message);
  let key: string;
  let event: string;
  let from: number;
  if (match[1] === 'event') {
    event = channel.slice(match[0].length);
    const end = endOfPart(payload, 0);
    if (end === undefined || payload[end.to] !== '|') return 'malformed';
    key = textFromBinary(payload.slice(end.from, end.to));
    from = end.to + 1;
  } else {
    key = textFromBinary(binaryFromText(channel).slice(match[0].length));
    const bar = payload.indexOf('|');
    event = payload.slice(0, bar);
    if (bar < 1) return 'malformed';
    from = bar + 1;
  }
  if (!/^[a-z]{1,32}$/.test(event)) return 'malformed';
  if (!isWanted(db, key)) return { db, key, event, fields: NO_FIELDS };
  const fields = fieldsFrom(payload, from);
  return fields ? { db, key, event, fields } : 'malformed';
}

const NO_FIELDS: readonly string[] = [];

function fieldsFrom(payload: string, start: number): string[] | undefined {
  const fields: string[] = [];
  for (let at = start; ; at++) {
    const part = endOfPart(payload, at);
    if (!part) return undefined;
    fields.push(textFromBinary(payload.slice(part.from, part.to)));
    at = part.to;
    if (at === payload.length) return fields;
    if (payload[at] !== ',') return undefined;
  }
}

/** Where the name after `<length>:` begins and ends; undefined if there is no such name. */
function endOfPart(payload: string, at: number): { readonly from: number; readonly to: number } | undefined {
  LENGTH.lastIndex = at;
  const match = LENGTH.exec(payload);
  if (!match) return undefined;
  const from = LENGTH.lastIndex;
  const to = from + Number(match[1]);
  return to <= payload.length ? { from, to } : undefined;
}

/** A length as Redis writes it: without a sign or a leading zero. */
const LENGTH = /(0|[1-9]\d{0,8}):/y;
