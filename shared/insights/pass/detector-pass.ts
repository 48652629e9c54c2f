import { idOf, type LockState } from '../../state/lock-state.ts';
import type { Detector } from '../detector.ts';
import { type CannotTell, type Failure, type Insight, type Report, SEVERITIES } from '../insight.ts';
import { lockIdsIn } from '../lock-ids-in.ts';
import { countedUntil } from './counted-until.ts';
import { LockAnswers } from './lock-answers.ts';
import { type LockLook, LookClock, lookIn } from './lock-look.ts';
import type { PassChanges, PassInput } from './pass-input.ts';
import { SourceAnswers } from './source-answers.ts';
import { UnseenList } from './unseen-counts.ts';
import { unwatchedReason } from './unseen-of-source.ts';
import { type SeenBy, WorldAnswers } from './world-answers.ts';

/** How many insights are listed; further ones are only counted. */
export const MOST_INSIGHTS = 1000;
/** A pass yields after this many locks. */
const STEP = 200;

/**
 * Runs detectors again and again over locks that change, and only for locks and sources whose answers may have changed.
 * A pass yields after every 200 locks, so that other work can be done in between. A detector that throws is reported as
 * failed; the others go on.
 */
export class DetectorPass {
  readonly #detectors: readonly Detector[];
  readonly #worlds: WorldAnswers;
  readonly #locks: LockAnswers;
  readonly #sources: SourceAnswers;
  /** Locks that have to be looked at, by id. A pass that was interrupted leaves some. */
  readonly #left = new Set<string>();
  /** Sources about which something is new, and those with a lock that was looked at. An interrupted pass leaves some. */
  readonly #changedSources = new Set<string>();
  readonly #lookedInto = new Set<string>();
  #runs = 0;
  #findingsOfWorlds: { readonly found: Insight[]; readonly failed: Failure[] } = { found: [], failed: [] };
  #insights: readonly Insight[] = [];
  #cannotTell: readonly CannotTell[] = [];
  #failed: readonly Failure[] = [];

  constructor(detectors: readonly Detector[]) {
    this.#detectors = detectors;
    this.#worlds = new WorldAnswers(detectors);
    this.#locks = new LockAnswers(detectors, this.#worlds);
    this.#sources = new SourceAnswers(detectors);
  }

  /**
   * What was found in the last pass, the worst first, then the oldest; without what `withoutExplained` leaves out. It
   * is the same list as before if no detector looked again at a lock or source, and no detector of all locks found
   * anything.
   */
  get insights(): readonly Insight[] {
    return this.#insights;
  }

  get cannotTell(): readonly CannotTell[] {
    return this.#cannotTell;
  }

  get failed(): readonly Failure[] {
    return this.#failed;
  }

  /** Whether the detectors look at this lock. */
  has(id: string): boolean {
    return this.#locks.get(id) !== undefined;
  }

  /**
   * Runs the detectors for everything whose answers may have changed since the previous pass. Returns false if another
   * pass has begun meanwhile: that one covers the rest.
   */
  *run(input: PassInput, changes: PassChanges): Generator<void, boolean, void> {
    const run = ++this.#runs;
    for (const id of changes.locks) this.#left.add(id);
    for (const source of [...changes.sources, ...changes.lockEvents]) this.#changedSources.add(source);
    for (const { source, hasOtherSight, hasOtherFacts } of this.#sources.changes(input)) {
      this.#changedSources.add(source);
      if (hasOtherSight || hasOtherFacts) {
        for (const id of this.#locks.ofSource(source, !hasOtherSight)) this.#left.add(id);
      }
    }
    for (const source of changes.sources) for (const id of this.#locks.ofSource(source, true)) this.#left.add(id);
    for (const id of this.#locks.due(input, changes.clients)) this.#left.add(id);
    let n = 0;
    for (const id of this.#left) {
      this.#left.delete(id);
      const source = this.#locks.look(id, input);
      if (source !== undefined) this.#lookedInto.add(source);
      if (++n % STEP === 0) yield;
    }
    if (run !== this.#runs) return false;
    this.#sources.look(input, this.#changedSources, this.#lookedInto, () => this.#locks.locks());
    this.#changedSources.clear();
    this.#lookedInto.clear();
    yield;
    const before = this.#findingsOfWorlds;
    const findingsOfWorlds = yield* this.#worlds.conclude(input.at, this.#locks, seenIn(input));
    if (run !== this.#runs) return false;
    this.#findingsOfWorlds = findingsOfWorlds;
    const hasWorld = [before, this.#findingsOfWorlds].some(({ found, failed }) => found.length + failed.length > 0);
    if (!hasWorld && !this.#locks.isChanged && !this.#sources.isChanged) return true;
    this.#locks.isChanged = false;
    this.#sources.isChanged = false;
    this.#write();
    return true;
  }

  #write(): void {
    const all = [...this.#locks.found.values()].flat();
    all.push(...this.#sources.found(), ...this.#findingsOfWorlds.found);
    const isUnsure = (id: string) => this.#locks.get(id)?.evidence !== undefined;
    this.#insights = withoutExplained(all, this.#detectors)
      .map((insight) => (lockIdsIn(insight).some(isUnsure) ? atMostLikely(insight) : insight))
      .sort(byNeed);
    const list = new UnseenList();
    this.#sources.addTo(list);
    this.#locks.unseen.addTo(list);
    this.#cannotTell = list.all();
    const failed = [
      ...[...this.#locks.failed.values()].flat(),
      ...this.#sources.failed(),
      ...this.#findingsOfWorlds.failed,
    ];
    this.#failed = [...new Map(failed.toReversed().map((failure) => [failure.incident, failure])).values()];
  }
}

/** How the detectors that need all locks see each lock in a pass. All of them share one look at a lock. */
function seenIn(input: PassInput): SeenBy {
  const looks = new Map<LockState, LockLook>();
  return (detector, lock) => {
    const { source } = lock;
    const watched = input.sources.get(source);
    if (!watched || unwatchedReason(detector, watched)) return undefined;
    const known = looks.get(lock);
    if (known) return known.sightFor(detector);
    const clock = new LookClock(input.now(source), countedUntil(input, source));
    const look = lookIn(input, lock, watched, input.eventsOf(idOf(lock)), clock);
    looks.set(lock, look);
    return look.sightFor(detector);
  };
}

/** The first insights of a list, and how many there are beside them. */
export function listed(insights: readonly Insight[]): Pick<Report, 'insights' | 'more'> {
  if (insights.length <= MOST_INSIGHTS) return { insights, more: 0 };
  return { insights: insights.slice(0, MOST_INSIGHTS), more: insights.length - MOST_INSIGHTS };
}

function atMostLikely(insight: Insight): Insight {
  return insight.confidence === 'certain' ? { ...insight, confidence: 'likely' } : insight;
}

/** The insights without those that another open problem of their lock explains. A hint explains nothing. */
export function withoutExplained(insights: readonly Insight[], detectors: readonly Detector[]): readonly Insight[] {
  const explicable = new Set(detectors.flatMap((each) => (each.isOnlyWithoutOther ? each.incident : [])));
  const isCause = ({ incident, severity, to }: Insight) =>
    !explicable.has(incident) && severity !== 'hint' && to === null;
  const explained = new Set(insights.filter(isCause).flatMap(lockIdsIn));
  return insights.filter(({ incident, lockId }) => !explicable.has(incident) || !explained.has(lockId ?? ''));
}

/** The worst first; of equals, the oldest. */
export function byNeed(a: Insight, b: Insight): number {
  const worse = SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity);
  return worse || a.from - b.from || (a.id < b.id ? -1 : 1);
}
