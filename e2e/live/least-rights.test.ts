import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { connectApp } from '../support/clients/app.ts';
import { startLockscope } from '../support/clients/lockscope.ts';
import { startRedis } from '../support/servers/redis.ts';
import { waitFor } from '../support/wait-for.ts';

/* The user that docs/operating.md recommends: it sees everything at every level, and may not write. The rule for
   --allow-release is an extra one, which `release-lock.live.test.ts` tries. */

const GUIDE = new URL('../../docs/operating.md', import.meta.url);
const RULES = [...readFileSync(GUIDE, 'utf8').matchAll(/^ACL SETUSER lockscope ([^#\n]*)(.*)$/gm)]
  .filter(([, , use]) => !use?.includes('--allow-release'))
  .map(([, rules]) => String(rules).replace('>PASSWORD', '>pw').trim().split(/\s+/));

test.each(['snapshot', 'events', 'monitor'])(
  'the recommended user observes at level %s and cannot write',
  async (level) => {
    const redis = await startRedis({ 'notify-keyspace-events': 'Eghxe' });
    onTestFinished(() => redis.stop());
    const app = await connectApp(redis.url);
    onTestFinished(() => app.close());
    expect(RULES).toHaveLength(5);
    for (const rules of RULES) {
      const set = (words: readonly string[]) => app.command('ACL', 'SETUSER', 'lockscope', ...words);
      // Redis 6.0 has no rules for channels.
      await set(rules).catch(() => set(rules.filter((word) => !/^&|channels$/.test(word))));
    }
    const lockscope = await startLockscope(`redis://lockscope:pw@127.0.0.1:${redis.port}`, ['--observe', level]);
    onTestFinished(() => lockscope.stop());
    await app.acquire('orders:42', { leaseMs: 600_000 });
    await waitFor('the lock', async () => (await lockscope.lock('orders:42'))?.held === true);
    await app.release('orders:42');
    await waitFor('the release', async () => (await lockscope.lock('orders:42'))?.held === false);
    expect((await lockscope.health()).sources[0]).toMatchObject({ level, status: 'observing', drift: 0 });
    // All that was denied are its questions about its own rights.
    const denied = z.array(z.object({ object: z.string() })).parse(await app.command('ACL', 'LOG'));
    expect(denied.filter(({ object }) => !/^acl(?:\||$)/.test(object))).toEqual([]);
    const user = await connectApp(`redis://lockscope:pw@127.0.0.1:${redis.port}`);
    onTestFinished(() => user.close());
    for (const command of [
      ['SET', 'k', 'v'],
      ['DEL', 'orders:42'],
      ['CONFIG', 'SET', 'maxmemory', '0'],
      ['FLUSHALL'],
    ]) {
      await expect(user.command(...command)).rejects.toThrow('NOPERM');
    }
  },
);
