import { problem } from '../../shared/wire/problems/problem.ts';
import { PastGone } from '../watch/terms/past-gone.ts';
import { DatabaseError } from './database.ts';
import type { StoreLink } from './store-link.ts';
import { nameOfStore } from './store-name.ts';

/**
 * The same store for requests of readers. If it cannot be read, a request is rejected with a `PastGone` that has the
 * reason.
 */
export function pastOf(link: StoreLink, path: string): StoreLink {
  return {
    close: () => link.close(),
    ask: (question) =>
      link.ask(question).catch((error: unknown) => {
        if (!(error instanceof DatabaseError)) throw error;
        throw new PastGone(problem('store-unreadable', { file: nameOfStore(path), quote: error.message }));
      }),
  };
}
