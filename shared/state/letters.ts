import { byName } from '../base/by-name.ts';
import { FewMap } from '../base/few-map.ts';
import { eventWith, type LockEvent } from '../events/event.ts';
import { holderWith, lockWith, waiterWith } from './copies.ts';
import type { BelieverState, Lettered, LockState } from './lock-state.ts';

/** The most people (holders and waiters) that keep their letters: at one lock, and at all locks. */
const MOST_PEOPLE_AT_LOCK = 1000;
const MOST_PEOPLE = 50_000;
/**
 * At most this many people remain after room was made. Making room passes all deleted places of the map, so it must be
 * rare.
 */
const LEFT_AFTER_EVICTION = 47_500;

/** The letters of one lock: how many were given, and those that are still kept. */
export type GivenLetters = {
  readonly id: string;
  readonly next: number;
  readonly people: readonly (readonly [person: string, letter: string])[];
};

type LettersOfLock = { next: number; readonly people: FewMap<string, string> };
/**
 * A lock as it is kept. Most locks have had one person, with the letter A: then only the id of this person is kept, as
 * a string.
 */
type Kept = LettersOfLock | string;

const FIRST_LETTER = 'A';

/**
 * Gives every holder and waiter of a lock a letter when it first appears there: A, B … Z, AA, AB …
 *
 * No letter is given twice while the lock is remembered. If a person was dropped to make room and comes back, it gets a
 * new letter, unless the state of the lock still has its letter.
 */
export class LetterTracker {
  /** By lock id. The lock whose newest event is the oldest comes first. */
  readonly #locks = new Map<string, Kept>();
  /** Locks whose people were dropped to make room, with the number of their next letter. */
  readonly #dropped = new Map<string, number>();
  #count = 0;

  /**
   * Returns the event with the letters of its holder and of the ids from `othersIn`. `lock` is its lock before the
   * event.
   */
  named(event: LockEvent, id: string, lock: LockState | undefined): LockEvent {
    const holder = 'holder' in event ? event.holder : undefined;
    const others = othersIn(event);
    if (holder === undefined && others.length === 0) return event;
    const ofLock = this.#take(id) ?? { next: 0, people: new FewMap<string, string>() };
    const letterOf = (person: string) => this.#letterOf(ofLock, person, lock);
    const letter = holder === undefined ? undefined : { letter: letterOf(holder) };
    const letters =
      others.length === 0 ? undefined : { letters: byName(others.map((person) => [person, letterOf(person)])) };
    this.#keep(id, ofLock);
    this.#makeRoom();
    return eventWith(event, letter, letters);
  }

  /** The letters of a lock, and how many were given; undefined: none were. */
  given(id: string): GivenLetters | undefined {
    const ofLock = this.#get(id);
    return ofLock && { id, next: ofLock.next, people: [...ofLock.people] };
  }

  /** Continues with the letters that an earlier part of the stream gave. */
  restore({ id, next, people }: GivenLetters): void {
    this.forget(id);
    const kept = new FewMap<string, string>();
    for (const [person, letter] of people) kept.set(person, letter);
    this.#count += kept.size;
    this.#keep(id, { next, people: kept });
    this.#makeRoom();
  }

  /** Drops the letters of a lock: they begin again at A. */
  forget(id: string): void {
    this.#count -= this.#take(id)?.people.size ?? 0;
  }

