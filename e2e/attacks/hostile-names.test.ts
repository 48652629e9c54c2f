import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { type App, connectApp } from '../support/clients/app.ts';
import { startLockscope } from '../support/lockscope/lockscope.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { BYTES, SPECIAL } from './special-names.ts';

/* Hostile lock names: as Redis keys, on every path of the API with a name, and released again. */

const NAMES = [...SPECIAL, ...BYTES];
const PATHS = ['/api/locks/', '/api/events?lock=', '/api/spans?lock=', '/api/locks?q=', '/api/lock?name='];

let redis: RunningRedis;
let app: App;
beforeAll(async () => {
  redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
  app = await connectApp(redis.url);
});
afterAll(async () => {
  await app?.close();
  await redis?.stop();
});

test.each(['monitor', 'events'])(
  'at level %s each hostile name is one lock that is found by its name and later released',
  async (level) => {
    const lockscope = await startLockscope(redis.url, ['--observe', level]);
    onTestFinished(() => lockscope.stop());
    const heldNames = async () => (await lockscope.locks()).filter(({ held }) => held).map(({ name }) => name);
    await Promise.all(NAMES.map((name) => app.acquire(name, { leaseMs: 600_000 })));
    const shown = await waitFor(`${NAMES.length} held locks`, async (missing) => {
      const held = await heldNames();
      return new Set(held).size === NAMES.length ? held : missing(`${held.length} listed`);
    });
    for (const name of shown) {
      const isPathPart = name === '' || name === '.' || name === '..';
      const encoded = encodeURIComponent(name);
      const { status, body } = await lockscope.get(isPathPart ? `/api/lock?name=${encoded}` : `/api/locks/${encoded}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { name } });
    }
    for (const [n, name] of NAMES.entries()) {
      const raw = [...name].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      const path = `${PATHS[n % PATHS.length]}${raw}`;
      expect((await fetch(lockscope.url + path)).status, path).toBeLessThan(500);
    }
    await Promise.all(NAMES.map((name) => app.release(name)));
    await waitFor('all of them free', async (missing) => {
      const held = await heldNames();
      return held.length === 0 || missing(JSON.stringify(held.slice(0, 5)));
    });
    expect((await lockscope.health()).sources[0]).toMatchObject({ status: 'observing', drift: 0, rejected: 0 });
  },
);
