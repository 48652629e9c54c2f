import { useId, useState } from 'react';
import { takenOptions, zoneName } from '../../shared/dumps/taken-options.ts';
import type { DumpEntry } from '../../shared/wire/dumps.ts';
import { shortClient } from '../../shared/wire/person-text.ts';
import { problemFromError } from '../data/http/http.ts';
import { useClients } from '../data/queries/clients.ts';
import { changeDump, deleteDump } from '../data/queries/thread-dumps.ts';
import { NameText } from '../ui/NameText.tsx';
import { ageText, secondsText } from '../ui/time-text.ts';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';

type CardProps = { dump: DumpEntry; onChange: () => void };

/** One dump that is kept: its format, its threads, its client, and when it was taken. */
export function DumpCard({ dump, onChange }: CardProps) {
  const words = useWords();
  const { dumps: texts } = words;
  const [error, setError] = useState<unknown>(null);
  const name = dump.name ?? texts.pasted;
  const act = (work: Promise<void>) => {
    setError(null);
    work.then(onChange, setError);
  };
  return (
    <article className="card dump-card">
      <header>
        <b>
          <NameText text={name} most={60} />
        </b>
        <button
          type="button"
          className="button is-small"
          aria-label={texts.removeName(name)}
          onClick={() => act(deleteDump(dump.id))}
        >
          {texts.remove}
        </button>
      </header>
      <p>
        {texts.format[dump.format]}
        {dump.version !== null && ` · Java ${dump.version}`} · {texts.threads(dump.threads, dump.waiting)}
      </p>
      <ClientChoice dump={dump} onChoose={(client) => act(changeDump(dump.id, { client }))} />
      <TakenChoice dump={dump} onChoose={(takenAt) => act(changeDump(dump.id, { takenAt }))} />
      <p className="quiet">
        {words.common.sentences([
          ...(dump.skipped ? [problemText(words, dump.skipped).message] : []),
          ...(dump.dumps > 1 ? [texts.several(dump.dumps)] : []),
          ...(dump.isWhole ? [] : [texts.notWhole]),
          ...(dump.listsVirtual || dump.listsEveryThread ? [] : [texts.noVirtual]),
        ])}
      </p>
      {error !== null && <p role="alert">{problemFromError(error, words).message}</p>}
    </article>
  );
}

function ClientChoice({ dump, onChoose }: { dump: DumpEntry; onChoose: (client: string | null) => void }) {
  const { dumps: texts } = useWords();
  const id = useId();
  const { data } = useClients(null);
  const clients = new Map((data?.clients ?? []).map(({ client, name }) => [client, name]));
  if (dump.client !== null && !clients.has(dump.client)) clients.set(dump.client, null);
  return (
    <div className="dump-choice">
      <label htmlFor={id}>{texts.client}</label>
      <select id={id} value={dump.client ?? ''} onChange={({ target }) => onChoose(target.value || null)}>
        <option value="">{texts.noClient}</option>
        {[...clients].map(([client, name]) => (
          <option key={client} value={client}>
            {name ? `${name} (${shortClient(client)})` : shortClient(client)}
          </option>
        ))}
      </select>
      {dump.client === null && <p className="quiet">{texts.askClient}</p>}
      {dump.clientBy === 'threads' && <p className="quiet">{texts.byThreads}</p>}
    </div>
  );
}

function TakenChoice({ dump, onChoose }: { dump: DumpEntry; onChoose: (takenAt: number | null) => void }) {
  const { dumps: texts } = useWords();
  const id = useId();
  const { takenAt, takenAtBy, localTime, receivedAt } = dump;
  if (takenAtBy === 'dump' && takenAt !== null) {
    return (
      <p>
        {texts.taken} {secondsText(takenAt)}
      </p>
    );
  }
  const options = takenOptions(localTime, receivedAt);
  return (
    <div className="dump-choice">
      <label htmlFor={id}>{texts.taken}</label>
      <select
        id={id}
        value={takenAt ?? ''}
        onChange={({ target }) => onChoose(target.value === '' ? null : Number(target.value))}
      >
        <option value="">{texts.takenUnknown}</option>
        {options.map(({ at, zoneMinutes }) => (
          <option key={`${at} ${zoneMinutes}`} value={at}>
            {zoneMinutes === null
              ? texts.takenAsAdded
              : texts.inZone(zoneName(zoneMinutes), secondsText(at), agoBefore(receivedAt - at))}
          </option>
        ))}
        {takenAt !== null && !options.some(({ at }) => at === takenAt) && (
          <option value={takenAt}>{secondsText(takenAt)}</option>
        )}
      </select>
      <p className="quiet">
        {localTime !== null && `${texts.local(localTime)} `}
        {takenAt === null && texts.askTaken}
        {takenAtBy === 'assumed' && (
          <>
            {texts.assumedTaken}{' '}
            <button type="button" className="button is-small" onClick={() => onChoose(takenAt)}>
              {texts.confirmTaken}
            </button>
          </>
        )}
      </p>
    </div>
  );
}

/** How long before its upload a dump was taken; null: less than 1 s. */
function agoBefore(micros: number): string | null {
  return micros < 1_000_000 ? null : ageText(micros / 1000);
}
