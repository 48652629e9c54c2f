import { Quarantine } from '../terms/quarantine.ts';
import { UnknownKeys } from './unknown-keys.ts';

/** What is known about keys that are too large or not locks. Outlives connections, so a cut causes no second read. */
export class ReadingMemory {
  readonly unknown = new UnknownKeys();
  /** As `unknown`, for strings, which may be locks with a token. */
  readonly unknownStrings = new UnknownKeys();
  readonly quarantine = new Quarantine();
}
