import { firstFrom } from '../../shared/base/search.ts';
import type { LockEvent } from '../../shared/events/event.ts';
import { type Fold, Folder } from '../../shared/spans/folds.ts';

/** A folder that has taken more events than this starts again, so that its memory is bounded. */
const MOST_TAKEN = 50_000;

/**
 * Folds a list that grows at its end and is cut at its beginning. Each event is taken once. After any other change of
 * the list, all its events are taken again.
 *
 *   before   |a b c d e|
 *   now          |c d e f g|      only f and g are new
 */
export class ListFolder {
  #folder = new Folder();
  #events: readonly LockEvent[] = [];
  #taken = 0;

  /** Returns the folds by the `seq` of each event in them. Events that are not folded are absent. */
  foldsOf(events: readonly LockEvent[]): ReadonlyMap<number, Fold> {
    const known = this.#taken > MOST_TAKEN ? 0 : this.#knownIn(events);
    if (known === 0) {
      this.#folder = new Folder();
      this.#taken = 0;
    }
    // the index is within the list
    for (let place = known; place < events.length; place++) this.#folder.add(events[place] as LockEvent);
    this.#taken += events.length - known;
    this.#events = events;
    return this.#folder.foldOf;
  }

  /** How many events at the beginning of a list have been taken; 0 if the list does not continue the last one. */
  #knownIn(events: readonly LockEvent[]): number {
    const [first] = events;
    if (!first) return 0;
    const cut = firstFrom(this.#events, first.seq, (event) => event.seq);
    const known = this.#events.length - cut;
    const isSame = (place: number) => this.#events[cut + place]?.seq === events[place]?.seq;
    return known > 0 && known <= events.length && isSame(0) && isSame(known - 1) ? known : 0;
  }
}
