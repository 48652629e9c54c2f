import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openCommandConnection } from '../server/redis/connection/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, type Figures, interleaved, median, pairedRatios } from './bench.ts';
import type { Spent } from './contestants/answer-parent.ts';
import type { Play, Played } from './load/mixed-load.ts';

const CONTESTANTS = ['ours', 'ioredis', 'node-redis', 'raw-socket'] as const;
type Contestant = (typeof CONTESTANTS)[number];
const RUNS = 3;
/**
 * What a contestant reads before it is measured, because a reader of MONITOR usually runs for hours: as much lock
 * traffic as two million lines of mixed traffic contain, and then mixed traffic.
 */
const WARM_UP: readonly Play[] = [
  { lines: 400_000, batch: 64, ordinary: 1 },
  { lines: 200_000, batch: 64 },
];

/** `mostOfIoredis` and `mostOfRaw` are the goals: the highest ratios to these peers. */
type LineCpuOptions = { readonly play: Play; readonly mostOfIoredis: number; readonly mostOfRaw: number };

/*
 * CPU time a reader of MONITOR spends on one line, user and kernel, all threads.
 *
 * Every run is live: a real redis-server, a process that simulates an application with fifty connections and ten pairs
 * of lock clients (`load/`), and one contestant in its own process. Only the contestant's CPU time is measured.
 * Contestants take turns within each round.
 *
 * `ours` is the pipeline from the socket to events, including interpretation. `contestants/ours.ts` lists what is not
 * included.
 */

/** A busy Redis, where falling behind does harm: commands come in pipelines, and every read contains many lines. */
export const monitorLineCpu: Bench = {
  name: 'monitor-line-cpu',
  unit: 'µs/line',
  goal: '≤ 1/5 of ioredis, ≤ 2 × raw socket',
  run: (print) => lineCpu(print, { play: { lines: 300_000, batch: 64 }, mostOfIoredis: 1 / 5, mostOfRaw: 2 }),
};

/**
 * The same traffic, one command at a time. Redis then writes after every few commands, and waking up for a small read
 * costs more than the lines in it.
 */
export const monitorLineCpuSingle: Bench = {
  name: 'monitor-line-cpu-single',
  unit: 'µs/line',
  goal: '≤ 1/5 of ioredis, ≤ raw socket',
  run: (print) => lineCpu(print, { play: { lines: 60_000, batch: 1 }, mostOfIoredis: 1 / 5, mostOfRaw: 1 }),
};

async function lineCpu(
  print: (progress: string) => void,
  { play, mostOfIoredis, mostOfRaw }: LineCpuOptions,
): Promise<Figures> {
  const micros = await interleaved(CONTESTANTS, RUNS, async (name, round) => {
    const each = await microsPerLine(name, play);
    print(`round ${round + 1}: ${name} ${each.toFixed(3)} µs/line`);
    return each;
  });
  const ratios = (to: Contestant) => pairedRatios(micros.ours, micros[to]);
  const [ofIoredis, ofRaw] = [median(ratios('ioredis')), median(ratios('raw-socket'))];
  const { ours, ...peers } = micros;
  return {
    ours: median(ours),
    peers: Object.fromEntries(Object.entries(peers).map(([name, each]) => [name, median(each)])),
    also: {
      'of raw socket': ofRaw,
      'of raw socket, lowest': Math.min(...ratios('raw-socket')),
      'of raw socket, highest': Math.max(...ratios('raw-socket')),
    },
    ratio: ofIoredis,
    ratioTo: 'ioredis',
    ratios: ratios('ioredis'),
    runs: RUNS,
    holds: ofIoredis <= mostOfIoredis && ofRaw <= mostOfRaw,
  };
}

/** Measures one contestant on a new Redis. */
async function microsPerLine(contestant: Contestant, what: Play): Promise<number> {
  const redis = await startLocalRedis();
  const load = await started('./load/mixed-load.js', redis.url);
  const reader = await started(`./contestants/${contestant}.js`, redis.url);
  try {
    for (const warmUp of WARM_UP) await play(load, warmUp);
    await allRead(redis);
    reader.send('start');
    const played = await play(load, what);
    await allRead(redis);
    reader.send('stop');
    const [spent] = (await once(reader, 'message')) as [Spent]; // what answerParent sends
    checkNothingMissed(contestant, spent, played);
    return spent.cpuMicros / played.lines;
  } finally {
    reader.kill();
    load.kill();
    await redis.stop();
  }
}

async function play(load: ChildProcess, what: Play): Promise<Played> {
  load.send(what);
  const [played] = (await once(load, 'message')) as [Played]; // what mixed-load sends
  return played;
}

/** Forks one of the bench's programs and waits until it is ready. */
async function started(program: string, url: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [url]);
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['it ended'])]);
  if (message !== 'ready') throw new Error(`${program} did not start: ${message}`);
  return child;
}

/** Settles when Redis has written everything to the MONITOR client, plus a short time for the reader. */
async function allRead(redis: LocalRedis): Promise<void> {
  const connection = openCommandConnection({ url: redis.url });
  try {
    await connection.whenReady(5000);
    for (;;) {
      const list = String(await connection.call('CLIENT', 'LIST'));
      const monitor = list.split('\n').find((row) => / flags=\S*O/.test(row)) ?? '';
      if (/ obl=0 /.test(monitor) && / omem=0 /.test(monitor)) break;
    }
  } finally {
    connection.close();
  }
  await new Promise((resolve) => setTimeout(resolve, 200));
}

/** Throws if the reader has missed lines or events: then its time does not count. */
function checkNothingMissed(contestant: string, { seen }: Spent, played: Played): void {
  const { lines, events } = seen;
  if (lines !== undefined && lines < played.lines)
    throw new Error(`${contestant} saw ${lines} of ${played.lines} lines`);
  if (events !== undefined && events < played.events)
    throw new Error(`${contestant} made ${events} events of at least ${played.events}`);
}
