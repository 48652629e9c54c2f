import { OBSERVE_LEVELS } from '../../shared/base/observe-level.ts';
import type { Source } from '../../shared/wire/source.ts';
import type { Exposition, Series } from './exposition.ts';
import type { Sights } from './sights.ts';

const STATUSES = ['connecting', 'observing', 'reconnecting', 'failed'] as const satisfies readonly Source['status'][];

/** How well each source is watched. Returns the function that sets its metrics. */
export function sourceMetrics(to: Exposition): (sights: Sights) => void {
  const of = ['source'] as const;
  const info = to.gauge({
    name: 'lockscope_source_info',
    help: 'Always 1. The labels describe the source; its URL is without user and password.',
    labelNames: ['source', 'url', 'redis_version', 'role'],
  });
  const status = to.gauge({
    name: 'lockscope_source_status',
    help: '1 for the present status of the source, 0 for the others.',
    labelNames: ['source', 'status'],
  });
  const level = to.gauge({
    name: 'lockscope_source_level',
    help: '1 for the level at which the source is watched, 0 for the others. Absent while it is not watched.',
    labelNames: ['source', 'level'],
  });
  const figures = FIGURES.map(({ read, ...about }) => ({ set: to.gauge({ ...about, labelNames: of }), read }));
  const totals = TOTALS.map(({ read, ...about }) => ({ set: to.total({ ...about, labelNames: of }), read }));
  return (sights) => {
    const { sources } = sights;
    info(sources.map(({ id, url, redisVersion, role }) => [{ source: id, url, redis_version: redisVersion, role }, 1]));
    status(sources.flatMap(({ id, status }) => STATUSES.map((each) => oneOf(id, 'status', each, status))));
    level(
      sources.flatMap(({ id, level }) =>
        sights.isWatched(id) ? OBSERVE_LEVELS.map((each) => oneOf(id, 'level', each, level)) : [],
      ),
    );
    for (const { set, read } of figures)
      set(sources.map((source) => [{ source: source.id }, read(source, sights.isWatched(source.id))]));
    for (const { set, read } of totals)
      set(sources.map((source) => [{ source: source.id }, read(source, sights.isWatched(source.id))]));
  };
}

type Figure = {
  readonly name: `lockscope_source_${string}`;
  readonly help: string;
  /** Null or undefined: it is not known. */
  readonly read: (source: Source, isWatched: boolean) => number | null | undefined;
};

const FIGURES: readonly Figure[] = [
  {
    name: 'lockscope_source_watched',
    help: '1 while the source is watched. While it is 0, the metrics about its locks are absent.',
    read: (_source, isWatched) => Number(isWatched),
  },
  {
    name: 'lockscope_source_lag_seconds',
    help: 'How far Lockscope is behind this Redis at most. Absent while the source is not watched.',
    read: ({ lagMs }, isWatched) => (isWatched ? lagMs / 1000 : null),
  },
  {
    name: 'lockscope_source_lines_per_second',
    help: 'Lines that arrive from this Redis in a second. Absent while the source is not watched.',
    read: ({ linesPerSecond }, isWatched) => (isWatched ? linesPerSecond : null),
  },
  {
    name: 'lockscope_source_guard_tripped',
    help: '1 if the level is lower than asked for, because MONITOR was refused or did harm.',
    read: ({ guard }) => Number(guard.state === 'tripped'),
  },
  {
    name: 'lockscope_source_clock_offset_seconds',
    help: 'The clock of Redis minus the clock of Lockscope. Absent while the source is not watched.',
    read: ({ clockOffsetMs }, isWatched) => (isWatched ? clockOffsetMs / 1000 : null),
  },
  {
    name: 'lockscope_source_unread_keys',
    help: 'Keys that are too large to be read, or refused: locks, and keys that may be locks.',
    read: ({ unread }, isWatched) => (isWatched ? (unread?.count ?? 0) : null),
  },
  {
    name: 'lockscope_source_locks_incomplete',
    help: '1 if held locks may be missing: the first scan of all keys is not complete, --memory has no room for more, or a right is missing.',
    read: ({ missing }, isWatched) => (isWatched ? Number(missing !== undefined) : null),
  },
  {
    name: 'lockscope_source_monitor_cost_ratio',
    help: 'The share of one core that MONITOR costs this Redis, or would cost it. Absent if it is not known.',
    read: ({ monitor }, isWatched) => (isWatched ? monitor?.costShare : null),
  },
  {
    name: 'lockscope_source_redis_cpu_ratio',
    help: 'The share of one core that this Redis uses. Absent if it is not known.',
    read: ({ monitor }, isWatched) => (isWatched ? monitor?.redisCpuShare : null),
  },
];

const TOTALS: readonly Figure[] = [
  {
    name: 'lockscope_source_drift_total',
    help: 'Differences between the state and a read that no blind spot explains.',
    read: ({ drift }) => drift,
  },
  {
    name: 'lockscope_source_rejected_lines_total',
    help: 'Lines and frames of this Redis that could not be read.',
    read: ({ rejected }) => rejected,
  },
];

function oneOf<L extends string>(source: string, label: L, value: string, present: string): Series<'source' | L> {
  return [{ source, [label]: value } as Record<'source' | L, string>, Number(value === present)]; // both labels are set
}
