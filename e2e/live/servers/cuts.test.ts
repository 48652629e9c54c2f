import { expect, test } from 'vitest';
import { ACQUIRE } from '../../support/clients/app.ts';
import { CutBed, NOTHING_WRONG } from '../../support/cut-bed.ts';
import type { CuttingProxy } from '../../support/servers/cutting-proxy.ts';
import { waitFor } from '../../support/wait-for.ts';

const bed = new CutBed();
const BOTH_ENDS = ['blind-spot.began', 'blind-spot.ended'];

test('a connection that is cut in the middle of a line gives a blind spot with both ends, and watching continues by itself', async () => {
  const { app, proxy, lockscope } = bed;
  proxy.cutAfter(300_000);
  await app.command('SET', 'big', 'x'.repeat(1024 * 1024));
  expect((await bed.blindSpots(1)).map(({ type }) => type)).toEqual(BOTH_ENDS);
  expect(proxy.cuts()).toBe(1);
  await app.acquire('after-the-cut');
  await bed.until('after-the-cut', 'lock.acquired');
  expect(await lockscope.lock('held-all-along')).toMatchObject({ held: true, holders: [{ holdCount: 1 }] });
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});

/** About how many bytes MONITOR sends for one line. */
function lineBytes(words: readonly string[], by = 'lua'): number {
  return `+1795218454.496776 [0 ${by}] "${words.join('" "')}"\r\n`.length;
}

test.each([0, 1, 2])(
  'if a connection is cut after %i commands of a lock script, only the snapshot shows the effect of the script',
  async (ran) => {
    const { app, proxy, lockscope } = bed;
    const lock = 'cut-in-two';
    const sha = String(await app.command('SCRIPT', 'LOAD', ACQUIRE));
    const words = ['EVALSHA', sha, '1', lock, '600000', app.holder()];
    const commands = [
      ['exists', lock],
      ['hincrby', lock, app.holder(), '1'],
    ];
    const before = commands.slice(0, ran).map((line) => lineBytes(line));
    const withinNextLine = 20;
    proxy.cutAfter(before.reduce((sum, bytes) => sum + bytes, lineBytes(words, '127.0.0.1:50000') + withinNextLine));
    await app.command(...words);
    await bed.blindSpots(1);
    await waitFor('the lock to be known', async () => (await lockscope.lock(lock))?.held === true);
    expect(await lockscope.lock(lock)).toMatchObject({ holders: [{ id: app.holder(), holdCount: 1 }] });
    expect((await lockscope.eventsAfter(0, { lock })).map(({ type }) => type)).toEqual(['lock.found']);
    expect(await bed.figures()).toEqual(NOTHING_WRONG);
  },
);

test('a change during a blind spot has the cause blind-spot, not unexplained', async () => {
  const { app, proxy, lockscope } = bed;
  await app.acquire('released-unseen', { leaseMs: 600_000 });
  await bed.until('released-unseen', 'lock.acquired');
  proxy.shut();
  await app.command('DEL', 'released-unseen');
  proxy.open();
  await bed.blindSpots(1);
  const healed = (await bed.until('released-unseen', 'drift.healed')).at(-1);
  expect(healed).toMatchObject({ cause: 'blind-spot', found: null });
  expect(await lockscope.lock('released-unseen')).toMatchObject({ held: false });
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});

test('a hold open when the blind spot began ends as unseen', async () => {
  const { app, proxy, lockscope } = bed;
  proxy.cutAfter(0);
  await app.command('PING');
  await bed.blindSpots(1);
  const [hold] = (await lockscope.spans('held-all-along')).filter(({ kind }) => kind === 'hold');
  expect(hold).toMatchObject({ ended: 'unseen', holder: app.holder() });
});

/** The ids of our connections in CLIENT LIST, or of those whose row contains this text. */
async function ownConnections(text = ''): Promise<string[]> {
  const list = String(await bed.app.command('CLIENT', 'LIST'));
  return [...list.matchAll(new RegExp(`^id=(\\d+) .* name=lockscope .*${text}`, 'gm'))].map(([, id]) => String(id));
}

test('CLIENT KILL of our MONITOR connection gives a blind spot', async () => {
  const [id = ''] = await ownConnections('cmd=monitor');
  await bed.app.command('CLIENT', 'KILL', 'ID', id);
  expect((await bed.blindSpots(1)).map(({ type }) => type)).toEqual(BOTH_ENDS);
  await bed.app.acquire('after-the-kill');
  await bed.until('after-the-kill', 'lock.acquired');
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});

test('CLIENT KILL of both our connections, twice, gives blind spots', async () => {
  for (const count of [1, 2]) {
    for (const id of await ownConnections()) await bed.app.command('CLIENT', 'KILL', 'ID', id);
    await bed.blindSpots(count);
  }
  await bed.app.acquire('after-the-kills');
  await bed.until('after-the-kills', 'lock.acquired');
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});

test.each<[string, (proxy: CuttingProxy) => void]>([
  ['in pieces', (proxy) => proxy.stallMidLine(40)],
  ['one by one', (proxy) => proxy.stallBetweenLines(40)],
])('a script whose lines arrive %s, with pauses, is still one script', async (_, stall) => {
  stall(bed.proxy);
  await bed.app.acquire('in-pieces', { leaseMs: 600_000 });
  await bed.until('in-pieces', 'lock.acquired');
  await bed.app.release('in-pieces');
  const events = await bed.until('in-pieces', 'wakeup.published');
  expect(events.map(({ type }) => type)).toEqual(['lock.acquired', 'lock.released', 'wakeup.published']);
  expect(await bed.figures()).toEqual(NOTHING_WRONG);
});
