import { firstFrom } from '../../base/search.ts';
import { type RedisTime, redisTime } from '../../base/time.ts';
import { isOfLock, type LockEvent } from '../../events/event.ts';
import type { LockState } from '../lock-state.ts';
import { reduceLock } from '../reduce.ts';
import type { Forgotten } from './past-world.ts';
import { atOnce, type Replayable, type ReplayBlock, type ReplayCheckpoint, worldAfter, worldAt } from './replay.ts';

/** Events between two checkpoints. */
const EVENTS_PER_CHECKPOINT = 500;
const BEFORE_ALL = redisTime(Number.NEGATIVE_INFINITY);

/** One lock in a range of history. */
export type LockPart = {
  /** The state before the first event; undefined: the lock was not known. */
  readonly base: LockState | undefined;
  readonly events: readonly LockEvent[];
};

type Mark = Forgotten<Iterable<string>>;

/**
 * One lock at any instant. Checkpoints make later calls cheap. Events may be added to the end of `part` at any time.
 *
 *   events   ◆|·········◆|·········◆|····       a checkpoint after every 500 events, made when there are 500 more
 */
export class LockReplay {
  readonly #id: string;
  readonly #part: LockPart;
  readonly #forgotten: readonly Mark[];
  readonly #blocks: ReplayBlock[] = [];
  readonly #checkpoints: ReplayCheckpoint[];

  /** `stateSeq`: `base` is the state after this event. `forgotten`: when locks were dropped from memory. */
  constructor(id: string, part: LockPart, stateSeq = 0, forgotten: readonly Mark[] = []) {
    this.#id = id;
    this.#part = part;
    this.#forgotten = forgotten;
    this.#checkpoints = [checkpointOf(stateSeq, part.base)];
  }

  /**
   * The lock at an instant; undefined: nothing was known about it. `seq`: that of the last event, of any lock, before
   * the first one that is later than the instant.
   */
  at(at: RedisTime, seq: number): LockState | undefined {
    const { events } = this.#part;
    let rest = events.slice(firstFrom(events, this.#lastSeq() + 1, (event) => event.seq));
    for (; rest.length >= 2 * EVENTS_PER_CHECKPOINT; rest = rest.slice(EVENTS_PER_CHECKPOINT)) {
      this.#blocks.push(blockOf(rest.slice(0, EVENTS_PER_CHECKPOINT)));
      const before = atOnce(worldAfter(this.#memory([]), this.#lastSeq(), BEFORE_ALL));
      this.#checkpoints.push(checkpointOf(this.#lastSeq(), before.get(this.#id)));
    }
    return atOnce(worldAt(this.#memory(rest), seq, at)).get(this.#id);
  }

  #lastSeq(): number {
    return this.#blocks.at(-1)?.lastSeq ?? 0;
  }

  #memory(rest: readonly LockEvent[]): Replayable {
    const blocks = rest.length === 0 ? this.#blocks : [...this.#blocks, blockOf(rest)];
    const nextSeq = (blocks.at(-1)?.lastSeq ?? 0) + 1;
    return { blocks, checkpoints: this.#checkpoints, forgotten: this.#forgotten, nextSeq };
  }
}

function checkpointOf(afterSeq: number, lock: LockState | undefined): ReplayCheckpoint {
  return { afterSeq, blind: [], busy: () => (lock ? [[lock]] : []), woken: () => [] };
}

function blockOf(events: readonly LockEvent[]): ReplayBlock {
  const times = events.map(({ at }) => at);
  return {
    firstSeq: events[0]?.seq ?? 0,
    lastSeq: events.at(-1)?.seq ?? 0,
    oldestAt: redisTime(Math.min(...times)),
    newestAt: redisTime(Math.max(...times)),
    hasOfSource: true,
    mayHaveLock: () => true,
    events: () => events,
  };
}

/** An event, and the lock after it. An event about the whole source, or about a verdict, does not change the lock. */
export type LockStep = { readonly event: LockEvent; readonly lock: LockState | undefined };

/** The lock after each of its events. */
export function stepsOf({ base, events }: LockPart): LockStep[] {
  let lock = base;
  return events.map((event) => {
    if (isOfLock(event)) lock = reduceLock(lock, event);
    return { event, lock };
  });
}
