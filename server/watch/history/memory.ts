import type { RedisTime } from '../../../shared/base/time.ts';
import { GroupFinder } from '../../../shared/events/groups/group-finder.ts';
import { DETECTORS } from '../../../shared/insights/detectors/all.ts';
import { wantedEvents } from '../../../shared/insights/run.ts';
import { assumedSince, type Gap } from '../../../shared/state/assumed-holds.ts';
import { BlindSpots } from '../../../shared/state/blind-spots.ts';
import { ClientStates } from '../../../shared/state/client-states.ts';
import { LetterTracker } from '../../../shared/state/letters.ts';
import type { LockState } from '../../../shared/state/lock-state.ts';
import { ServerStates } from '../../../shared/state/server-states.ts';
import { World } from '../../../shared/state/world.ts';
import { Outlines } from '../../../shared/trends/outlines.ts';
import { TrendCounter } from '../../../shared/trends/trend-counter.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';
import { lockView, placedLock, presenceIn } from '../../../shared/wire/locks/lock-view.ts';
import type { MemoryShares } from '../terms/memory-shares.ts';
import { AttentionList } from './attention-list.ts';
import { HistoryRing } from './history-ring.ts';
import { LookChanges } from './look-changes.ts';
import { UnreadLocks } from './unread-locks.ts';
import { WantedEvents } from './wanted-events.ts';
import { WatchLog } from './watch-log.ts';

/** How much outlines take in addition to the events, as a part of the events' room. */
const OUTLINES_PART = 1 / 16;

/**
 * The fields of a lock, or of a source, that mark it as not watched. `silentSince`: since when its observer is silent.
 */
export function unwatched(
  blind: BlindSpots,
  lock: { readonly source: string },
  silentSince?: RedisTime,
): Pick<Lock, 'unwatchedSince'> {
  const since = blind.since(lock.source) ?? silentSince;
  return since === undefined ? {} : { unwatchedSince: since };
}

/**
 * The fields of a lock whose state is only assumed: nothing has shown its holders, or that it is free, after a blind
 * spot. `gaps`: the blind spots of its source.
 */
export function assumed(lock: LockState, gaps: readonly Gap[]): Pick<Lock, 'assumedSince'> & Partial<Lock> {
  const since = assumedSince(lock, gaps);
  return since === undefined ? {} : { certainty: 'inferred', assumedSince: since };
}

/** The memory of the main thread: events, the present state, and what is counted beside them. */
export class Memory {
  /** The present Redis time of the given source, or of the first source. */
  readonly now: (source?: string) => RedisTime;
  readonly history: HistoryRing;
  readonly blind = new BlindSpots();
  readonly unread = new UnreadLocks();
  readonly clientStates = new ClientStates();
  readonly serverStates = new ServerStates();
  readonly trends = new TrendCounter();
  readonly outlines: Outlines;
  readonly letters = new LetterTracker();
  readonly watchLog = new WatchLog();
  /** What has changed since the detectors looked last. */
  readonly changes = new LookChanges();
  readonly wanted = new WantedEvents(wantedEvents(DETECTORS), this.changes);
  readonly #presence = presenceIn(this.clientStates);
  /** All locks in the order of attention. */
  readonly attention = new AttentionList({
    now: (source) => this.now(source),
    lockOf: (id) => this.#world.get(id),
    placeOf: (lock) => placedLock(lock, this.now(lock.source), this.#presence),
  });
  #locksBytes: number;
  #world: World;
  #groups = new GroupFinder();

  constructor(now: (source?: string) => RedisTime, { historyBytes, locksBytes }: MemoryShares, longestMs?: number) {
    this.now = now;
    this.#locksBytes = locksBytes;
    this.#world = new World({ mostBytes: locksBytes });
    const standing = () => ({ locks: [...this.#world.busy()], blind: this.blind.all() });
    this.history = new HistoryRing(historyBytes, standing, longestMs);
    this.outlines = new Outlines(historyBytes * OUTLINES_PART, () => this.history.oldestAt ?? 0);
  }

  /** The present state. */
  get world(): World {
    return this.#world;
  }

  get groups(): GroupFinder {
    return this.#groups;
  }

  /** A lock as it is shown now. */
  viewOf(lock: LockState): Lock {
    const view = lockView(lock, this.now(lock.source), this.#presence);
    const gaps = this.watchLog.gaps(lock.source);
    return {
      ...this.unread.marked(view),
      ...assumed(lock, gaps),
      ...unwatched(this.blind, lock, this.watchLog.silentSince(lock.source)),
    };
  }

  /** Notes locks that changed or are gone, and locks whose client changed. */
  locksChanged(ids: readonly string[]): void {
    this.changes.lock(ids);
    this.attention.note(ids);
  }

  /** Changes how much memory events and locks may take. Returns the ids of locks that were dropped. */
  setRooms({ historyBytes, locksBytes }: MemoryShares): readonly string[] {
    this.#locksBytes = locksBytes;
    this.history.setRoom(historyBytes);
    this.outlines.setRoom(historyBytes * OUTLINES_PART);
    return this.#world.setRoom(locksBytes);
  }

  /** Drops the current state of all sources. Returns the ids of their locks. */
  forgetWorld(): readonly string[] {
    const gone = [...this.#world.entries()].map(([id]) => id);
    this.#world = new World({ mostBytes: this.#locksBytes });
    this.#groups = new GroupFinder();
    return gone;
  }
}
