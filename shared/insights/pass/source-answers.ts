import { type Millis, millisBetween } from '../../base/time.ts';
import type { ServerFacts } from '../../events/types/server-event.ts';
import type { LockState } from '../../state/lock-state.ts';
import type { Detector, SourceSight } from '../detector.ts';
import { type Failure, failureOf, type Insight, type Lack } from '../insight.ts';
import { insightFrom } from '../insight-from.ts';
import { countedUntil } from './counted-until.ts';
import { type PassInput, sourceEventsIn } from './pass-input.ts';
import { SourceLook } from './source-look.ts';
import type { Unseen, UnseenList } from './unseen-counts.ts';
import { unseenOfSource, unwatchedReason } from './unseen-of-source.ts';

type SourceDetector = Extract<Detector, { of: 'source' }>;

/** This soon after watching began, nothing may have been read yet. So an empty list of locks proves nothing. */
const FIRST_READ: Millis = 1000;

/** What the detectors answered about one source. */
type SourceAnswer = {
  readonly unseen: readonly Unseen[];
  readonly found: readonly Insight[];
  readonly failed: readonly Failure[];
};

type Entry = {
  readonly sight: SourceSight | undefined;
  readonly facts: ServerFacts | undefined;
  /** Whether time was not counted, because Redis did not answer. */
  readonly isHeldUp: boolean;
  readonly unseen: readonly Unseen[];
  readonly look: SourceLook | undefined;
  readonly answer: SourceAnswer;
};

/** What is different about a source since the previous pass. */
type SourceChange = {
  readonly source: string;
  /** Whether the source is watched in another way, so that detectors have to look at all its locks again. */
  readonly hasOtherSight: boolean;
  /** Whether the source's server has reported other facts. */
  readonly hasOtherFacts: boolean;
};

/** What is known about each source as a whole, and what the detectors answered about it when they looked at it last. */
export class SourceAnswers {
  /** Whether an answer changed. The caller resets it. */
  isChanged = true;
  readonly #all: readonly Detector[];
  readonly #detectors: readonly SourceDetector[];
  readonly #entries = new Map<string, Entry>();

  constructor(detectors: readonly Detector[]) {
    this.#all = detectors;
    this.#detectors = detectors.filter((detector) => detector.of === 'source');
  }

