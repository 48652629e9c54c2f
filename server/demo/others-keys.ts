import type { CommandConnection } from '../redis/command-connection.ts';
import { keysOf } from './client/kinds/all-kinds.ts';
import { DemoProblem } from './demo-stage.ts';
import { locksOf, type ScenarioScript } from './scenario.ts';

/**
 * Keys of scenarios on a Redis that is somebody's own: what stood there before the demo began is not ours to free, and
 * what a play leaves there is ours to delete.
 */
export class OthersKeys {
  readonly #connection: CommandConnection;
  readonly #others = new Set<string>();
  readonly #ours = new Set<string>();

  private constructor(connection: CommandConnection) {
    this.#connection = connection;
  }

  /** Looks which keys of these scenarios are there already. */
  static async lookFor(scripts: readonly ScenarioScript[], connection: CommandConnection): Promise<OthersKeys> {
    const found = new OthersKeys(connection);
    for (const key of new Set(scripts.flatMap(keysOfScript))) {
      if ((await connection.call('EXISTS', key)) === 1) found.#others.add(key);
    }
    return found;
  }

  /** Throws `DemoProblem` where a scenario would use a key that is not ours. */
  expectNoneIn(script: ScenarioScript): void {
    const keys = keysOfScript(script);
    const taken = keys.find((key) => this.#others.has(key));
    if (taken === undefined) for (const key of keys) this.#ours.add(key);
    else
      throw new DemoProblem(
        409,
        'key-in-use',
        `The scenario would use the key ${taken}, which this Redis had before the demo began.`,
        'Nothing was changed. Start the demo without --redis, or on an empty database: --redis redis://HOST:PORT/5.',
        'id',
      );
  }

  /** Deletes what plays left. */
  async deleteOurs(): Promise<void> {
    if (this.#ours.size > 0) await this.#connection.call('DEL', ...this.#ours);
  }
}

function keysOfScript(script: ScenarioScript): string[] {
  return locksOf(script).flatMap((lock) => keysOf(script.kind ?? 'lock', lock));
}
