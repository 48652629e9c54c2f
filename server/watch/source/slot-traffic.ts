import { hasSlot, keySlot, type SlotRanges } from '../../../shared/base/key-slot.ts';
import type { LockKeys } from '../../../shared/events/mirror/lock-keys.ts';
import { lockOfChannel } from '../../../shared/events/names/names.ts';
import { keyEventFromPush } from '../../../shared/signals/keyspace-message.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { KeyReader } from '../reads/key-reader.ts';

/**
 * Requests a read of each known lock that this command moves to another server of the cluster, and of each key that
 * this server receives from one. The command alone does not show whether it worked. A server that has given a key away
 * replies to the read with the server that has the key now.
 */
export function readMigratingKeys({ db, words }: LineSignal, keys: LockKeys, reader: KeyReader): void {
  const command = words[0]?.toUpperCase();
  if (command === 'RESTORE-ASKING' && words[1] !== undefined) return reader.changed(db, words[1]);
  if (command !== 'MIGRATE') return;
  const many = words.findIndex((word, index) => index > 5 && word.toUpperCase() === 'KEYS');
  for (const name of many === -1 ? words.slice(3, 4) : words.slice(many + 1)) {
    const key = keys.find(db, name);
    if (key) reader.doubt(key);
  }
}

/** Whether a message is about a lock of another shard: pub/sub that is not sharded sends messages to every server. */
export function isForAnotherShard({ channel }: PushSignal, slots: SlotRanges): boolean {
  if (slots.length === 0) return false;
  const target = lockOfChannel(channel);
  return target !== undefined && !hasSlot(slots, keySlot(target.name));
}

/** How Valkey writes a key of a slot that it imports, as key events show it. */
const WRITES = new Set(['hset', 'set']);

/**
 * Gives the key event of a migrated key the same form on Redis and Valkey. A key migrates with its slot from another
 * server of the cluster. Valkey then writes the key as a client would, before this server serves the slot. That write
 * must not look like an acquisition.
 *
 *   Redis 8.4     restore orders:42
 *   Valkey 9.0    hset orders:42 · expire orders:42      becomes restore orders:42 · expire orders:42
 */
export function asArrival(push: PushSignal, slots: SlotRanges): PushSignal {
  if (slots.length === 0) return push;
  const event = keyEventFromPush(push);
  if (!event || !WRITES.has(event.event) || hasSlot(slots, keySlot(event.key))) return push;
  return { ...push, channel: `__keyspace@${event.db}__:${event.key}`, message: 'restore' };
}
