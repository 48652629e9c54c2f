import type { Database, Value } from '../database.ts';
import { numberIn } from '../schema.ts';
import { MOST_HOLDS } from './hour-meter.ts';
import type { ClientHour, HoldHour, HourRows, LockHour, WatchedHour } from './hour-rows.ts';
import { LENGTH_COLUMNS } from './hour-schema.ts';

const WAITS = ['waits', 'waited_us', 'lost_us'];
const LOCK = upsert(
  'lock_hours',
  ['source', 'server', 'db', 'lock', 'hour'],
  ['holds', 'held_us', ...WAITS, 'open_starts', ...LENGTH_COLUMNS],
);
const CLIENT = upsert('client_hours', ['source', 'hour', 'client'], WAITS);
const HOLD = upsert(
  'hold_hours',
  ['source', 'hour', 'server', 'db', 'lock', 'holder', 'seq'],
  ['lost_us'],
  ['from_at', 'to_at', 'is_open_start'],
);

const WATCHED = upsert('watched_hours', ['source', 'server', 'hour'], ['watched_us', 'waits_seen_us']);

/** Writes statistics. The text of each statement is the same for SQLite and PostgreSQL. */
export class HourTables {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  /** Notes that the hours of a source are counted from `at` on, unless an earlier note has an instant. */
  async begin(source: string, at: number): Promise<void> {
    const sql = 'INSERT INTO lockscope_store (name, value) VALUES (?, ?) ON CONFLICT (name) DO NOTHING';
    for (const what of ['hours', 'watched'] as const) {
      await this.#database.all(sql, [`${what} ${source}`, String(at)]);
    }
  }

  /** Since when the hours of a source are counted, or the time in which it was watched. */
  async since(what: 'hours' | 'watched', source: string): Promise<number | undefined> {
    const [row] = await this.#database.all('SELECT value FROM lockscope_store WHERE name = ?', [`${what} ${source}`]);
    return numberIn(row, 'value');
  }

  /** Adds sums to those that are stored. */
  async add(source: string, rows: readonly HourRows[]): Promise<void> {
    for (const { locks, clients, holds, watched } of rows) {
      await this.#database.insert(
        LOCK,
        locks.map((each) => lockValues(source, each)),
      );
      await this.#database.insert(
        CLIENT,
        clients.map((each) => clientValues(source, each)),
      );
      await this.#database.insert(
        HOLD,
        holds.map((each) => holdValues(source, each)),
      );
      await this.#database.insert(
        WATCHED,
        watched.map((each) => watchedValues(source, each)),
      );
      const [hold] = holds;
      if (hold) await this.#dropCheapHolds(source, hold.hour);
    }
  }

  async dropBefore(hour: number): Promise<void> {
    for (const table of ['lock_hours', 'client_hours', 'hold_hours', 'watched_hours']) {
      await this.#database.all(`DELETE FROM ${table} WHERE hour < ?`, [hour]);
    }
  }

  /** Keeps the `MOST_HOLDS` most expensive holds of an hour, and others that cost as much as the cheapest of these. */
  async #dropCheapHolds(source: string, hour: number): Promise<void> {
    const sql = `DELETE FROM hold_hours WHERE source = ? AND hour = ? AND lost_us < (SELECT lost_us FROM hold_hours
      WHERE source = ? AND hour = ? ORDER BY lost_us DESC LIMIT 1 OFFSET ${MOST_HOLDS - 1})`;
    await this.#database.all(sql, [source, hour, source, hour]);
  }
}

/** A statement that adds to the sums of a row, or makes the row. `latest`: columns whose values are replaced. */
function upsert(table: string, key: string[], sums: string[], latest: string[] = []): string {
  const columns = [...key, ...sums, ...latest];
  const changes = [
    ...sums.map((name) => `${name} = ${table}.${name} + excluded.${name}`),
    ...latest.map((name) => `${name} = excluded.${name}`),
  ];
  return `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})
    ON CONFLICT (${key.join(', ')}) DO UPDATE SET ${changes.join(', ')}`;
}

function lockValues(source: string, row: LockHour): Value[] {
  const { hour, server, db, lock, holds, held, waits, waited, lost, openStarts, lengths } = row;
  return [source, server, db, lock, hour, holds, held, waits, waited, lost, openStarts, ...lengths];
}

function clientValues(source: string, { hour, client, waits, waited, lost }: ClientHour): Value[] {
  return [source, hour, client, waits, waited, lost];
}

function holdValues(source: string, { hour, server, db, lock, holder, seq, lost, ...hold }: HoldHour): Value[] {
  const { from, to, isOpenStart } = hold;
  return [source, hour, server, db, lock, holder, seq, lost, from, to, isOpenStart ? 1 : 0];
}

function watchedValues(source: string, { server, hour, watched, waitsSeen }: WatchedHour): Value[] {
  return [source, server, hour, watched, waitsSeen];
}
