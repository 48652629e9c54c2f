import { millisBetween, type RedisTime } from '../../shared/base/time.ts';
import { isCounterKind } from '../../shared/events/counter-names.ts';
import type { HolderState, LockState, WaiterState } from '../../shared/state/lock-state.ts';
import { counterText } from '../inspector/counter-words.ts';
import { Person } from '../inspector/Person.tsx';
import { countdownText, durationText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

const MOST_SHOWN = 12;

type At = { lockId: string; state: LockState; at: RedisTime };

/** How one lock stood at an instant: who held it or what was out of it, for how long still, who waited and where. */
export function WorldFacts({ lockId, state, at }: At) {
  const { counters, timeline: words } = useWords();
  const isCounter = isCounterKind(state.kind);
  const leftMs = state.expiresAt === null ? null : millisBetween(at, state.expiresAt);
  return (
    <dl className="tl-facts">
      {isCounter ? (
        <>
          <dt>{words.fact.number}</dt>
          <dd>{numberOf(state, counters)}</dd>
          {state.kind !== 'latch' && <Holders lockId={lockId} state={state} at={at} title={words.fact.takenBy} />}
        </>
      ) : (
        <Holders lockId={lockId} state={state} at={at} title={words.fact.heldBy} />
      )}
      {state.holders.length > 0 && !isCounter && (
        <>
          <dt>{words.fact.leaseLeft}</dt>
          <dd>{leftText(leftMs, state.leaseMs, words)}</dd>
        </>
      )}
      {state.fencingToken !== null && (
        <>
          <dt>{words.fact.token}</dt>
          <dd>{state.fencingToken}</dd>
        </>
      )}
      <Waiters lockId={lockId} state={state} at={at} />
      {state.subscribers !== null && (
        <>
          <dt>{words.fact.listening}</dt>
          <dd>{words.connections(state.subscribers)}</dd>
        </>
      )}
    </dl>
  );
}

function numberOf({ permits, latch }: LockState, words: Words['counters']): string {
  return counterText({ ...(permits && { permits }), ...(latch && { latch }) }, words) ?? words.notSeen;
}

function Holders({ lockId, state, at, title }: At & { title: string }) {
  const { lock, timeline: words } = useWords();
  const shown = state.holders.slice(0, MOST_SHOWN);
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {state.holders.length + state.holdersBeyond === 0 && words.nobody}
        {shown.map((holder) => (
          <span key={`${holder.id} ${holder.mode}`} className="tl-holder">
            <Person lockId={lockId} id={holder.client || holder.id} most={20} />{' '}
            {lock.count(holder.holdCount ?? 1, holder.mode)}
            <PermitLeft holder={holder} at={at} />
          </span>
        ))}
        <More count={state.holders.length + state.holdersBeyond - shown.length} />
      </dd>
    </>
  );
}

/** Until when a permit is good. */
function PermitLeft({ holder, at }: { holder: HolderState; at: RedisTime }) {
  const words = useWords().timeline;
  if (holder.mode !== 'permit' || holder.expiresAt === undefined) return null;
  const leftMs = holder.expiresAt === null ? null : millisBetween(at, holder.expiresAt);
  return <span className="quiet">, {leftText(leftMs, null, words)}</span>;
}

function Waiters({ lockId, state, at }: At) {
  const words = useWords().timeline;
  // a dead place in a queue is in the way of those behind it, so it is named
  const waiting = state.waiters.filter(
    ({ isConfirmed, presumedGoneAt, position }) => isConfirmed && (presumedGoneAt === null || position !== null),
  );
  const waiters = waiting.some(({ position }) => position !== null) ? inLine(waiting) : waiting;
  const shown = waiters.slice(0, MOST_SHOWN);
  return (
    <>
      <dt>{words.fact.waiting}</dt>
      <dd>
        {waiters.length + state.waitersBeyond === 0 && words.nobody}
        {shown.map((waiter) => (
          <div key={`${waiter.id} ${waiter.mode}`}>
            <span className="tl-holder">
              {waiter.position !== null && <span className="quiet">{waiter.position}. </span>}
              <Person lockId={lockId} id={waiter.id} most={20} /> <WhatWaiterDoes waiter={waiter} />
            </span>
            <KeptPlace waiter={waiter} at={at} />
          </div>
        ))}
        <More count={waiters.length + state.waitersBeyond - shown.length} />
      </dd>
    </>
  );
}

function WhatWaiterDoes({ waiter: { isAsleep, presumedGoneAt } }: { waiter: WaiterState }) {
  const { lock, timeline: words } = useWords();
  if (presumedGoneAt !== null) return lock.presumedGone;
  return isAsleep ? words.asleep : words.asking;
}

/** Until when a waiter keeps its place in a queue. */
function KeptPlace({ waiter: { deadline, position }, at }: { waiter: WaiterState; at: RedisTime }) {
  const words = useWords().timeline;
  if (position === null || deadline === null) return null;
  const leftMs = millisBetween(at, deadline);
  return <small className="quiet">{leftMs <= 0 ? words.placeOver : words.keepsPlace(countdownText(leftMs))}</small>;
}

/** Those in the queue first, head first. */
function inLine(waiters: readonly WaiterState[]): WaiterState[] {
  const place = ({ position }: WaiterState) => position ?? Number.POSITIVE_INFINITY;
  return [...waiters].sort((a, b) => (place(a) < place(b) ? -1 : place(a) > place(b) ? 1 : 0));
}

function More({ count }: { count: number }) {
  const words = useWords().timeline;
  return count > 0 ? <span className="quiet">{words.more(count)}</span> : null;
}

function leftText(leftMs: number | null, leaseMs: number | null, words: Words['timeline']): string {
  if (leftMs === null) return words.neverEnds;
  if (leftMs <= 0) return words.over;
  const left = countdownText(leftMs);
  return leaseMs === null ? left : words.leftOf(left, durationText(leaseMs));
}
