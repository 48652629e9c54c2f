import { hasSlot, keySlot, type SlotRanges } from '../../../shared/base/key-slot.ts';
import type { LockKeys } from '../../../shared/events/mirror/lock-keys.ts';
import { lockOfChannel } from '../../../shared/events/names/names.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { KeyReader } from '../reads/key-reader.ts';

/**
 * Requests a read of each key that this command moves to another server of the cluster, or brings from one. The command
 * alone does not show whether it worked, but a server that has given a key away replies with the server that has it.
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
