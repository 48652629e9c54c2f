import { redisTime } from '../../shared/base/time.ts';
import { KINDS } from '../../shared/events/kinds/kinds.ts';
import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import { useFromShownNow, useShownNow } from '../cursor/shown-instant.ts';
import { Person, PresenceMark } from '../parts/Person.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { ageText, countdownText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { Moment } from './HolderCard.tsx';

const MOST_SHOWN = 200;
const ID_SHOWN = 8;

/**
 * The permits of a semaphore by client. If permits have ids, as those of an expirable semaphore: each permit with its
 * id and its end. Renders nothing if no holder is known.
 */
export function PermitTable({ lock }: { lock: Lock }) {
  const { counters: words } = useWords();
  if (lock.holders.length === 0) return null;
  const hasIds = KINDS[lock.kind].hasPermitIds === true;
  const permitsOfOthers = lock.moreHolders ?? 0;
  const rest = Math.max(0, lock.holders.length - MOST_SHOWN) + (hasIds ? permitsOfOthers : 0);
  const column = words.takerColumn;
  const heads = hasIds
    ? [column.id, column.taker, column.since, column.until]
    : [column.taker, column.count, column.since];
  return (
    <section aria-label={words.takers} className="panel">
      <h2>{words.takers}</h2>
      <PlainTable label={words.takers} boxLabel={words.takerTable} heads={heads} more={rest}>
        {lock.holders.slice(0, MOST_SHOWN).map((holder) => (
          <tr key={holder.id}>
            {hasIds && (
              <td>
                <code title={holder.id.slice(0, 200)}>{holder.id.slice(0, ID_SHOWN)}</code>
              </td>
            )}
            <td>
              <Taker lock={lock} holder={holder} />
            </td>
            {!hasIds && <td>{holder.holdCount}</td>}
            <td>
              <TakenSince lock={lock} holder={holder} />
            </td>
            {hasIds && (
              <td>
                <GoodUntil source={lock.source} until={holder.expiresAt} />
              </td>
            )}
          </tr>
        ))}
      </PlainTable>
      {!hasIds && permitsOfOthers > 0 && <p className="quiet">{words.othersHave(permitsOfOthers)}</p>}
      {!hasIds && <p className="quiet">{words.noOwner}</p>}
    </section>
  );
}

function Taker({ lock, holder }: { lock: Lock; holder: Holder }) {
  const words = useWords().counters;
  if (holder.client === '') return <span className="quiet">{words.notSeen}</span>;
  return (
    <>
      <Person lockId={lock.id} {...holder} id={holder.client} thread={null} most={48} />{' '}
      <PresenceMark presence={holder.presence} />
    </>
  );
}

function TakenSince({ lock, holder }: { lock: Lock; holder: Holder }) {
  const words = useWords().lock;
  const { since } = holder;
  const age = useFromShownNow(lock.source, (now) =>
    since === null || now === null ? null : ageText(Math.max(0, (now - redisTime(since)) / 1000)),
  );
  if (holder.since === null) return words.sinceBefore;
  if (age === null) return <Moment at={holder.since} />;
  return (
    <>
      <Moment at={holder.since} /> <span className="quiet">{age}</span>
    </>
  );
}

function GoodUntil({ source, until }: { source: string; until: number | null }) {
  const { counters: words, lockPage } = useWords();
  const now = useShownNow(source);
  if (until === null) return words.forEver;
  const leftMs = now === null ? null : (redisTime(until) - now) / 1000;
  return (
    <>
      <Moment at={until} />{' '}
      {leftMs !== null && (
        <span className="quiet">{leftMs <= 0 ? words.overdue : lockPage.asksIn(countdownText(leftMs))}</span>
      )}
    </>
  );
}
