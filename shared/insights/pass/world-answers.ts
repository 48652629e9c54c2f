import type { RedisTime } from '../../base/time.ts';
import type { LockState } from '../../state/lock-state.ts';
import type { Detector, LockSight } from '../detector.ts';
import type { Failure, Finding, Insight, UnseenReason } from '../insight.ts';
import { insightFrom } from '../insight-from.ts';

type WorldDetector = Extract<Detector, { of: 'world' }>;
type Taking = ReturnType<WorldDetector['begin']>;

/** How a detector sees a lock in this pass; undefined: its source is not watched, or not at a level that shows the incident. */
export type SeenBy = (detector: Detector, lock: LockState) => LockSight | undefined;

/** What the detectors that need all locks at once find. They take only locks that may matter, if that is enough. */
export class WorldAnswers {
  readonly #detectors: readonly WorldDetector[];
  /** The locks with which each of them begins, by id. */
  readonly #beginnings: ReadonlyMap<WorldDetector, Set<string>>;
  /** To ask why a detector cannot know about a lock, which depends on that lock alone. */
  #asked = new Map<WorldDetector, Taking>();

  constructor(detectors: readonly Detector[]) {
    this.#detectors = detectors.filter((detector) => detector.of === 'world');
    this.#beginnings = new Map(this.#detectors.map((detector) => [detector, new Set<string>()]));
  }

  /** Notes whether a detector begins with a lock. */
  note(detector: WorldDetector, id: string, begins: boolean): void {
    if (begins) this.#beginnings.get(detector)?.add(id);
    else this.#beginnings.get(detector)?.delete(id);
  }

  forget(id: string): void {
    for (const ids of this.#beginnings.values()) ids.delete(id);
  }

  /** Why a detector cannot know about a lock, if it cannot. */
  reasonOf(detector: WorldDetector, sight: LockSight): UnseenReason | undefined {
    const asked = this.#asked.get(detector) ?? detector.begin();
    this.#asked.set(detector, asked);
    return asked.take(sight);
  }

  /** What they find in all locks together. */
  conclude(
    at: RedisTime,
    locks: { get(id: string): LockState | undefined; locks(): Iterable<LockState> },
    seenBy: SeenBy,
  ): { readonly found: Insight[]; readonly failed: Failure[] } {
    this.#asked = new Map();
    const found: Insight[] = [];
    const failed: Failure[] = [];
    for (const detector of this.#detectors) {
      const ids = this.#beginnings.get(detector);
      if (!ids || ids.size === 0) continue;
      const first = [...ids].flatMap((id) => locks.get(id) ?? []);
      try {
        for (const finding of concludeOf(detector, at, first, () => locks.locks(), seenBy)) {
          found.push(insightFrom(finding, detector.effect));
        }
      } catch (error) {
        const message = error instanceof Error ? error.message : String(error);
        failed.push({ incident: detector.incident, message });
      }
    }
    return { found, failed };
  }
}

function concludeOf(
  detector: WorldDetector,
  at: RedisTime,
  first: readonly LockState[],
  all: () => Iterable<LockState>,
  seenBy: SeenBy,
): readonly Finding[] {
  const begun = takeAll(detector, first, seenBy);
  const needsOthers = begun.needsOthers?.() ?? true;
  return (needsOthers ? takeAll(detector, all(), seenBy) : begun).conclude(at);
}

function takeAll(detector: WorldDetector, locks: Iterable<LockState>, seenBy: SeenBy): Taking {
  const taking = detector.begin();
  for (const lock of locks) {
    if (detector.concerns && !detector.concerns(lock)) continue;
    const sight = seenBy(detector, lock);
    try {
      if (sight) taking.take(sight);
      else taking.miss?.(lock);
    } catch {
      // the look at this lock has reported it
    }
  }
  return taking;
}
