import type { RedisTime } from '../../../shared/base/time.ts';
import type { LockEvent } from '../../../shared/events/event.ts';
import type { FoundHolder } from '../../../shared/events/types/watch-event.ts';
import type { Answers } from '../answers/answers.ts';

/** How many holds are kept for locks that left a shard and have not been found at another yet. */
const MOST = 10_000;

/**
 * Finds the beginning of a hold whose lock moved to another shard of its cluster. The source of the new shard did not
 * see the hold begin, but the source of the old shard did.
 */
export class MovedHolds {
  readonly #locksNamed: Answers['locksNamed'];
  readonly #left = new Map<string, RedisTime>();

  constructor(locksNamed: Answers['locksNamed']) {
    this.#locksNamed = locksNamed;
  }

  /** The events of a shard, with what other shards know about the holds that it found. */
  amended(events: readonly LockEvent[]): readonly LockEvent[] {
    if (!events.some(({ type }) => type === 'lock.moved' || type === 'lock.found')) return events;
    return events.map((event) => {
      if (event.type === 'lock.moved') this.#remember(event);
      if (event.type !== 'lock.found') return event;
      return { ...event, holders: event.holders.map((found) => this.#withSince(event, found)) };
    });
  }

  #remember({ source, db, lock }: LockEvent): void {
    for (const { holders } of this.#locksNamed(lock, { source, db })) {
      for (const { id, mode, since } of holders) {
        if (since === null) continue;
        if (this.#left.size >= MOST) this.#left.clear();
        this.#left.set(keyOf(db, lock, id, mode), since as RedisTime); // a time of the state, as it crosses the wire
      }
    }
  }

  #withSince({ source, db, lock }: LockEvent, found: FoundHolder): FoundHolder {
    const key = keyOf(db, lock, found.holder, found.mode);
    const since = this.#left.get(key) ?? this.#sinceElsewhere(source, db, lock, found);
    this.#left.delete(key);
    return since === undefined ? found : { ...found, since };
  }

  /** Since when another shard has shown the hold: the shard that the lock left may not have reported the move yet. */
  #sinceElsewhere(source: string, db: number, lock: string, { holder, mode }: FoundHolder): RedisTime | undefined {
    const others = this.#locksNamed(lock, { db }).filter((other) => other.source !== source);
    const same = others.flatMap(({ holders }) => holders).find((each) => each.id === holder && each.mode === mode);
    return same?.since == null ? undefined : (same.since as RedisTime); // as above
  }
}

function keyOf(db: number, lock: string, holder: string, mode: string): string {
  return `${db} ${mode} ${holder} ${lock}`;
}
