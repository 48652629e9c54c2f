import { ChevronDown, ChevronUp } from 'lucide-react';
import { useId, useState } from 'react';
import type { Source } from '../../shared/wire/source.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { openRecordingOf } from '../data/live/open-recording.ts';
import { useFromRedisNow, useIsClockStopped, useIsOpenRecording, useLive } from '../data/live/use-live.ts';
import { Icon } from '../ui/Icon.tsx';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { NameText } from '../ui/NameText.tsx';
import { secondsText } from '../ui/time-text.ts';
import { zoneText } from '../ui/zone.ts';
import { useWords } from '../words/language.ts';
import { Chip } from './Chip.tsx';
import { SourceHealth } from './SourceHealth.tsx';
import { StoreHealth } from './StoreHealth.tsx';

const RecordingHealth = lazyPart(() => import('./RecordingHealth.tsx'));

/** Shows whether the page is complete and up to date: one row per source, the store, and Redis's clock. */
export function HealthStrip() {
  const { health } = useWords();
  const sources = useLive((state) => state.sources);
  const isLost = useLive(isCutOff);
  const id = useId();
  // on a narrow screen only what needs attention is shown until the user opens the rest
  const [isOpen, setOpen] = useState(false);
  return (
    <section className={isOpen ? 'health-strip' : 'health-strip is-folded'} aria-label={health.label}>
      <div className="health-sources" id={id}>
        {sources.map((source) => (
          <HealthOf key={source.id} source={source} />
        ))}
        {sources.length === 0 && <Opening text={isLost ? health.notConnected : health.connecting} />}
      </div>
      <button
        type="button"
        className="chip health-more"
        aria-expanded={isOpen}
        aria-controls={id}
        onClick={() => setOpen(!isOpen)}
      >
        {isOpen ? health.less : health.more(sources.length)} <Icon of={isOpen ? ChevronUp : ChevronDown} />
      </button>
      <StoreHealth />
      <RedisClockText />
    </section>
  );
}

function HealthOf({ source }: { source: Source }) {
  const { health } = useWords();
  const recording = openRecordingOf([source]);
  if (source.ended && source.status !== 'observing') return <EndedHealth source={source} />;
  if (!recording) return <SourceHealth source={source} />;
  return (
    <LatePart opening={<Opening text={health.connecting} />}>
      <RecordingHealth source={source} recording={recording} />
    </LatePart>
  );
}

/** The health row of a source whose server a demo scenario has shut down on purpose. */
function EndedHealth({ source }: { source: Source }) {
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

function Opening({ text }: { text: string }) {
  return (
    <p className="health-row">
      <span className="chip is-plain">
        <span aria-hidden="true">◐</span> {text}
      </span>
    </p>
  );
}

function RedisClockText() {
  const { health, states } = useWords();
  const first = useLive((state) => state.sources[0]?.id);
  const clock = useFromRedisNow(first, (now) => (now === null ? null : secondsText(now)));
  const zone = useFromRedisNow(first, (now) => (now === null ? null : zoneText(now)));
  const isStopped = useIsClockStopped(first);
  const isRecording = useIsOpenRecording();
  if (clock === null) return null;
  const [text, title] = isRecording
    ? [states.recordingEnd(clock), states.recordingEndTitle]
    : [isStopped ? health.stoppedAt(clock) : clock, health.clockTitle];
  return (
    <span className={isStopped && !isRecording ? 'redis-clock is-stopped' : 'redis-clock'} title={title}>
      {text} <span className="quiet">{zone}</span>
    </span>
  );
}
