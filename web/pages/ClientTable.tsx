import type { ClientView } from '../../shared/wire/clients.ts';
import { shortClient } from '../../shared/wire/person-text.ts';
import { useCursor } from '../cursor/cursor.ts';
import { useLive } from '../data/use-live.ts';
import { ClientLink } from '../inspector/ClientLink.tsx';
import { PresenceMark } from '../inspector/Person.tsx';
import { useClientName } from '../inspector/people.ts';
import { NameText } from '../ui/NameText.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { countText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';

type ClientTableProps = {
  clients: readonly ClientView[];
  total: number;
  /** Lists more clients; undefined if the list cannot become longer. */
  onMore: (() => void) | undefined;
};

/** The clients that were read, one row each; `total` includes those that were not. */
export function ClientTable({ clients, total, onMore }: ClientTableProps) {
  const { clients: said } = useWords();
  const { client, connection, library, holds, waits, source } = said.head;
  const hasSources = useLive((state) => state.sources.length > 1);
  const isPast = useCursor().mode === 'paused';
  const seesAll = useLive((state) => state.sources.every(({ level }) => level === 'monitor')) && !isPast;
  const heads = [client, connection, library, holds, waits, ...(hasSources ? [source] : [])];
  return (
    <>
      <PlainTable label={said.title} boxLabel={said.title} heads={heads} more={total - clients.length} onMore={onMore}>
        {clients.map((each) => (
          <tr key={`${each.source} ${each.client}`}>
            <td>
              <ClientLink client={each.client} source={each.source}>
                <ClientName client={each.client} name={each.name} />
              </ClientLink>
            </td>
            <td>
              <Connection client={each} />
            </td>
            <td>{libraryText(each) ?? said.notKnown}</td>
            <td>{numberText(each.holds.length + (each.moreHolds ?? 0), said.noneSeen)}</td>
            <td>{numberText(each.waits.length + (each.moreWaits ?? 0), said.noneSeen)}</td>
            {hasSources && <td>{each.source}</td>}
          </tr>
        ))}
      </PlainTable>
      {!seesAll && <p className="quiet">{said.sight}</p>}
    </>
  );
}

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
  const { clients: said } = useWords();
  const isHere = presence === 'connected' || presence === 'idle';
  return (
    <span className="client-connection">
      <PresenceMark presence={presence} isWordy />
      {since !== null && ` ${(isHere ? said.connectedSince : said.lastSeen)(secondsText(since))}`}
    </span>
  );
}

/** The library of a client; null if CLIENT LIST did not show it. */
export function libraryText({ library }: Pick<ClientView, 'library'>): string | null {
  return library || null;
}

function numberText(n: number, none: string): string {
  return n === 0 ? none : countText(n);
}
