import { type Problem, problem } from '../../../shared/wire/problems/problem.ts';
import type { Source } from '../../../shared/wire/source.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import { mayHideLocks } from '../../redis/rights/rights-report.ts';
import type { KeyRounds } from './key-rounds.ts';
import type { NewStrings } from './new-strings.ts';
import { isHeard, type Reading } from './reading.ts';

const MOST_SHOWN_OF_NAME = 100;

/** What the reads of one connection leave out, and why, for the report about its source. */
export class UnseenKeys {
  /** How many field notifications did not have the documented form. */
  malformedFields = 0;
  readonly #reading: Reading;
  readonly #rounds: KeyRounds;
  readonly #newStrings: NewStrings;

  constructor(reading: Reading, rounds: KeyRounds, newStrings: NewStrings) {
    this.#reading = reading;
    this.#rounds = rounds;
    this.#newStrings = newStrings;
  }

  /** Keys that are not read: too large, or no longer permitted. */
  get tooLarge(): Source['unread'] {
    const { options, interpreter } = this.#reading;
    return options.memory.quarantine.report(({ db, name }) => interpreter.keys.find(db, name) !== undefined);
  }

  /** Why locks that are held may be missing; undefined if nothing is known to be missing. */
  get missing(): Source['missing'] {
    const { rights } = this.#reading.feed;
    const { isFull } = this.#reading.interpreter.keys;
    const lacksRights = mayHideLocks(rights);
    // Without the right to scan, no scan is under way.
    const firstScan = rights.mayRun('scan') ? this.#rounds.firstScan : undefined;
    if (firstScan === undefined && !isFull && !lacksRights) return undefined;
    return {
      ...(firstScan === undefined ? {} : { firstScan }),
      ...(isFull ? { isFull } : {}),
      ...(lacksRights ? { lacksRights } : {}),
    };
  }

  /** What is left out of the reads, for example because it would cost Redis too much, or is not read yet. */
  get leftOut(): Problem[] {
    const { level, memory } = this.#reading.options;
    const isSampled = isHeard(level) && memory.unknown.dropped(wallMs()) > 0;
    const { firstScan, isFull } = this.missing ?? {};
    return [
      ...(firstScan === undefined ? [] : [problem('unseen-before-scan', { percent: Math.floor(firstScan * 100) })]),
      ...(isFull ? [problem('unseen-beyond-memory')] : []),
      ...(isSampled ? [problem('unseen-unsampled')] : []),
      ...this.#strangeLocks,
      ...(this.#newStrings.ended > 0 ? [problem('unseen-short-locks', { count: this.#newStrings.ended })] : []),
      ...this.#otherValues,
      ...(this.malformedFields > 0 ? [problem('unseen-fields', { count: this.malformedFields })] : []),
      ...(this.#rounds.hasTooManyChannels ? [problem('unseen-waiters')] : []),
    ];
  }

  get #otherValues(): Problem[] {
    const { withData } = this.#newStrings;
    return withData ? [problem('unseen-other-values', { count: withData.count, name: withData.newest })] : [];
  }

  get #strangeLocks(): Problem[] {
    const { strangeLocks, keys } = this.#reading.interpreter;
    return strangeLocks
      .at(keys.now, (db, name) => keys.find(db, name) !== undefined)
      .map(({ form, count, newest }) =>
        problem('unseen-strange-locks', { count, name: newest.slice(0, MOST_SHOWN_OF_NAME), form }),
      );
  }
}
