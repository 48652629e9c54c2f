import { useState } from 'react';
import { millisBetween, redisTime } from '../../shared/base/time.ts';
import type { RecordingEntry } from '../../shared/wire/recordings.ts';
import { openKept } from '../data/queries/recording-work.ts';
import { deleteRecording, fileHref, pageHref } from '../data/queries/recordings.ts';
import { NameText } from '../ui/NameText.tsx';
import { sizeText } from '../ui/size-text.ts';
import { countText, durationText, secondsText } from '../ui/time-text.ts';
import { BASE_PATH } from '../url/base-path.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';

/** One recording, with buttons to open, download and delete it. A file of `--record` cannot be deleted. */
export function RecordingRow({ entry, onChange }: { entry: RecordingEntry; onChange: () => void }) {
  const words = useWords();
  const { recordings, recordingList } = words;
  const { head } = recordingList;
  const { name, origin, startedAt, endsAt, bytes, source, events } = entry;
  const isShown = pageHref(entry) === `${BASE_PATH}/`;
  return (
    <tr>
      <th scope="row">
        <NameText text={name} most={100} /> <span className="quiet">{recordingList.origin[origin]}</span>
      </th>
      <td data-label={head.from}>{startedAt === null ? recordings.unknown : secondsText(startedAt)}</td>
      <td data-label={head.to}>{endsAt === null ? recordings.unknown : secondsText(endsAt)}</td>
      <td data-label={head.length}>
        {startedAt === null || endsAt === null
          ? recordings.unknown
          : durationText(millisBetween(redisTime(startedAt), redisTime(endsAt)))}
      </td>
      <td data-label={head.size}>{sizeText(bytes)}</td>
      <td data-label={head.source}>
        {source === null ? (
          recordings.unknown
        ) : (
          <>
            <NameText text={source.url} most={60} /> <span className="quiet">{source.redisVersion}</span>
          </>
        )}
      </td>
      <td data-label={head.events}>{events === null ? recordings.unknown : countText(events)}</td>
      <td data-label={head.state}>{stateText(entry, words)}</td>
      <td data-label="">
        <span className="recording-actions">
          {isShown ? (
            <span className="quiet">{recordingList.shownHere}</span>
          ) : (
            <button
              type="button"
              className="button is-small"
              aria-label={recordingList.openName(name)}
              disabled={source === null}
              onClick={() => void openKept(entry)}
            >
              {recordings.open}
            </button>
          )}
          <a
            className="button is-small"
            href={fileHref(entry.id)}
            download={name}
            aria-label={recordingList.downloadName(name)}
          >
            {recordings.download}
          </a>
          {origin !== 'record' && <DeleteButton entry={entry} onDeleted={onChange} />}
        </span>
      </td>
    </tr>
  );
}

function stateText(
  { isWriting, isText, cutShort, badLines }: RecordingEntry,
  { recordings, recordingList }: Words,
): string {
  if (isWriting) return recordingList.writing;
  if (cutShort === null) return recordings.unknown;
  const state = isText ? recordings.text : cutShort ? recordingList.cutShort : recordings.whole;
  return badLines === 0 ? state : `${state}, ${recordingList.badLines(badLines)}`;
}

/** Deletes at the second click, because a deletion cannot be undone. */
function DeleteButton({ entry, onDeleted }: { entry: RecordingEntry; onDeleted: () => void }) {
  const { recordingList } = useWords();
  const [isSure, setSure] = useState(false);
  return (
    <button
      type="button"
      className="button is-small"
      aria-label={
        isSure
          ? `${recordingList.removeName(entry.name)}. ${recordingList.removeSure}`
          : recordingList.removeName(entry.name)
      }
      onBlur={() => setSure(false)}
      onClick={() => {
        if (!isSure) return setSure(true);
        // also after an error, the list shows whether the recording is gone
        void deleteRecording(entry.id).then(onDeleted, onDeleted);
      }}
    >
      {isSure ? recordingList.removeSure : recordingList.remove}
    </button>
  );
}
