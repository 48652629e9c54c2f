import type { ReactNode } from 'react';
import { redisTime } from '../../shared/base/time.ts';
import type { Source } from '../../shared/wire/source.ts';
import { useLive, useRedisNow } from '../data/use-live.ts';
import { NameText } from '../ui/NameText.tsx';
import { Popover } from '../ui/Popover.tsx';
import { ageText, countOf, countText, durationText } from '../ui/time-text.ts';
import { LevelPanel } from './LevelPanel.tsx';

/** On, degraded, off: a shape each, beside its word. */
type Dot = '●' | '◐' | '○';

const STATUS: Readonly<Record<Source['status'], { dot: Dot; word: string }>> = {
  observing: { dot: '●', word: 'Live' },
  connecting: { dot: '◐', word: 'Connecting' },
  reconnecting: { dot: '◐', word: 'Reconnecting' },
  failed: { dot: '○', word: 'Not observing' },
};

const LEVEL: Readonly<Record<Source['level'], { dot: Dot; word: string }>> = {
  monitor: { dot: '●', word: 'Monitor' },
  events: { dot: '◐', word: 'Key events only' },
  snapshot: { dot: '◐', word: 'Snapshots only' },
};

/** The health of one source: chips, each with an explanation behind it. */
export function SourceHealth({ source }: { source: Source }) {
  const isLost = useLive((state) => state.link === 'lost');
  const status = isLost ? { dot: '○' as const, word: 'Not connected' } : STATUS[source.status];
  const level = LEVEL[source.level];
  const isObserving = source.status === 'observing' && !isLost;
  return (
    <div className="health-row">
      <Chip dot={status.dot} title="Source" label={<b>{status.word}</b>}>
        <SourcePanel source={source} word={status.word} />
      </Chip>
      <span className="health-url">
        <NameText text={source.url} most={48} />
        {source.redisVersion !== '' && <span className="quiet"> Redis {source.redisVersion}</span>}
        {source.role === 'replica' && <span className="quiet"> replica</span>}
      </span>
      <Chip
        dot={isObserving ? level.dot : '○'}
        title="Level of observation"
        label={
          <>
            {level.word}
            {source.level === 'monitor' && <span className="chip-figure">{countText(source.linesPerSecond)}/s</span>}
          </>
        }
      >
        {(close) => <LevelPanel source={source} onDone={close} />}
      </Chip>
      <Chip
        dot={isObserving ? KEY_EVENTS[source.keyEvents].dot : '○'}
        title="Key events"
        label={KEY_EVENTS[source.keyEvents].word}
      >
        <p>{KEY_EVENTS[source.keyEvents].meaning}</p>
      </Chip>
      <Chip
        dot={!isObserving || source.snapshotAt === null ? '○' : '●'}
        title="Snapshot"
        label={
          <>
            Snapshot <SnapshotAge source={source} />
          </>
        }
      >
        <p>
          A snapshot reads the locks as Redis holds them now, and compares that with what was concluded from the stream.
        </p>
      </Chip>
      <Chip
        dot={!isObserving ? '○' : source.lagMs > 1000 ? '◐' : '●'}
        title="Lag"
        label={`Lag ${durationText(source.lagMs)}`}
      >
        <p>So long a command takes from Redis to Lockscope: {durationText(source.lagMs)}.</p>
        <p>Redis’s clock is {offsetText(source.clockOffsetMs)} the clock of the machine Lockscope runs on.</p>
      </Chip>
      <Chip
        dot={source.drift + source.rejected > 0 ? '◐' : isObserving ? '●' : '○'}
        title="Drift"
        label={`Drift ${countText(source.drift)}`}
      >
        <p>
          {countOf(source.drift, 'difference')} between what was concluded and what a snapshot found, not explained by a
          blind spot.
        </p>
        <p>{countOf(source.rejected, 'line')} from Redis could not be read.</p>
      </Chip>
    </div>
  );
}

const KEY_EVENTS: Readonly<Record<Source['keyEvents'], { dot: Dot; word: string; meaning: string }>> = {
  notifications: {
    dot: '●',
    word: 'Key events',
    meaning: 'Redis sends key events: expiries and deletions are seen when they happen.',
  },
  tracking: {
    dot: '◐',
    word: 'Key tracking',
    meaning: 'Redis tells which known keys changed (client tracking). Key events themselves are not sent.',
  },
  off: {
    dot: '○',
    word: 'Key events',
    meaning: 'Redis sends no key events. Ends of leases are computed, and confirmed by snapshots.',
  },
};

type ChipProps = {
  dot: Dot;
  title: string;
  label: ReactNode;
  children: ReactNode | ((close: () => void) => ReactNode);
};

function Chip({ dot, title, label, children }: ChipProps) {
  return (
    <Popover
      className={`chip ${dot === '●' ? 'is-on' : dot === '◐' ? 'is-degraded' : 'is-off'}`}
      title={title}
      label={
        <>
          <span className="chip-dot" aria-hidden="true">
            {dot}
          </span>
          <span className="chip-label">{label}</span>
        </>
      }
    >
      {(close) => (
        <div className="popover-body">
          <h2>{title}</h2>
          {typeof children === 'function' ? children(close) : children}
        </div>
      )}
    </Popover>
  );
}

function SourcePanel({ source, word }: { source: Source; word: string }) {
  return (
    <>
      <p>
        <b>{word}</b>: <NameText text={source.url} most={200} />
      </p>
      {source.problem && (
        <p>
          {source.problem.message} {source.problem.hint}
        </p>
      )}
      <p>{source.guard.state === 'ok' ? 'The guard sees no harm done to Redis.' : source.guard.reason}</p>
    </>
  );
}

function SnapshotAge({ source }: { source: Source }) {
  const now = useRedisNow(source.id);
  if (source.snapshotAt === null || now === null) return 'none yet';
  const age = ageText(Math.max(0, (now - redisTime(source.snapshotAt)) / 1000));
  return age === 'now' ? 'now' : `${age} ago`;
}

function offsetText(ms: number): string {
  if (Math.abs(ms) < 1) return 'level with';
  return `${durationText(Math.abs(ms))} ${ms > 0 ? 'ahead of' : 'behind'}`;
}
