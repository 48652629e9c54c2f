import { binaryFromText } from '../../../shared/base/bytes-text.ts';
import { groupedBy } from '../../../shared/base/grouped-by.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import { judgeHashes } from '../../redis/reads/hash-locks.ts';
import type { KeyToRead } from '../../redis/reads/key-reads.ts';
import { LONG_PAUSE_MS, LoopPause } from './loop-pause.ts';
import type { Reading } from './reading.ts';

const PAUSE_MS = 100;
const GATHER_MS = 2;
const MOST_LIKELY = 200;
const MOST_OTHERS = 20;

/** Finds new locks among written keys: at once if their shape of name had locks before, else by a sample. */
export class NewKeys {
  readonly #reading: Reading;
  readonly #pause = new LoopPause();
  #isStopped = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Takes a key that may have become a lock; returns whether `readLikely` reads it. */
  add(key: KeyToRead): boolean {
    const isLikely = this.#reading.options.memory.unknown.add(key, wallMs());
    if (!isLikely) this.#pause.end();
    return isLikely;
  }

  /** Reads new keys whose shape of name had locks before; returns whether there may be more. */
  async readLikely(): Promise<boolean> {
    const { options, reads, budgets } = this.#reading;
    const { unknown } = options.memory;
    const likely = unknown.take('likely', MOST_LIKELY, wallMs());
    if (likely.length === 0) return false;
    const gone = await reads.read(likely, budgets.changes);
    for (const key of likely) {
      if (this.#isKnown(key)) unknown.learn(key, 'lock', wallMs());
      else if (!gone.has(key)) unknown.learn(key, 'other', wallMs());
    }
    return likely.length === MOST_LIKELY;
  }

  /** Asks about a few of all other keys, when the budget allows; runs until `stop`. */
  async sample(): Promise<void> {
    const { unknown } = this.#reading.options.memory;
    while (!this.#isStopped) {
      const others = unknown.take('others', MOST_OTHERS, wallMs());
      for (const [db, keys] of groupedBy(others, (key) => key.db)) await this.judge(db, keys);
      const pauseMs = unknown.isEmpty ? LONG_PAUSE_MS : PAUSE_MS;
      await this.#pause.wait(others.length === MOST_OTHERS ? GATHER_MS : pauseMs, GATHER_MS);
    }
  }

  stop(): void {
    this.#isStopped = true;
    this.#pause.end();
  }

  /** Finds out what these keys are, by their sizes and a few fields, and reads those that are locks. */
  async judge(db: number, keys: readonly KeyToRead[]): Promise<void> {
    const { feed, options, reads, budgets } = this.#reading;
    const { unknown, quarantine } = options.memory;
    const names = keys.map(({ name }) => binaryFromText(name));
    const verdicts = await judgeHashes(reads.askWithin(budgets.samples), db, names);
    const now = wallMs();
    const locks: KeyToRead[] = [];
    keys.forEach((key, index) => {
      const verdict = verdicts[index] ?? 'gone';
      if (typeof verdict === 'object' && verdict.reason === 'bytes')
        quarantine.put(key, verdict, feed.now(), now, this.#isKnown(key));
      else quarantine.clear(key, 'hash');
      if (verdict === 'lock') locks.push(key);
      if (verdict === 'lock' || verdict === 'other') unknown.learn(key, verdict, now);
      else if (typeof verdict === 'object') unknown.learn(key, 'other', now);
    });
    await reads.read(locks, budgets.changes);
  }

  #isKnown({ db, name }: KeyToRead): boolean {
    return this.#reading.interpreter.keys.find(db, name) !== undefined;
  }
}
