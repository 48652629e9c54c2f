import { Pause } from 'lucide-react';
import { useIsOpenRecording } from '../data/live/use-live.ts';
import { Icon } from '../ui/Icon.tsx';
import { millisText } from '../ui/time-text.ts';
import { zoneText } from '../ui/zone.ts';
import { useWords } from '../words/language.ts';
import { followNow, useCursor } from './cursor.ts';

/** A banner with the past instant that the page shows, and a button back to now. Renders nothing while live. */
export function AsOfBanner({ note }: { note?: string }) {
  const cursor = useCursor();
  const words = useWords().moment;
  const isRecording = useIsOpenRecording();
  if (cursor.mode === 'live') return null;
  return (
    <p className="as-of" role="status">
      <Icon of={Pause} />
      <strong>{words.asOf(millisText(cursor.at))}</strong>
      <span className="quiet">{zoneText(cursor.at)}</span>
      <button type="button" className="button is-small is-primary" onClick={followNow}>
        {isRecording ? words.toEnd : words.goLive}
      </button>
      <span className={note === undefined ? 'quiet as-of-hint' : 'quiet'}>{note ?? words.asOfHint}</span>
    </p>
  );
}
