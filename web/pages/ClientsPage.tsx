import '../clients/clients.css';
import { useState } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import { shortClient } from '../../shared/wire/person-text.ts';
import { ClientDetails } from '../clients/ClientDetails.tsx';
import { ClientTable } from '../clients/ClientTable.tsx';
import { AsOfBanner } from '../cursor/AsOfBanner.tsx';
import { useCursor } from '../cursor/cursor.ts';
import { ForgottenInstant } from '../cursor/ForgottenInstant.tsx';
import { LinkNotices } from '../cursor/LinkNotices.tsx';
import { clientsNow } from '../cursor/routes-now.ts';
import { useMomentLink } from '../cursor/use-moment-link.ts';
import { problemFromError } from '../data/http/http.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { CLIENTS_LISTED, useClient, useClients } from '../data/queries/clients.ts';
import { openDumps } from '../data/queries/dump-work.ts';
import { forgottenOf } from '../data/queries/past-locks.ts';
import { NotWatching, useNoSight } from '../parts/NotWatching.tsx';
import { useClientName } from '../parts/people.ts';
import { NameText } from '../ui/NameText.tsx';
import { EmptyState } from '../ui/Notice.tsx';
import type { ClientsRoute } from '../url/route.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

/** All clients, or one: its connections, holds and waits, now or at the cursor. */
export default function ClientsPage({ route }: { route: ClientsRoute }) {
  useMomentLink(route);
  const cursor = useCursor();
  const noSight = useNoSight();
  const { clients: texts, dumps } = useWords();
  const isRecording = useIsOpenRecording();
  const { client, source } = route;
  const at = cursor.mode === 'paused' ? cursor.at : null;
  return (
    <div className={client === null ? 'page as-cards' : 'page'}>
      <header className="page-head">
        <h1 tabIndex={-1}>{client === null ? texts.title : <Name client={client} />}</h1>
        {client !== null && <Link to={clientsNow()}>{texts.all}</Link>}
        {!isRecording && (
          <button type="button" className="button is-small" onClick={openDumps}>
            {dumps.open}
          </button>
        )}
      </header>
      <LinkNotices route={route} />
      <AsOfBanner />
      {noSight && at === null ? (
        <NotWatching noSight={noSight} />
      ) : client === null ? (
        <AllClients at={at} />
      ) : (
        <OneClient client={client} source={source} at={at} />
      )}
    </div>
  );
}

function Name({ client }: { client: string }) {
  const name = useClientName(client, null);
  return <NameText text={name || shortClient(client)} most={60} />;
}

function AllClients({ at }: { at: number | null }) {
  const { clients: texts } = useWords();
  const [limit, setLimit] = useState<number>(CLIENTS_LISTED.first);
  const { data, error } = useClients(at, limit);
  if (error) return <Failure error={error} at={at} />;
  if (!data) return <EmptyState title={texts.reading} />;
  if (data.total === 0) {
    return (
      <EmptyState title={at === null ? texts.none : texts.noneThen}>
        <p>{texts.sight}</p>
      </EmptyState>
    );
  }
  const onMore = limit < CLIENTS_LISTED.most ? () => setLimit(CLIENTS_LISTED.most) : undefined;
  return <ClientTable clients={data.clients} total={data.total} onMore={onMore} />;
}

function OneClient({ client, source, at }: { client: string; source: string | null; at: number | null }) {
  const { clients: texts } = useWords();
  const { data, error } = useClient(client, source, at);
  if (error) return <Failure error={error} at={at} />;
  if (!data) return <EmptyState title={texts.reading} />;
  const { renewals, subscriptions, clock } = data;
  return <ClientDetails client={data} renewals={renewals} subscriptions={subscriptions} clock={clock} />;
}

function Failure({ error, at }: { error: unknown; at: number | null }) {
  const words = useWords();
  const forgotten = forgottenOf(error);
  if (forgotten && at !== null) return <ForgottenInstant at={redisTime(at)} forgotten={forgotten} />;
  const { message, hint } = problemFromError(error, words);
  return (
    <EmptyState title={message}>
      <p>{hint}</p>
    </EmptyState>
  );
}
