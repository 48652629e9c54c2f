import { hashOf } from '../base/name-hash.ts';
import { type Millis, millisBetween, plusMillis, type RedisTime } from '../base/time.ts';
import type { ClientDumps } from '../dumps/client-dump.ts';
import { isOfSource, type LockEvent } from '../events/event.ts';
import type { ServerFacts } from '../events/types/server-event.ts';
import { idOf, type LockState, lockIdOf, nameInId } from '../state/lock-state.ts';
import type { ClientSight, Detector, LockSight, SourceSight, SourceView, Wants } from './detector.ts';
import {
  type CannotTell,
  type Effect,
  type Failure,
  type Finding,
  type Incident,
  type Insight,
  type Report,
  SEVERITIES,
  type UnseenReason,
} from './insight.ts';
import { hasUnseenWaiters, lacksOf } from './lacks.ts';

/** Everything a run looks at: one instant, live or past. */
export type RunInput = {
  readonly at: RedisTime;
  /** It is a past instant, at which it is not known what had been read. Now, a source that is watched has been read. */
  readonly isPast?: boolean;
  /** That instant by the clock of a source; absent: all have the same clock. */
  now?(source: string): RedisTime;
  /** Every lock that is held or waited for, and every lock with one of the `events`; each once. */
  readonly locks: Iterable<LockState>;
  /** How each source is watched at that instant, by id. A source that is not watched maps to `undefined`. */
  readonly sources: ReadonlyMap<string, SourceSight | undefined>;
  /** The events that `wantedEvents()` names, oldest first. */
  readonly events: readonly LockEvent[];
  clientOf(source: string, client: string): ClientSight;
  /** What the server of a source reported about itself; undefined, or absent: not known. */
  serverOf?(source: string): ServerFacts | undefined;
  /** Thread dumps, by client; absent: none. */
  readonly dumps?: ClientDumps;
  /** Which insights are listed; absent: all. */
  isWanted?(insight: Insight): boolean;
};

/** How many insights are listed; the others are counted. */
export const MOST_INSIGHTS = 1000;
/** Until then, nothing may have been read yet: that no lock is known proves nothing. */
const FIRST_READ: Millis = 1000;
/** A run yields after this many locks. */
const STEP = 200;
const NO_EVENTS: readonly LockEvent[] = [];
const NO_DUMPS: ClientDumps = new Map();

/** The past events that these detectors together need. No type is in both lists, so that no event is read twice. */
export function wantedEvents(detectors: readonly Detector[]): Wants {
  const wants = detectors.flatMap((detector) => detector.wants ?? []);
  const types = new Set(wants.flatMap((each) => each.types));
  const beside = new Set(wants.flatMap((each) => each.beside));
  return {
    types: [...types],
    beside: [...beside].filter((type) => !types.has(type)),
    withinMs: Math.max(0, ...wants.map(({ withinMs }) => withinMs)),
  };
}

/**
 * Runs detectors over every lock. It yields after a few locks, so that other work can be done in between. A detector
 * that throws is reported as failed; the others go on. Costs O(1) per lock and detector, apart from its holders and waiters.
 */
