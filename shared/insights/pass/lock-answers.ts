import { DueTimes } from '../../base/due-times.ts';
import { plusMillis } from '../../base/time.ts';
import { keyOf } from '../../state/client-states.ts';
import type { LockState } from '../../state/lock-state.ts';
import type { Detector, LockSight } from '../detector.ts';
import { type Failure, failureOf, type Insight, type UnseenReason } from '../insight.ts';
import { insightFrom } from '../insight-from.ts';
import { hasUnseenWaiters, isUncounted } from '../lacks.ts';
import { countedUntil } from './counted-until.ts';
import { type LockLook, LookClock, lookIn } from './lock-look.ts';
import type { PassInput } from './pass-input.ts';
import { type Unseen, UnseenCounts, type UnseenOfLock } from './unseen-counts.ts';
import { unwatchedReason } from './unseen-of-source.ts';
import type { WorldAnswers } from './world-answers.ts';

type Entry = { readonly lock: LockState; readonly unseen: UnseenOfLock };

/**
 * What the detectors answered about each lock when they looked at it last, and when they have to look again:
 *
 *   the lock changed ─────────────┐
 *   an instant that was named ────┤
 *   a client that was asked about ┼──► all detectors look at this lock, and at no other
 *   its source, if it was read ───┘
 */
export class LockAnswers {
  readonly unseen = new UnseenCounts();
  readonly found = new Map<string, readonly Insight[]>();
  readonly failed = new Map<string, readonly Failure[]>();
  /** Whether an answer changed. The caller resets it. */
  isChanged = true;
  readonly #detectors: readonly Exclude<Detector, { of: 'source' }>[];
  readonly #worlds: WorldAnswers;
  readonly #entries = new Map<string, Entry>();
  readonly #due = new Map<string, DueTimes>();
  /** Locks with an answer that contains a length of time up to now: detectors look at them in each pass. */
  readonly #ofNow = new Set<string>();
  readonly #sourceReaders = new Set<string>();
  readonly #otherClients = new Map<string, ReadonlySet<string>>();

  constructor(detectors: readonly Detector[], worlds: WorldAnswers) {
    this.#detectors = detectors.filter((detector) => detector.of !== 'source');
    this.#worlds = worlds;
  }

