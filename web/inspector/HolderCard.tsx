import type { ReactNode } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { Holder, Lock } from '../../shared/wire/lock.ts';
import { useRedisNow } from '../data/use-live.ts';
import { ageText, clockText, countOf, instantText } from '../ui/time-text.ts';
import { LeaseBar } from './LeaseBar.tsx';
import { Person, PresenceMark } from './Person.tsx';

const WATCHDOG: Readonly<Record<Holder['watchdog'], string>> = {
  on: 'on: refills the lease',
  off: 'off: nobody refills the lease',
  unknown: 'not known yet',
};

/** One holder: since when, how deep, how long still. */
export function HolderCard({ lock, holder }: { lock: Lock; holder: Holder }) {
  const lease = { ms: lock.lease.ms, expiresAt: holder.expiresAt ?? lock.lease.expiresAt };
  const isOrphaned = holder.presence === 'gone';
  return (
    <article className={isOrphaned ? 'card holder-card is-orphaned' : 'card holder-card'}>
      <header>
        <h2>
          <Person lockId={lock.id} {...holder} most={64} />
        </h2>
        <PresenceMark presence={holder.presence} isWordy />
        <b className="hold-count is-deep">
          holds ×{holder.holdCount}
          {holder.mode === 'exclusive' ? '' : ` to ${holder.mode}`}
        </b>
      </header>
      <LeaseBar source={lock.source} lease={lease} holders={[holder]} />
      {isOrphaned && (
        <p className="orphan-note">
          Its client is gone. The lease still runs: nobody can take the lock until it is over.
        </p>
      )}
      <dl className="facts">
        <Fact name="Held">
          {holder.since === null ? 'since before anybody watched' : <Since source={lock.source} at={holder.since} />}
        </Fact>
        <Fact name="Watchdog">{WATCHDOG[holder.watchdog]}</Fact>
        <Fact name="Renewals">
          {countOf(holder.renewals, 'renewal')}
          {holder.lastRenewedAt !== null && (
            <>
              , last <Moment at={holder.lastRenewedAt} />
            </>
          )}
        </Fact>
        <Fact name="Expires">{lease.expiresAt === null ? 'never' : <Moment at={lease.expiresAt} />}</Fact>
        <Fact name="Id">
          <code>{holder.id.slice(0, 200)}</code>
        </Fact>
      </dl>
    </article>
  );
}

/** A name and what it is, as a row of a definition list. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

/** An instant by Redis's clock. */
export function Moment({ at }: { at: number }) {
  return <time title={instantText(at)}>{clockText(at)}</time>;
}

/** How long ago something was, counting. */
export function Since({ source, at }: { source: string; at: number }) {
  const now = useRedisNow(source);
  return (
    <>
      {now !== null && <>for {ageText(Math.max(1000, (now - redisTime(at)) / 1000))}, </>}
      since <Moment at={at} />
    </>
  );
}
