import { forgetOldest } from '../../../base/forget-oldest.ts';

const MOST = 500;

/**
 * Scripts of applications that only ask who has a lock, by their SHAs: `get K` is also what a release runs that did not find its
 * token. A script that found the token and left the key is no release, unless it ever deleted one.
 */
export class AskingScripts {
  readonly #asking = new Set<string>();
  readonly #deleting = new Set<string>();

  /** Notes that a script found its token and left the key. */
  noteAsked(sha: string): void {
    if (this.#deleting.has(sha)) return;
    this.#asking.add(sha);
    forgetOldest(this.#asking, MOST);
  }

  /** Notes that a script deleted a key. */
  noteDeleted(sha: string): void {
    if (this.#deleting.has(sha)) return;
    this.#asking.delete(sha);
    this.#deleting.add(sha);
    forgetOldest(this.#deleting, MOST);
  }

  /** Whether a script only asks who has a lock, as far as was seen. */
  has(sha: string): boolean {
    return this.#asking.has(sha);
  }
}
