import { type KeyEvent, keyEventFromPush } from '../../signals/keyspace-message.ts';
import type { PushSignal } from '../../signals/signal.ts';
import type { Context } from '../context.ts';
import { companionFrom } from '../kinds/kinds.ts';
import { clearKey, holderIds } from '../mirror/lock-key.ts';
import { applyLoss } from './companion-reads.ts';
import { endBetween, expireBetween } from './expire.ts';
import { isHeldUnseen, noteFree, noteOtherType } from './proof.ts';
import { loseCounter } from './reads/lose-counter.ts';
import { noteForeignValue } from './reads/token-reads.ts';

/**
 * Reports an expiry or an eviction. Neither has a command: only a push shows it. Returns whether the push was such an
 * event.
 */
export function applyLossPush(to: Context, push: PushSignal): boolean {
  const event = keyEventFromPush(push);
  if (event?.event !== 'expired' && event?.event !== 'evicted') return false;
  const key = to.keys.find(event.db, event.key);
  // With channels by key (`__keyspace@…`), `--match` limits the keys whose expiries we receive.
  if (key && event.event === 'expired' && push.channel.startsWith('__keyevent@')) to.hearsEnds = true;
  if (!key) {
    if (!to.hasCommands && !to.ownLocks.isEmpty) to.ownLocks.find(event.db, event.key)?.lose();
    loseCompanion(to, event, push);
  } else {
    noteOtherType(key, false);
    noteForeignValue(key, undefined);
  }
  const type = event.event === 'expired' ? 'lease.expired' : 'lock.evicted';
  const isSet = key?.mirrors?.counter?.isSet && event.event === 'expired';
  const at = isSet ? endBetween(to, key, push).at : push.at;
  if (key && loseCounter(to, key, { type, at })) return true;
  if (!key || (key.holders.size === 0 && !isHeldUnseen(to, key))) return true;
  const about = { db: key.db, lock: key.name, kind: key.kind, at };
  const holders = holderIds(key);
  const [holder] = holders;
  if (type === 'lock.evicted') {
    key.lastLoss = to.emit(about, { type, ...(holder === undefined ? undefined : { holder, holders }) });
  } else if (holder === undefined) {
    key.lastExpiry = to.emit(about, { type, mode: 'exclusive' }); // the hold was not seen
  } else expireBetween(to, key, push);
  clearKey(key, 'gone');
  noteFree(to, key);
  return true;
}

function loseCompanion(to: Context, event: KeyEvent, { at }: PushSignal): void {
  const found = companionFrom(event.key);
  const key = found && to.keys.find(event.db, to.keys.nameFrom(event.db, found.lock));
  if (found && key?.mirrors) applyLoss(to, key, found, { at, command: event.event });
}
