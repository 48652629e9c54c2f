import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef } from 'react';
import { problemFromError } from '../data/http/http.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { addDump, closeDumps, type DumpWork } from '../data/queries/dump-work.ts';
import { useDumps } from '../data/queries/thread-dumps.ts';
import { Modal } from '../ui/Modal.tsx';
import { Notice } from '../ui/Notice.tsx';
import { useWords } from '../words/language.ts';
import { DumpCard } from './DumpCard.tsx';

/** The dialog about thread dumps: adds a dump, lists the kept dumps, and asks for what is not known about a dump. */
export default function DumpDialog({ work }: { work: DumpWork }) {
  const { dumps: texts } = useWords();
  const isRecording = useIsOpenRecording();
  const queries = useQueryClient();
  const { state } = work;
  useEffect(() => {
    if (state === 'added') void queries.invalidateQueries();
  }, [state, queries]);
  return (
    <Modal title={texts.title} onClose={closeDumps}>
      <div className="modal-body dumps">
        {isRecording ? (
          <p>{texts.notInRecording}</p>
        ) : (
          <>
            <p>{texts.what}</p>
            <p className="quiet">{texts.how}</p>
            <ChooseButton isBusy={state === 'reading'} />
            <State work={work} />
            <List />
            <p className="quiet">{texts.kept}</p>
          </>
        )}
      </div>
    </Modal>
  );
}

function State({ work }: { work: DumpWork }) {
  const words = useWords();
  const { dumps: texts } = words;
  switch (work.state) {
    case 'open':
      return null;
    case 'reading':
      return (
        <p role="status">
          <progress aria-label={texts.reading} /> {texts.reading}
        </p>
      );
    case 'added':
      return <p role="status">{texts.added(work.dump.threads)}</p>;
    case 'failed': {
      const { message, hint } = problemFromError(work.error, words);
      return (
        <Notice tone="problem" title={message}>
          {hint}
        </Notice>
      );
    }
  }
}

function ChooseButton({ isBusy }: { isBusy: boolean }) {
  const { dumps: texts } = useWords();
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <button type="button" className="button" aria-disabled={isBusy} onClick={() => isBusy || input.current?.click()}>
        {texts.choose}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) void addDump(file, file.name);
          target.value = '';
        }}
      />
    </>
  );
}

function List() {
  const { dumps: texts } = useWords();
  const { data } = useDumps();
  const queries = useQueryClient();
  if (!data || data.dumps.length === 0) return null;
  const onChange = () => void queries.invalidateQueries();
  return (
    <section aria-label={texts.list}>
      <h3>{texts.list}</h3>
      {data.dumps.map((dump) => (
        <DumpCard key={dump.id} dump={dump} onChange={onChange} />
      ))}
    </section>
  );
}
