import type { PushSignal } from './signal.ts';

/** A key event: `event` is the command or cause, for example `hincrby` or `expired`. */
export type KeyEvent = { readonly db: number; readonly key: string; readonly event: string };

/**
 * Returns the key event in a push, in either of its two forms; undefined for any other message.
 *
 *   __keyspace@0__:orders:42   expired
 *   __keyevent@0__:expired     orders:42
 */
export function keyEventFromPush(push: PushSignal): KeyEvent | undefined {
  const match = /^__key(space|event)@(\d+)__:/.exec(push.channel);
  if (!match) return undefined;
  const rest = push.channel.slice(match[0].length);
  const db = Number(match[2]);
  return match[1] === 'space' ? { db, key: rest, event: push.message } : { db, key: push.message, event: rest };
}
