import type { Source } from '../../shared/wire/source.ts';
import { NameText } from '../ui/NameText.tsx';
import { useWords } from '../words/language.ts';
import { Chip } from './Chip.tsx';

/** The health row of a source whose server a demo scenario has shut down on purpose. */
export function EndedHealth({ source }: { source: Source }) {
  const { health } = useWords();
  return (
    <div className="health-row">
      <Chip dot="○" title={health.source} label={<b>{health.ended}</b>}>
        <p>{health.endedMeaning}</p>
      </Chip>
      <span className="health-url">
        <NameText text={source.url} most={48} /> <span className="quiet">{source.id}</span>
      </span>
      <span className="quiet">{health.endedBy}</span>
    </div>
  );
}
