import { X } from 'lucide-react';
import { useState } from 'react';
import { problemFromError } from '../data/http/http.ts';
import { openRecordingOf } from '../data/live/open-recording.ts';
import { useLive } from '../data/live/use-live.ts';
import { dismissWork, type RecordingWork, useRecordingWork } from '../data/queries/recording-work.ts';
import { fileHref } from '../data/queries/recordings.ts';
import { Icon } from '../ui/Icon.tsx';
import { NameText } from '../ui/NameText.tsx';
import { Notice } from '../ui/Notice.tsx';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { problemText } from '../words/problem-text.ts';

/** What is being done with recordings, what was done, or why it failed. */
export function RecordingNotice() {
  const work = useRecordingWork();
  const isText = useLive((state) => openRecordingOf(state.sources)?.isText === true);
  return (
    <>
      {work && <WorkNotice work={work} />}
      {isText && <TextNotice />}
    </>
  );
}

/** What a recording made from MONITOR text cannot show. */
function TextNotice() {
  const { recordings } = useWords();
  const [isOpen, setOpen] = useState(true);
  if (!isOpen) return null;
  return (
    <Notice tone="hint" title={recordings.textTitle} actions={<Dismiss onClick={() => setOpen(false)} />}>
      {recordings.textMeaning}
    </Notice>
  );
}

function WorkNotice({ work }: { work: RecordingWork }) {
  const words = useWords();
  const { recordings } = words;
  switch (work.state) {
    case 'saving':
      return <Notice tone="hint" title={recordings.saving} />;
    case 'reading':
      return (
        <Notice tone="hint" title={recordings.reading(work.name)}>
          {recordings.readingHint}
        </Notice>
      );
    case 'failed': {
      const { message, hint } = problemFromError(work.error, words);
      return (
        <Notice tone="problem" title={message} actions={<Dismiss />}>
          {work.name !== '' && (
            <>
              <NameText text={work.name} most={100} />{' '}
            </>
          )}
          {hint}
        </Notice>
      );
    }
    case 'saved':
      return (
        <Notice
          tone="done"
          title={recordings.saved(work.recordings.map(({ name }) => name).join(', '))}
          actions={
            <>
              {work.recordings.map(({ id, name }) => (
                <a key={id} className="button is-small" href={fileHref(id)} download={name} title={name}>
                  {recordings.download}
                </a>
              ))}
              <Link className="button is-small" to={{ page: 'recordings' }}>
                {recordings.toList}
              </Link>
              <Dismiss />
            </>
          }
        >
          {recordings.savedHint}
          {work.notSaved.map(({ source, problem }) => (
            <p key={source}>{recordings.notSaved(source, problemText(words, problem).message)}</p>
          ))}
        </Notice>
      );
  }
}

function Dismiss({ onClick = dismissWork }: { onClick?: () => void }) {
  const { recordings } = useWords();
  return (
    <button type="button" className="button is-small" aria-label={recordings.dismiss} onClick={onClick}>
      <Icon of={X} />
    </button>
  );
}
