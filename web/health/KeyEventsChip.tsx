import { advisedKeyEvents } from '../../shared/base/key-event-flags.ts';
import type { Source } from '../../shared/wire/source.ts';
import { CopyButton } from '../ui/CopyButton.tsx';
import { useWords } from '../words/language.ts';
import { Chip, type Dot } from './Chip.tsx';

const DOT: Readonly<Record<Source['keyEvents'], Dot>> = {
  notifications: '●',
  replication: '●',
  tracking: '◐',
  off: '○',
};

/** Shows whether Redis sends key events, and how to turn them on. */
export function KeyEventsChip({ source, isObserving }: { source: Source; isObserving: boolean }) {
  const { health, states } = useWords();
  const { keyEvents, wantedKeyEvents = advisedKeyEvents() } = source;
  // flags that are already set have to be kept
  const command = `CONFIG SET notify-keyspace-events ${wantedKeyEvents}`;
  return (
    <Chip dot={isObserving ? DOT[keyEvents] : '○'} title={health.keyEventsTitle} label={health.keyEvents[keyEvents]}>
      <p>{isObserving ? health.keyEventsMeaning[keyEvents] : health.unknownNow}</p>
      {isObserving && (keyEvents === 'tracking' || keyEvents === 'off') && (
        <>
          <p>
            {states.notificationsOffHint[keyEvents]} <code>{command}</code>
          </p>
          <p>
            <CopyButton text={command} label={states.copyCommand} /> {states.keepFlags}
          </p>
        </>
      )}
    </Chip>
  );
}
