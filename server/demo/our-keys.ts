import { forgetOldest } from '../../shared/base/forget-oldest.ts';
import { problem } from '../../shared/wire/problems/problem.ts';
import type { CommandConnection } from '../redis/connection/command-connection.ts';
import { keysOf } from './client/kinds/all-kinds.ts';
import { keysFrom, type Marks, OWN, ownArguments } from './client/own-script.ts';
import type { Operation } from './client/protocol.ts';
import { expectName } from './demo-names.ts';
import { DemoProblem } from './demo-stage.ts';
import { locksOf, type ScenarioScript } from './scenario.ts';

/** An expiry time for counters of the demo is this far away at first. Counters expire even if the demo is killed. */
const LIFE_MS = 3_600_000;
/**
 * The random part of an expiry time. A counter is recognised as the demo's by its expiry time, so the key of another
 * client, with a TTL of one hour, should not expire at the same time.
 */
const SPREAD_MS = 600_000;
/** An expiry time is used for new counters until less than this is left. */
const LEFT_MS = 1_800_000;
const MOST_NAMES = 1000;
const MOST_UUIDS = 1000;

/**
 * The demo's keys on a Redis with other keys. The demo only uses names with its prefix, and deletes a key only if the
 * key carries one of its marks.
 */
export class OurKeys {
  readonly #connection: CommandConnection;
  readonly #prefix: string;
  readonly #keys = new Map<string, string[]>();
  readonly #uuids = new Set<string>();
  #ends: number[] = [];

  constructor(connection: CommandConnection, prefix: string) {
    this.#connection = connection;
    this.#prefix = prefix;
  }

  /** Notes the uuid of a demo client. */
  know(uuid: string): void {
    this.#uuids.add(uuid);
    forgetOldest(this.#uuids, MOST_UUIDS);
  }

  /** Checks the names of an operation and returns the marks and expiry for it. Throws `DemoProblem`. */
  admit({ action, lock, kind = 'lock', members }: Operation): Pick<Operation, 'endsAt' | 'own'> {
    if (action.startsWith('local')) return {};
    const names = members ? members.map((member) => member.lock) : [lock];
    for (const name of [lock, ...names]) expectName(this.#prefix, name);
    for (const name of names) this.#note(name, keysOf(kind, name));
    return { endsAt: this.#end(), own: this.#marks() };
  }

  /** Rejects with `DemoProblem` if a scenario would use another client's key. */
  async expectOurs(script: ScenarioScript): Promise<void> {
    const [foreign] = await this.#run('look', keysOfScript(script));
    if (foreign === undefined) return;
    throw new DemoProblem(409, problem('key-in-use', { key: foreign }), 'id');
  }

  /**
   * Deletes the demo's keys of a scenario, except a counter of tokens. Returns the keys that belong to other clients.
   */
  deleteKeysOf(script: ScenarioScript): Promise<string[]> {
    const { kind = 'lock' } = script;
    // the counter of a fenced lock stays until it expires: its tokens must only rise
    const deleted = kind === 'fenced-lock' ? 'lock' : kind;
    return this.#run(
      'delete',
      locksOf(script).flatMap((lock) => keysOf(deleted, lock)),
    );
  }

  /** Deletes the demo's keys of all names it has used. Returns the keys that belong to other clients. */
  async deleteAll(): Promise<string[]> {
    const left = await Promise.all([...this.#keys.values()].map((keys) => this.#run('delete', keys)));
    return left.flat();
  }

  #note(name: string, keys: readonly string[]): void {
    const known = this.#keys.get(name);
    if (!known && this.#keys.size >= MOST_NAMES) {
      throw new DemoProblem(409, problem('too-many-names', { most: MOST_NAMES }), 'lock');
    }
    this.#keys.set(name, [...new Set([...(known ?? []), ...keys])]);
  }

  #end(): number {
    const newest = this.#ends.at(-1) ?? 0;
    if (newest > Date.now() + LEFT_MS) return newest;
    const end = Date.now() + LIFE_MS + Math.floor(Math.random() * SPREAD_MS);
    this.#ends = [...this.#ends, end].slice(-4);
    return end;
  }

  #marks(): Marks {
    return { uuids: [...this.#uuids], ends: this.#ends };
  }

  async #run(does: 'look' | 'delete', keys: readonly string[]): Promise<string[]> {
    const args = ownArguments(does, this.#marks());
    return keysFrom(await this.#connection.call('EVAL', OWN.text, keys.length, ...keys, ...args));
  }
}

function keysOfScript(script: ScenarioScript): string[] {
  return locksOf(script).flatMap((lock) => keysOf(script.kind ?? 'lock', lock));
}
