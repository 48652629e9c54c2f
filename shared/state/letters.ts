import type { LockEvent } from '../events/event.ts';
import type { LockState } from './lock-state.ts';

/** People remembered with their letters: at one lock, and at all locks. */
const MOST_AT_LOCK = 1000;
const MOST = 50_000;

type Book = { next: number; readonly people: Map<string, string> };

/**
 * Gives every holder and waiter of a lock a letter when it first appears there: A, B … Z, AA, AB …
 *
 * While the lock is remembered no letter is given twice. A person who was forgotten because there were too many gets a new
 * letter.
 */
export class LetterBook {
  /** Has the lock that something happened at longest ago first. */
  readonly #books = new Map<string, Book>();
  #count = 0;

  /** The event with the letters of those it names; `lock`: its lock before it. */
  named(event: LockEvent, id: string, lock: LockState | undefined): LockEvent {
    const holder = 'holder' in event ? event.holder : undefined;
    const others = othersIn(event);
    if (holder === undefined && others.length === 0) return event;
    const book = this.#books.get(id) ?? { next: 0, people: new Map() };
    this.#books.delete(id);
    this.#books.set(id, book);
    const letterOf = (person: string) => this.#letterOf(book, person, lock);
    const letter = holder === undefined ? undefined : { letter: letterOf(holder) };
    const letters =
      others.length === 0
        ? undefined
        : { letters: Object.fromEntries(others.map((person) => [person, letterOf(person)])) };
    this.#makeRoom();
    return { ...event, ...letter, ...letters };
  }

  /** Forgets the letters of a lock: they begin again. */
  forget(id: string): void {
    this.#count -= this.#books.get(id)?.people.size ?? 0;
    this.#books.delete(id);
  }

  #letterOf(book: Book, person: string, lock: LockState | undefined): string {
    const known = book.people.get(person) ?? letterIn(lock, person);
    const letter = known ?? letterAt(book.next++);
    if (!book.people.delete(person)) this.#count++;
    book.people.set(person, letter);
    if (book.people.size > MOST_AT_LOCK) this.#forgetFirst(book);
    return letter;
  }

  #forgetFirst({ people }: Book): void {
    for (const first of people.keys()) {
      people.delete(first);
      this.#count--;
      return;
    }
  }

  /** Drops people of locks that nothing happened at for the longest time; their letters stay taken. */
  #makeRoom(): void {
    if (this.#count <= MOST) return;
    for (const book of this.#books.values()) {
      if (this.#count <= MOST) return;
      this.#count -= book.people.size;
      book.people.clear();
    }
  }
}

/** The lock with the letters that an event tells. */
export function withLetters(lock: LockState, event: LockEvent): LockState {
  const { letter, letters } = event;
  if (letter === undefined && letters === undefined) return lock;
  const holder = 'holder' in event ? event.holder : undefined;
  const letterOf = (id: string) => {
    if (id === holder) return letter;
    // A token may have any name, that of a method too.
    return letters && Object.hasOwn(letters, id) ? letters[id] : undefined;
  };
  const holders = lettered(lock.holders, letterOf);
  const waiters = lettered(lock.waiters, letterOf);
  const believers = lettered(lock.believers, letterOf);
  const isSame = holders === lock.holders && waiters === lock.waiters && believers === lock.believers;
  return isSame ? lock : { ...lock, holders, waiters, believers };
}

type Person = { readonly id: string; readonly letter?: string };

function lettered<P extends Person>(people: readonly P[], letterOf: (id: string) => string | undefined): readonly P[] {
  if (people.every(({ id, letter }) => letter !== undefined && (letterOf(id) ?? letter) === letter)) return people;
  return people.map((person) => {
    const letter = letterOf(person.id);
    return letter === undefined || letter === person.letter ? person : { ...person, letter };
  });
}

/** Those an event names beside its holder who hold, or wait for, its lock. */
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

/** The letter that someone has in the state of the lock. */
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
