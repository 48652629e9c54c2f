import { afterEach, expect, test } from 'vitest';
import { type App, connectApp } from '../support/clients/app.ts';
import { type Lockscope, startLockscope } from '../support/lockscope/lockscope.ts';
import { type Chance, chanceFrom, seedOfRun } from '../support/random/seeded.ts';
import { type RunningRedis, startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';
import { BYTES, SPECIAL } from './special-names.ts';

/* 1,600 hostile lock names: as Redis keys, on every path of the API with a name, and released again. */

const RANDOM_NAMES = 1500;
const LONG_MS = 600_000;

let redis: RunningRedis;
let app: App;
let lockscope: Lockscope;

afterEach(async () => {
  await lockscope?.stop();
  await app?.close();
  await redis?.stop();
});

function randomName(chance: Chance, n: number): Buffer {
  const bytes = (most: number, below: number) =>
    Buffer.from(Array.from({ length: chance.whole(1, most) }, () => chance.whole(0, below - 1)));
  const odd = () => String.fromCodePoint(chance.oneOf([0x202e, 0x200f, 0x5d0, 0x1f600, 0x3c, 0x22, 0x5c, 0x7b, 0x25]));
  switch (n % 4) {
    case 0:
      return bytes(40, 256);
    case 1:
      return bytes(20, 32);
    case 2:
      return Buffer.from(`${Array.from({ length: chance.whole(1, 10) }, odd).join('')}${n}`);
    default:
      return Buffer.concat([chance.oneOf(SPECIAL), Buffer.from(String(n))]);
  }
}

async function heldNames(): Promise<string[]> {
  return (await lockscope.locks()).filter(({ held }) => held).map(({ name }) => name);
}

test.each(['monitor', 'events'])(
  'at level %s each hostile name is one lock that is found by its name and later released',
  async (level) => {
    const chance = chanceFrom(seedOfRun());
    redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
    app = await connectApp(redis.url);
    lockscope = await startLockscope(redis.url, ['--observe', level]);
    const all = [...SPECIAL, ...BYTES, ...Array.from({ length: RANDOM_NAMES }, (_, n) => randomName(chance, n))];
    const names = [...new Map(all.map((name) => [name.toString('latin1'), name])).values()];
    await Promise.all(names.map((name) => app.acquire(name, { leaseMs: LONG_MS })));
    const shown = await waitFor(
      `${names.length} held locks`,
      async (missing) => {
        const held = await heldNames();
        return new Set(held).size === names.length ? held : missing(`${held.length} listed`);
      },
      60_000,
    );

    for (const name of shown.slice(0, 400)) {
      const isPathPart = name === '' || name === '.' || name === '..';
      const encoded = encodeURIComponent(name);
      const { status, body } = await lockscope.get(isPathPart ? `/api/lock?name=${encoded}` : `/api/locks/${encoded}`);
      expect({ status, body }).toMatchObject({ status: 200, body: { name } });
    }
    for (let n = 0; n < 100; n++) {
      const path = chance.oneOf([
        '/api/locks/',
        '/api/events?lock=',
        '/api/spans?lock=',
        '/api/locks?q=',
        '/api/lock?name=',
      ]);
      const raw = [...randomName(chance, n)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
      const { status } = await fetch(lockscope.url + path + raw);
      expect(status, path + raw).toBeLessThan(500);
    }

    await Promise.all(names.map((name) => app.release(name)));
    await waitFor('all of them free', async (missing) => {
      const held = await heldNames();
      return held.length === 0 || missing(JSON.stringify(held.slice(0, 5)));
    });
    expect((await lockscope.health()).sources[0]).toMatchObject({ status: 'observing', drift: 0, rejected: 0 });
  },
);
