import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import { plusMillis, type RedisTime } from '../../shared/base/time.ts';
import type { ClientDumps } from '../../shared/dumps/client-dump.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { sightOf } from '../../shared/insights/client-sight.ts';
import type { Detector, SourceSight } from '../../shared/insights/detector.ts';
import { DETECTORS, DETECTORS_OF_DUMPS } from '../../shared/insights/detectors/all.ts';
import type { Incident, Insight, Lack, Report } from '../../shared/insights/insight.ts';
import { reportOf, wantedEvents } from '../../shared/insights/run.ts';
import { ClientStates } from '../../shared/state/client-states.ts';
import { ServerStates } from '../../shared/state/server-states.ts';
import { World } from '../../shared/state/world.ts';

/** How the events were watched, and the thread dumps that are known. */
export type Watching = {
  readonly level?: ObserveLevel;
  /** A source that is watched, also if there is no event of it. */
  readonly source?: string;
  /** What is not known about each source. */
  readonly lacks?: readonly Lack[];
  readonly detectors?: readonly Detector[];
  readonly dumps?: ClientDumps;
};

/** What detectors report at an instant about a world that is made only from these events. All sources have one level. */
export function reportAt(
  events: readonly LockEvent[],
  at: RedisTime,
  { level = 'monitor', lacks = [], source: quiet, detectors = DETECTORS, dumps = new Map() }: Watching = {},
): Report {
  const world = new World();
  const clientStates = new ClientStates();
  const serverStates = new ServerStates();
  const sources = new Map<string, SourceSight | undefined>();
  if (quiet !== undefined) sources.set(quiet, { level, lacks, watchedSince: plusMillis(at, -60_000) });
  const then = events.filter((event) => event.at <= at);
  for (const event of then) {
    world.apply(event);
    clientStates.take(event);
    serverStates.take(event);
    const { source, type } = event;
    if (!sources.has(source)) sources.set(source, { level, lacks, watchedSince: plusMillis(event.at, -60_000) });
    if (type === 'blind-spot.began') sources.set(source, undefined);
    if (type === 'blind-spot.ended') sources.set(source, { level, lacks, watchedSince: event.at });
  }
  const { types, beside, withinMs } = wantedEvents(detectors);
  const wants = new Set([...types, ...beside]);
  const clientOf = (source: string, client: string) => sightOf(clientStates.find(source, client));
  const wanted = then.filter(({ type, at: when }) => wants.has(type) && when >= plusMillis(at, -withinMs));
  const locks = [...world.entries()].map(([, lock]) => lock);
  const serverOf = (source: string) => serverStates.find(source);
  return reportOf({ at, locks, sources, events: wanted, clientOf, serverOf, dumps }, detectors);
}

/** What one detector reports at an instant: its insights, or why it cannot know about a lock. */
export function verdictAt(
  incident: Incident,
  events: readonly LockEvent[],
  at: RedisTime,
  watching: Watching = {},
): readonly Insight[] | string {
  const detectors = [...DETECTORS, ...DETECTORS_OF_DUMPS].filter((detector) => detector.incident === incident);
  const { insights, cannotTell, failed } = reportAt(events, at, { ...watching, detectors });
  if (failed[0]) throw new Error(failed[0].message);
  const unseen = cannotTell.find(({ locks }) => locks > 0);
  return insights.length === 0 && unseen ? `cannot know: ${unseen.reason}` : insights;
}

/** Puts the events of several stories into one stream, by time. Each event gets a new `seq`. */
export function merged(...stories: readonly (readonly LockEvent[])[]): LockEvent[] {
  return stories
    .flat()
    .sort((a, b) => a.at - b.at)
    .map((event, index) => ({ ...event, seq: index + 1 }));
}
