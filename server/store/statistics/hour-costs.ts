import type { CostsBy } from '../../../shared/spans/rank-waits.ts';
import type { CostRows, CostsAsked, CostsBody } from '../../../shared/wire/costs.ts';
import type { Database, Row } from '../database.ts';
import { numberIn } from '../schema.ts';
import { HOUR_MICROS, hourOf } from './hour-rows.ts';
import { LENGTH_COLUMNS } from './hour-schema.ts';

type TimeRange = { readonly from: number; readonly to: number };
export type HourQuery = CostsAsked & { readonly source: string };
type HourCosts = Pick<CostsBody, 'rows' | 'more'> & TimeRange & { readonly against?: TimeRange };

const WAITS: readonly string[] = ['lost_us', 'waited_us', 'waits'];
const TABLES = {
  lock: {
    table: 'lock_hours',
    key: 'server, db, lock',
    sums: [...WAITS, 'holds', 'held_us', 'open_starts', ...LENGTH_COLUMNS],
    more: '',
  },
  client: { table: 'client_hours', key: 'client', sums: WAITS, more: '' },
  hold: {
    table: 'hold_hours',
    key: 'server, db, lock, holder, seq',
    sums: ['lost_us'],
    more: ', MIN(from_at) AS from_at, MAX(to_at) AS to_at, MAX(is_open_start) AS open_starts',
  },
} as const;

/** The costs of whole hours, the highest first; compared with another range, the largest change first. */
export async function readHourCosts(
  database: Database,
  { source, by, from, to, against, limit }: HourQuery,
): Promise<HourCosts> {
  const main = hoursOf({ from, to });
  const other = against ? hoursOf(against) : { from: 0, to: 0 };
  // if two ranges meet within an hour, that hour belongs to the later one
  if (against && against.to <= from) other.to = Math.max(other.from, Math.min(other.to, main.from));
  else if (against && to <= against.from) main.to = Math.max(main.from, Math.min(main.to, other.from));
  const begin = against ? Math.min(main.from, other.from) : main.from;
  const end = against ? Math.max(main.to, other.to) : main.to;
  const bounds = [main.from, main.to, other.from, other.to];
  const rows = await database.all(STATEMENTS[by], [...bounds, source, begin, end, limit]);
  const all = numberIn(rows[0], 'all_rows') ?? 0;
  const isAtLeast = by !== 'lock' && rows.length > 0 && (await hasOpenStarts(database, source, main));
  const found = rows.map((row) => rowOf(row, { by, isCompared: against !== undefined, isAtLeast }));
  const inMicros = (hours: TimeRange) => ({ from: hours.from * HOUR_MICROS, to: hours.to * HOUR_MICROS });
  return {
    ...inMicros(main),
    ...(against && { against: inMicros(other) }),
    rows: { [`${by}s`]: found } as CostRows, // `rowOf` makes rows of this kind
    more: all - rows.length,
  };
}

/** The hours that a range touches, at least one. `to`: the hour after the last hour. */
function hoursOf({ from, to }: TimeRange): { from: number; to: number } {
  return { from: hourOf(from), to: Math.max(hourOf(from) + 1, Math.ceil(to / HOUR_MICROS)) };
}

const STATEMENTS = { lock: statement('lock'), client: statement('client'), hold: statement('hold') };

function statement(by: CostsBy): string {
  const { table, key, sums, more } = TABLES[by];
  const compared = sums.filter((sum) => WAITS.includes(sum));
  const both = [
    ...sums.map((sum) => `SUM(is_one * ${sum}) AS ${sum}`),
    ...compared.map((sum) => `SUM(is_other * ${sum}) AS other_${sum}`),
  ].join(', ');
  const changes = (by === 'hold' ? ['lost_us'] : ['lost_us', 'waited_us']).map((sum) => `ABS(${sum} - other_${sum})`);
  const isAny = (by === 'hold' ? ['lost_us'] : ['lost_us', 'waited_us'])
    .flatMap((sum) => [sum, `other_${sum}`])
    .join(' + ');
  return `SELECT sums.*, COUNT(*) OVER () AS all_rows FROM (SELECT ${key}, ${both}${more} FROM
    (SELECT ${key}, ${sums.join(', ')}${by === 'hold' ? ', from_at, to_at, is_open_start' : ''}, CASE WHEN hour >= ? AND hour < ? THEN 1 ELSE 0 END AS is_one,
      CASE WHEN hour >= ? AND hour < ? THEN 1 ELSE 0 END AS is_other
      FROM ${table} WHERE source = ? AND hour >= ? AND hour < ?) AS hours
    WHERE is_one + is_other > 0 GROUP BY ${key}) AS sums
    WHERE ${isAny} > 0 ORDER BY ${changes.join(' DESC, ')} DESC, ${key} LIMIT ?`;
}

/**
 * Whether a hold or wait of any lock began before it was seen. It is not stored which clients and holds this concerns,
 * so the costs of all of them are at least what is stored.
 */
async function hasOpenStarts(database: Database, source: string, { from, to }: TimeRange): Promise<boolean> {
  const sql =
    'SELECT 1 AS found FROM lock_hours WHERE source = ? AND hour >= ? AND hour < ? AND open_starts > 0 LIMIT 1';
  return (await database.all(sql, [source, from, to])).length > 0;
}

type Asked = { readonly by: CostsBy; readonly isCompared: boolean; readonly isAtLeast: boolean };

function rowOf(row: Row, { by, isCompared, isAtLeast }: Asked): object {
  const number = (name: string) => numberIn(row, name) ?? 0;
  const figures = (of: '' | 'other_') => ({
    causedMs: number(`${of}lost_us`) / 1000,
    ...(by === 'hold' ? {} : { waits: number(`${of}waits`), waitedMs: number(`${of}waited_us`) / 1000 }),
  });
  const compared = isCompared
    ? { before: figures('other_'), changeMs: (number('lost_us') - number('other_lost_us')) / 1000 }
    : {};
  const costs = { ...figures(''), ...compared, isAtLeast: isAtLeast || number('open_starts') > 0 };
  if (by === 'client') return { client: String(row.client), ...costs };
  const place = { source: String(row.server), db: number('db'), lock: String(row.lock) };
  if (by === 'hold') {
    const hold = { holder: String(row.holder), seq: number('seq'), from: number('from_at') };
    return { ...place, ...hold, to: numberIn(row, 'to_at') ?? null, ...costs };
  }
  const held = { holds: number('holds'), heldMs: number('held_us') / 1000, lengths: LENGTH_COLUMNS.map(number) };
  return { ...place, ...costs, ...held };
}
