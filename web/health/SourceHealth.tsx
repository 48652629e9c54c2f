import { redisTime } from '../../shared/base/time.ts';
import type { Source } from '../../shared/wire/source.ts';
import { isWatched } from '../../shared/wire/watched.ts';
import { isCutOff } from '../data/live/live-state.ts';
import { useFromRedisNow, useLive } from '../data/live/use-live.ts';
import { useMemoryEdge } from '../data/queries/queries.ts';
import { Fact } from '../parts/Fact.tsx';
import { NextTry } from '../parts/NotWatching.tsx';
import { LatePart } from '../ui/LatePart.tsx';
import { lazyPart } from '../ui/lazy-part.tsx';
import { NameText } from '../ui/NameText.tsx';
import { agoText, countText, durationText, secondsText, shortText } from '../ui/time-text.ts';
import { Link } from '../url/router.tsx';
import { useWords } from '../words/language.ts';
import { insteadText, problemText } from '../words/problem-text.ts';
import type { Words } from '../words/words.ts';
import { Chip, type Dot } from './Chip.tsx';
import { KeyEventsChip } from './KeyEventsChip.tsx';
import { ServerFigures } from './ServerFigures.tsx';
import { UnreadKeys } from './UnreadKeys.tsx';

const LevelPanel = lazyPart(() => import('./LevelPanel.tsx'));

const STATUS_DOT: Readonly<Record<Source['status'], Dot>> = {
  observing: '●',
  connecting: '◐',
  reconnecting: '◐',
  failed: '○',
};
const LEVEL_DOT: Readonly<Record<Source['level'], Dot>> = {
  monitor: '●',
  replication: '◐',
  events: '◐',
  snapshot: '◐',
};

/** The health of one source: a row of chips, each with an explanation in a popover. */
export function SourceHealth({ source }: { source: Source }) {
  const { frame, health, servers } = useWords();
  const link = useLive((state) => state.link);
  const isLost = isCutOff({ link });
  // the answer about health may name the source before the live channel is open
  const isConnecting = link === 'connecting';
  const isSilent = source.status === 'observing' && !isWatched(source);
  const known = isSilent ? health.notAnswering : health.status[source.status];
  const status = isLost ? health.notConnected : isConnecting ? health.connecting : known;
  const hasManySources = useLive((state) => state.sources.length > 1);
  const isObserving = isWatched(source) && !isLost;
  const isCompared = source.snapshotAt !== null;
  return (
    <div className="health-row">
      <Chip
        dot={isLost || isSilent ? '○' : STATUS_DOT[isConnecting ? 'connecting' : source.status]}
        title={health.source}
        label={<b>{status}</b>}
      >
        <SourcePanel source={source} word={status} isObserving={isObserving} />
      </Chip>
      <span className="health-url">
        <NameText text={source.url} most={48} />
        {isFollowed(source) ? (
          <span className="health-node">
            {' '}
            {source.id} · {source.node ?? servers.noNode}
          </span>
        ) : (
          hasManySources && <span className="quiet"> {source.id}</span>
        )}
        {source.redisVersion !== '' && <span className="quiet"> Redis {source.redisVersion}</span>}
        {source.role === 'replica' && <span className="quiet"> {health.replica}</span>}
        {!isObserving && !isLost && (
          <span className="quiet" aria-hidden="true">
            {' '}
            <NextTry source={source} />
          </span>
        )}
      </span>
      <Chip
        dot={isObserving ? LEVEL_DOT[source.level] : '○'}
        title={health.levelTitle}
        label={
          <>
            {health.level[source.level]}
            {source.level === 'monitor' && (
              <span className="chip-figure">
                {health.perSecond(isObserving ? countText(source.linesPerSecond) : UNKNOWN)}
              </span>
            )}
          </>
        }
      >
        {(close) => (
          <LatePart opening={<p className="quiet">{frame.openingPart}</p>}>
            <LevelPanel source={source} onDone={close} />
          </LatePart>
        )}
      </Chip>
      <KeyEventsChip source={source} isObserving={isObserving} />
      <Chip
        dot={isObserving && isCompared ? '●' : '○'}
        title={health.snapshotTitle}
        label={<SnapshotText source={source} isObserving={isObserving} />}
      >
        <p>{health.snapshotMeaning}</p>
        {!isCompared && <p>{health.noSnapshot}</p>}
      </Chip>
      <Chip
        dot={!isObserving ? '○' : source.lagMs > 1000 ? '◐' : '●'}
        title={health.lagTitle}
        label={health.lag(isObserving ? shortText(source.lagMs) : UNKNOWN)}
      >
        {isObserving ? (
          <>
            <p>{health.lagMeaning(shortText(source.lagMs))}</p>
            <p>{offsetText(source.clockOffsetMs, health)}</p>
          </>
        ) : (
          <p>{health.unknownNow}</p>
        )}
      </Chip>
      <Chip
        dot={source.drift + source.rejected > 0 ? '◐' : isObserving && isCompared ? '●' : '○'}
        title={health.driftTitle}
        label={health.drift(isCompared ? countText(source.drift) : UNKNOWN)}
      >
        <p>{isCompared ? health.driftMeaning(source.drift) : health.noSnapshot}</p>
        <p>
          {health.rejected(source.rejected)} {source.rejectedFor && health.rejectedFor[source.rejectedFor]}
        </p>
      </Chip>
      <UnreadKeys unread={source.unread} />
    </div>
  );
}