  /** What is different about the sources of this pass. Sources that are gone are dropped. */
  changes({ sources, serverOf }: PassInput): SourceChange[] {
    const changes: SourceChange[] = [];
    for (const source of new Set([...sources.keys(), ...this.#entries.keys()])) {
      const before = this.#entries.get(source);
      const sight = sources.get(source);
      const hasOtherSight = before === undefined || !isSameWatch(before.sight, sight);
      const hasOtherFacts = before?.facts !== serverOf?.(source);
      const hasOtherLacks = String(before?.sight?.lacks ?? []) !== String(sight?.lacks ?? []);
      if (!sources.has(source)) this.isChanged = this.#entries.delete(source) || this.isChanged;
      if (hasOtherSight || hasOtherFacts || hasOtherLacks) changes.push({ source, hasOtherSight, hasOtherFacts });
    }
    return changes;
  }

  /**
   * Runs the detectors for a source if one of these applies:
   *
   * - The source is new, or is in `changed`.
   * - Redis has stopped answering, or has answered again for 3 s.
   * - The instant has come at which an answer may change.
   * - A detector read the locks of the source, and the source is in `withChangedLocks`.
   */
  look(
    input: PassInput,
    changed: ReadonlySet<string>,
    withChangedLocks: ReadonlySet<string>,
    locks: () => Iterable<LockState>,
  ): void {
    for (const [source, sight] of input.sources) {
      const before = this.#entries.get(source);
      const lastLook = before?.look;
      const until = countedUntil(input, source);
      const isHeldUp = until < input.now(source);
      const isDue = lastLook && (lastLook.clock.isOfNow || until >= lastLook.clock.next);
      const isRead = lastLook?.readsLocks && withChangedLocks.has(source);
      if (before && isHeldUp === before.isHeldUp && !changed.has(source) && !isDue && !isRead) continue;
      const facts = input.serverOf?.(source);
      const unseen = unseenOfSource(this.#all, sight, facts, isHeldUp);
      const ownLocks = () => [...locks()].filter((lock) => lock.source === source);
      const look = sight && lookAt(input, source, sight, ownLocks);
      const answer = look ? this.#ask(look) : NOTHING;
      const isUnread =
        sight && input.isPast === true && millisBetween(sight.watchedSince, input.now(source)) < FIRST_READ;
      const all = isUnread && ownLocks().length === 0 ? this.#all : [];
      const unread = all.map((detector): Unseen => ({ detector, reason: 'unwatched' }));
      const entry = { sight, facts, isHeldUp, unseen: [...unseen, ...unread], look, answer };
      this.#entries.set(source, entry);
      this.isChanged ||= before === undefined || !isSameAnswer(before, entry);
    }
  }

  found(): Insight[] {
    return [...this.#entries.values()].flatMap(({ answer }) => answer.found);
  }

  failed(): Failure[] {
    return [...this.#entries.values()].flatMap(({ answer }) => answer.failed);
  }

  /** Adds to a list what these detectors cannot know. */
  addTo(list: UnseenList): void {
    for (const [source, { unseen, answer }] of this.#entries) {
      for (const { detector, reason } of unseen) list.add(detector, source, reason, 0);
      for (const { detector, reason } of answer.unseen) list.add(detector, source, reason, 0);
    }
  }

  #ask(look: SourceLook): SourceAnswer {
    const unseen: Unseen[] = [];
    const found: Insight[] = [];
    const failed: Failure[] = [];
    for (const detector of this.#detectors) {
      if (unwatchedReason(detector, look.around.watched)) continue;
      try {
        const verdict = detector.detect(look.viewFor(detector));
        if (typeof verdict === 'string') unseen.push({ detector, reason: verdict });
        else for (const finding of verdict) found.push(insightFrom(finding, detector.effect));
      } catch (error) {
        failed.push(failureOf(detector, error));
      }
    }
    return { unseen, found, failed };
  }
}

/** Whether two looks at a source found nothing, and in both the same could not be known. */
function isSameAnswer(a: Entry, b: Entry): boolean {
  const isEmpty = ({ answer: { found, failed } }: Entry) => found.length + failed.length === 0;
  return isEmpty(a) && isEmpty(b) && unseenText(a) === unseenText(b);
}

function unseenText({ unseen, answer }: Entry): string {
  return [...unseen, ...answer.unseen].map(({ detector, reason }) => `${detector.incident} ${reason}`).join();
}

const NOTHING: SourceAnswer = { unseen: [], found: [], failed: [] };

function lookAt(input: PassInput, source: string, watched: SourceSight, ownLocks: () => LockState[]): SourceLook {
  return new SourceLook({
    ...{ source, now: input.now(source), countedUntil: countedUntil(input, source) },
    ...{ watched, server: input.serverOf?.(source) },
    events: sourceEventsIn(input, source),
    lockEvents: () => input.lockEventsOf(source),
    locks: ownLocks,
  });
}

/**
 * Whether the answers about single locks stay as they are: they depend on the level, on when watching began, and on two
 * of the lacks of their source.
 */
function isSameWatch(a: SourceSight | undefined, b: SourceSight | undefined): boolean {
  const has = (sight: SourceSight | undefined, lack: Lack) => sight?.lacks?.includes(lack) === true;
  const isSame = (lack: Lack) => has(a, lack) === has(b, lack);
  const isSameLevel = a?.level === b?.level && a?.watchedSince === b?.watchedSince;
  return isSameLevel && isSame('listeners') && isSame('locks');
}
