import type { ClientView } from '../../shared/wire/clients.ts';
import { shortClient } from '../../shared/wire/person-text.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useLive, usePacedLive } from '../data/live/use-live.ts';
import { ClientLink } from '../parts/ClientLink.tsx';
import { PresenceMark } from '../parts/Person.tsx';
import { useClientName } from '../parts/people.ts';
import { clientRows } from '../share/file-rows.ts';
import TableMenu from '../share/TableMenu.tsx';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { type Blocked, blockedBy, byBlocked } from './blocked-by.ts';

const OF_LOCKS = ['locks'] as const;

type ClientTableProps = {
  clients: readonly ClientView[];
  total: number;
  /** Lists more clients; undefined if the list cannot become longer. */
  onMore: (() => void) | undefined;
};

/** The clients that were read, one row each; `total` includes clients that were not read. */
export function ClientTable({ clients, total, onMore }: ClientTableProps) {
  const { clients: texts, lock: lockWords } = useWords();
  const { client, blocks, connection, address, library, holds, waits, source } = texts.head;
  const { locks } = usePacedLive(OF_LOCKS);
  const hasManySources = useLive((state) => state.sources.length > 1);
  const isPast = useCursor().mode === 'paused';
  const seesAll = useLive((state) => state.sources.every(({ level }) => level === 'monitor')) && !isPast;
  const heads = [
    ...[client, ...(isPast ? [] : [blocks]), connection, address, library, holds, waits],
    ...(hasManySources ? [source] : []),
  ];
  return (
    <>
      <PlainTable
        label={texts.title}
        boxLabel={texts.title}
        heads={heads}
        more={total - clients.length}
        onMore={onMore}
      >
        {(isPast ? clients : byBlocked(clients, locks)).map((each) => (
          <tr key={`${each.source} ${each.client}`}>
            <td data-label={client}>
              <ClientLink client={each.client} source={each.source}>
                <ClientName client={each.client} name={each.name} />
              </ClientLink>
            </td>
            {!isPast && (
              <td data-label={blocks}>
                <Blocks {...blockedBy(each, locks)} />
              </td>
            )}
            <td data-label={connection}>
              <Connection client={each} />
            </td>
            <td data-label={address}>
              <Address client={each} />
            </td>
            <td data-label={library}>
              {[libraryText(each, lockWords) ?? texts.notKnown, each.version].filter((part) => part !== null).join(' ')}
            </td>
            <td data-label={holds}>{numberText(each.holds.length + (each.moreHolds ?? 0), texts.noneSeen)}</td>
            <td data-label={waits}>{numberText(each.waits.length + (each.moreWaits ?? 0), texts.noneSeen)}</td>
            {hasManySources && <td data-label={source}>{each.source}</td>}
          </tr>
        ))}
      </PlainTable>
      <p>
        <TableMenu
          name={texts.title}
          take={() => clientRows(clients, (each) => (isPast ? null : blockedBy(each, locks).threads))}
        />
      </p>
      {!seesAll && <p className="quiet">{texts.sight}</p>}
    </>
  );
}

/** How many threads wait for locks that a client holds, and for how many of these locks. */
export function Blocks({ threads, locks, isAtLeast }: Blocked) {
  const { clients: texts, verdicts } = useWords();
  if (threads === 0) return '–';
  return <b>{texts.blocks(isAtLeast ? verdicts.waitAtLeast(threads) : verdicts.wait(threads), locks)}</b>;
}

/** The host of a client's first address, without the port, and how many other hosts the client has. */
function Address({ client: { addresses } }: { client: ClientView }) {
  const { clients: texts, common } = useWords();
  const [first] = addresses;
  if (first === undefined) return texts.notKnown;
  const host = first.replace(/:\d+$/, '');
  const others = new Set(addresses.map((each) => each.replace(/:\d+$/, ''))).size - 1;
  return (
    <>
      <code title={addresses.slice(0, MOST_ADDRESSES).join(', ')}>{host}</code>
      {others > 0 && ` ${common.andMore(others)}`}
    </>
  );
}

const MOST_ADDRESSES = 20;

function ClientName({ client, name }: { client: string; name: string | null }) {
  const known = useClientName(client, name);
  return (
    <span title={client.slice(0, 500)}>
      <NameText text={known || shortClient(client)} most={40} isOneLine />
    </span>
  );
}

/** Whether a client is connected, and since when, or when it was last seen. */
export function Connection({ client: { presence, since } }: { client: ClientView }) {
  const { clients: texts } = useWords();
  const isConnected = presence === 'connected' || presence === 'idle';
  return (
    <span className="client-connection">
      <PresenceMark presence={presence} isWordy />
      {since !== null && ` ${(isConnected ? texts.connectedSince : texts.lastSeen)(secondsText(since))}`}
    </span>
  );
}

/**
 * The library of a client; null if it is not known. If neither the connection of a client nor the version of its
 * library is known, only the form of its id shows Redisson. Then the text contains "probably".
 */
export function libraryText(
  { library, presence, version }: Pick<ClientView, 'library' | 'presence' | 'version'>,
  { probablyOf }: Words['lock'],
): string | null {
  const isOnlyLike = library === 'redisson' && presence === 'unknown' && version === null;
  return isOnlyLike ? probablyOf(library) : library || null;
}

function numberText(n: number, none: string): string {
  return n === 0 ? none : countText(n);
}