export function* runDetectors(input: RunInput, detectors: readonly Detector[]): Generator<void, Report, void> {
  const notes = new Notes();
  for (const [source, sight] of input.sources) {
    for (const detector of detectors) {
      const reason = fenceOf(detector, sight) ?? (isHintOnly(detector, sight) ? 'level' : undefined);
      if (reason) notes.cannotTell(detector, source, reason, 0);
      else if (sight) {
        const server = input.serverOf?.(source);
        for (const lack of lacksOf(detector, sight, server)) notes.cannotTell(detector, source, lack, 0);
      }
    }
  }
  const eventsOf = eventsByLock(input.events);
  const ofSource = new Map([...input.sources.keys()].map((source) => [source, sourceEventsIn(eventsOf, source)]));
  const sourceEventsOf = (source: string) => ofSource.get(source) ?? NO_EVENTS;
  const runs = detectors.map((detector) => new Run(detector, notes));
  const locksOf = new Map<string, LockState[]>();
  /** Locks that are only probably locks. */
  const unsure = new Set<string>();
  let n = 0;
  for (const lock of input.locks) {
    const lockId = idOf(lock);
    if (lock.evidence) unsure.add(lockId);
    const watched = input.sources.get(lock.source);
    const clientOf = (client: string) => input.clientOf(lock.source, client);
    const events = eventsOf.get(lockId) ?? NO_EVENTS;
    const now = input.now?.(lock.source) ?? input.at;
    const server = input.serverOf?.(lock.source);
    const sourceEvents = sourceEventsOf(lock.source);
    const { dumps = NO_DUMPS } = input;
    const sight = watched && { lock, lockId, now, watched, server, events, sourceEvents, dumps, clientOf };
    const known = locksOf.get(lock.source);
    if (known) known.push(lock);
    else locksOf.set(lock.source, [lock]);
    for (const run of runs) run.take(lock, sight);
    if (++n % STEP === 0) yield;
  }
  for (const [source, watched] of input.sources) {
    if (!watched) continue;
    const now = input.now?.(source) ?? input.at;
    const locks = locksOf.get(source) ?? [];
    const isUnread =
      input.isPast === true && locks.length === 0 && millisBetween(watched.watchedSince, now) < FIRST_READ;
    if (isUnread) for (const detector of detectors) notes.cannotTell(detector, source, 'unwatched', 0);
    const view = {
      source,
      now,
      watched,
      server: input.serverOf?.(source),
      events: sourceEventsOf(source),
      lockEvents: lockEventsOf(input.events, source),
      locks,
    };
    for (const run of runs) run.look(view);
    yield;
  }
  for (const run of runs) {
    run.conclude(input.at);
    yield;
  }
  const insights = withoutExplained(notes.insights, detectors)
    .map((insight) => (lockIdsIn(insight).some((id) => unsure.has(id)) ? atMostLikely(insight) : insight))
    .filter((insight) => input.isWanted?.(insight) ?? true)
    .sort(byNeed);
  return {
    at: input.at,
    insights: insights.slice(0, MOST_INSIGHTS),
    more: Math.max(0, insights.length - MOST_INSIGHTS),
    cannotTell: notes.unseen(),
    failed: notes.failed(),
  };
}

function atMostLikely(insight: Insight): Insight {
  return insight.confidence === 'certain' ? { ...insight, confidence: 'likely' } : insight;
}

/** Without those that another open problem of their lock explains. */
function withoutExplained(insights: readonly Insight[], detectors: readonly Detector[]): readonly Insight[] {
  const yielding = new Set(detectors.flatMap((each) => (each.isOnlyWithoutOther ? each.incident : [])));
  const isCause = ({ incident, severity, to }: Insight) =>
    !yielding.has(incident) && severity !== 'hint' && to === null;
  const explained = new Set(insights.filter(isCause).flatMap(lockIdsIn));
  return insights.filter(({ incident, lockId }) => !yielding.has(incident) || !explained.has(lockId ?? ''));
}

/** The ids of the locks that a problem is about. */
export function lockIdsIn({ lockId, source, db, values }: Insight): readonly string[] {
  const own = lockId === null ? [] : [lockId];
  return 'path' in values
    ? [...own, ...values.path.flatMap(({ lock }) => (lock ? lockIdOf({ source, db, lock }) : []))]
    : own;
}

/** Runs detectors at once. For tests, and for a few locks. */
export function reportOf(input: RunInput, detectors: readonly Detector[]): Report {
  const work = runDetectors(input, detectors);
  for (;;) {
    const step = work.next();
    if (step.done) return step.value;
  }
}

/** One detector in one run. */
class Run {
  readonly #detector: Detector;
  readonly #notes: Notes;
  readonly #world: ReturnType<Extract<Detector, { of: 'world' }>['begin']> | undefined;

  constructor(detector: Detector, notes: Notes) {
    this.#detector = detector;
    this.#notes = notes;
    this.#world = detector.of === 'world' ? detector.begin() : undefined;
  }

  /** `sight`: undefined if the source of the lock is not watched. */
  take(lock: LockState, sight: LockSight | undefined): void {
    const detector = this.#detector;
    const { incident } = detector;
    if (detector.of === 'source') return;
    try {
      if (detector.concerns && !detector.concerns(lock)) return;
      const reason = fenceOf(detector, sight?.watched);
      if (reason || !sight) {
        this.#world?.miss?.(lock);
        return this.#notes.cannotTell(detector, lock.source, reason ?? 'unwatched', 1);
      }
      if (detector.needsWaiters && hasUnseenWaiters(lock)) {
        this.#notes.cannotTell(detector, lock.source, 'blind-spot', 1);
      }
      const own = {
        ...sight,
        events: eventsFor(detector, sight),
        sourceEvents: eventsFor(detector, { ...sight, events: sight.sourceEvents }),
      };
      const verdict = detector.of === 'lock' ? detector.detect(own) : this.#world?.take(own);
      if (typeof verdict === 'string') this.#notes.cannotTell(detector, lock.source, verdict, 1);
      else if (verdict) this.#notes.add(detector, verdict);
    } catch (error) {
      this.#notes.fail(incident, error);
    }
  }

