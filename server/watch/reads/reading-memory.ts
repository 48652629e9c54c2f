import { Quarantine } from './quarantine.ts';
import { UnknownKeys } from './unknown-keys.ts';

/** What is known of keys that are no locks, or too large: it outlives connections, so that a cut makes us read nothing twice. */
export class ReadingMemory {
  readonly unknown = new UnknownKeys();
  readonly quarantine = new Quarantine();
}
