import { type ChildProcess, spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { PROGRAMS } from '../../server/package-info.ts';
import { CommandPipe } from './command-pipe.ts';

/** How long MONITOR is on: longer than one measurement. */
const MONITOR_MS = 300_000;
const PATIENCE_MS = 20_000;

/** Thrown if the guard has ended level `monitor` because the load was too high. */
export class GaveUp extends Error {}

/** What watches a Redis during a measurement. */
export type Watcher = {
  /**
   * Returns how many ms the watcher is behind Redis, 0 if the watcher does not report that. Throws `GaveUp`, or an
   * error if the watcher has stopped for another reason.
   */
  check(): Promise<number>;
  stop(): Promise<void>;
};

const NOTHING: Watcher = { check: async () => 0, stop: async () => {} };

export type WatchedBy = 'nothing' | 'events' | 'monitor' | 'replication' | 'redis-cli monitor' | 'a bare MONITOR';

/** Starts to watch, and settles when the server is watched. */
export async function startWatching(by: WatchedBy, url: string): Promise<Watcher> {
  if (by === 'nothing') return NOTHING;
  if (by === 'a bare MONITOR') return bareMonitor(url);
  if (by === 'redis-cli monitor') return redisCliMonitor(url);
  return lockscope(url, by);
}

/** A socket that sends MONITOR and drops what arrives: what any reader of MONITOR costs Redis. */
async function bareMonitor(url: string): Promise<Watcher> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.write('MONITOR\r\n');
  await new Promise((resolve) => socket.once('data', resolve));
  socket.resume();
  return { check: async () => 0, stop: async () => void socket.destroy() };
}

/** `redis-cli monitor > /dev/null`. */
async function redisCliMonitor(url: string): Promise<Watcher> {
  const program = spawn('redis-cli', ['-u', url, 'monitor'], { stdio: 'ignore' });
  const pipe = new CommandPipe(url);
  const check = async () => {
    if (program.exitCode !== null) throw new Error('redis-cli ended');
    return 0;
  };
  while (!/ flags=\S*O/.test(String(await pipe.ask('CLIENT', 'LIST')))) await check();
  pipe.close();
  return { check, stop: () => end(program) };
}

async function lockscope(url: string, level: 'events' | 'monitor' | 'replication'): Promise<Watcher> {
  const first = level === 'monitor' ? 'events' : level;
  const program = spawn(process.execPath, [PROGRAMS.lockscope, url, '--observe', first, '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const stop = () => end(program);
  for await (const line of createInterface({ input: program.stdout })) {
    const base = /^lockscope ready (\S+)$/.exec(line)?.[1];
    if (base === undefined) continue;
    program.stdout.resume();
    if (level === 'monitor') await switchToMonitor(base);
    const check = () => lagOf(base, level);
    await check();
    return { check, stop };
  }
  throw new Error('Lockscope ended');
}

/**
 * How many ms Lockscope is behind Redis. Throws `GaveUp` if the guard has ended the level. Otherwise waits up to 20 s
 * until Lockscope watches at this level, because this machine may have held the observer up, and then throws.
 */
async function lagOf(base: string, level: string): Promise<number> {
  const until = performance.now() + PATIENCE_MS;
  for (;;) {
    const sources = await sourcesOf(base);
    const isWatched = sources.every((source) => source.level === level && source.status === 'observing');
    if (isWatched) return Math.max(...sources.map(({ lagMs }) => lagMs));
    for (const { guard } of sources) if (guard.state === 'tripped') throw new GaveUp(guard.reason);
    if (performance.now() > until) throw new Error(`not watched at level ${level}: ${JSON.stringify(sources)}`);
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

/** Switches to MONITOR with `force`. Without it, the guard would refuse this load, or leave MONITOR within seconds. */
async function switchToMonitor(base: string): Promise<void> {
  await ask(`${base}/api/sources/redis/observe`, { level: 'monitor', forMs: MONITOR_MS, force: true });
  for (;;) {
    const sources = await sourcesOf(base);
    if (sources.every(({ level, status }) => level === 'monitor' && status === 'observing')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

type Source = {
  readonly level: string;
  readonly status: string;
  readonly lagMs: number;
  readonly guard: { readonly state: 'ok' } | { readonly state: 'tripped'; readonly reason: string };
};

async function sourcesOf(base: string): Promise<readonly Source[]> {
  return ((await ask(`${base}/api/health`)) as { sources: Source[] }).sources; // docs/api.md has the form of this answer
}

async function ask(url: string, body?: object): Promise<unknown> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(url, body === undefined ? {} : post);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

async function end(program: ChildProcess): Promise<void> {
  if (program.exitCode !== null) return;
  const ended = new Promise((resolve) => program.once('exit', resolve));
  program.kill('SIGTERM');
  await ended;
}
