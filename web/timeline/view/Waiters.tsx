import { millisBetween, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import type { Lock, Waiter } from '../../../shared/wire/locks/lock.ts';
import { Person } from '../../parts/Person.tsx';
import { useSeesWaitersOf } from '../../parts/people.ts';
import { countdownText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { useHasSeveralLocks } from '../store/workspace.ts';

/** Up to this number, every waiter is listed. If there are more, the first two are listed, and the rest on demand. */
const MOST_LISTED = 3;
const FIRST = 2;
/** The most waiters that are listed at all. */
const MOST_SHOWN = 100;

type At = { lock: Lock; at: RedisTime };

/** The waiters of a lock. A few are all listed; of many, their number and the first two. */
export function Waiters({ lock, at }: At) {
  const { timeline: words, lock: lockWords } = useWords();
  const seesWaiters = useSeesWaitersOf(lock);
  const beyond = lock.moreWaiters ?? 0;
  // a dead waiter in a queue blocks the waiters behind it, so it is listed
  const waiting = lock.waiters.filter(({ presumedGone, position }) => !presumedGone || position !== null);
  const waiters = waiting.some(({ position }) => position !== null) ? inLine(waiting) : byAge(waiting);
  const first = waiters.slice(0, waiters.length > MOST_LISTED ? FIRST : MOST_LISTED);
  const others = waiters.slice(first.length, MOST_SHOWN);
  const unlisted = waiters.length + beyond - first.length - others.length;
  const isWritten =
    waiters.length > MOST_LISTED && seesWaiters && beyond === 0 && waiters.every(({ asleep }) => asleep);
  const rows = (some: readonly Waiter[]) =>
    some.map((waiter) => (
      <WaiterRow key={`${waiter.id} ${waiter.mode}`} {...{ lockId: lock.id, waiter, at, isWritten }} />
    ));
  return (
    <>
      <dt>{words.fact.waiting}</dt>
      <dd>
        {waiters.length + beyond === 0 && (seesWaiters ? words.nobody : <HiddenWaiters words={lockWords} />)}
        {waiters.length > MOST_LISTED && <p>{waitersText(waiters, beyond, seesWaiters, words)}</p>}
        {rows(first)}
        {others.length > 0 && (
          <details>
            <summary className="quiet">{words.otherWaiters(others.length)}</summary>
            {rows(others)}
          </details>
        )}
        {unlisted > 0 && <span className="quiet">{words.more(unlisted)}</span>}
      </dd>
    </>
  );
}

/** `11 waiting, all asleep`. How many are asleep is left out if not all waiters are known. */
export function waitersText(
  waiters: readonly Pick<Waiter, 'asleep' | 'presumedGone'>[],
  beyond: number,
  seesWaiters: boolean,
  words: Words['timeline'],
): string {
  const alive = waiters.filter(({ presumedGone }) => !presumedGone);
  const count = alive.length + beyond;
  if (!seesWaiters) return words.waitersAtLeast(count);
  const asleep = beyond > 0 ? null : alive.filter((waiter) => waiter.asleep).length;
  return words.waiters(count, asleep, waiters.length - alive.length);
}

type WaiterRowProps = { lockId: string; waiter: Waiter; at: RedisTime; isWritten: boolean };

/** One waiter. `isWritten`: the line above already reports that all waiters are asleep. */
function WaiterRow({ lockId, waiter, at, isWritten }: WaiterRowProps) {
  const areSeveral = useHasSeveralLocks();
  return (
    <div>
      <span className="tl-holder">
        {waiter.position !== null && <span className="quiet">{waiter.position}. </span>}
        <Person lockId={lockId} id={waiter.id} most={32} isAmongLocks={areSeveral} />{' '}
        {!isWritten && (
          <span>
            <WaiterActivity waiter={waiter} />
          </span>
        )}
      </span>
      <KeptPlace waiter={waiter} at={at} />
    </div>
  );
}

/** Shown at a level at which refused attempts are not visible: there may be waiters. */
function HiddenWaiters({ words }: { words: Words['lock'] }) {
  return <span title={words.waitersHiddenWhy}>{words.waitersHidden}</span>;
}

function WaiterActivity({ waiter: { asleep, presumedGone } }: { waiter: Waiter }) {
  const { lock, timeline: words } = useWords();
  if (presumedGone) return lock.presumedGone;
  return asleep ? words.asleep : words.asking;
}

/** How long a waiter keeps its place in the queue. */
function KeptPlace({ waiter: { deadline, position }, at }: { waiter: Waiter; at: RedisTime }) {
  const words = useWords().timeline;
  if (position === null || deadline === null) return null;
  const leftMs = millisBetween(at, redisTime(deadline));
  return <small className="quiet">{leftMs <= 0 ? words.placeOver : words.keepsPlace(countdownText(leftMs))}</small>;
}

/** Waiters in the queue first, head first; then waiters without a place. */
function inLine(waiters: readonly Waiter[]): Waiter[] {
  const place = ({ position }: Waiter) => position ?? Number.POSITIVE_INFINITY;
  return [...waiters].sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}

/** The longest wait first. */
function byAge(waiters: readonly Waiter[]): Waiter[] {
  return [...waiters].sort((a, b) => a.since - b.since);
}