function SourcePanel({ source, word, isObserving }: { source: Source; word: string; isObserving: boolean }) {
  const words = useWords();
  const problem = source.problem && problemText(words, source.problem);
  const { guard } = source;
  const isWell = isObserving && !problem;
  return (
    <>
      <p>
        <b>{word}</b> <NameText text={source.url} most={200} />
      </p>
      {problem && (
        <p>
          {problem.message} {problem.hint}
        </p>
      )}
      <MemoryEdge />
      <ServerFigures source={source} isObserving={isObserving} />
      <ServerFacts source={source} />
      {guard.state === 'tripped'
        ? guard.problem && <p>{insteadText(words, guard.problem, source)}</p>
        : isWell && <p>{words.health.guardIsFine}</p>}
      <p>
        <Link to={{ page: 'doctor', source: source.id }}>{words.health.toDoctor}</Link>
      </p>
    </>
  );
}

/** Shows how far memory goes back, and whether older events were dropped. */
function MemoryEdge() {
  const { health } = useWords();
  const edge = useMemoryEdge();
  if (edge === null) return null;
  return (
    <p>{(edge.isDropped ? health.memoryBack : health.memoryWhole)(secondsText(edge.at), countText(edge.events))}</p>
  );
}

/** True if Sentinel or Cluster reports which server is the master. */
function isFollowed({ topology }: Source): boolean {
  return topology !== undefined && topology !== 'single';
}

/** Shows the server behind a source, its replicas and its slots. */
function ServerFacts({ source }: { source: Source }) {
  const { servers } = useWords();
  const { topology = 'single', node, replicas, slots } = source;
  if (node === undefined && topology === 'single') return null;
  return (
    <dl className="facts">
      <Fact name={servers.shard}>
        {source.id} · {servers.what[topology]}
      </Fact>
      <Fact name={servers.node}>{node ?? servers.noNode}</Fact>
      {replicas !== undefined && (replicas.length > 0 || topology !== 'single') && (
        <Fact name={servers.replicas}>{replicas.length > 0 ? replicas.join(' ') : servers.noReplicas}</Fact>
      )}
      {slots !== undefined && (
        <Fact name={servers.slots}>
          {slots
            .slice(0, MOST_RUNS)
            .map(([first, last]) => (first === last ? first : `${first}–${last}`))
            .join(' ')}
          {slots.length > MOST_RUNS && ' …'}
        </Fact>
      )}
    </dl>
  );
}

const MOST_RUNS = 8;

/** Shown instead of a number that is currently unknown. */
const UNKNOWN = '–';

/** Shows the age of the last snapshot, or its time while the source is not watched. */
function SnapshotText({ source, isObserving }: { source: Source; isObserving: boolean }) {
  const { health } = useWords();
  const { snapshotAt } = source;
  const age = useFromRedisNow(source.id, (now) =>
    now === null || snapshotAt === null ? null : agoText(Math.max(0, (now - redisTime(snapshotAt)) / 1000)),
  );
  if (snapshotAt === null || age === null) return health.snapshot(UNKNOWN);
  return health.snapshot(isObserving ? age : secondsText(snapshotAt));
}

function offsetText(ms: number, words: Words['health']): string {
  if (Math.abs(ms) < 1) return words.clockLevel;
  const length = durationText(Math.abs(ms));
  return ms > 0 ? words.clockAhead(length) : words.clockBehind(length);
}
