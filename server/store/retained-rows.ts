import type { Database } from './database.ts';
import { numberIn } from './schema.ts';

/** Statements that drop rows that are too old, or beyond the size limit. */
export class RetainedRows {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** The days with blocks, oldest first. */
  async days(): Promise<number[]> {
    const rows = await this.#database.all('SELECT DISTINCT day FROM blocks ORDER BY day');
    return rows.map((row) => Number(row.day));
  }

  /** Drops the blocks and checkpoints of all earlier days. */
  async dropBefore(day: number): Promise<void> {
    for (const table of ['blocks', 'checkpoints']) {
      await this.#database.all(`DELETE FROM ${table} WHERE day < ?`, [day]);
    }
    await this.#dropEmptyRuns();
  }

  /** Drops the blocks that end before a time, and the checkpoints before it. */
  async dropUntil(at: number): Promise<void> {
    await this.#database.all('DELETE FROM blocks WHERE to_at < ?', [at]);
    await this.#database.all('DELETE FROM checkpoints WHERE at < ?', [at]);
    await this.#dropEmptyRuns();
  }

  /** The time at which about this part of all blocks, from 0 to 1, has ended; `undefined` if there are no blocks. */
  async timeOfPart(part: number): Promise<number | undefined> {
    const [all] = await this.#database.all('SELECT COUNT(*) AS blocks FROM blocks');
    const offset = Math.floor((numberIn(all, 'blocks') ?? 0) * part);
    const [row] = await this.#database.all('SELECT to_at FROM blocks ORDER BY to_at LIMIT 1 OFFSET ?', [offset]);
    return numberIn(row, 'to_at');
  }

  /** Drops runs without blocks, except the newest run of each source: the next run follows it. */
  async #dropEmptyRuns(): Promise<void> {
    await this.#database.all(`DELETE FROM runs WHERE NOT EXISTS
      (SELECT 1 FROM blocks WHERE blocks.source = runs.source AND blocks.run = runs.run)
      AND run < (SELECT MAX(newest.run) FROM runs AS newest WHERE newest.source = runs.source)`);
  }
}
