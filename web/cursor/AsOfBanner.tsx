import { Pause } from 'lucide-react';
import type { UnseenAt } from '../../shared/wire/unseen-at.ts';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { useSettled } from '../data/queries/use-settled.ts';
import { useSightAt } from '../data/queries/use-trends.ts';
import { Icon } from '../ui/Icon.tsx';
import { millisText, secondsText } from '../ui/time-text.ts';
import { zoneText } from '../ui/zone.ts';
import { useWords } from '../words/language.ts';
import type { Words } from '../words/words.ts';
import { followNow, useCursor } from './cursor.ts';

/** While the cursor moves, the server is asked at most this often. */
const ASKED_EVERY_MS = 300;

/** More sources than this are only counted. */
const MOST_NAMED = 3;

/**
 * A banner with the past instant that the page shows, which sources were not watched then, and a button back to now.
 * Renders nothing while live.
 */
export function AsOfBanner({ note }: { note?: string }) {
  const cursor = useCursor();
  const { moment, pastInstant } = useWords();
  const isRecording = useIsOpenRecording();
  const at = cursor.mode === 'live' ? null : cursor.at;
  const asked = useSettled(at, ASKED_EVERY_MS);
  const sight = useSightAt(asked);
  if (at === null) return null;
  // `sight` may still belong to another instant
  const unseen = asked === at ? (sight?.unseen ?? []) : [];
  const unwatched = unwatchedText(unseen, pastInstant) ?? note;
  return (
    <p className="as-of" role="status">
      <Icon of={Pause} />
      <strong>{moment.asOf(millisText(at))}</strong>
      <span className="quiet">{zoneText(at)}</span>
      <button type="button" className="button is-small is-primary" onClick={followNow}>
        {isRecording ? pastInstant.toEnd : moment.goLive}
      </button>
      <span className={unwatched === undefined ? 'quiet as-of-hint' : 'quiet'}>
        {unwatched ?? pastInstant.asOfHint}
      </span>
    </p>
  );
}

/** Which sources were not watched, and since when; undefined: all were. */
export function unwatchedText(unseen: readonly UnseenAt[], words: Words['pastInstant']): string | undefined {
  const named = unseen.flatMap(({ source, unwatchedSince: since }) =>
    since === undefined ? [] : [words.notWatchedSince(source, secondsText(since))],
  );
  if (named.length === 0) return undefined;
  const more = named.length - MOST_NAMED;
  return words.notWatchedThen(
    [...named.slice(0, MOST_NAMED), ...(more > 0 ? [words.moreUnwatched(more)] : [])].join(', '),
  );
}
