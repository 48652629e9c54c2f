import { binaryFromText, textFromBinary } from '../../../shared/base/bytes-text.ts';
import { groupedBy } from '../../../shared/base/grouped-by.ts';
import { isData } from '../../../shared/events/libraries/bare-word.ts';
import { isLockName, isOtherName, tokenLockFrom } from '../../../shared/events/libraries/token-found.ts';
import { isTokenLike } from '../../../shared/events/libraries/token-libraries.ts';
import { isNameBeside } from '../../../shared/events/mirror/strange-locks.ts';
import { lockOfSignal } from '../../../shared/events/names/signal-lists.ts';
import type { Reply } from '../../redis/connection/reply.ts';
import { wallMs } from '../../redis/connection/surroundings.ts';
import type { KeyToRead } from '../../redis/reads/key-reads.ts';
import { MOST_TOKEN_CHARACTERS } from '../../redis/reads/token-keys.ts';
import { KeysWithData } from './keys-with-data.ts';
import { LONG_PAUSE_MS, LoopPause } from './loop-pause.ts';
import { MinuteCount } from './minute-count.ts';
import type { ReadBudget } from './read-budget.ts';
import type { Reading } from './reading.ts';

const PAUSE_MS = 100;
const GATHER_MS = 2;
const MOST_AT_ONCE = 50;
const MOST_OTHERS = 20;
/** Keys with names of locks that wait to be read; beyond this, the oldest is left out. */
const MOST_NAMED = 1000;

/**
 * Finds locks with a token among the keys that got a lease: at once if the name looks like a lock's, else by a sample.
 *
 *   set lock:orders · expire lock:orders      read while it lives
 *   set session:81723 · expire session:81723  one of many, less and less often
 */
export class NewStrings {
  readonly #reading: Reading;
  readonly #pause = new LoopPause();
  readonly #named = new Map<string, KeyToRead>();
  readonly #ended = new MinuteCount();
  readonly #withData = new KeysWithData();
  #isStopped = false;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** Takes a key that got a lease and may be a string. */
  add(key: KeyToRead): void {
    const { unknownStrings } = this.#reading.options.memory;
    if (lockOfSignal(key.name) !== undefined) return; // a list beside a lock
    const isNamed = this.#isNamed || isLockName(key.name);
    if (!isNamed) unknownStrings.add(key, wallMs());
    else {
      this.#named.set(`${key.db}/${key.name}`, key);
      for (const id of this.#named.keys()) {
        if (this.#named.size <= MOST_NAMED) break;
        this.#named.delete(id);
        this.#ended.add(wallMs());
      }
    }
    this.#pause.end();
  }

  /**
   * How many keys of the last one to two minutes ended before they were read, or were left out, although they are named
   * like locks, or their shape of name had locks.
   */
  get ended(): number {
    return this.#ended.at(wallMs());
  }

  /** Keys of the last two minutes with a lease and another value than a token, which were not taken for locks. */
  get withData(): { readonly count: number; readonly newest: string } | undefined {
    return this.#withData.at(wallMs());
  }

  stop(): void {
    this.#isStopped = true;
    this.#pause.end();
  }

  /** Runs until `stop`. */
  async run(): Promise<void> {
    const { budgets, options } = this.#reading;
    const { unknownStrings } = options.memory;
    while (!this.#isStopped) {
      const named = [...this.#named.values()].slice(-MOST_AT_ONCE).reverse();
      for (const { db, name } of named) this.#named.delete(`${db}/${name}`);
      const likely = [...named, ...unknownStrings.take('likely', MOST_AT_ONCE, wallMs())];
      await this.#look(likely, budgets.changes, true);
      const others = unknownStrings.take('others', MOST_OTHERS, wallMs());
      await this.#look(others, budgets.samples, false);
      const isMore = this.#named.size > 0 || others.length === MOST_OTHERS;
      const pauseMs = unknownStrings.isEmpty ? LONG_PAUSE_MS : PAUSE_MS;
      await this.#pause.wait(isMore ? GATHER_MS : pauseMs, GATHER_MS);
    }
  }

  /** Whether the user asked for keys by name: then every watched key counts as one that is named like a lock. */
  get #isNamed(): boolean {
    return this.#reading.options.match.length > 0;
  }

  async #look(keys: readonly KeyToRead[], budget: ReadBudget, isLikely: boolean): Promise<void> {
    const { reads, options, interpreter } = this.#reading;
    const { unknownStrings } = options.memory;
    const isKnown = ({ db, name }: KeyToRead) => interpreter.keys.find(db, name) !== undefined;
    for (const [db, group] of groupedBy(keys, (key) => key.db)) {
      const commands = group.flatMap(({ name }) => [
        ['GETRANGE', binaryFromText(name), '0', String(MOST_TOKEN_CHARACTERS - 1)],
        ['PTTL', binaryFromText(name)],
      ]);
      const [, ...replies] = await reads.askWithin(budget)(['SELECT', String(db)], ...commands);
      const tokens: KeyToRead[] = [];
      group.forEach((key, n) => {
        const what = this.#judge(key, replies[2 * n] ?? null, replies[2 * n + 1] ?? null);
        if (what === 'token' || what === 'word') tokens.push({ ...key, string: { isNamed: this.#isNamed } });
        else if (what === 'other') unknownStrings.learn(key, 'other', wallMs());
        else if (isLikely) this.#ended.add(wallMs());
      });
      await reads.read(tokens, budget);
      for (const key of tokens) {
        unknownStrings.learn(key, isKnown(key) ? 'lock' : 'other', wallMs());
        if (isKnown(key)) this.#withData.drop(key);
      }
    }
  }

  /**
   * What a key is. `word`: a word in a key with the name of a lock; the interpreter may treat it as a lock once it was
   * deleted and set again.
   */
  #judge({ db, name }: KeyToRead, value: Reply, pttl: Reply): 'token' | 'word' | 'other' | 'gone' {
    if (pttl === -2) return 'gone';
    if (typeof value !== 'string' || typeof pttl !== 'number' || pttl < 0) return 'other';
    const text = textFromBinary(value);
    const isToken = isTokenLike(text) || tokenLockFrom(name, text, true, this.#isNamed) !== undefined;
    if (isToken) return 'token';
    const isWord = isLockName(name) && !isNameBeside(name) && !isData(text);
    if ((isData(text) || isWord) && !isOtherName(name)) this.#withData.add({ db, name }, wallMs());
    return isWord ? 'word' : 'other';
  }
}
