import type { ObserveLevel } from '../../shared/base/observe-level.ts';
import { plusMillis, type RedisTime } from '../../shared/base/time.ts';
import type { ClientDumps } from '../../shared/dumps/client-dump.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { sightOf } from '../../shared/insights/client-sight.ts';
import type { Detector, DroppedEvents, SourceSight } from '../../shared/insights/detector.ts';
import { DETECTORS, DETECTORS_OF_DUMPS } from '../../shared/insights/detectors/all.ts';
import type { Incident, Insight, Lack, Report } from '../../shared/insights/insight.ts';
import { type RunInput, runDetectors, wantedEvents } from '../../shared/insights/run.ts';
import { ClientStates } from '../../shared/state/client-states.ts';
import { ServerStates } from '../../shared/state/server-states.ts';
import { World } from '../../shared/state/world.ts';

/** How the events were watched, and the thread dumps that are known. */
export type Watching = {
  readonly level?: ObserveLevel;
  /** A source that is watched, even if it has no event. */
  readonly source?: string;
  /** What is not known about each source. */
  readonly lacks?: readonly Lack[];
  /** Past events that are missing. */
  readonly dropped?: DroppedEvents;
  readonly detectors?: readonly Detector[];
  readonly dumps?: ClientDumps;
};

/**
 * The report of the detectors at an instant about a world that is made only from these events. All sources have one
 * level.
 */
export function reportAt(events: readonly LockEvent[], at: RedisTime, watching: Watching = {}): Report {
  return new Replay(events, watching).reportAt(at);
}

/**
 * Reports at one instant after the other. Events between two of them are applied once, if they are in the order of
 * time.
 */
export class Replay {
  readonly #events: readonly LockEvent[];
  readonly #watching: Watching;
  readonly #world = new World();
  readonly #clientStates = new ClientStates();
  readonly #serverStates = new ServerStates();
  readonly #sources = new Map<string, SourceSight | undefined>();
  #applied = 0;

  constructor(events: readonly LockEvent[], watching: Watching = {}) {
    this.#events = events;
    this.#watching = watching;
  }

  /** What detectors report at this instant, which must not be before the previous one. */
  reportAt(at: RedisTime): Report {
    const then = this.#events.filter((event) => event.at <= at);
    const rest = then.slice(this.#applied);
    if (rest.some((event, index) => event !== this.#events[this.#applied + index])) {
      return new Replay(then, this.#watching).reportAt(at);
    }
    for (const event of rest) this.#apply(event);
    this.#applied = then.length;
    const { level = 'monitor', lacks = [], source: quiet, dropped } = this.#watching;
    const { detectors = DETECTORS, dumps = new Map() } = this.#watching;
    const { types, beside, withinMs } = wantedEvents(detectors);
    const wantedTypes = new Set([...types, ...beside]);
    const clientOf = (source: string, client: string) => sightOf(this.#clientStates.find(source, client));
    const wanted = then.filter(({ type, at: when }) => wantedTypes.has(type) && when >= plusMillis(at, -withinMs));
    const locks = [...this.#world.entries()].map(([, lock]) => lock);
    const serverOf = (source: string) => this.#serverStates.find(source);
    const sources = new Map(this.#sources);
    const isQuiet = quiet !== undefined && !sources.has(quiet);
    if (isQuiet) sources.set(quiet, { level, lacks, watchedSince: plusMillis(at, -60_000) });
    return reportOf({ at, locks, sources, events: wanted, dropped, clientOf, serverOf, dumps }, detectors);
  }

  #apply(event: LockEvent): void {
    const { level = 'monitor', lacks = [], source: quiet } = this.#watching;
    this.#world.apply(event);
    this.#clientStates.take(event);
    this.#serverStates.take(event);
    const { source, type, at } = event;
    const since = plusMillis(at, -60_000);
    if (!this.#sources.has(source) && source !== quiet)
      this.#sources.set(source, { level, lacks, watchedSince: since });
    if (type === 'blind-spot.began') this.#sources.set(source, undefined);
    if (type === 'blind-spot.ended') this.#sources.set(source, { level, lacks, watchedSince: at });
  }
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

/** Runs detectors to the end, without pauses. */
export function reportOf(input: RunInput, detectors: readonly Detector[]): Report {
  const work = runDetectors(input, detectors);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}