  /** The locks of the pass, the lock that changed longest ago first. */
  *locks(): Generator<LockState> {
    for (const { lock } of this.#entries.values()) yield lock;
  }

  get(id: string): LockState | undefined {
    return this.#entries.get(id)?.lock;
  }

  /** The locks to look at now, although they are the same as before. */
  *due(input: PassInput, clients: ReadonlySet<string>): Generator<string> {
    for (const [source, due] of this.#due) yield* due.take(countedUntil(input, source));
    yield* this.#ofNow;
    if (clients.size === 0) return;
    for (const [id, otherClients] of this.#otherClients) if (hasOneOf(otherClients, clients)) yield id;
  }

  /** The locks of a source; `isRead`: only those with an answer that depends on the source itself. */
  *ofSource(source: string, isRead: boolean): Generator<string> {
    for (const id of isRead ? this.#sourceReaders : this.#entries.keys()) {
      if (this.#entries.get(id)?.lock.source === source) yield id;
    }
  }

  /** Lets all detectors look at a lock. Returns its source, if there is or was such a lock. */
  look(id: string, input: PassInput): string | undefined {
    const before = this.#entries.get(id);
    const lock = input.lockOf(id);
    if (!lock) {
      if (before) this.#remove(id, before);
      return before?.lock.source;
    }
    const answers = this.#ask(lock, id, input);
    if (before) this.unseen.remove(before.lock.source, before.unseen);
    if (before && before.lock !== lock) this.#entries.delete(id);
    const unseen = this.unseen.add(lock.source, answers.unseen);
    this.#entries.set(id, { lock, unseen });
    this.isChanged ||= before?.unseen !== unseen || before.lock.evidence !== lock.evidence;
    this.#put(this.found, id, answers.found);
    this.#put(this.failed, id, answers.failed);
    return lock.source;
  }

  #ask(lock: LockState, id: string, input: PassInput) {
    const { source } = lock;
    const watched = input.sources.get(source);
    const unseen: Unseen[] = [];
    const found: Insight[] = [];
    const failed: Failure[] = [];
    const events = input.eventsOf(id);
    const clock = new LookClock(input.now(source), countedUntil(input, source));
    for (const { at } of events) clock.isPast(plusMillis(at, input.eventsWithinMs));
    const look = watched && lookIn(input, lock, watched, events, clock);
    const isNotCounted = watched !== undefined && isUncounted(lock, watched);
    for (const detector of this.#detectors) {
      let isBeginning = false;
      try {
        const areHidden = isNotCounted && readsWaiters(detector) && !unwatchedReason(detector, watched);
        if (areHidden) unseen.push({ detector, reason: 'blind-spot' });
        if (detector.concerns?.(lock) ?? true) {
          const unwatched = unwatchedReason(detector, watched);
          if (unwatched || !look) unseen.push({ detector, reason: unwatched ?? 'unwatched' });
          else {
            if (detector.needsWaiters && !areHidden && hasUnseenWaiters(lock))
              unseen.push({ detector, reason: 'blind-spot' });
            const sight = look.sightFor(detector);
            const reason = this.#answerOf(detector, sight, found);
            if (reason) unseen.push({ detector, reason });
            isBeginning = detector.of === 'world' && detector.begins(lock, sight.events);
          }
        }
      } catch (error) {
        failed.push(failureOf(detector, error));
      }
      if (detector.of === 'world') this.#worlds.note(detector, id, isBeginning);
    }
    this.#noteDependencies(id, lock, clock, look);
    return { unseen, found, failed };
  }

  /** Adds what a detector finds; returns why it cannot know, if it cannot. */
  #answerOf(
    detector: Exclude<Detector, { of: 'source' }>,
    sight: LockSight,
    found: Insight[],
  ): UnseenReason | undefined {
    const verdict = detector.of === 'lock' ? detector.detect(sight) : this.#worlds.reasonOf(detector, sight);
    if (typeof verdict === 'string' || verdict === undefined) return verdict;
    for (const finding of verdict) found.push(insightFrom(finding, detector.effect));
    return undefined;
  }

  /** Notes when detectors have to look at a lock again although it has not changed. */
  #noteDependencies(id: string, { source }: LockState, clock?: LookClock, look?: LockLook): void {
    const next = clock && Number.isFinite(clock.next) ? clock.next : undefined;
    const due = this.#due.get(source) ?? new DueTimes();
    this.#due.set(source, due);
    due.set(id, next);
    mark(this.#ofNow, id, clock?.isOfNow ?? false);
    mark(this.#sourceReaders, id, look?.readsSource ?? false);
    if (look?.otherClients)
      this.#otherClients.set(id, new Set([...look.otherClients].map((client) => keyOf(source, client))));
    else this.#otherClients.delete(id);
  }

  #remove(id: string, { lock, unseen }: Entry): void {
    this.#entries.delete(id);
    this.unseen.remove(lock.source, unseen);
    this.isChanged = true;
    this.#put(this.found, id, []);
    this.#put(this.failed, id, []);
    this.#noteDependencies(id, lock);
    this.#worlds.forget(id);
  }

  #put<Value>(map: Map<string, readonly Value[]>, id: string, values: readonly Value[]): void {
    const wasThere = map.delete(id);
    if (values.length > 0) map.set(id, values);
    if (wasThere || values.length > 0) this.isChanged = true;
  }
}

/** Whether a detector needs to know the waiters of a lock. */
function readsWaiters({ needs, needsWaiters }: Detector): boolean {
  return needsWaiters === true || needs?.includes('listeners') === true;
}

function mark(ids: Set<string>, id: string, isIn: boolean): void {
  if (isIn) ids.add(id);
  else ids.delete(id);
}

function hasOneOf(some: ReadonlySet<string>, others: ReadonlySet<string>): boolean {
  for (const each of some) if (others.has(each)) return true;
  return false;
}
