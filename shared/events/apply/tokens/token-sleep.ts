import type { Millis } from '../../../base/time.ts';
import type { ActionOf } from '../../action.ts';
import type { Context, Origin } from '../../context.ts';
import { noteOlder } from '../../mirror/clients/wait.ts';
import { tokenMirrorOf } from '../../mirror/tokens/token-memory.ts';
import { libraryOfSignal } from '../../names/signal-lists.ts';
import { proveAttempt } from '../reads/token-reads.ts';
import { refuse, seenSince } from './token-hold.ts';

/** A waiter that sleeps without a time limit is kept for this long: 24 h. */
const LONGEST_SLEEP: Millis = 86_400_000;
/** After its time limit, a waiter attempts again within this time, or returns to its caller. */
const ANSWERS_WITHIN: Millis = 2000;

/**
 * A client waits in BLPOP for the item of a release, right after a refused attempt on the same connection: the token of
 * that attempt is the waiter. The name of the list shows the libraries python-redis-lock and walrus, and the lock. The
 * lock of any other list is known once a release has put an item there.
 */
export function sleepOnSignal(to: Context, action: ActionOf<'token-sleep'>, { db, by }: Origin): void {
  const { channel, limitMs, at } = action;
  const lock = action.lock ?? to.strangeLocks.lockOf(db, channel) ?? '';
  const key = to.keys.find(db, lock);
  if (key?.kind !== 'token-lock' || by === undefined) return;
  const mirror = tokenMirrorOf(key);
  if (action.lock !== undefined) {
    mirror.library = libraryOfSignal(channel);
    mirror.isSure = true;
    mirror.isOwn = false;
  } else if (!mirror.refusedTokens.has(by) && !mirror.unreported.some((attempt) => attempt.by === by)) return;
  const unreported = mirror.unreported.findLast((attempt) => attempt.by === by);
  const [first] = mirror.unreported;
  // The sleeper was refused, so the first attempt acquired the lock, unless that was the sleeper's own.
  if (unreported && first && first !== unreported) proveAttempt(to, key, first.token, at);
  else if (unreported) {
    mirror.unreported.length = 0;
    const from = { db, by, released: undefined };
    refuse(to, { key, token: unreported.token, at: unreported.at, from, certainty: 'inferred' });
  }
  const token = mirror.refusedTokens.get(by);
  const wait = token === undefined ? undefined : to.waits.find(db, lock, token);
  if (!wait || token === undefined) return;
  wait.isAsleep = true;
  wait.asksAgainWithin = limitMs > 0 ? limitMs + ANSWERS_WITHIN : LONGEST_SLEEP;
  wait.lastAttemptAt = at;
  // each BLPOP is followed by an attempt that looks like a first one, so an earlier BLPOP of this wait may be unseen
  const isOlder = noteOlder(wait, limitMs, seenSince(to, mirror));
  if (isOlder) wait.beganUnseen = true;
  const subscribers = to.waits.of(db, lock).filter(({ isAsleep }) => isAsleep).length;
  to.emit(
    { db, lock, kind: key.kind, at, by },
    {
      ...({ type: 'waiter.subscribed', channel, holder: token, subscribers } as const),
      ...(isOlder ? { isOlder } : undefined),
    },
  );
}