  #get(id: string): LettersOfLock | undefined {
    const kept = this.#locks.get(id);
    if (typeof kept === 'object') return kept;
    const people = new FewMap<string, string>();
    if (kept !== undefined) return { next: 1, people: people.set(kept, FIRST_LETTER) };
    const next = this.#dropped.get(id);
    return next === undefined ? undefined : { next, people };
  }

  /** Removes the letters of a lock and returns them. */
  #take(id: string): LettersOfLock | undefined {
    const ofLock = this.#get(id);
    if (!this.#locks.delete(id)) this.#dropped.delete(id);
    return ofLock;
  }

  #keep(id: string, ofLock: LettersOfLock): void {
    const { next, people } = ofLock;
    const [first] = people.keys();
    if (first === undefined) this.#dropped.set(id, next);
    else this.#locks.set(id, next === 1 && people.size === 1 && people.get(first) === FIRST_LETTER ? first : ofLock);
  }

  #letterOf(ofLock: LettersOfLock, person: string, lock: LockState | undefined): string {
    const known = ofLock.people.get(person) ?? letterIn(lock, person);
    const letter = known ?? letterAt(ofLock.next++);
    if (!ofLock.people.delete(person)) this.#count++;
    ofLock.people.set(person, letter);
    if (ofLock.people.size > MOST_PEOPLE_AT_LOCK) this.#forgetFirst(ofLock);
    return letter;
  }

  #forgetFirst({ people }: LettersOfLock): void {
    for (const first of people.keys()) {
      people.delete(first);
      this.#count--;
      return;
    }
  }

  /** Drops the people of the locks that had no event for longest. Their letters are not given again. */
  #makeRoom(): void {
    if (this.#count <= MOST_PEOPLE) return;
    for (const id of this.#locks.keys()) {
      if (this.#count <= LEFT_AFTER_EVICTION) return;
      const ofLock = this.#take(id);
      if (!ofLock) continue;
      this.#count -= ofLock.people.size;
      this.#dropped.set(id, ofLock.next);
    }
  }
}

export function withLetters(lock: LockState, event: LockEvent): LockState {
  const { letter, letters } = event;
  if (letter === undefined && letters === undefined) return lock;
  const holder = 'holder' in event ? event.holder : undefined;
  const letterOf = (id: string) => {
    if (id === holder) return letter;
    // a token may be any text, for example the name of a method
    return letters && Object.hasOwn(letters, id) ? letters[id] : undefined;
  };
  const holders = lettered(lock.holders, letterOf, holderWith);
  const waiters = lettered(lock.waiters, letterOf, waiterWith);
  const believers = lettered(lock.believers, letterOf, believerWith);
  const isSame = holders === lock.holders && waiters === lock.waiters && believers === lock.believers;
  return isSame ? lock : lockWith(lock, { holders, waiters, believers });
}

function lettered<P extends Lettered & { readonly id: string }>(
  people: readonly P[],
  letterOf: (id: string) => string | undefined,
  withLetter: (person: P, changes: Lettered) => P,
): readonly P[] {
  if (people.every(({ id, letter }) => letter !== undefined && (letterOf(id) ?? letter) === letter)) return people;
  return people.map((person) => {
    const letter = letterOf(person.id);
    return letter === undefined || letter === person.letter ? person : withLetter(person, { letter });
  });
}

function believerWith(believer: BelieverState, { letter }: Lettered): BelieverState {
  return letter === undefined ? believer : { ...believer, letter };
}

/** Holders that a read found, and permits that an event acquired or a read found, by their ids. */
function othersIn(event: LockEvent): readonly string[] {
  switch (event.type) {
    case 'lock.found':
      return event.holders.map(({ holder }) => holder);
    case 'drift.healed':
      return event.found?.holders.map(({ holder }) => holder) ?? [];
    case 'permits.acquired':
      return event.permitIds ?? [];
    case 'permits.set':
      return event.deadlines?.map(({ id }) => id) ?? [];
    default:
      return [];
  }
}

/** The letter of a person in the state of the lock. */
function letterIn(lock: LockState | undefined, id: string): string | undefined {
  return (
    lock?.holders.find((person) => person.id === id)?.letter ??
    lock?.waiters.find((person) => person.id === id)?.letter ??
    lock?.believers.find((person) => person.id === id)?.letter
  );
}

/** A, B … Z, AA, AB … */
export function letterAt(index: number): string {
  const last = String.fromCharCode(65 + (index % 26));
  return index < 26 ? last : letterAt(Math.floor(index / 26) - 1) + last;
}
