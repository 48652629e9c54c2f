import { expect, test, vi } from 'vitest';
import { fleetBody } from '../../shared/wire/fleet/fleet.ts';
import { healthBody } from '../../shared/wire/http.ts';
import { LOCK } from '../demo/client/scripts.ts';
import { json, LONG, useFleetBed } from './testing/fleet-bed.ts';

const WARM = 'lock:warm';
const [HOLDER, OTHER] = ['0123abcd-0000-4000-8000-000000000001:1', '0123abcd-0000-4000-8000-000000000002:1'];

const bed = useFleetBed();

/** What a page shows of each lock, without what depends on when its watching began. */
async function locksOf(base: string): Promise<unknown> {
  const body = (await json(`${base}/api/locks?limit=1000`)) as { locks: Record<string, unknown>[] };
  return body.locks
    .filter(({ name }) => name !== WARM)
    .map(({ name, kind, held, holders, waiters, lease }) => ({
      name,
      kind,
      held,
      holders,
      waiters,
      lease,
    }));
}

/** How often a refused attempt on the first lock was seen: only MONITOR shows one. */
async function refusedOf(base: string): Promise<number> {
  const body = (await json(`${base}/api/events?lock=${WARM}&type=lock.refused`)) as { events: unknown[] };
  return body.events.length;
}

/**
 * One client acquires the lock, and another one is refused: unlike a SET NX, its script shows that at level `monitor`.
 */
async function contend(lock: string): Promise<void> {
  for (const holder of [HOLDER, OTHER]) await bed.app.call('EVAL', LOCK.text, 1, lock, 600_000, holder);
}

async function lockSome(from: number, to: number): Promise<void> {
  for (let n = from; n < to; n++) {
    await contend(`lock:${n}`);
    if (n % 3 === 0) await bed.app.call('DEL', `lock:${n}`);
  }
}

test('a viewer shows the same locks as an observer with a page, and their changes', async () => {
  const direct = bed.start([bed.watchedUrl, '--observe', 'monitor', '--port', '0', '--no-open']);
  bed.observer();
  const view = bed.viewer();
  const [page, seen] = await Promise.all([direct.ready(), view.ready()]);
  await vi.waitFor(async () => {
    const { sources } = fleetBody.parse(await json(`${seen}/api/fleet`));
    expect(sources.map(({ name, isWatched }) => `${name} ${isWatched}`)).toEqual(['one true']);
  }, LONG);
  // MONITOR begins a moment after a source is watched: until then, a lock that is released at once is not seen
  await vi.waitFor(async () => {
    await contend(WARM);
    await bed.app.call('DEL', WARM);
    for (const base of [page, `${seen}/sources/one`]) expect(await refusedOf(base)).toBeGreaterThan(0);
  }, LONG);
  const isSame = () =>
    vi.waitFor(async () => {
      const mine = await locksOf(page);
      expect(mine).not.toEqual([]);
      expect(await locksOf(`${seen}/sources/one`)).toEqual(mine);
    }, LONG);
  await lockSome(0, 30);
  await isSame();
  await lockSome(30, 60);
  await isSame();
  const late = bed.viewer(); // it keeps nothing: another one shows the same
  const other = await late.ready();
  await vi.waitFor(async () => expect(await locksOf(`${other}/sources/one`)).toEqual(await locksOf(page)), LONG);
});

test('a source whose observer ended is not live, and its locks are not shown as watched', async () => {
  const program = bed.observer();
  const seen = await bed.viewer().ready();
  const shown = async () => fleetBody.parse(await json(`${seen}/api/fleet`)).sources[0];
  await vi.waitFor(async () => expect((await shown())?.isWatched).toBe(true), LONG);
  await program.kill();
  await vi.waitFor(async () => expect((await shown())?.notLiveSince).toBeGreaterThan(0), LONG);
  const { sources } = healthBody.parse(await json(`${seen}/sources/one/api/health`));
  expect(sources[0]?.problem?.code).toBe('observer-silent');
  expect(sources[0]?.unwatchedSince).toBeGreaterThan(0);
});

test('an unknown source has no pages', async () => {
  const seen = await bed.viewer().ready();
  // until it has read the bus, it does not know which sources there are
  await vi.waitFor(async () => {
    const body = await (await fetch(`${seen}/sources/nothing/api/health`)).json();
    expect(body).toMatchObject({ error: { code: 'no-such-fleet-source' } });
  }, LONG);
  const unknown = await fetch(`${seen}/sources/nothing/`);
  expect([unknown.status, unknown.headers.get('content-type')]).toEqual([404, expect.stringContaining('text/html')]);
});

test('a viewer whose bus does not answer ends with one line that has no password', async () => {
  const program = bed.start(['view', '--bus', 'redis://:hunter2@127.0.0.1:1', '--port', '0', '--no-open']);
  expect(await program.ended()).toBe(1);
  expect(program.err).toContain('redis://127.0.0.1:1 does not answer');
  expect(program.err).not.toContain('hunter2');
});
