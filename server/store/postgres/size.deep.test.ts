import { performance } from 'node:perf_hooks';
import { gzipSync } from 'node:zlib';
import { beforeEach, expect, test } from 'vitest';
import { openCore } from '../open-core.ts';
import { measureCosts } from '../testing/measured-costs.ts';
import { usePostgres } from '../testing/postgres-place.ts';
import { measureThirtyDays } from '../testing/thirty-days.ts';

const postgres = usePostgres();
let url = '';
beforeEach(async () => {
  url = await postgres.open();
});

/** What all tables of a schema take on disk, with their indexes. */
async function bytesOnDisk(): Promise<number> {
  const schema = url.slice(url.lastIndexOf('%3D') + 3);
  const [row] = await postgres
    .server()
    .sql(`SELECT SUM(pg_total_relation_size(quote_ident(schemaname) || '.' || tablename)) AS bytes
    FROM pg_tables WHERE schemaname = '${schema}'`);
  return Number(row?.bytes);
}

test('ten instants of 30 days open, and an event takes less than 100 bytes', async () => {
  const { bytesAnEvent, opened } = await measureThirtyDays(url, bytesOnDisk);
  expect(bytesAnEvent).toBeLessThan(100);
  expect(opened).toBe(10);
}, 600_000);

test('costs of 30 days with 10,000 lock-hours a day are ranked, and compared', async () => {
  expect(await measureCosts(await postgres.database(url))).toEqual({ ranked: 20, compared: 20 });
}, 600_000);

const BLOCK_BYTES = 20_000;
const BLOCKS = 3000;
const DAY_MICROS = 86_400_000_000;

/** Bytes that cannot be compressed, as those of a block. */
function noise(nth: number): Buffer {
  const lines = Array.from({ length: BLOCK_BYTES / 2 }, (_, i) => ((i * 7919 + nth * 104_729) % 65_537).toString(36));
  return gzipSync(`{"gone":["${lines.join('')}"]}\n`).subarray(0);
}

test('the counted size is within 5 % of that on disk, and the space of a dropped day is used again', async () => {
  const retention = { retainMs: 3 * 86_400_000, mostBytes: 1e12 };
  const core = await openCore(url, retention);
  if (!core.ok) throw new Error(core.error);
  await core.value.write({
    ...{ runs: [{ source: 'a', run: 1, beganAt: 1, gap: 'not-running' }], blocks: [], checkpoints: [] },
  });
  const took: number[] = [];
  const begin = performance.now();
  let bytes = 0;
  const add = async (nth: number, day: number) => {
    const packed = noise(nth);
    bytes += packed.byteLength;
    const at = day * DAY_MICROS + nth;
    const seqs = { firstSeq: nth * 1000 + 1, lastSeq: nth * 1000 + 1000, nextEvent: nth * 1000 + 1001 };
    const block = { source: 'a', run: 1, ...seqs, fromAt: at, toAt: at, bytes: packed };
    const start = performance.now();
    await core.value.write({ runs: [], blocks: [], checkpoints: [], packed: { blocks: [block], checkpoints: [] } });
    took.push(performance.now() - start);
  };
  for (let nth = 0; nth < BLOCKS; nth++) await add(nth, 100 + Math.floor((nth * 3) / BLOCKS));
  const seconds = (performance.now() - begin) / 1000;
  const written = bytes;
  const sorted = [...took].sort((a, b) => a - b);
  const again = await openCore(url, { ...retention, isReader: true });
  if (!again.ok) throw new Error(again.error);
  const [counted, onDisk] = [(await again.value.facts()).bytes, await bytesOnDisk()];
  await again.value.close();
  expect(Math.abs(counted / onDisk - 1)).toBeLessThan(0.05);

  const dropping = performance.now();
  await add(BLOCKS, 104); // the first day is too old now
  const dropMs = performance.now() - dropping;
  expect((await core.value.facts()).reach[0]?.from).toBeGreaterThanOrEqual(101 * DAY_MICROS);
  await postgres.server().sql(`VACUUM ${url.slice(url.lastIndexOf('%3D') + 3)}.blocks`); // what autovacuum does within minutes
  for (let nth = 1; nth < BLOCKS / 3; nth++) await add(BLOCKS + nth, 104);
  const later = await bytesOnDisk();
  await core.value.close();
  console.log(
    `${(written / BLOCKS / 1000).toFixed(0)} KB a block: ${((BLOCKS * 1000) / seconds).toFixed(0)} events/s written (with making them), a block in ` +
      `${sorted[BLOCKS / 2]?.toFixed(1)} ms, at most ${sorted.at(-1)?.toFixed(0)} ms; ${(onDisk / written).toFixed(3)} bytes on disk for each, counted ` +
      `${(counted / onDisk).toFixed(3)} of them; ${BLOCKS / 3} blocks dropped in ${dropMs.toFixed(0)} ms; then ${(later / onDisk).toFixed(3)} of the size`,
  );
  expect(later / onDisk).toBeLessThan(1.1);
}, 600_000);
