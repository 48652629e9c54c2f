import { groupedBy } from '../base/grouped-by.ts';
import type { RedisTime } from '../base/time.ts';
import type { ClientDumps } from '../dumps/client-dump.ts';
import { isOfSource, type LockEvent } from '../events/event.ts';
import { idOf, type LockState, lockIdOf } from '../state/lock-state.ts';
import type { KnownFacts } from '../state/server-states.ts';
import type { ClientSight, Detector, DroppedEvents, SourceSight, Wants } from './detector.ts';
import type { Insight, Report } from './insight.ts';
import { DetectorPass, listed } from './pass/detector-pass.ts';

/** Everything a run looks at: one instant, live or past. */
export type RunInput = {
  readonly at: RedisTime;
  /**
   * True: the instant is past, and it is not known whether each source had been read by then. Absent: each watched
   * source has been read.
   */
  readonly isPast?: boolean;
  /** The instant by the clock of a source; absent: all sources have the same clock. */
  now?(source: string): RedisTime;
  /** Every lock that is held or waited for, and every lock with one of the `events`; each once. */
  readonly locks: Iterable<LockState>;
  /** How each source is watched at that instant, by id. A source that is not watched maps to `undefined`. */
  readonly sources: ReadonlyMap<string, SourceSight | undefined>;
  /** The events that `wantedEvents()` names, oldest first. */
  readonly events: readonly LockEvent[];
  /** The events that are missing; undefined, or absent: none are. */
  readonly dropped?: DroppedEvents | undefined;
  clientOf(source: string, client: string): ClientSight;
  /** What the server of a source reported about itself; undefined, or absent: not known. */
  serverOf?(source: string): KnownFacts | undefined;
  /** Thread dumps, by client; absent: none. */
  readonly dumps?: ClientDumps;
  /** Which insights are listed; absent: all. */
  isWanted?(insight: Insight): boolean;
};

const NO_EVENTS: readonly LockEvent[] = [];
const NO_IDS: ReadonlySet<string> = new Set();
const NO_DUMPS: ClientDumps = new Map();

const WANTS_OF = new WeakMap<readonly Detector[], Wants>();

/** The past events that these detectors together need. No type is in both lists, so that no event is read twice. */
export function wantedEvents(detectors: readonly Detector[]): Wants {
  const known = WANTS_OF.get(detectors) ?? unionOfWants(detectors);
  WANTS_OF.set(detectors, known);
  return known;
}

/** Whether an event is of one of the wanted `types`. Of released permits, only those that were late are wanted. */
export function isWantedEvent({ types }: Wants, event: LockEvent): boolean {
  return types.includes(event.type) && (event.type !== 'permits.released' || event.isLate === true);
}

function unionOfWants(detectors: readonly Detector[]): Wants {
  const wants = detectors.flatMap((detector) => detector.wants ?? []);
  const types = new Set(wants.flatMap((each) => each.types));
  const beside = new Set(wants.flatMap((each) => each.beside));
  return {
    types: [...types],
    beside: [...beside].filter((type) => !types.has(type)),
    withinMs: Math.max(0, ...wants.map(({ withinMs }) => withinMs)),
  };
}

/** Runs detectors once, over every lock. Yields after every 200 locks, so that other work can be done in between. */
export function* runDetectors(input: RunInput, detectors: readonly Detector[]): Generator<void, Report, void> {
  const locks = new Map([...input.locks].map((lock) => [idOf(lock), lock]));
  const eventsOf = groupedBy(input.events, lockIdOf);
  const pass = new DetectorPass(detectors);
  const { at, isPast = false, sources, dropped, dumps = NO_DUMPS, isWanted = () => true } = input;
  yield* pass.run(
    {
      ...{ at, isPast, sources, dumps, dropped, eventsWithinMs: wantedEvents(detectors).withinMs },
      now: (source) => input.now?.(source) ?? at,
      lockOf: (id) => locks.get(id),
      eventsOf: (id) => eventsOf.get(id) ?? NO_EVENTS,
      lockEventsOf: (source) => input.events.filter((event) => event.source === source && !isOfSource(event)),
      clientOf: input.clientOf,
      serverOf: (source) => input.serverOf?.(source),
    },
    { locks: locks.keys(), clients: NO_IDS, sources: NO_IDS, lockEvents: NO_IDS },
  );
  const { insights, cannotTell, failed } = pass;
  return { at, ...listed(insights.filter(isWanted)), cannotTell, failed };
}
