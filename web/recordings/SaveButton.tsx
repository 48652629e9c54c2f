import { Download } from 'lucide-react';
import { saveNow, useRecordingWork } from '../data/queries/recording-work.ts';
import { keyOf } from '../keys/key-map.ts';
import { Icon } from '../ui/Icon.tsx';
import { useWords } from '../words/language.ts';

/** Saves the last ten minutes of what is watched. */
export function SaveButton() {
  const { common, recordings } = useWords();
  const work = useRecordingWork();
  return (
    <button
      type="button"
      className="button is-quiet"
      aria-label={recordings.save}
      title={common.withKey(recordings.save, keyOf('save'))}
      aria-disabled={work?.state === 'saving' || work?.state === 'reading'}
      onClick={() => void saveNow()}
    >
      <Icon of={Download} />
    </button>
  );
}
