import type { RedisTime } from '../base/time.ts';
import type { Effect, EffectGroup } from './effects.ts';

/** Something in the stream that ends watching at this level. */
type StreamEnd = 'scripts' | 'waits' | 'sentinel';

export const SENTINEL_CHANNEL = '__sentinel__:hello';
/** The beginning of the channel on which Lockscope publishes a message to itself. */
export const PROBE_CHANNEL = 'lockscope:probe:';
const SCRIPTS = new Set(['EVAL', 'EVALSHA', 'FCALL']);
/** A script with more effects becomes several groups. */
const MOST_EFFECTS = 100_000;

/**
 * Joins the commands of the replication stream into groups. Redis writes the effects of a script or transaction between
 * MULTI and EXEC, and SELECT where the database changes.
 *
 *   SELECT 0 · MULTI · HINCRBY … · PEXPIREAT … · EXEC · DEL …   ─►   [HINCRBY, PEXPIREAT]   [DEL]
 */
export class EffectGroups {
  /** The selected database; undefined until the stream shows it. Effects before that are left out. */
  #db: number | undefined;
  #open: Effect[] | undefined;
  readonly #probe: { readonly channel: string; readonly db: number };
  readonly #onEnd: (why: StreamEnd) => void;

  /** `probe`: the channel of a message of ours, and the database that it is published from. */
  constructor(probe: { readonly channel: string; readonly db: number }, onEnd: (why: StreamEnd) => void) {
    this.#probe = probe;
    this.#onEnd = onEnd;
  }

  /**
   * Takes the next command; returns the group that is complete now. `words`: undefined if the command cannot matter.
   */
  add(name: string, words: readonly string[] | undefined, offset: number, at: RedisTime): EffectGroup | undefined {
    switch (name) {
      case 'SELECT':
        this.#db = Number(words?.[1]);
        return undefined;
      case 'MULTI':
        this.#open = [];
        return undefined;
      case 'EXEC': {
        const effects = this.#open ?? [];
        this.#open = undefined;
        return effects.length > 0 ? { kind: 'effects', at, offset, effects } : undefined;
      }
      case 'REPLCONF': // GETACK: a client waits for replicas, or the server shuts down
        this.#onEnd('waits');
        return undefined;
    }
    if (SCRIPTS.has(name)) this.#onEnd('scripts');
    if (!words) return undefined;
    if (words[1] === SENTINEL_CHANNEL) this.#onEnd('sentinel');
    if (words[1] === this.#probe.channel) this.#db ??= this.#probe.db;
    if (this.#db === undefined) return undefined;
    const effect = { db: this.#db, words };
    if (!this.#open) return { kind: 'effects', at, offset, effects: [effect] };
    this.#open.push(effect);
    if (this.#open.length < MOST_EFFECTS) return undefined;
    const effects = this.#open;
    this.#open = [];
    return { kind: 'effects', at, offset, effects };
  }
}
