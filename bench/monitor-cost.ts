import { spawn } from 'node:child_process';
import { connect } from 'node:net';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, interleaved, median, pairedRatios } from './bench.ts';
import { CommandPipe } from './load/command-pipe.ts';

const MAIN = fileURLToPath(new URL('../server/main.js', import.meta.url));
const WATCHED_BY = ['nothing', 'events', 'monitor', 'a bare MONITOR'] as const;
type Watched = (typeof WATCHED_BY)[number];
/** Sizes of values in bytes, and how many SETs are measured with each. */
const SIZES = [
  { bytes: 50, sets: 100_000 },
  { bytes: 1000, sets: 20_000 },
  { bytes: 20_000, sets: 2000 },
] as const;
const BATCH = 20;
const RUNS = 3;
const GOAL = 1.05;
/** How long MONITOR is on: longer than one measurement. */
const MONITOR_MS = 300_000;

/**
 * CPU time that Redis spends on one SET while it is watched, by the size of the value. MONITOR copies every byte of
 * every command, so its cost depends on the size.
 *
 * One connection sends SETs, 20 in one write. The peer is a socket that sends MONITOR and drops what arrives, which is
 * what any reader of MONITOR costs Redis. `ours` and the ratio are for values of 1,000 bytes.
 */
export const monitorCost: Bench = {
  name: 'monitor-cost',
  unit: 'µs/SET of 1 KB',
  goal: `≤ ${GOAL} × a bare MONITOR`,
  async run(say) {
    const bySize = new Map<number, Record<Watched, number[]>>();
    for (const { bytes, sets } of SIZES) {
      const micros = await interleaved(WATCHED_BY, RUNS, async (watched, round) => {
        const each = await microsPerSet(watched, bytes, sets);
        say(`round ${round + 1}: ${bytes} bytes, ${watched}: ${each.toFixed(1)} µs`);
        return each;
      });
      bySize.set(bytes, micros);
    }
    const middle = bySize.get(1000);
    if (!middle) throw new Error('1,000 bytes are one of the sizes');
    const ratios = pairedRatios(middle.monitor, middle['a bare MONITOR']);
    const ratio = median(ratios);
    const also = [...bySize].flatMap(([bytes, micros]) =>
      WATCHED_BY.map((watched) => [`${watched}, ${bytes} B`, median(micros[watched])] as const),
    );
    return {
      ours: median(middle.monitor),
      peers: { 'a bare MONITOR': median(middle['a bare MONITOR']) },
      also: Object.fromEntries(also),
      ratio,
      ratios,
      ratioTo: 'a bare MONITOR',
      runs: RUNS,
      holds: ratio <= GOAL,
    };
  },
};

async function microsPerSet(watched: Watched, bytes: number, sets: number): Promise<number> {
  const redis = await startLocalRedis();
  const stopWatching = await watch(watched, redis.url);
  const pipe = new CommandPipe(redis.url);
  try {
    const value = 'x'.repeat(bytes);
    const batch = Array.from({ length: BATCH }, (_, n) => ['SET', `blob:${n}`, value]);
    const sendSets = async (count: number) => {
      for (let sent = 0; sent < count; sent += BATCH) await new Promise((resolve) => pipe.send(batch, resolve));
    };
    await sendSets(sets / 10);
    const before = await cpuSeconds(pipe);
    await sendSets(sets);
    return ((await cpuSeconds(pipe)) - before) * (1e6 / sets);
  } finally {
    pipe.close();
    await stopWatching();
    await redis.stop();
  }
}

/** Starts to watch. Returns a function that stops. */
async function watch(watched: Watched, redisUrl: string): Promise<() => Promise<void>> {
  if (watched === 'nothing') return async () => {};
  if (watched === 'a bare MONITOR') {
    const { hostname, port } = new URL(redisUrl);
    const socket = connect(Number(port), hostname);
    socket.write('MONITOR\r\n');
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resume();
    return async () => void socket.destroy();
  }
  const program = spawn(process.execPath, [MAIN, redisUrl, '--port', '0', '--no-open'], {
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const ended = new Promise((resolve) => program.once('exit', resolve));
  for await (const line of createInterface({ input: program.stdout })) {
    const base = /^lockscope ready (\S+)$/.exec(line)?.[1];
    if (base === undefined) continue;
    if (watched === 'monitor') await switchToMonitor(base);
    break;
  }
  return async () => {
    program.kill('SIGTERM');
    await ended;
  };
}

/** Switches to MONITOR with `force`: otherwise the guard would refuse this load, or leave MONITOR within seconds. */
async function switchToMonitor(base: string): Promise<void> {
  await ask(`${base}/api/sources/redis/observe`, { level: 'monitor', forMs: MONITOR_MS, force: true });
  for (;;) {
    const { sources } = (await ask(`${base}/api/health`)) as { sources: { level: string; status: string }[] }; // see docs/api.md
    if (sources.every(({ level, status }) => level === 'monitor' && status === 'observing')) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

async function ask(url: string, body?: object): Promise<unknown> {
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
  const answer = await fetch(url, body === undefined ? {} : post);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return answer.json();
}

/** CPU time of the server so far, user and system. */
async function cpuSeconds(pipe: CommandPipe): Promise<number> {
  const info = String(await pipe.ask('INFO', 'cpu'));
  const field = (name: string) => Number(new RegExp(`^${name}:([\\d.]+)`, 'm').exec(info)?.[1]);
  return field('used_cpu_user') + field('used_cpu_sys');
}
