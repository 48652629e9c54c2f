import type { LockEvent } from '../../shared/events/event.ts';
import type { HoldMode } from '../../shared/events/types/hold-event.ts';
import { type Hold, HoldReader } from '../../shared/spans/holds-from-events.ts';
import type { Wait } from '../../shared/spans/wait.ts';
import { WaitReader } from '../../shared/spans/waits-from-events.ts';
import type { Room, SpanListener } from './ended-span.ts';
import type { Places } from './places.ts';
import { idsOf, type LockPlace, type SpanPlace } from './span-place.ts';

/** What a span keeps beside its hold or wait. */
type Notes = {
  begin: LockEvent | undefined;
  place: SpanPlace | undefined;
  parent: SpanPlace | undefined;
  readonly events: LockEvent[];
  dropped: number;
  renewals: number;
  readonly wokenBy: NonNullable<SpanPlace>[];
  droppedLinks: number;
};

/** How many notes and links one span keeps. Further notes are counted, further links are not. */
const MOST_NOTES = 64;
const MOST_LINKS = 16;

/** Follows the holds and waits of one lock. */
export class LockFollower {
  readonly #of: LockPlace;
  readonly #listener: SpanListener;
  readonly #room: Room;
  readonly #holds = new HoldReader();
  readonly #waits = new WaitReader();
  readonly #notes = new Map<Hold | Wait, Notes>();

  constructor({ source, db, lock }: LockPlace, listener: SpanListener, room: Room) {
    this.#of = { source, db, lock };
    this.#listener = listener;
    this.#room = room;
  }

  get isIdle(): boolean {
    return this.#holds.isIdle && this.#waits.isIdle;
  }

  /** How many holds and waits are open, without single attempts. */
  get open(): number {
    const waits = [...this.#notes.keys()].filter((span) => 'attempts' in span && isWait(span));
    return this.#holds.holds.length + waits.length;
  }

  holdOf(holder: string): SpanPlace | undefined {
    const hold = this.#holds.holds.find((open) => open.holder === holder);
    return hold && this.#placeOf('hold', hold);
  }

  /** `releases`: gets the hold that this event ends. `messages`: the holds that sent the messages so far. */
  take(event: LockEvent, { releases, messages }: { readonly releases: Places; readonly messages: Places }): void {
    const caller = 'holder' in event ? event.holder : undefined;
    const waited = caller === undefined ? undefined : this.#waits.openOf(caller);
    this.#waits.take(event);
    this.#holds.take(event);
    const waiting = caller === undefined ? undefined : this.#waits.openOf(caller);
    const over = this.#waits.drain();
    if (waiting) this.#noteWait(waiting, event);
    const wait = waiting ?? waited;
    if (wait && 'wokenBy' in event && event.wokenBy === 'message') this.#noteWakeUp(wait, event, messages);
    // A single attempt that was not repeated is not a wait, and has no span.
    this.#noteHolds(event, waited && over.includes(waited) ? waited : waiting);
    for (const ended of over) this.#endWait(ended, event);
    if (waited && waited !== waiting) this.#drop(waited);
    for (const ended of this.#holds.drainAll()) {
      const place = this.#endHold(ended, event);
      if (place) releases.add(event.seq, place);
    }
  }

  /** Drops the waits beyond `most`. Returns whether there are too many holds, which cannot be dropped one by one. */
  drop(most: number): boolean {
    const dropped = this.#waits.dropOldest(most);
    for (const wait of dropped) this.#drop(wait);
    const lost = dropped.filter(isWait).length;
    if (lost > 0) this.#listener.dropped(lost);
    return this.#holds.holds.length > most;
  }

  /** Forgets everything; returns how many holds and waits were open. */
  close(): number {
    const { open } = this;
    for (const span of [...this.#notes.keys()]) this.#drop(span);
    return open;
  }

  #noteWait(wait: Wait, event: LockEvent): void {
    const isNew = !this.#notes.has(wait);
    const notes = this.#notesOf(wait);
    if (isNew) notes.begin = event;
    else if (OF_WAITS.has(event.type)) this.#add(notes, event);
  }

  #noteWakeUp(wait: Wait, { because = [] }: LockEvent, messages: Places): void {
    const notes = this.#notesOf(wait);
    const sender = because.map((seq) => messages.get(seq)).find((found) => found !== undefined);
    if (!sender || notes.wokenBy.includes(sender)) return;
    if (notes.wokenBy.length < MOST_LINKS) notes.wokenBy.push(sender);
    else notes.droppedLinks++;
  }

  /** `wait`: the wait of the caller that ended with this event, or that goes on. */
  #noteHolds(event: LockEvent, wait: Wait | undefined): void {
    switch (event.type) {
      case 'lock.acquired':
        return this.#begin(event.holder, event.mode, event, wait);
      case 'permits.acquired':
        for (const id of event.permitIds ?? (event.holder === undefined ? [] : [event.holder]))
          this.#begin(id, 'permit', event, wait);
        return;
      case 'lock.reentered':
      case 'lock.partially-released':
      case 'renewal.refused':
        return this.#addToHold(event.holder, event.mode, event);
      case 'lease.renewed':
      case 'lease.shortened':
        if (event.holder !== undefined) return this.#addToHold(event.holder, event.mode, event);
        // A plain command sets the lease of the whole key.
        for (const hold of this.#holds.holds) this.#addToHold(hold.holder, hold.mode, event);
        return;
      case 'permits.renewed':
        for (const id of event.permitIds) this.#addToHold(id, 'permit', event);
        return;
      default: // the other events only begin or end a hold
    }
  }

  #begin(holder: string, mode: HoldMode, event: LockEvent, wait: Wait | undefined): void {
    const hold = this.#holds.openOf(holder, mode);
    if (!hold || hold.fromSeq !== event.seq) return;
    const notes = this.#notesOf(hold);
    notes.begin = event;
    notes.parent = wait && this.#placeOf('wait', wait);
  }

