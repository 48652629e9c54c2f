import type { ReactNode } from 'react';
import type { ClientView, ClockView, RenewalsView, SubscriptionsView } from '../../shared/wire/clients.ts';
import type { Lock } from '../../shared/wire/locks/lock.ts';
import { splitHolder } from '../../shared/wire/person-text.ts';
import { useCursor } from '../cursor/cursor.ts';
import { lockNow } from '../cursor/routes-now.ts';
import { usePacedLive } from '../data/live/use-live.ts';
import { Moment } from '../lock/HolderCard.tsx';
import { Fact } from '../parts/Fact.tsx';
import { ThreadsProvider, useShownThread } from '../parts/shown-threads.tsx';
import { ThreadInDump } from '../parts/ThreadInDump.tsx';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { type Blocked, blockedBy, waitingFor } from './blocked-by.ts';
import { ClientRenewals } from './ClientRenewals.tsx';
import { ClientClock, ClientSubscriptions } from './ClientSubscriptions.tsx';
import { Blocks, Connection, libraryText } from './ClientTable.tsx';

const OF_LOCKS = ['locks'] as const;
const MOST_ADDRESSES = 20;

type ClientDetailsProps = {
  client: ClientView;
  renewals: RenewalsView;
  subscriptions: SubscriptionsView;
  clock: ClockView;
};

/** The details of one client: id, connection, library, clock, holds, waits, subscriptions and renewals. */
export function ClientDetails({ client, renewals, subscriptions, clock }: ClientDetailsProps) {
  const { clients: texts, lock: lockWords } = useWords();
  const { fact } = texts;
  const isPast = useCursor().mode === 'paused';
  const { locks } = usePacedLive(OF_LOCKS);
  return (
    <>
      <section className="card client-part" aria-label={texts.about}>
        <dl className="facts">
          <Fact name={fact.id}>
            <code>{client.client}</code>
          </Fact>
          <Fact name={fact.name}>{client.name ? <NameText text={client.name} /> : texts.notKnown}</Fact>
          {!isPast && (
            <Fact name={texts.head.blocks}>
              <Blocks {...blockedBy(client, locks)} />
            </Fact>
          )}
          <Fact name={fact.connection}>
            <Connection client={client} />
          </Fact>
          <Fact name={fact.addresses}>
            <Addresses client={client} />
          </Fact>
          <Fact name={fact.library}>{libraryText(client, lockWords) ?? texts.notKnown}</Fact>
          <Fact name={fact.version}>{client.version ?? texts.notKnown}</Fact>
          <Fact name={fact.source}>{client.source}</Fact>
          <Fact name={texts.clock.title}>
            <ClientClock clock={clock} source={client.source} />
          </Fact>
        </dl>
      </section>
      <ThreadsProvider holders={[...client.holds, ...client.waits].map(({ holder }) => holder)}>
        <Holds client={client} locks={isPast ? null : locks} />
        <Waits client={client} />
      </ThreadsProvider>
      <ClientSubscriptions subscriptions={subscriptions} source={client.source} />
      <ClientRenewals renewals={renewals} />
      <p className="quiet">{texts.sight}</p>
    </>
  );
}

function Addresses({ client: { addresses, presence } }: { client: ClientView }) {
  const { clients: texts, common } = useWords();
  if (addresses.length === 0) return texts.notKnown;
  const more = addresses.length - MOST_ADDRESSES;
  return (
    <>
      <code>{addresses.slice(0, MOST_ADDRESSES).join(', ')}</code>
      {more > 0 && ` ${common.andMore(more)}`}
      {(presence === 'gone' || presence === 'unknown') && <span className="quiet"> ({texts.lastAddresses})</span>}
    </>
  );
}

type HoldsProps = {
  client: ClientView;
  /** The locks now, which show the waiters of each hold; null: at a past instant. */
  locks: ReadonlyMap<string, Lock> | null;
};

function Holds({ client: { holds, moreHolds = 0, source }, locks }: HoldsProps) {
  const { clients: texts, lock } = useWords();
  const { column } = texts;
  const waiting = (hold: ClientView['holds'][number]) => (locks === null ? 0 : waitingFor(hold, locks));
  return (
    <Part title={texts.holds} none={holds.length === 0 ? texts.noHold : null}>
      <PlainTable
        label={texts.holds}
        boxLabel={texts.holds}
        heads={[column.lock, column.thread, column.since, column.count, ...(locks === null ? [] : [column.waiting])]}
        more={moreHolds}
      >
        {holds
          .toSorted((a, b) => waiting(b) - waiting(a))
          .map((hold) => (
            <tr key={`${hold.id} ${hold.holder} ${hold.mode}`}>
              <PlaceCells of={hold} source={source} />
              <td>{hold.holdCount === null ? texts.notKnown : lock.count(hold.holdCount, hold.mode)}</td>
              {locks !== null && <Waiting {...blockedBy({ holds: [hold] }, locks)} />}
            </tr>
          ))}
      </PlainTable>
    </Part>
  );
}

function Waiting({ threads, isAtLeast }: Blocked) {
  const { verdicts } = useWords();
  if (threads === 0) return <td>–</td>;
  return (
    <td>
      <b>{isAtLeast ? verdicts.waitAtLeast(threads) : countText(threads)}</b>
    </td>
  );
}

function Waits({ client: { waits, moreWaits = 0, source } }: { client: ClientView }) {
  const { clients: texts } = useWords();
  const { column } = texts;
  return (
    <Part title={texts.waits} none={waits.length === 0 ? texts.noWait : null}>
      <PlainTable
        label={texts.waits}
        boxLabel={texts.waits}
        heads={[column.lock, column.thread, column.since, column.attempts]}
        more={moreWaits}
      >
        {waits.map((wait) => (
          <tr key={`${wait.id} ${wait.holder} ${wait.mode}`}>
            <PlaceCells of={wait} source={source} />
            <td>{wait.attempts === 0 ? texts.noneSeen : countText(wait.attempts)}</td>
          </tr>
        ))}
      </PlainTable>
    </Part>
  );
}

function Part({ title, none, children }: { title: string; none: string | null; children: ReactNode }) {
  return (
    <section className="client-part" aria-label={title}>
      <h2>{title}</h2>
      {none === null ? children : <p className="quiet">{none}</p>}
    </section>
  );
}

type Place = ClientView['holds'][number] | ClientView['waits'][number];

/** The cells that holds and waits share: the lock, the thread, and since when. */
function PlaceCells({ of: { db, lock, holder, since }, source }: { of: Place; source: string }) {
  const { clients: texts, lockPage } = useWords();
  const shown = useShownThread(holder);
  return (
    <>
      <td>
        <Link to={lockNow({ name: lock, source, db })}>
          <NameText text={lock} most={60} />
        </Link>
      </td>
      <td>
        {splitHolder(holder).thread ?? texts.notKnown}
        {shown && <ThreadInDump shown={shown} since={since} />}
      </td>
      <td>{since === null ? lockPage.beginUnseen : <Moment at={since} />}</td>
    </>
  );
}
