import { millisBetween, type RedisTime, redisTime } from '../../../shared/base/time.ts';
import { countedBy, isCounterKind } from '../../../shared/events/kinds/kinds.ts';
import type { Holder, Lock } from '../../../shared/wire/locks/lock.ts';
import { counterText } from '../../parts/counter-words.ts';
import { Person } from '../../parts/Person.tsx';
import { countdownText, durationText } from '../../ui/time-text.ts';
import { useWords } from '../../words/language.ts';
import type { Words } from '../../words/words.ts';
import { useHasSeveralLocks } from '../store/workspace.ts';
import { Waiters } from './Waiters.tsx';

const MOST_SHOWN = 12;

type At = { lock: Lock; at: RedisTime };

/** The state of one lock at an instant: holders or permits in use, remaining lease, waiters and their places. */
export function WorldFacts({ lock: state, at }: At) {
  const { counters, lock, timeline: words } = useWords();
  const isCounter = isCounterKind(state.kind);
  const { ms: leaseMs, expiresAt, neverEnds } = state.lease;
  const leftMs = expiresAt === null ? null : millisBetween(at, redisTime(expiresAt));
  return (
    <dl className="tl-facts">
      {isCounter ? (
        <>
          <dt>{words.fact.number}</dt>
          <dd>{numberOf(state, counters)}</dd>
          {countedBy(state.kind) !== 'latch' && <Holders lock={state} at={at} title={words.fact.takenBy} />}
        </>
      ) : (
        <Holders lock={state} at={at} title={words.fact.heldBy} />
      )}
      {state.holders.length > 0 && !isCounter && (
        <>
          <dt>{words.fact.leaseLeft}</dt>
          <dd>{expiresAt === null && !neverEnds ? lock.lease.notKnown : leftText(leftMs, leaseMs, words)}</dd>
        </>
      )}
      {state.fencingToken !== undefined && (
        <>
          <dt>{words.fact.token}</dt>
          <dd>{state.fencingToken}</dd>
        </>
      )}
      <Waiters lock={state} at={at} />
      {state.subscribers !== null && (
        <>
          <dt>{words.fact.listening}</dt>
          <dd>{words.connections(state.subscribers)}</dd>
        </>
      )}
    </dl>
  );
}

function numberOf({ permits, latch }: Lock, words: Words['counters']): string {
  return counterText({ ...(permits && { permits }), ...(latch && { latch }) }, words) ?? words.notSeen;
}

function Holders({ lock: state, at, title }: At & { title: string }) {
  const areSeveral = useHasSeveralLocks();
  const { lock, timeline: words } = useWords();
  const beyond = state.moreHolders ?? 0;
  const shown = state.holders.slice(0, MOST_SHOWN);
  return (
    <>
      <dt>{title}</dt>
      <dd>
        {state.holders.length + beyond === 0 && (state.holderUnseen ? lock.holderUnseenShort : words.nobody)}
        {shown.map((holder) => (
          <span key={`${holder.id} ${holder.mode}`} className="tl-holder">
            <Person lockId={state.id} id={laneOf(holder)} most={32} isAmongLocks={areSeveral} />{' '}
            {lock.count(holder.holdCount, holder.mode)}
            <PermitLeft holder={holder} at={at} />
          </span>
        ))}
        <More count={state.holders.length + beyond - shown.length} />
      </dd>
    </>
  );
}

/** The id of the holder's lane in the picture: for permits, the client that took them. */
function laneOf({ id, client, mode }: Holder): string {
  return mode === 'permit' && client !== '' ? client : id;
}

/** The remaining time of a permit. */
function PermitLeft({ holder, at }: { holder: Holder; at: RedisTime }) {
  const words = useWords().timeline;
  if (holder.mode !== 'permit' || holder.id === holder.client) return null;
  const leftMs = holder.expiresAt === null ? null : millisBetween(at, redisTime(holder.expiresAt));
  return <span className="quiet">, {leftText(leftMs, null, words)}</span>;
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
