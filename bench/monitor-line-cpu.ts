import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { openCommandConnection } from '../server/redis/command-connection.ts';
import { type LocalRedis, startLocalRedis } from '../server/redis/local-redis.ts';
import { type Bench, interleaved, median, pairedRatio } from './bench.ts';
import type { Spent } from './contestants/answer-parent.ts';
import type { Play, Played } from './load/mixed-load.ts';

const CONTESTANTS = ['ours', 'ioredis', 'node-redis', 'raw-socket'] as const;
const RUNS = 3;
const LINES = 180_000;
const WARM_UP = { lines: 600_000, batch: 64 };
/** As redis-benchmark's `-P 16`. */
const BATCH = 16;
const MOST_OF_IOREDIS = 1 / 10;
const MOST_OF_RAW = 1.5;

/**
 * CPU time a reader of MONITOR spends on one line, user and kernel, all threads.
 *
 * Every run is live: a real redis-server, a process that plays an application with fifty connections and ten pairs of
 * lock clients (`load/`), and one contestant in a process of its own, of which alone the CPU time is taken. So lines
 * come in the reads in which Redis really writes them, and not in the large ones of a replay. A first stretch of the
 * same traffic, sent as fast as it goes, warms the contestant up and is not counted: a reader of MONITOR runs for
 * hours. Contestants take turns within each round.
 *
 * The application sends one command at a time on each connection, as most do; `batched` is the same with batches of
 * 16, where Redis writes much more at once and reading costs less than understanding.
 *
 * `ours` is the walk from the socket to events, interpretation included; see `contestants/ours.ts` for what is not.
 */
export const monitorLineCpu: Bench = {
  name: 'monitor-line-cpu',
  unit: 'µs/line',
  goal: '≤ 1/10 of ioredis, ≤ 1.5 × raw socket',
  async run(say) {
    const measured = async (batch: number) =>
      interleaved(CONTESTANTS, RUNS, async (name, round) => {
        const micros = await microsPerLine(name, batch);
        say(`batch ${batch}, round ${round + 1}: ${name} ${micros.toFixed(3)} µs/line`);
        return micros;
      });
    const single = await measured(1);
    const batched = await measured(BATCH);
    const ofIoredis = pairedRatio(single.ours, single.ioredis);
    const ofRaw = pairedRatio(single.ours, single['raw-socket']);
    say(`${ofIoredis.toFixed(3)} × ioredis, ${ofRaw.toFixed(2)} × raw socket`);
    return {
      ours: median(single.ours),
      peers: {
        ioredis: median(single.ioredis),
        'node-redis': median(single['node-redis']),
        'raw-socket': median(single['raw-socket']),
      },
      also: {
        'ours, batched': median(batched.ours),
        'ioredis, batched': median(batched.ioredis),
        'node-redis, batched': median(batched['node-redis']),
        'raw-socket, batched': median(batched['raw-socket']),
      },
      ratio: ofIoredis,
      ratioTo: 'ioredis',
      runs: RUNS,
      holds: ofIoredis <= MOST_OF_IOREDIS && ofRaw <= MOST_OF_RAW,
    };
  },
};

async function microsPerLine(contestant: (typeof CONTESTANTS)[number], batch: number): Promise<number> {
  const redis = await startLocalRedis();
  const load = await started('./load/mixed-load.js', redis.url);
  const reader = await started(`./contestants/${contestant}.js`, redis.url);
  try {
    await play(load, WARM_UP);
    await allRead(redis);
    reader.send('start');
    const played = await play(load, { lines: LINES, batch });
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

/** Forks one of the programs beside this one and waits until it is ready. */
async function started(program: string, url: string): Promise<ChildProcess> {
  const child = fork(fileURLToPath(new URL(program, import.meta.url)), [url]);
  const [message] = await Promise.race([once(child, 'message'), once(child, 'exit').then(() => ['it ended'])]);
  if (message !== 'ready') throw new Error(`${program} did not start: ${message}`);
  return child;
}

/** Settles when Redis has nothing left to write to a MONITOR client and the reader had a moment for the last of it. */
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

/** A reader that drops lines would be fast for nothing. */
function checkNothingMissed(contestant: string, { seen }: Spent, played: Played): void {
  const { lines, events } = seen;
  if (lines !== undefined && lines < played.lines)
    throw new Error(`${contestant} saw ${lines} of ${played.lines} lines`);
  if (events !== undefined && events < played.events)
    throw new Error(`${contestant} made ${events} events of at least ${played.events}`);
}
