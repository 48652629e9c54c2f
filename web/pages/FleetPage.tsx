import '../fleet/fleet.css';
import { problemFromError } from '../data/http/http.ts';
import { useSettled } from '../data/queries/use-settled.ts';
import { FleetRow } from '../fleet/FleetRow.tsx';
import { FoundLocks } from '../fleet/FoundLocks.tsx';
import { SpanningPanel } from '../fleet/SpanningPanel.tsx';
import { useFleet } from '../fleet/use-fleet.ts';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { navigate } from '../url/router.tsx';
import { useWords } from '../words/language.ts';

const SEARCH_EVERY_MS = 300;

/** Every source on the bus of a viewer, sources that need attention first, and a search over their locks. */
export default function FleetPage({ q }: { q: string }) {
  const words = useWords();
  const { fleet } = words;
  const { data, error } = useFleet(useSettled(q, SEARCH_EVERY_MS));
  const failure = error ? problemFromError(error, words) : null;
  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>{fleet.title}</h1>
        <input
          type="search"
          className="fleet-find"
          aria-label={fleet.find}
          placeholder={fleet.find}
          value={q}
          onChange={({ target }) => navigate({ page: 'fleet', q: target.value }, { replace: true })}
        />
      </header>
      {failure && (
        <Notice tone="problem" title={failure.message}>
          {failure.hint}
        </Notice>
      )}
      {data && !data.bus.isConnected && (
        <Notice tone="problem" title={fleet.busLost(data.bus.url)}>
          {fleet.busLostHint}
        </Notice>
      )}
      {data && q !== '' && (
        <section className="panel as-cards">
          <FoundLocks q={q} found={data.found} more={data.more} />
        </section>
      )}
      {data && data.sources.length > 1 && <SpanningPanel spanning={data.spanning} />}
      {data && (data.sources.length > 0 || data.bus.isConnected) && (
        <section className="panel as-cards">
          {data.sources.length === 0 ? (
            <EmptyState title={fleet.none}>
              <p>{fleet.noneHint}</p>
            </EmptyState>
          ) : (
            <>
              <p className="quiet" title={fleet.followsMeaning(data.most)}>
                {fleet.follows(data.followed, data.sources.length)}
              </p>
              <PlainTable label={fleet.list} boxLabel={fleet.list} heads={Object.values(fleet.head)} more={0}>
                {data.sources.map((source) => (
                  <FleetRow key={source.name} source={source} />
                ))}
              </PlainTable>
            </>
          )}
        </section>
      )}
    </div>
  );
}
