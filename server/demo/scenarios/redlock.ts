import type { ScenarioScript } from '../scenario.ts';

const LOCK = 'pay:7';

/** One lock on three servers. A client holds it if it has a majority, so one server may be down. */
export const redLock: ScenarioScript = {
  id: 'redlock',
  title: 'RedLock: three servers, one is killed',
  summary:
    'A asks three servers for the same lock. One is dead, two grant it: a majority. B is refused. When a second server dies, no client can acquire it.',
  lock: LOCK,
  servers: [{ name: 'Redis 1' }, { name: 'Redis 2' }, { name: 'Redis 3' }],
  steps: [
    { title: 'Redis 2 is killed', who: 'server', happens: 'server-killed' },
    { title: 'A acquires the lock on Redis 1', who: 'A1', happens: 'acquired' },
    { title: 'Redis 2 does not answer; A acquires it on Redis 3', who: 'A1', happens: 'acquired' },
    { title: 'Two of three: A holds the RedLock', who: 'A1', happens: 'group-acquired' },
    { title: 'B is refused on Redis 1', who: 'B1', happens: 'refused' },
    { title: 'B can no longer get a majority and stops asking', who: 'B1', happens: 'group-refused' },
    { title: 'A releases on every server', who: 'A1', happens: 'group-released' },
    { title: 'Redis 3 is killed as well', who: 'server', happens: 'server-killed' },
    { title: 'B acquires the lock on Redis 1', who: 'B1', happens: 'acquired' },
    { title: 'One of three is not a majority: B releases it', who: 'B1', happens: 'released' },
    { title: 'No client can acquire the RedLock now', who: 'B1', happens: 'group-refused' },
  ],
  async play({ group, killServer, serverUrl, pause }) {
    const redLock = { members: [1, 2, 3].map((n) => ({ lock: LOCK, server: serverUrl(n) })), mostRefused: 1 };
    await Promise.all([group('A1', 'connectAll', redLock), group('B1', 'connectAll', redLock)]);
    await pause(700);
    await killServer(2);
    await pause(2000);
    await group('A1', 'tryLockAll', redLock);
    await pause(2500);
    await group('B1', 'tryLockAll', redLock);
    await pause(2500);
    await group('A1', 'unlockAll', redLock);
    await pause(1500);
    await killServer(3);
    await pause(1500);
    await group('B1', 'tryLockAll', redLock);
  },
};
