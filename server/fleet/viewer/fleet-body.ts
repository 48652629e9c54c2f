import { byText } from '../../../shared/insights/attention.ts';
import type { FleetBody, FleetSource, FoundLock } from '../../../shared/wire/fleet/fleet.ts';
import type { Pulse, PulseRow } from '../../../shared/wire/fleet/pulse.ts';
import type { Spanning } from '../../../shared/wire/fleet/spanning.ts';
import { partMatcher } from '../../../shared/wire/locks/name-parts.ts';
import { isWatched } from '../../../shared/wire/watched.ts';
import { type Heard, isLive } from './pulses.ts';

const MOST_WORST = 3;
const MOST_FOUND = 200;

/** What a fleet page shows of one source. */
export function fleetSourceOf(
  { pulse, heardMs }: Heard,
  nowMs: number,
  { isFollowed, circles }: { isFollowed: boolean; circles: Spanning['circles'] },
): FleetSource {
  const { name, sources, counts, verdicts, more, observer, at } = pulse;
  const live = isLive({ heardMs }, nowMs);
  const count = (severity: string) => verdicts.filter((each) => each.severity === severity).length;
  /** A Redis time of the source, in ms of the viewer's clock. */
  const toLocalMs = (micros: number) => Math.round(heardMs + (micros - at) / 1000);
  const unwatched = sources.flatMap(({ unwatchedSince }) => unwatchedSince ?? []);
  const { oldestWait, ...rest } = counts;
  return {
    name,
    urls: sources.map(({ url }) => url),
    isWatched: live && sources.length > 0 && sources.every(isWatched),
    notLiveSince: live ? null : heardMs,
    blindSince: unwatched.length === 0 ? null : toLocalMs(Math.min(...unwatched)),
    level: sources[0]?.level ?? null,
    lagMs: Math.max(0, ...sources.map(({ lagMs }) => lagMs)),
    counts: rest,
    longestWaitMs: oldestWait === null ? null : Math.max(0, Math.round((at - oldestWait) / 1000)),
    ...{ critical: count('critical'), warnings: count('warning'), hints: count('hint'), more },
    spanning: circles.filter(({ steps }) => steps.some((step) => step.name === name)).length,
    worst: verdicts.slice(0, MOST_WORST).map(worstOf),
    observer: {
      ...{ host: observer.host, version: observer.version, standbys: observer.standbys },
      since: toLocalMs(observer.since),
    },
    isFollowed,
  };
}

function worstOf({
  incident,
  severity,
  title,
  lock,
  db,
  source,
}: Pulse['verdicts'][number]): FleetSource['worst'][number] {
  return { incident, severity, title, source, ...(lock === undefined ? {} : { lock, db }) };
}

/**
 * Compares sources by the attention they need. Sources with critical verdicts come first, then sources that are not
 * watched, then those with warnings, then those with the most waiting threads.
 */
export function byNeed(a: FleetSource, b: FleetSource): number {
  const critical = (source: FleetSource) => source.critical + source.spanning;
  return (
    Math.sign(critical(b)) - Math.sign(critical(a)) ||
    Number(a.isWatched) - Number(b.isWatched) ||
    critical(b) - critical(a) ||
    Math.sign(b.warnings) - Math.sign(a.warnings) ||
    b.counts.waiting - a.counts.waiting ||
    b.counts.held - a.counts.held ||
    byText(a.name, b.name)
  );
}

/**
 * The locks in the pulses that match `q`: by their own name, by the name of their source, or by that of a holder or
 * waiter. Locks of the source that needs most attention come first.
 */
export function foundIn(
  all: ReadonlyMap<string, Heard>,
  order: readonly FleetSource[],
  q: string,
): Pick<FleetBody, 'found' | 'more'> {
  if (q === '') return { found: [], more: 0 };
  const isNamed = partMatcher(q);
  const found = order.flatMap(({ name }): FoundLock[] => {
    const rows = all.get(name)?.pulse.rows ?? [];
    return (isNamed(name) ? rows : rows.filter((row) => matches(row, isNamed))).map((row) => ({ name, row }));
  });
  return { found: found.slice(0, MOST_FOUND), more: Math.max(0, found.length - MOST_FOUND) };
}

function matches({ name, holders, sleepers }: PulseRow, isNamed: (text: string) => boolean): boolean {
  return isNamed(name) || [...holders, ...sleepers].some((each) => isNamed(each.name ?? '') || isNamed(each.client));
}
