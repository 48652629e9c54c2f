import { millisBetween, redisTime } from '../../shared/base/time.ts';
import { isCounterKind } from '../../shared/events/kinds/kinds.ts';
import { wantedBy } from '../../shared/insights/attention.ts';
import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import {
  type Beginning,
  endOfHolder,
  type HiddenWaiters,
  holderCount,
  oldestHold,
  oldestWait,
  waiterCount,
} from '../../shared/wire/locks/lock-facts.ts';
import { personText } from '../../shared/wire/person-text.ts';
import { counterText } from '../parts/counter-words.ts';
import { waitersText } from '../parts/lock-words.ts';
import { asCode, asPlain, utcText } from '../share/markdown.ts';
import { durationText } from '../ui/time-text.ts';
import type { Words } from '../words/words.ts';

/** What a summary needs to know beside the lock. */
export type SummaryOf = {
  /** The instant of the summary, in Redis time (µs). */
  readonly at: number;
  /** Why waiters of the lock may not be seen; null: all are seen. */
  readonly hidden: HiddenWaiters | null;
  /** False if the source was not watched then. */
  readonly isWatched: boolean;
};

const MOST_NAMED = 3;

/** The state of a lock at an instant, in Markdown: holders, waiters, and what is unusual. */
export function lockSummary(lock: Lock, known: SummaryOf, words: Words): string[] {
  const texts = words.share.lock;
  const sentences = [stateText(lock, known.at, words), waitText(lock, known, words), noteText(lock, words)];
  if (lock.unread) sentences.push(texts.unread);
  if (!known.isWatched) sentences.push(texts.notWatched);
  if (lock.assumedSince !== undefined) sentences.push(words.common.assumedSince(utcText(lock.assumedSince)));
  else if (lock.certainty === 'inferred') sentences.push(words.share.inferred);
  return sentences.filter((sentence) => sentence !== '');
}

function stateText(lock: Lock, at: number, words: Words): string {
  const texts = words.share.lock;
  const clock = utcText(at);
  const name = texts.place(words.lock.kind[lock.kind], asCode(lock.name), asPlain(lock.source), lock.db);
  if (isCounterKind(lock.kind)) return texts.counter(clock, name, counterText(lock, words.counters));
  if (lock.holderUnseen) return texts.holderUnseen(clock, name);
  if (!lock.held) return texts.free(clock, name);
  const count = holderCount(lock);
  if (count === 0) return texts.heldByUnknown(clock, name);
  const named = lock.holders.slice(0, MOST_NAMED).map((holder) => holderText(holder, words));
  const names = named.join(', ');
  const holders = count > named.length ? texts.andMore(names, count - named.length) : names;
  const age = lengthOf(oldestHold(lock), at, words);
  const ageText = age === null ? '' : texts.forAge(age.length, age.isAtLeast, count > 1);
  return texts.held(clock, name, holders, ageText + leaseText(lock, at, words));
}

/** The lease of the only holder. Empty if there are several holders, because their leases may differ. */
function leaseText(lock: Lock, at: number, words: Words): string {
  const texts = words.share.lock;
  const [holder] = lock.holders;
  if (!holder || holderCount(lock) > 1) return '';
  const expiresAt = endOfHolder(lock, holder);
  if (expiresAt === null) return lock.lease.neverEnds ? texts.leaseNeverEnds : texts.leaseUnknown;
  if (expiresAt <= at) return texts.leaseOver;
  return texts.leaseLeft(durationText(millisBetween(redisTime(at), redisTime(expiresAt)), words.time));
}

function waitText(lock: Lock, { at, hidden }: SummaryOf, words: Words): string {
  const texts = words.share.lock;
  if (waiterCount(lock) === 0) {
    const listeners = wantedBy(lock);
    if (listeners > 0) return texts.listening(listeners); // their waits may have begun before the source was watched
    if (hidden === null) return texts.noWaiters;
    if (hidden !== 'level') return texts.notAllWaiters;
    return lock.held && lock.subscribers === 0 ? texts.listening(0) : texts.waitersHidden;
  }
  const oldest = oldestWait(lock);
  const length = lengthOf(oldest, at, words);
  const waiter = oldest && lock.waiters.find(({ since, presumedGone }) => since === oldest.at && !presumedGone);
  const text = length && waiter ? texts.oldest(nameOf(waiter), length.length, length.isAtLeast) : '';
  return texts.waited(waitersText(lock, hidden, words.lock), text);
}

/** What is worth a note about a holder: its client is gone, or its lease has been renewed. */
function noteText({ holders }: Lock, words: Words): string {
  const texts = words.share.lock;
  const gone = holders.find(({ presence }) => presence === 'gone');
  if (gone) return texts.gone(nameOf(gone), gone.goneSince === null ? null : utcText(gone.goneSince), gone.address);
  const [holder] = holders;
  if (holders.length !== 1 || !holder || holder.lastRenewedAt === null) return '';
  return texts.renewed(holder.renewals, utcText(holder.lastRenewedAt));
}

function lengthOf(from: Beginning | null, at: number, { time }: Words): { length: string; isAtLeast: boolean } | null {
  if (from === null || from.at > at) return null;
  return { length: durationText(millisBetween(redisTime(from.at), redisTime(at)), time), isAtLeast: from.isAtLeast };
}

function holderText(holder: Holder, { lock }: Words): string {
  const isPlain = holder.holdCount === 1 && holder.mode === 'exclusive';
  return isPlain ? nameOf(holder) : `${nameOf(holder)} ${lock.count(holder.holdCount, holder.mode)}`;
}

function nameOf({ client, thread, name }: Pick<Holder, 'client' | 'thread' | 'name'>): string {
  return asCode(personText(client, thread, name));
}
