import '../recordings/recordings.css';
import { useQueryClient } from '@tanstack/react-query';
import { useRef } from 'react';
import { problemFromError } from '../data/http/http.ts';
import { openFiles } from '../data/queries/recording-work.ts';
import { RECORDINGS_KEY, useRecordings } from '../data/queries/recordings.ts';
import { RecordingRow } from '../recordings/RecordingRow.tsx';
import { EmptyState, Notice } from '../ui/Notice.tsx';
import { PlainTable } from '../ui/PlainTable.tsx';
import { sizeText } from '../ui/size-text.ts';
import { HOME_PATH, isOfRecording } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';

/** The recordings that Lockscope keeps: open, download or delete one, or open a file. */
export default function RecordingsPage() {
  const words = useWords();
  const { recordings, recordingList } = words;
  const { data, error } = useRecordings();
  const queries = useQueryClient();
  const reload = () => void queries.invalidateQueries({ queryKey: RECORDINGS_KEY });
  const failure = error ? problemFromError(error, words) : null;

  return (
    <div className="page">
      <header className="page-head">
        <h1 tabIndex={-1}>{recordings.title}</h1>
        <ChooseFile />
        {isOfRecording && (
          <a className="button" href={`${HOME_PATH}/`}>
            {recordingList.toLive}
          </a>
        )}
      </header>
      {failure && (
        <Notice tone="problem" title={failure.message}>
          {failure.hint}
        </Notice>
      )}
      <section className="panel recording-list">
        <p className="quiet">
          {recordingList.dropHere} {recordingList.kept}
        </p>
        {data?.recordings.length === 0 && (
          <EmptyState title={recordings.none}>
            <p>{recordingList.noneHint}</p>
          </EmptyState>
        )}
        {data && data.recordings.length > 0 && (
          <PlainTable
            label={recordingList.list}
            boxLabel={recordingList.list}
            heads={Object.values(recordingList.head)}
            more={0}
          >
            {data.recordings.map((entry) => (
              <RecordingRow key={entry.id} entry={entry} onChange={reload} />
            ))}
          </PlainTable>
        )}
        {data && (
          <p className="quiet">
            {recordingList.room(
              data.recordings.filter(({ origin }) => origin !== 'record').length,
              data.room.files,
              sizeText(data.room.usedBytes),
              sizeText(data.room.bytes),
            )}
          </p>
        )}
      </section>
    </div>
  );
}

/** A button that opens files from the user's machine. */
function ChooseFile() {
  const { recordings } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        aria-label={recordings.choose}
        onChange={(event) => {
          const files = [...(event.target.files ?? [])];
          event.target.value = ''; // so that the same file can be chosen again
          void openFiles(files);
        }}
      />
      <button type="button" className="button is-primary" onClick={() => input.current?.click()}>
        {recordings.choose}
      </button>
    </>
  );
}