  #addToHold(holder: string, mode: HoldMode = 'exclusive', event: LockEvent): void {
    const hold = this.#holds.openOf(holder, mode);
    if (!hold || hold.fromSeq === event.seq) return;
    const notes = this.#notesOf(hold);
    this.#add(notes, event);
    if (event.type === 'lease.renewed' || event.type === 'permits.renewed') notes.renewals++;
    // A lock that is held for weeks has many renewals, so they are only counted.
    hold.renewals.length = 0;
  }

  #add(notes: Notes, event: LockEvent): void {
    if (notes.events.length >= MOST_NOTES || this.#room.left <= 0) notes.dropped++;
    else {
      this.#room.left--;
      notes.events.push(event);
    }
  }

  #notesOf(span: Hold | Wait): Notes {
    const known = this.#notes.get(span);
    if (known) return known;
    const [begin, place, parent] = [undefined, undefined, undefined];
    const notes: Notes = { begin, place, parent, events: [], dropped: 0, renewals: 0, wokenBy: [], droppedLinks: 0 };
    this.#notes.set(span, notes);
    return notes;
  }

  #placeOf(what: 'hold' | 'wait', span: Hold | Wait): SpanPlace {
    const notes = this.#notesOf(span);
    if (notes.place === undefined) {
      const { parent } = notes;
      const isSampled = parent === undefined ? this.#listener.isSampled() : parent !== null;
      notes.place = isSampled
        ? { ...idsOf(what, this.#of, span), ...(parent ? { traceId: parent.traceId } : {}) }
        : null;
    }
    return notes.place;
  }

  #endWait(span: Wait, end: LockEvent): void {
    const place = this.#placeOf('wait', span);
    const { begin, events: notes, dropped: droppedNotes, wokenBy, droppedLinks } = this.#notesOf(span);
    this.#drop(span);
    if (!place) return this.#listener.skipped();
    const about = { begin, end, notes, droppedNotes, wokenBy, droppedLinks };
    this.#listener.ended({ what: 'wait', span, of: this.#of, place, ...about });
  }

  #endHold(span: Hold, end: LockEvent): SpanPlace {
    const place = this.#placeOf('hold', span);
    const {
      begin,
      parent,
      events: notes,
      dropped: droppedNotes,
      wokenBy,
      droppedLinks,
      renewals,
    } = this.#notesOf(span);
    this.#drop(span);
    const about = { begin, parent, end, notes, droppedNotes, wokenBy, droppedLinks };
    if (place) this.#listener.ended({ what: 'hold', span, renewals, of: this.#of, place, ...about });
    else this.#listener.skipped();
    return place;
  }

  #drop(span: Hold | Wait): void {
    const notes = this.#notes.get(span);
    if (!notes) return;
    this.#room.left += notes.events.length;
    this.#notes.delete(span);
  }
}

/** A thread that was refused once may not wait at all. */
function isWait({ attempts, mode }: Wait): boolean {
  return attempts > 1 || mode === 'permit' || mode === 'latch';
}

/** The events of a waiter that its span shows. */
const OF_WAITS: ReadonlySet<LockEvent['type']> = new Set([
  'lock.refused',
  'permits.refused',
  'waiter.queued',
  'waiter.dequeued',
]);
