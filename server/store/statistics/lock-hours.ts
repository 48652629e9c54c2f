import { groupedBy } from '../../../shared/base/grouped-by.ts';
import type { LockHours, LockHoursAsked } from '../../../shared/wire/lock-hours.ts';
import type { Database, Row } from '../database.ts';
import { numberIn } from '../schema.ts';
import { HOUR_MICROS, hourOf } from './hour-rows.ts';

/** `source` is the stream; the source of a lock is `server`. */
export type LockHoursQuery = Omit<LockHoursAsked, 'source'> & {
  readonly source: string;
  readonly server: string | undefined;
};

/** The most hours that are read: the last 92 days of the range. */
const MOST_HOURS = 92 * 24;

/**
 * The stored hours of the locks with one name, and how long servers were watched in each hour of the range. Absent
 * `server` or `db`: on all of them.
 */
export async function readLockHours(
  database: Database,
  { source, server, db, lock, from, to }: LockHoursQuery,
): Promise<Omit<LockHours, 'since'>> {
  const end = Math.max(hourOf(from) + 1, Math.ceil(to / HOUR_MICROS));
  const begin = Math.max(hourOf(from), end - MOST_HOURS);
  const ofServer = server === undefined ? '' : ' AND server = ?';
  const ofDb = db === undefined ? '' : ' AND db = ?';
  const where = [source, begin, end, ...(server === undefined ? [] : [server])];
  const watched = await database.all(
    `SELECT server, hour, watched_us, waits_seen_us FROM watched_hours
      WHERE source = ? AND hour >= ? AND hour < ?${ofServer} ORDER BY server, hour`,
    where,
  );
  const locks = await database.all(
    `SELECT server, db, hour, holds, held_us, waits, waited_us, lost_us, open_starts FROM lock_hours
      WHERE source = ? AND hour >= ? AND hour < ?${ofServer}${ofDb} AND lock = ? ORDER BY server, db, hour`,
    [...where, ...(db === undefined ? [] : [db]), lock],
  );
  return {
    from: begin * HOUR_MICROS,
    to: end * HOUR_MICROS,
    watched: [...groupedBy(watched, ({ server: id }) => String(id))].map(([id, hours]) => ({
      source: id,
      hours: hours.map(watchedHourOf),
    })),
    locks: [...groupedBy(locks, (row) => `${row.db} ${row.server}`).values()].map((hours) => ({
      source: String(hours[0]?.server),
      db: numberIn(hours[0], 'db') ?? 0,
      hours: hours.map(lockHourOf),
    })),
  };
}

function watchedHourOf(row: Row): LockHours['watched'][number]['hours'][number] {
  return { at: hourAt(row), watchedMs: millis(row, 'watched_us'), waitsSeenMs: millis(row, 'waits_seen_us') };
}

function lockHourOf(row: Row): LockHours['locks'][number]['hours'][number] {
  return {
    at: hourAt(row),
    holds: numberIn(row, 'holds') ?? 0,
    heldMs: millis(row, 'held_us'),
    waits: numberIn(row, 'waits') ?? 0,
    waitedMs: millis(row, 'waited_us'),
    causedMs: millis(row, 'lost_us'),
    isAtLeast: (numberIn(row, 'open_starts') ?? 0) > 0,
  };
}

function hourAt(row: Row): number {
  return (numberIn(row, 'hour') ?? 0) * HOUR_MICROS;
}

function millis(row: Row, column: string): number {
  return (numberIn(row, column) ?? 0) / 1000;
}
