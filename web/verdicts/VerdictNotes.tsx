import { useState } from 'react';
import { problemFromError } from '../data/http/http.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { useProblemLog, useWriteNote } from '../data/queries/problem-log.ts';
import { secondsText } from '../ui/time-text.ts';
import { visibleText } from '../ui/visible-text.ts';
import { isWatchedElsewhere } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';

/** How many notes are shown at once: the newest. */
const MOST_SHOWN = 3;
const AUTHOR = 'lockscope.author';

/** The newest notes about a problem. Each shows whether its author acknowledged the problem by it. */
export function VerdictNotes({ insight }: { insight: string }) {
  const { verdicts: texts, verdictDetails } = useWords();
  const notes = useProblemLog()?.find((each) => each.insight === insight)?.notes ?? [];
  const shown = notes.slice(-MOST_SHOWN);
  if (shown.length === 0) return null;
  return (
    <ul className="verdict-notes" aria-label={texts.notes}>
      {shown.map(({ at, text, author, isAcknowledged }) => (
        <li key={at}>
          {isAcknowledged && <b>{texts.taken}</b>} {visibleText(text)}{' '}
          <span className="quiet">
            {verdictDetails.noteBy(author === null ? null : visibleText(author), secondsText(at))}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** Lets the user acknowledge a problem, with a note that all users see. Renders nothing in a recording or a viewer. */
export function WriteNote({ insight }: { insight: string }) {
  const words = useWords();
  const { verdicts: texts, verdictDetails } = words;
  const [text, setText] = useState('');
  const [author, setAuthor] = useState(readAuthor);
  const { mutate, isPending, error } = useWriteNote();
  const isRecording = useIsOpenRecording();
  if (isRecording || isWatchedElsewhere) return null;
  const send = () => {
    keepAuthor(author);
    mutate(
      { insight, text: text.trim(), author: author.trim(), isAcknowledged: true },
      { onSuccess: () => setText('') },
    );
  };
  return (
    <form
      className="verdict-note"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <input
        type="text"
        aria-label={verdictDetails.noteText}
        placeholder={verdictDetails.noteExample}
        maxLength={500}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <input
        type="text"
        aria-label={verdictDetails.noteAuthor}
        placeholder={verdictDetails.noteAuthor}
        maxLength={60}
        value={author}
        onChange={(event) => setAuthor(event.target.value)}
      />
      <button type="submit" className="button is-small" disabled={isPending}>
        {texts.take}
      </button>
      {error && (
        <p role="alert" className="refusal">
          <span aria-hidden="true">✕</span> {problemFromError(error, words).message}
        </p>
      )}
    </form>
  );
}

function readAuthor(): string {
  try {
    return localStorage.getItem(AUTHOR) ?? '';
  } catch {
    return ''; // storage is blocked
  }
}

function keepAuthor(author: string): void {
  try {
    localStorage.setItem(AUTHOR, author);
  } catch {
    // storage is blocked: the page asks for the name again
  }
}
