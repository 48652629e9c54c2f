import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openCommandConnection } from '../server/redis/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../server/redis/private-server/local-redis.ts';
import { type Bench, interleaved, median, pairedRatio } from './bench.ts';
import type { Spent } from './contestants/answer-parent.ts';
import type { Play, Played } from './load/mixed-load.ts';

const CONTESTANTS = ['ours', 'ioredis', 'node-redis', 'raw-socket'] as const;
const RUNS = 3;
/** Commands that a connection sends in one write: a pipeline of a busy application, and one command at a time. */
const LOADS = {
  pipelined: { lines: 150_000, batch: 64 },
  single: { lines: 30_000, batch: 1 },
} as const;
/** Warm-up: half of the lines are lock traffic, as many as in two million lines of the mixed traffic. */
const WARM_UP = { lines: 400_000, batch: 64, ordinary: 1 };
const MOST_OF_IOREDIS = 1 / 10;
const MOST_OF_RAW = 1.5;

/**
 * CPU time a reader of MONITOR spends on one line, user and kernel, all threads.
 *
 * Every run is live: a real redis-server, a process that simulates an application with fifty connections and ten pairs
 * of lock clients (`load/`), and one contestant in its own process. Only the contestant's CPU time is measured. The
 * first part, with more lock traffic, warms the contestant up and does not count, because a reader of MONITOR runs for
 * hours. Contestants take turns within each round.
 *
 * The goal is about a busy Redis, where falling behind does harm: commands come in pipelines, and every read contains
 * many lines. `single` is the same traffic, one command at a time. Redis then writes after every few commands, and
 * waking up for a small read costs any reader more than the lines in it.
 *
 * `ours` is the pipeline from the socket to events, including interpretation. `contestants/ours.ts` lists what is not.
 */
export const monitorLineCpu: Bench = {
  name: 'monitor-line-cpu',
  unit: 'µs/line',
  goal: '≤ 1/10 of ioredis, ≤ 1.5 × raw socket',
  async run(say) {
    const single = Object.fromEntries(CONTESTANTS.map((name) => [name, [] as number[]]));
    const pipelined = await interleaved(CONTESTANTS, RUNS, async (name, round) => {
      const micros = await microsPerLine(name);
      say(`round ${round + 1}: ${name} ${micros.pipelined.toFixed(3)} µs/line, ${micros.single.toFixed(3)} single`);
      single[name]?.push(micros.single);
      return micros.pipelined;
    });
    const ofIoredis = pairedRatio(pipelined.ours, pipelined.ioredis);
    const ofRaw = pairedRatio(pipelined.ours, pipelined['raw-socket']);
    say(`${ofIoredis.toFixed(3)} × ioredis, ${ofRaw.toFixed(2)} × raw socket`);
    return {
      ours: median(pipelined.ours),
      peers: {
        ioredis: median(pipelined.ioredis),
        'node-redis': median(pipelined['node-redis']),
        'raw-socket': median(pipelined['raw-socket']),
      },
      also: {
        'of raw socket': ofRaw,
        ...Object.fromEntries(CONTESTANTS.map((name) => [`${name}, single`, median(single[name] ?? [])])),
      },
      ratio: ofIoredis,
      ratioTo: 'ioredis',
      runs: RUNS,
      holds: ofIoredis <= MOST_OF_IOREDIS && ofRaw <= MOST_OF_RAW,
    };
  },
};

/** Measures one contestant with both loads, one after the other, on a new Redis. */
async function microsPerLine(contestant: (typeof CONTESTANTS)[number]) {
  const redis = await startLocalRedis();
  const load = await started('./load/mixed-load.js', redis.url);
  const reader = await started(`./contestants/${contestant}.js`, redis.url);
  const measured = async (what: Play): Promise<number> => {
    reader.send('start');
    const played = await play(load, what);
    await allRead(redis);
    reader.send('stop');
    const [spent] = (await once(reader, 'message')) as [Spent]; // what answerParent sends
    checkNothingMissed(contestant, spent, played);
    return spent.cpuMicros / played.lines;
  };
  try {
    await play(load, WARM_UP);
    await allRead(redis);
    return { pipelined: await measured(LOADS.pipelined), single: await measured(LOADS.single) };
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
