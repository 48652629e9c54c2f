import { describe, expect, onTestFinished, test } from 'vitest';
import { READING_RIGHTS } from '../../../shared/doctor/rights/rights.ts';
import type { App } from '../../support/clients/app.ts';
import { launchLockscope } from '../../support/lockscope/lockscope.ts';
import { aclLog, HELD, LEASE_MS, setUser, startServer } from '../../support/rights/limited-users.ts';
import { sightOf } from '../../support/rights/rights-table.ts';
import { waitFor } from '../../support/wait-for.ts';

/* `READING_RIGHTS` and the two lists below are complete: apart from ACL and SLOWLOG, no other command is sent. */

describe('a user with exactly the listed rights', () => {
  const OF_LEVELS = ['psubscribe', 'subscribe', 'monitor', 'publish', 'psync', 'replconf'];
  const OF_OURSELVES = ['acl|whoami', 'client|id', 'client|setname', 'client|tracking', 'client|caching'];

  test.each(['snapshot', 'events', 'monitor', 'replication'] as const)(
    'is refused no command at level %s, apart from ACL and SLOWLOG',
    async (level) => {
      const { redis, app, stop } = await startServer(level);
      onTestFinished(stop);
      const rights = await knownOf(app, [...Object.keys(READING_RIGHTS), ...OF_LEVELS, ...OF_OURSELVES]);
      const rules = ['on', '>pw', '~*', 'allchannels', '-@all', ...rights.map((right) => `+${right}`)];
      expect(await setUser(app, 'exact', rules)).toBe(true);
      const lockscope = await launchLockscope(`redis://exact:pw@127.0.0.1:${redis.port}`, ['--observe', level]);
      onTestFinished(() => lockscope.stop());
      await waitFor('all locks', async () => {
        const [source] = (await lockscope.health()).sources;
        const locks = await lockscope.locks();
        return source?.level === level && sightOf(source) === 'seen' && locks.length === HELD.length;
      });
      await app.acquire('orders:new', { leaseMs: LEASE_MS });
      await waitFor('the new lock', async () => (await lockscope.lock('orders:new'))?.held === true);
      await app.release('orders:new');
      await waitFor('its release', async () => (await lockscope.lock('orders:new'))?.held === false);
      const [source] = (await lockscope.health()).sources;
      expect(source?.unseen.filter(({ values }) => 'grant' in values)).toEqual([]);
      const objects = (await aclLog(app)).map(({ object }) => object);
      expect(objects.filter((object) => !/^(?:acl|slowlog)/.test(object))).toEqual([]);
    },
  );
});

/** The rights that this server knows. An older server lacks some commands, and refuses a user with rights to them. */
async function knownOf(app: App, rights: readonly string[]): Promise<string[]> {
  const names = rights.map((right) => right.split('|')[0] ?? right);
  const found = (await app.command('COMMAND', 'INFO', ...names)) as unknown[]; // the reply has null for each unknown command
  return rights.filter((_, n) => found[n] !== null);
}
