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
  /** By source: how many holds of an hour were added since cheap ones were dropped. */
  readonly #holds = new Map<string, { readonly hour: number; readonly count: number }>();

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

  /** Adds the sums of some sources to those that are stored, each hour of a source once. */
  async add(sums: readonly (readonly [source: string, rows: readonly HourRows[]])[]): Promise<void> {
    const all = sums.flatMap(([source, rows]) => rows.map((row) => ({ source, ...row })));
    const valuesOf = <Row>(of: (rows: HourRows) => readonly Row[], values: (source: string, row: Row) => Value[]) =>
      all.flatMap((rows) => of(rows).map((row) => values(rows.source, row)));
    await this.#database.insert(
      LOCK,
      valuesOf(({ locks }) => locks, lockValues),
    );
    await this.#database.insert(
      CLIENT,
      valuesOf(({ clients }) => clients, clientValues),
    );
    await this.#database.insert(
      HOLD,
      valuesOf(({ holds }) => holds, holdValues),
    );
    await this.#database.insert(
      WATCHED,
      valuesOf(({ watched }) => watched, watchedValues),
    );
    for (const { source, holds } of all) {
      const [hold] = holds;
      if (hold) await this.#dropCheapHolds(source, hold.hour, holds.length);
    }
  }

  async dropBefore(hour: number): Promise<void> {
    for (const table of ['lock_hours', 'client_hours', 'hold_hours', 'watched_hours']) {
      await this.#database.all(`DELETE FROM ${table} WHERE hour < ?`, [hour]);
    }
  }

  /**
   * Keeps the `MOST_HOLDS` most expensive holds of an hour, and others that cost as much as the cheapest of these. Does
   * so each time when as many were added: until then there are more.
   */
  async #dropCheapHolds(source: string, hour: number, added: number): Promise<void> {
    const before = this.#holds.get(source);
    const count = (before?.hour === hour ? before.count : 0) + added;
    this.#holds.set(source, { hour, count: count < MOST_HOLDS ? count : 0 });
    if (count < MOST_HOLDS) return;
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
