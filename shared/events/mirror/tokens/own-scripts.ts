import { forgetOldest } from '../../../base/forget-oldest.ts';

const MOST = 500;

/**
 * What an application's own scripts were seen to do with a lock, by their SHAs, and keys that may be their locks. The
 * lines of a script alone may not show its purpose:
 *
 *   get K                 a release, or a renewal, that did not find its token; or a script that only asks
 *   get K → set K T NX    an attempt; or a renewal that acquires again
 */
export class OwnScripts {
  readonly #asking = new Set<string>();
  readonly #deleting = new Set<string>();
  readonly #trying = new Set<string>();
  readonly #releasing = new Set<string>();
  readonly #usedUp = new Set<string>();
  readonly #set = new Set<string>();

  /** Notes that a script found its token and left the key. */
  noteAsked(sha: string): void {
    if (!this.#deleting.has(sha)) note(this.#asking, sha);
  }

  /** Notes that a script deleted a key. */
  noteDeleted(sha: string): void {
    this.#asking.delete(sha);
    note(this.#deleting, sha);
  }

  /** Notes that a script released a lock whose attempt was seen. */
  noteReleased(sha: string): void {
    note(this.#releasing, sha);
  }

  /** Whether a script was seen to release a lock whose attempt was seen. */
  releases(sha: string): boolean {
    return this.#releasing.has(sha);
  }

  /** Notes that a script compared and deleted a key that no client was seen to set with NX. */
  noteUsedUp(db: number, key: string): void {
    note(this.#usedUp, `${db}/${key}`);
  }

  /**
   * Whether `noteUsedUp` was called for this key. If a client sets it with NX later, it is a lock that was held when
   * watching began.
   */
  wasUsedUp(db: number, key: string): boolean {
    return this.#usedUp.has(`${db}/${key}`);
  }

  /**
   * Notes that a client tried to set a key with NX, although the key is not remembered as a possible lock, for example
   * because it has no end.
   */
  noteSet(db: number, key: string): void {
    note(this.#set, `${db}/${key}`);
  }

  wasSet(db: number, key: string): boolean {
    return this.#set.has(`${db}/${key}`);
  }

  /**
   * Notes that a script acquired a lock, or that a client called it with a token that is not known to have held one.
   */
  noteTried(sha: string): void {
    note(this.#trying, sha);
  }

  /** Whether a script was seen to delete a key: it is a release. */
  deletes(sha: string): boolean {
    return this.#deleting.has(sha);
  }

  /** Whether a script only reads which token holds a lock, as far as was seen: it never deleted a key. */
  asks(sha: string): boolean {
    return this.#asking.has(sha);
  }

  /** Whether a script is an attempt: a renewal is called only with a token that held the lock. */
  tries(sha: string): boolean {
    return this.#trying.has(sha);
  }
}

function note(noted: Set<string>, id: string): void {
  noted.add(id);
  forgetOldest(noted, MOST);
}
