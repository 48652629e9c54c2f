import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { Logger } from 'pino';
import { parseRedisUrl, type RedisUrl } from '../shared/base/redis-url.ts';
import { FLEET_SOURCES, FleetClients, type FleetSource } from './demo/fleet-clients.ts';
import { EXPIRY_EVENTS } from './demo/stage.ts';
import { PROGRAMS } from './package-info.ts';
import type { Shutdown } from './process/shutdown.ts';
import { afterOwnTime } from './redis/connection/own-time.ts';
import { endWithUs } from './redis/private-server/end-with-us.ts';
import { startLocalServers } from './redis/private-server/local-redis.ts';
import { endOf } from './redis/private-server/running-server.ts';

const SIGNAL_WITHIN_MS = 200;

/**
 * Starts what `lockscope demo --fleet` shows, and returns the bus for its viewer:
 *
 *   clients ──► three private Redis ◄── three observers ──► a private Redis, the bus
 *
 * `shutdown` ends all parts. If a part ends before, the log names it, and the demo ends with exit code 1.
 */
export async function startFleetDemo(isJson: boolean, log: Logger, shutdown: Shutdown): Promise<RedisUrl> {
  // A signal to the whole process group may end a part before this process has received the signal.
  const lost = (what: string, why: string) =>
    afterOwnTime(SIGNAL_WITHIN_MS, () => {
      if (shutdown.isEnding()) return;
      log.error(`${what} has ended: ${why}. The demo cannot go on without it. Start it again.`);
      void shutdown.run(1);
    });
  process.setMaxListeners(50); // each server and each client ends with this process, by a listener of its own
  const names = [...FLEET_SOURCES, 'the bus'];
  const password = randomBytes(24).toString('hex');
  const servers = await startLocalServers(names.length, { args: EXPIRY_EVENTS, password, logger: log });
  shutdown.add(async () => void (await Promise.all(servers.map(({ stop }) => stop()))));
  for (const [n, { ended }] of servers.entries())
    void ended.then((why) => lost(`The private Redis of ${names[n]}`, why));
  const urls = new Map(servers.map(({ url }, n) => [names[n], url]));
  const urlOf = (name: FleetSource | 'the bus') => urls.get(name) ?? '';
  const bus = parseRedisUrl(urlOf('the bus'));
  if (!bus.ok) throw new Error(bus.error);

  const observers = FLEET_SOURCES.map((name) => {
    const child = startObserver(name, urlOf(name), urlOf('the bus'), isJson);
    void child.ended.then((why) => lost(`The observer of ${name}`, why));
    return child;
  });
  const onEnd = (client: string) => lost(`The demo client ${client}`, 'its process is gone');
  const clients = new FleetClients({ urlOf, logger: log, onEnd });
  // Nothing of the fleet is needed afterwards, so its processes are killed instead of shut down.
  shutdown.add(async () => void (await Promise.all([clients.close(), ...observers.map(({ kill }) => kill())])));
  await Promise.all([clients.whenReady(), ...observers.map(({ ready }) => ready)]);
  clients.start();
  return bus.value;
}

/** `lockscope observe` in a process of its own. The URLs have a password, so they are not on its command line. */
function startObserver(name: string, url: string, bus: string, isJson: boolean) {
  const words = ['observe', '--as', name, '--observe', 'monitor', '--memory', '256mb', ...(isJson ? ['--json'] : [])];
  const child = spawn(process.execPath, [PROGRAMS.lockscope, ...words], {
    env: { ...process.env, REDIS_URL: url, LOCKSCOPE_BUS: bus },
    stdio: ['ignore', 'pipe', 'inherit'],
    detached: true, // a Ctrl-C in the terminal must not end the observer before its parent
  });
  const callOff = child.pid === undefined ? () => undefined : endWithUs(child.pid);
  const ended = endOf(child).finally(callOff);
  return {
    ready: once(child.stdout, 'data'), // the observer prints its only line when it is ready
    ended,
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