  /** Looks at a source as a whole. */
  look(view: SourceView): void {
    const detector = this.#detector;
    if (detector.of !== 'source' || fenceOf(detector, view.watched)) return;
    try {
      const events = eventsFor(detector, view);
      const lockEvents = eventsFor(detector, { ...view, events: view.lockEvents });
      const verdict = detector.detect({ ...view, events, lockEvents });
      if (typeof verdict === 'string') this.#notes.cannotTell(detector, view.source, verdict, 0);
      else this.#notes.add(detector, verdict);
    } catch (error) {
      this.#notes.fail(detector.incident, error);
    }
  }

  conclude(now: RedisTime): void {
    try {
      this.#notes.add(this.#detector, this.#world?.conclude(now) ?? []);
    } catch (error) {
      this.#notes.fail(this.#detector.incident, error);
    }
  }
}

/** The level fence: why a detector cannot know about any lock of a source. */
function fenceOf({ levels }: Detector, sight: SourceSight | undefined): UnseenReason | undefined {
  if (!sight) return 'unwatched';
  return levels.includes(sight.level) ? undefined : 'level';
}

/** Whether the detector sees only a part of these incidents at this level: that it found nothing proves nothing. */
function isHintOnly({ withoutCommands }: Detector, sight: SourceSight | undefined): boolean {
  return withoutCommands === 'hint' && sight !== undefined && sight.level !== 'monitor';
}

/** Only those events that the detector wants. */
function eventsFor({ wants }: Detector, { events, now }: Pick<LockSight, 'events' | 'now'>): readonly LockEvent[] {
  if (events.length === 0 || !wants) return NO_EVENTS;
  const from = plusMillis(now, -wants.withinMs);
  const isWanted = ({ type }: LockEvent) => wants.types.includes(type) || wants.beside.includes(type);
  return events.filter((event) => event.at >= from && event.at <= now && isWanted(event));
}

/** The key under which the events of a whole source are grouped. */
function idOfSource(source: string): string {
  return lockIdOf({ source, db: 0, lock: '' });
}

function eventsByLock(events: readonly LockEvent[]): Map<string, LockEvent[]> {
  const byLock = new Map<string, LockEvent[]>();
  for (const event of events) {
    const id = lockIdOf(event);
    const list = byLock.get(id);
    if (list) list.push(event);
    else byLock.set(id, [event]);
  }
  return byLock;
}

function lockEventsOf(events: readonly LockEvent[], source: string): readonly LockEvent[] {
  return events.filter((event) => event.source === source && !isOfSource(event));
}

function sourceEventsIn(eventsOf: ReadonlyMap<string, LockEvent[]>, source: string): readonly LockEvent[] {
  return eventsOf.get(idOfSource(source))?.filter(isOfSource) ?? NO_EVENTS;
}

/** What a run has found so far. */
class Notes {
  readonly insights: Insight[] = [];
  readonly #unseen = new Map<string, CannotTell>();
  readonly #failed = new Map<Incident, Failure>();

  add({ effect }: Detector, findings: readonly Finding[]): void {
    for (const finding of findings) this.insights.push(insightFrom(finding, effect));
  }

  cannotTell({ incident, effect }: Detector, source: string, reason: UnseenReason, more: number): void {
    const key = `${incident} ${reason} ${source}`;
    const locks = (this.#unseen.get(key)?.locks ?? 0) + more;
    this.#unseen.set(key, { incident, effect, source, reason, locks });
  }

  fail(incident: Incident, error: unknown): void {
    const message = error instanceof Error ? error.message : String(error);
    if (!this.#failed.has(incident)) this.#failed.set(incident, { incident, message });
  }

  unseen(): CannotTell[] {
    return [...this.#unseen.values()];
  }

  failed(): Failure[] {
    return [...this.#failed.values()];
  }
}

/** Adds the id, the effect, and the place of the lock. */
export function insightFrom(finding: Finding, effect: Effect): Insight {
  const { incident, lockId, holders, from } = finding;
  const [lockSource = '', db = ''] = lockId?.split('/', 2) ?? [];
  const source = finding.source ?? lockSource;
  const who = (hashOf(`${lockId ?? source} ${holders[0] ?? ''}`) >>> 0).toString(36);
  const lock = lockId === null ? null : nameInId(lockId);
  return { ...finding, effect, id: `${incident}-${from}-${who}`, source, db: Number(db), lock };
}

/** The worst first; of equals, the oldest. */
function byNeed(a: Insight, b: Insight): number {
  const worse = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return worse || a.from - b.from || (a.id < b.id ? -1 : 1);
}
