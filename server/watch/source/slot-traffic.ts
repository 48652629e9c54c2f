import { hasSlot, keySlot, type SlotRanges } from '../../../shared/base/key-slot.ts';
import type { LockKeys } from '../../../shared/events/mirror/lock-keys.ts';
import { lockOfChannel } from '../../../shared/events/names/names.ts';
import type { LineSignal, PushSignal } from '../../../shared/signals/signal.ts';
import type { KeyReader } from '../reads/key-reader.ts';

/**
 * Has keys read that this command takes to another server of the cluster, or brings from one. A command does not tell
 * whether it worked; but who does not keep a key any more says, when asked, who does.
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

/** Whether a message is about a lock of another shard: without shards of their own, messages go to every server. */
export function isForAnotherShard({ channel }: PushSignal, slots: SlotRanges): boolean {
  if (slots.length === 0) return false;
  const target = lockOfChannel(channel);
  return target !== undefined && !hasSlot(slots, keySlot(target.name));
}
