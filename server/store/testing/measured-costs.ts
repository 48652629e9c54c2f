import { performance } from 'node:perf_hooks';
import type { Database } from '../database.ts';
import { prepareTables } from '../schema.ts';
import { HOUR_MICROS, type LockHour } from '../statistics/hour-rows.ts';
import { HourTables } from '../statistics/hour-tables.ts';
import { StoreCore } from '../store-core.ts';

const DAYS = 30;
const LOCKS_AN_HOUR = 417;
const LOCKS = 5000;
const BEGAN = 480_000;

/**
 * Stores the costs of 30 days, ranks them, and compares one half with the other. Prints how long ranking and comparing
 * take, and returns how many rows each answer has.
 */
export async function measureCosts(database: Database) {
  await prepareTables(database);
  const tables = new HourTables(database);
  for (let hour = 0; hour < DAYS * 24; hour++) {
    const locks = Array.from({ length: LOCKS_AN_HOUR }, (_, n): LockHour => {
      const lock = `orders:{${(hour * 7919 + n * 104_729) % LOCKS}}:lock`;
      const figures = {
        holds: 100,
        held: 9_000_000,
        waits: 50,
        waited: n * 1000,
        lost: n * 1000 + hour,
        openStarts: 0,
      };
      return { server: 'redis', db: 0, lock, hour: BEGAN + hour, ...figures, lengths: [10, 20, 10, 5, 5, 0] };
    });
    await database.transaction(() => tables.add([['a', [{ locks, clients: [], holds: [], watched: [] }]]]));
  }
  const core = new StoreCore(database, { retainMs: 1e12, mostBytes: 1e12 });
  const at = (hour: number) => (BEGAN + hour) * HOUR_MICROS;
  const took = async (against: boolean) => {
    const half = (DAYS * 24) / 2;
    const query = { source: 'a', by: 'lock', limit: 20, from: at(against ? half : 0), to: at(2 * half) } as const;
    const start = performance.now();
    const { rows } = await core.costs({ ...query, ...(against && { against: { from: at(0), to: at(half) } }) });
    return { ms: performance.now() - start, rows: rows.locks?.length };
  };
  const [ranked, compared] = [await took(false), await took(true)];
  const { bytes } = await core.facts();
  await core.close();
  const perHour = bytes / (DAYS * 24 * LOCKS_AN_HOUR);
  console.log(
    `30 days: ranked in ${ranked.ms.toFixed(0)} ms, compared in ${compared.ms.toFixed(0)} ms; ${perHour.toFixed(0)} bytes a row`,
  );
  return { ranked: ranked.rows, compared: compared.rows };
}
