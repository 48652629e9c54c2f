import type { RedisTime } from '../../base/time.ts';
import type { LockState } from '../../state/lock-state.ts';
import type { Detector, LockSight } from '../detector.ts';
import { type Failure, failureOf, type Insight, type UnseenReason } from '../insight.ts';
import { insightFrom } from '../insight-from.ts';

type WorldDetector = Extract<Detector, { of: 'world' }>;
type Taking = ReturnType<WorldDetector['begin']>;

/** `takeAll` yields after this many locks. */
const STEP = 200;

/**
 * How a detector sees a lock in this pass; undefined: its source is not watched, or not at a level that shows the
 * incident.
 */
export type SeenBy = (detector: Detector, lock: LockState) => LockSight | undefined;

/**
 * The findings of the detectors that need all locks at once. A detector first takes only the locks with which it
 * begins. If other locks cannot change the result, that is all. Otherwise it begins again and takes all locks.
 */
export class WorldAnswers {
  readonly #detectors: readonly WorldDetector[];
  /** The locks with which each detector begins, by id. */
  readonly #beginnings: ReadonlyMap<WorldDetector, Set<string>>;
  /**
   * Detectors that found nothing in the locks with which they begin, and need no others: until one of these locks
   * changes, nothing is found.
   */
  readonly #idle = new Set<WorldDetector>();
  /**
   * Counts the changes of locks with which a detector begins. It shows whether another pass changed such a lock while
   * `conclude` yielded.
   */
  #changes = 0;
  /**
   * For each detector without `unseenOf`, a separate run that is only asked why the detector cannot know about a lock.
   * That depends on this lock alone, so `conclude` is never called on that run.
   */
  #asked = new Map<WorldDetector, Taking>();

  constructor(detectors: readonly Detector[]) {
    this.#detectors = detectors.filter((detector) => detector.of === 'world');
    this.#beginnings = new Map(this.#detectors.map((detector) => [detector, new Set<string>()]));
  }

  /** Notes whether a detector begins with a lock. */
  note(detector: WorldDetector, id: string, isBeginning: boolean): void {
    const beginnings = this.#beginnings.get(detector);
    if (beginnings?.delete(id) || isBeginning) {
      this.#idle.delete(detector);
      this.#changes++;
    }
    if (isBeginning) beginnings?.add(id);
  }

  forget(id: string): void {
    for (const detector of this.#detectors) this.note(detector, id, false);
  }

  /** Why a detector cannot know about a lock, if it cannot. */
  reasonOf(detector: WorldDetector, sight: LockSight): UnseenReason | undefined {
    if (detector.unseenOf) return detector.unseenOf(sight);
    const asked = this.#asked.get(detector) ?? detector.begin();
    this.#asked.set(detector, asked);
    return asked.take(sight);
  }

  /** Returns what the detectors find in all locks together. Yields after every 200 locks. */
  *conclude(
    at: RedisTime,
    locks: { get(id: string): LockState | undefined; locks(): Iterable<LockState> },
    seenBy: SeenBy,
  ): Generator<void, { readonly found: Insight[]; readonly failed: Failure[] }, void> {
    this.#asked = new Map();
    const changes = this.#changes;
    const found: Insight[] = [];
    const failed: Failure[] = [];
    for (const detector of this.#detectors) {
      const ids = this.#beginnings.get(detector);
      if (!ids || ids.size === 0 || this.#idle.has(detector)) continue;
      const first = [...ids].flatMap((id) => locks.get(id) ?? []);
      try {
        const begun = yield* takeAll(detector, first, seenBy, failed);
        const needsOthers = begun.needsOthers?.() ?? true;
        const findings = (needsOthers ? yield* takeAll(detector, locks.locks(), seenBy, failed) : begun).conclude(at);
        for (const finding of findings) found.push(insightFrom(finding, detector.effect));
        const isWhole = failed.at(-1)?.incident !== detector.incident && changes === this.#changes;
        if (!needsOthers && findings.length === 0 && isWhole) this.#idle.add(detector);
      } catch (error) {
        failed.push(failureOf(detector, error));
      }
    }
    return { found, failed };
  }
}

/** Takes locks. A lock on which `take` fails is left out. */
function* takeAll(
  detector: WorldDetector,
  locks: Iterable<LockState>,
  seenBy: SeenBy,
  failed: Failure[],
): Generator<void, Taking, void> {
  const taking = detector.begin();
  let n = 0;
  for (const lock of locks) {
    if (++n % STEP === 0) yield;
    if (detector.concerns && !detector.concerns(lock)) continue;
    const sight = seenBy(detector, lock);
    try {
      if (sight) taking.take(sight);
      else taking.miss?.(lock);
    } catch (error) {
      if (failed.at(-1)?.incident !== detector.incident) failed.push(failureOf(detector, error));
    }
  }
  return taking;
}
