import type { LockEvent } from '../../../shared/events/event.ts';
import { type LockState, lockIdOf } from '../../../shared/state/lock-state.ts';
import type { Lock } from '../../../shared/wire/locks/lock.ts';

/** The letters of one lock by holder id, as assigned by the server. */
export type Letters = ReadonlyMap<string, string>;

/** Maximum number of letters remembered per lock. If there are more, the oldest letters are dropped. */
const MOST_AT_LOCK = 1000;

type Person = { readonly id: string; readonly letter?: string };

/** Collects letters. Copies the letters of a lock at their first change. */
export class LetterDraft {
  readonly #before: ReadonlyMap<string, Letters>;
  #after: Map<string, Map<string, string>> | null = null;

  constructor(before: ReadonlyMap<string, Letters>) {
    this.#before = before;
  }

  /**
   * Returns all letters, of at most `mostLocks` locks: those whose newest letter was seen last. The same object if
   * nothing changed.
   */
  letters(mostLocks: number): ReadonlyMap<string, Letters> {
    if (this.#after === null) return this.#before;
    const all = new Map<string, Letters>(this.#before);
    for (const [lock, own] of this.#after) {
      all.delete(lock); // so that it comes last
      all.set(lock, own);
    }
    return all.size <= mostLocks ? all : new Map([...all].slice(-mostLocks));
  }

  takeLock({ id, holders, waiters, believers = [] }: Lock): void {
    for (const person of [...holders, ...waiters, ...believers]) this.#take(id, person);
  }

  takeState({ source, db, name, holders, waiters, believers }: LockState): void {
    const id = lockIdOf({ source, db, lock: name });
    for (const person of [...holders, ...waiters, ...believers]) this.#take(id, person);
  }

  takeEvent(event: LockEvent): void {
    const { letter, letters } = event;
    if (letter === undefined && letters === undefined) return;
    const id = lockIdOf(event);
    if (letter !== undefined && 'holder' in event && event.holder !== undefined) {
      this.#take(id, { id: event.holder, letter });
    }
    for (const [holder, its] of Object.entries(letters ?? {})) this.#take(id, { id: holder, letter: its });
  }

  #take(lockId: string, { id, letter = '' }: Person): void {
    if (letter === '') return;
    const known = this.#after?.get(lockId) ?? this.#before.get(lockId);
    if (known?.get(id) === letter) return;
    this.#after ??= new Map();
    const own = this.#after.get(lockId) ?? new Map(known);
    own.set(id, letter);
    for (const first of own.keys()) {
      if (own.size <= MOST_AT_LOCK) break;
      own.delete(first);
    }
    this.#after.set(lockId, own);
  }
}

/**
 * Returns the letter of a holder at one lock, or null. `given` are the letters of demo clients, which other holders
 * cannot have.
 */
export function letterOf(given: Letters, atLock: Letters | undefined, holder: string): string | null {
  return given.get(holder) ?? freeLetter(given, atLock?.get(holder));
}

/** Returns the server's letter, or null if a demo client uses it. */
export function freeLetter(given: Letters, letter: string | undefined): string | null {
  if (letter === undefined || letter === '') return null;
  for (const taken of given.values()) if (taken === letter) return null;
  return letter;
}
