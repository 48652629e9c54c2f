import type { ReactNode } from 'react';
import type {
  Spanning,
  SpanningCircle,
  SpanningClient,
  SpanningRedLock,
  SpanningUnseen,
} from '../../shared/wire/fleet/spanning.ts';
import { personText, shortClient } from '../../shared/wire/person-text.ts';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { durationText } from '../ui/time-text.ts';
import { incidentTitle } from '../words/incident-title.ts';
import { useWords } from '../words/language.ts';
import { clientHref, lockHref, sourceHref } from './source-href.ts';

/**
 * What no observer sees alone: deadlocks, RedLocks and clients over several sources, and what is not known about them.
 */
export function SpanningPanel({ spanning: { circles, redLocks, clients, more, cannotTell } }: { spanning: Spanning }) {
  const { common, fleet } = useWords();
  const { spanning: texts } = fleet;
  return (
    <section className="panel as-cards fleet-spanning" aria-labelledby="spanning">
      <h2 id="spanning">{texts.title}</h2>
      {circles.length === 0 && <p className="quiet">{texts.noCircle}</p>}
      {circles.map((circle) => (
        <Circle key={circle.steps.map(({ name, lock }) => `${name} ${lock}`).join(' ')} circle={circle} />
      ))}
      {more.circles > 0 && <p className="quiet">{common.andMore(more.circles)}</p>}
      {cannotTell.length > 0 && <Unseen cannotTell={cannotTell} />}
      {redLocks.length > 0 && (
        <>
          <h3>{texts.redLocks}</h3>
          <Table label={texts.redLockList} heads={Object.values(texts.redLockHead)} more={more.redLocks}>
            {redLocks.map((each) => (
              <RedLockRow key={JSON.stringify(each.on)} redLock={each} />
            ))}
          </Table>
        </>
      )}
      {clients.length > 0 && (
        <>
          <h3>{texts.clients}</h3>
          <Table label={texts.clientList} heads={Object.values(texts.clientHead)} more={more.clients}>
            {clients.map((each) => (
              <ClientRow key={JSON.stringify(each.on.map(({ name, client }) => [name, client]))} client={each} />
            ))}
          </Table>
        </>
      )}
    </section>
  );
}

function Table(props: Omit<Parameters<typeof PlainTable>[0], 'boxLabel'>) {
  return <PlainTable {...props} boxLabel={props.label} />;
}

function Circle({ circle: { incident, sameBy, forMs, steps } }: { circle: SpanningCircle }) {
  const words = useWords();
  const { spanning: texts } = words.fleet;
  const head = texts.circleHead;
  return (
    <div className="fleet-circle">
      <p>
        <b className="fleet-critical">✕ {incidentTitle(incident, words)}</b> {texts.circle(durationText(forMs))}
      </p>
      <Table label={texts.circleList} heads={Object.values(head)} more={0}>
        {steps.map(({ name, source, db, lock, waiter, holder }) => (
          <tr key={`${name} ${lock}`}>
            <th scope="row">
              <PersonLink name={name} source={source} person={waiter} />
            </th>
            <td data-label={head.lock}>
              <a href={lockHref(name, { name: lock, source, db })}>
                <NameText text={lock} most={60} />
              </a>
            </td>
            <td data-label={head.source}>
              <SourceLink name={name} />
            </td>
            <td data-label={head.holder}>
              <PersonLink name={name} source={source} person={holder} />
            </td>
          </tr>
        ))}
      </Table>
      <p>{texts.advice}</p>
      <p className="quiet">{texts.sameBy[sameBy]}</p>
    </div>
  );
}

function Unseen({ cannotTell }: Pick<Spanning, 'cannotTell'>) {
  const { fleet, graph } = useWords();
  const texts: Record<SpanningUnseen, (source: string) => string> = { ...graph.reason, ...fleet.spanning.reason };
  return (
    <>
      <p className="quiet">{fleet.spanning.unseen}</p>
      <ul className="plain-list quiet">
        {cannotTell.flatMap(({ name, reasons }) =>
          reasons.map((reason) => <li key={`${name} ${reason}`}>{texts[reason](name)}</li>),
        )}
      </ul>
    </>
  );
}

function RedLockRow({ redLock: { lock, on, notOn, isMajority } }: { redLock: SpanningRedLock }) {
  const { spanning: texts } = useWords().fleet;
  const head = texts.redLockHead;
  const [first] = on;
  return (
    <tr>
      <th scope="row">
        <NameText text={lock} most={40} />
      </th>
      <td data-label={head.holder}>
        {first && <PersonLink name={first.name} source={first.source} person={first.holder} />}
      </td>
      <td data-label={head.on}>
        <Places places={on} />
      </td>
      <td data-label={head.others}>
        <Places places={notOn} />
      </td>
      <td data-label={head.majority}>{texts.majority[`${isMajority}`]}</td>
    </tr>
  );
}

/** Some sources of a RedLock, each with a link to the page of the lock there. */
function Places({ places }: { places: SpanningRedLock['notOn'] }) {
  if (places.length === 0) return '–';
  return (
    <ul className="plain-list">
      {places.map(({ name, source, db, lock }) => (
        <li key={`${name} ${source}`}>
          <a href={lockHref(name, { name: lock, source, db })}>
            <NameText text={name} most={60} />
          </a>
        </li>
      ))}
    </ul>
  );
}

function ClientRow({ client: { connection, host, on } }: { client: SpanningClient }) {
  const { spanning: texts } = useWords().fleet;
  const head = texts.clientHead;
  return (
    <tr>
      <th scope="row">
        <NameText text={connection ?? shortClient(on[0]?.client ?? '')} most={40} />
      </th>
      <td data-label={head.host}>{host ?? '–'}</td>
      <td data-label={head.on}>
        <ul className="plain-list">
          {on.map(({ name, source, client, locks }) => (
            <li key={`${name} ${client}`}>
              <MaybeLink href={clientHref(name, { client, source })}>{texts.onSource(name, locks)}</MaybeLink>
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

function SourceLink({ name }: { name: string }) {
  return (
    <a href={sourceHref(name)}>
      <NameText text={name} most={60} />
    </a>
  );
}

type PersonLinkProps = { name: string; source: string; person: SpanningCircle['steps'][number]['waiter'] };

/** A thread, with a link to its client on that source. */
function PersonLink({ name, source, person: { client, thread, connection } }: PersonLinkProps) {
  return (
    <MaybeLink href={clientHref(name, { client, source })}>
      <NameText text={personText(client, thread, connection)} most={40} />
    </MaybeLink>
  );
}

function MaybeLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  return href === undefined ? children : <a href={href}>{children}</a>;
}
