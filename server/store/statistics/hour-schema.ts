/** The columns with the numbers of waits by length, as in `LENGTH_BOUNDS`. */
export const LENGTH_COLUMNS = ['under_10ms', 'under_100ms', 'under_1s', 'under_10s', 'under_100s', 'longer'] as const;

const WHERE = 'source TEXT NOT NULL, hour BIGINT NOT NULL';
const PLACE = 'server TEXT NOT NULL, db BIGINT NOT NULL, lock TEXT NOT NULL';
const SORTED = ' WITHOUT ROWID';
const WAITS = 'waits BIGINT NOT NULL, waited_us BIGINT NOT NULL, lost_us BIGINT NOT NULL';

/**
 * The tables of the statistics. `source` is a stream, as in the other tables; `server` is the source of the events.
 *
 *   lock_hours     holds, waits, and what others waited because of a hold of the lock
 *   client_hours   what a client waited, and others because of it
 *   hold_hours     what others waited because of one hold: the most expensive ones of each hour
 *   watched_hours  how long a server was watched, and how long at a level that shows which threads wait
 *
 * `WITHOUT ROWID` stores rows in the order of their primary key. So the `lock_hours` of a lock are next to each other,
 * and are added up without sorting. PostgreSQL does not know this clause: `tableText` removes it.
 */
export const HOUR_TABLES = [
  `CREATE TABLE IF NOT EXISTS lock_hours (${WHERE}, ${PLACE}, holds BIGINT NOT NULL, held_us BIGINT NOT NULL, ${WAITS},
    open_starts BIGINT NOT NULL, ${LENGTH_COLUMNS.map((name) => `${name} BIGINT NOT NULL`).join(', ')},
    PRIMARY KEY (source, server, db, lock, hour))${SORTED}`,
  `CREATE TABLE IF NOT EXISTS client_hours (${WHERE}, client TEXT NOT NULL, ${WAITS}, PRIMARY KEY (source, hour, client))${SORTED}`,
  `CREATE TABLE IF NOT EXISTS hold_hours (${WHERE}, ${PLACE}, holder TEXT NOT NULL, seq BIGINT NOT NULL,
    from_at BIGINT NOT NULL, to_at BIGINT, is_open_start BIGINT NOT NULL, lost_us BIGINT NOT NULL,
    PRIMARY KEY (source, hour, server, db, lock, holder, seq))${SORTED}`,
  `CREATE TABLE IF NOT EXISTS watched_hours (${WHERE}, server TEXT NOT NULL, watched_us BIGINT NOT NULL,
    waits_seen_us BIGINT NOT NULL, PRIMARY KEY (source, server, hour))${SORTED}`,
];
