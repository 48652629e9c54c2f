import { redisTime } from '../../shared/base/time.ts';
import { parseHolder } from '../../shared/events/names/names.ts';
import type { Holder, Lock } from '../../shared/wire/locks/lock.ts';
import { endOfHolder } from '../../shared/wire/locks/lock-facts.ts';
import { useFromShownNow, useShownNow } from '../cursor/shown-instant.ts';
import { ClientLink } from '../parts/ClientLink.tsx';
import { Fact } from '../parts/Fact.tsx';
import { LeaseBar } from '../parts/LeaseBar.tsx';
import { Person, PresenceMark } from '../parts/Person.tsx';
import { useShownThread } from '../parts/shown-threads.tsx';
import { ThreadInDump } from '../parts/ThreadInDump.tsx';
import { CopyButton } from '../ui/CopyButton.tsx';
import { ageText, clockText, instantText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { RenewalText } from './RenewalText.tsx';

/** One holder: since when it holds the lock, its hold count, and the remaining lease. */
export function HolderCard({ lock, holder }: { lock: Lock; holder: Holder }) {
  const { dumps, groups, lock: words, lockPage } = useWords();
  const shown = useShownThread(holder.id);
  const lease = { ...lock.lease, expiresAt: endOfHolder(lock, holder) };
  const isGone = holder.presence === 'gone';
  const transaction = parseHolder(holder.id)?.transaction;
  return (
    <article className={isGone ? 'card holder-card is-orphaned' : 'card holder-card'}>
      <header>
        <h2>
          <ClientLink client={holder.client} source={lock.source}>
            <Person lockId={lock.id} {...holder} most={64} />
          </ClientLink>
        </h2>
        <PresenceMark presence={holder.presence} isWordy />
        <b className="hold-count is-deep">{words.holds(holder.holdCount, holder.mode)}</b>
      </header>
      <LeaseBar source={lock.source} lease={lease} holders={[holder]} />
      {isGone && (
        <p className="orphan-note">
          <GoneSince {...holder} />
        </p>
      )}
      <dl className="facts">
        <Fact name={lockPage.fact.held}>
          {holder.since === null ? words.sinceBefore : <Since source={lock.source} at={holder.since} />}
        </Fact>
        <Fact name={lockPage.fact.watchdog}>
          <RenewalText lock={lock} holder={holder} />
        </Fact>
        <Fact name={lockPage.fact.renewals}>
          {holder.lastRenewedAt === null ? (
            words.renewals(holder.renewals)
          ) : (
            <MomentIn at={holder.lastRenewedAt} say={(clock) => lockPage.renewalsLast(holder.renewals, clock)} />
          )}
        </Fact>
        <Fact name={lockPage.fact.expires}>
          <LeaseEnd lease={lease} />
        </Fact>
        {holder.timeouts !== undefined && (
          <Fact name={lockPage.fact.timeouts}>
            <Timeouts source={lock.source} ends={holder.timeouts} />
          </Fact>
        )}
        {holder.values !== undefined && (
          <Fact name={groups.values}>
            <HeldValues values={holder.values} />
          </Fact>
        )}
        {shown && (
          <Fact name={dumps.thread}>
            <ThreadInDump shown={shown} since={holder.since} />
          </Fact>
        )}
        {transaction !== undefined && (
          <Fact name={lockPage.fact.transaction}>
            <code>{transaction}</code>
          </Fact>
        )}
        {holder.address !== undefined && !isGone && (
          <Fact name={lockPage.fact.address}>
            <code>{holder.address}</code>
          </Fact>
        )}
        <Fact name={lockPage.fact.id}>
          <code>{holder.id.slice(0, 200)}</code> <CopyButton text={holder.id} />
        </Fact>
      </dl>
    </article>
  );
}

/** When a client was last connected, and its address. */
export function GoneSince({ goneSince, address }: Pick<Holder, 'goneSince' | 'address'>) {
  const { lock: words, lockPage } = useWords();
  return (
    <span title={lockPage.goneSinceHint}>
      {goneSince !== null && words.goneSince(secondsText(goneSince))}
      {goneSince !== null && address !== undefined && ' · '}
      {address !== undefined && words.was(address)}
    </span>
  );
}

const MOST_VALUES = 12;

/** The values that a holder has in a group lock, each with the end of its lease. */
function HeldValues({ values }: { values: NonNullable<Holder['values']> }) {
  const { common, groups: words } = useWords();
  const more = values.length - MOST_VALUES;
  return (
    <ul className="held-values" title={words.valuesHint}>
      {values.slice(0, MOST_VALUES).map(({ value, holdCount, expiresAt }) => (
        <li key={value}>
          <code>{words.value(value, holdCount)}</code> {expiresAt !== null && <Moment at={expiresAt} />}
        </li>
      ))}
      {more > 0 && <li>{common.andMore(more)}</li>}
    </ul>
  );
}

const MOST_TIMEOUTS = 5;

/** The end of each timeout key of a reader. */
function Timeouts({ source, ends }: { source: string; ends: NonNullable<Holder['timeouts']> }) {
  const { common, lockPage } = useWords();
  const now = useShownNow(source);
  const more = ends.length - MOST_TIMEOUTS;
  return (
    <>
      {ends.slice(0, MOST_TIMEOUTS).map((end, n) => (
        <span key={`${n} ${end}`}>
          {n > 0 && ' · '}
          {end === null ? '?' : <TimeoutEnd at={end} isOver={now !== null && end <= now} say={lockPage.timeoutOver} />}
        </span>
      ))}
      {more > 0 && ` ${common.andMore(more)}`}
    </>
  );
}

function TimeoutEnd({ at, isOver, say }: { at: number; isOver: boolean; say: (clock: string) => string }) {
  return isOver ? <MomentIn at={at} say={say} /> : <Moment at={at} />;
}

/** An instant in Redis time. */
export function Moment({ at }: { at: number }) {
  return <time title={instantText(at)}>{clockText(at)}</time>;
}

/** The age of an instant, updated as time passes. */
function Since({ source, at }: { source: string; at: number }) {
  const { lock: words, lockPage } = useWords();
  const age = useFromShownNow(source, (now) =>
    now === null ? null : ageText(Math.max(1000, (now - redisTime(at)) / 1000)),
  );
  if (age === null) return <MomentIn at={at} say={words.since} />;
  return <MomentIn at={at} say={(clock) => lockPage.forSince(age, clock)} />;
}

/** A sentence that contains an instant, at whatever position the language puts it. */
function MomentIn({ at, say }: { at: number; say: (clock: string) => string }) {
  const [before = '', after = ''] = say(PLACE).split(PLACE);
  return (
    <>
      {before}
      <Moment at={at} />
      {after}
    </>
  );
}

/** Placeholder for the instant while its sentence is formatted. It occurs in no sentence. */
const PLACE = '\u0000';

function LeaseEnd({ lease: { expiresAt, neverEnds } }: { lease: Lock['lease'] }) {
  const words = useWords().lock;
  if (expiresAt !== null) return <Moment at={expiresAt} />;
  return neverEnds ? words.never : words.lease.notKnown;
}
