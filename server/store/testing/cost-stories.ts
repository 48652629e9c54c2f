import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Database } from '../database.ts';
import { prepareTables } from '../schema.ts';
import { HOUR_MICROS, type LockHour } from '../statistics/hour-rows.ts';
import { HourTables } from '../statistics/hour-tables.ts';
import { StoreCore } from '../store-core.ts';
import type { TestPlace } from './test-place.ts';

const BEGAN = 480_000;
let database: Database;
let core: StoreCore;

const at = (hour: number) => (BEGAN + hour) * HOUR_MICROS;

/** A lock that cost this many seconds in an hour. */
function lock(name: string, hour: number, seconds: number, more: Partial<LockHour> = {}): LockHour {
  const figures = { holds: 2, held: 3_000_000, waits: 1, waited: 0, lost: seconds * 1_000_000, openStarts: 0 };
  const lengths = [0, 0, 0, 1, 0, 0];
  return { server: 'redis', db: 0, lock: name, hour: BEGAN + hour, ...figures, lengths, ...more };
}

async function add(...locks: LockHour[]): Promise<void> {
  await new HourTables(database).add([['a', [{ locks, clients: [], holds: [], watched: [] }]]]);
}

const query = { source: 'a', by: 'lock', limit: 10 } as const;

/** How costs of hours are ranked and compared, whatever the engine is. */
export function costStories(place: TestPlace): void {
  let path = '';
  beforeEach(async () => {
    path = await place.open();
    database = await place.database(path);
    await prepareTables(database);
    core = new StoreCore(database, { retainMs: 1e12, mostBytes: 1e12 });
  });
  afterEach(async () => {
    await core.close();
    await place.drop(path);
  });

  test('the hours of a range are added up, the most expensive lock first', async () => {
    await add(lock('x', 0, 1), lock('x', 1, 2, { openStarts: 1 }), lock('y', 1, 4), lock('x', 2, 500));
    const { rows, from, to, more } = await core.costs({ ...query, from: at(0), to: at(2) });
    expect([from, to, more]).toEqual([at(0), at(2), 0]);
    const figures = { waits: 1, waitedMs: 0, holds: 2, heldMs: 3000, lengths: [0, 0, 0, 1, 0, 0] };
    const twice = { waits: 2, waitedMs: 0, holds: 4, heldMs: 6000, lengths: [0, 0, 0, 2, 0, 0] };
    expect(rows.locks).toEqual([
      { source: 'redis', db: 0, lock: 'y', causedMs: 4000, isAtLeast: false, ...figures },
      { source: 'redis', db: 0, lock: 'x', causedMs: 3000, isAtLeast: true, ...twice },
    ]);
  });

  test('a range includes the whole hours that it touches, and `more` counts the rows that a limit left out', async () => {
    await add(lock('x', 0, 1), lock('y', 1, 2), lock('z', 2, 3));
    const { rows, from, to, more } = await core.costs({ ...query, from: at(0.5), to: at(1.1), limit: 1 });
    expect([from, to, more]).toEqual([at(0), at(2), 1]);
    expect(rows.locks?.map((each) => each.lock)).toEqual(['y']);
  });

  test('two ranges are compared, the largest change first, even that of a lock that is only in one', async () => {
    await add(lock('x', 0, 10), lock('y', 0, 1), lock('z', 0, 3), lock('x', 1, 11), lock('y', 1, 9), lock('w', 1, 2));
    const { rows, against } = await core.costs({
      ...query,
      from: at(1),
      to: at(2),
      against: { from: at(0), to: at(1) },
    });
    expect(against).toMatchObject({ from: at(0), to: at(1) });
    expect(rows.locks?.map((each) => [each.lock, each.before?.causedMs, each.causedMs, each.changeMs])).toEqual([
      ['y', 1000, 9000, 8000],
      ['z', 3000, 0, -3000],
      ['w', 0, 2000, 2000],
      ['x', 10_000, 11_000, 1000],
    ]);
  });

  test('the hour in which two ranges meet belongs to the later one only', async () => {
    await add(lock('x', 0, 1), lock('x', 1, 10), lock('x', 2, 100));
    const early = { from: at(0.5), to: at(1.5) };
    const late = { from: at(1.5), to: at(2.5) };
    const [found] = (await core.costs({ ...query, ...late, against: early })).rows.locks ?? [];
    expect([found?.before?.causedMs, found?.causedMs]).toEqual([1000, 110_000]);
    const [other] = (await core.costs({ ...query, ...early, against: late })).rows.locks ?? [];
    expect([other?.before?.causedMs, other?.causedMs]).toEqual([110_000, 1000]);
  });

  test('clients and holds are ranked over their hours, and the cheapest holds of an hour are dropped', async () => {
    const holds = Array.from({ length: 250 }, (_, seq) => {
      const hold = { server: 'redis', db: 0, lock: 'x', hour: BEGAN, holder: 'a:1', seq, from: 5, to: null };
      return { ...hold, isOpenStart: false, lost: seq * 1000 };
    });
    const clients = [{ client: 'a', hour: BEGAN, waits: 0, waited: 0, lost: 9000 }];
    const tables = new HourTables(database);
    await tables.add([['a', [{ locks: [], clients, holds, watched: [] }]]]);
    await tables.add([
      ['a', [{ locks: [], clients, holds: [{ ...holds[100]!, to: 90, lost: 500_000 }], watched: [] }]],
    ]);
    const range = { from: at(0), to: at(1) };
    const found = (await core.costs({ ...query, ...range, by: 'client' })).rows.clients;
    expect(found).toEqual([{ client: 'a', causedMs: 18, waits: 0, waitedMs: 0, isAtLeast: false }]);
    const { rows, more } = await core.costs({ ...query, ...range, by: 'hold' });
    expect(rows.holds?.slice(0, 2)).toMatchObject([
      { seq: 100, causedMs: 600, from: 5, to: 90 },
      { seq: 249, causedMs: 249, to: null },
    ]);
    expect(more).toBe(190);
  });

  test('after an unseen beginning at any lock of the range, the costs of clients and holds are a lower bound', async () => {
    const clients = [0, 1].map((hour) => ({ client: 'a', hour: BEGAN + hour, waits: 1, waited: 0, lost: 9000 }));
    const holds = [0, 1].map((hour) => {
      const hold = {
        server: 'redis',
        db: 0,
        lock: 'x',
        hour: BEGAN + hour,
        holder: 'a:1',
        seq: hour,
        from: 5,
        to: null,
      };
      return { ...hold, isOpenStart: false, lost: 9000 };
    });
    const locks = [lock('x', 0, 1), lock('y', 0, 1, { openStarts: 1 }), lock('y', 1, 1)];
    await new HourTables(database).add([['a', [{ locks, clients, holds, watched: [] }]]]);
    const other = [lock('y', 1, 1, { openStarts: 1 })];
    await new HourTables(database).add([['b', [{ locks: other, clients: [], holds: [], watched: [] }]]]);
    const areAtLeast = async (hour: number) => {
      const range = { from: at(hour), to: at(hour + 1) };
      const byClient = await core.costs({ ...query, ...range, by: 'client' });
      const byHold = await core.costs({ ...query, ...range, by: 'hold' });
      return [...(byClient.rows.clients ?? []), ...(byHold.rows.holds ?? [])].map(({ isAtLeast }) => isAtLeast);
    };
    expect(await areAtLeast(0)).toEqual([true, true]);
    expect(await areAtLeast(1)).toEqual([false, false]);
  });

  test('the hours of a lock are read one by one, with the time for which its server was watched in each', async () => {
    const watched = [0, 1, 3].map((hour) => {
      return { server: 'redis', hour: BEGAN + hour, watched: 3_600_000_000, waitsSeen: hour === 3 ? 0 : 600_000_000 };
    });
    const locks = [lock('x', 1, 4, { openStarts: 1 }), lock('x', 1, 9, { db: 5 }), lock('y', 1, 7)];
    await new HourTables(database).add([['a', [{ locks, clients: [], holds: [], watched }]]]);
    await new HourTables(database).add([['b', [{ locks, clients: [], holds: [], watched }]]]);
    const asked = { source: 'a', server: 'redis', db: 0, lock: 'x', from: at(0.5), to: at(3.5) };
    const hour = (of: number, waitsSeenMs: number) => ({ at: at(of), watchedMs: 3_600_000, waitsSeenMs });
    const figures = { holds: 2, heldMs: 3000, waits: 1, waitedMs: 0, isAtLeast: false };
    const found = await core.lockHours(asked);
    expect(found).toMatchObject({
      ...{ from: at(0), to: at(4) },
      watched: [{ source: 'redis', hours: [hour(0, 600_000), hour(1, 600_000), hour(3, 0)] }],
      locks: [{ source: 'redis', db: 0, hours: [{ ...figures, at: at(1), causedMs: 4000, isAtLeast: true }] }],
    });
    const everywhere = await core.lockHours({ ...asked, server: undefined, db: undefined });
    expect(everywhere.locks.map(({ db, hours }) => [db, hours.map(({ causedMs }) => causedMs)])).toEqual([
      [0, [4000]],
      [5, [9000]],
    ]);
    const long = await core.lockHours({ ...asked, from: 0 });
    expect(long.to - long.from).toBe(92 * 24 * HOUR_MICROS);
  });

  test('costs of a range that begins before statistics, or has a gap, are a lower bound', async () => {
    const block = { source: 'a', firstSeq: 1, lastSeq: 1, nextEvent: 2, text: '{"gone":[]}\n' };
    const run = (number: number, hour: number) => ({
      runs: [{ source: 'a', run: number, beganAt: at(hour), gap: 'not-running' } as const],
      blocks: [{ ...block, run: number, fromAt: at(hour), toAt: at(hour + 0.5) }],
      checkpoints: [],
    });
    await core.write(run(1, 1));
    await core.write(run(2, 5));
    const asked = (from: number, to: number) => core.costs({ ...query, from: at(from), to: at(to) });
    expect(await asked(1, 4)).toMatchObject({ since: at(1), isAtLeast: false });
    const all = [await asked(0, 4), await asked(2, 6), await asked(6, 8)];
    expect(all.map(({ isAtLeast }) => isAtLeast)).toEqual([true, true, false]);
    const { against } = await core.costs({ ...query, from: at(6), to: at(8), against: { from: at(0), to: at(2) } });
    expect(against?.isAtLeast).toBe(true);
  });
}
