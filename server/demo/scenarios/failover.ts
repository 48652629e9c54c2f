import type { ScenarioScript } from '../scenario.ts';

/** A master dies before the lock reaches its replica. The replica is promoted and grants the lock a second time. */
export const failover: ScenarioScript = {
  id: 'failover',
  title: 'Failover: the lock is lost',
  summary:
    'The master is killed before A’s lock reaches its replica. The replica is promoted without the lock, so B acquires it as well: two clients think they hold it.',
  lock: 'orders:42',
  servers: [{ name: 'Redis 1' }, { name: 'Redis 2', copyOf: 1 }],
  steps: [
    { title: 'Redis 2, the replica, is cut off from its master', who: 'server', happens: 'server-link-cut' },
    { title: 'A acquires the lock on Redis 1, the master', who: 'A1', happens: 'acquired' },
    { title: 'Redis 1 is killed', who: 'server', happens: 'server-killed' },
    { title: 'Redis 2 is promoted: it does not have the lock', who: 'server', happens: 'server-promoted' },
    { title: 'B acquires the lock that A thinks it holds', who: 'B1', happens: 'acquired' },
    { title: 'A’s renewal is refused', who: 'A1', happens: 'renewal-refused' },
    { title: 'A’s unlock is refused', who: 'A1', happens: 'unlock-refused' },
    { title: 'B releases', who: 'B1', happens: 'released' },
  ],
  async play({ lock, unlock, group, serverUrl, killServer, cutLink, promote, reached, pause }) {
    const at = { server: serverUrl(1) };
    const onMaster = { members: [{ lock: 'orders:42', ...at }] };
    await Promise.all([group('A1', 'connectAll', onMaster), group('B1', 'connectAll', onMaster)]);
    await pause(800);
    await cutLink(2);
    await pause(1500);
    await lock('A1', at);
    await pause(1500);
    await killServer(1);
    await pause(800);
    await promote(2);
    await group('B1', 'awaitConnected', onMaster);
    await pause(300);
    await lock('B1', at);
    await reached(6);
    await pause(1000);
    await unlock('A1', at);
    await pause(1000);
    await unlock('B1', at);
  },
};
