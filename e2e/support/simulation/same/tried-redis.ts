import type { OpenConnection } from '../../../../server/demo/client/demo-connection.ts';
import { tapTrace } from '../../../../server/demo/testing/trace-tap.ts';
import { openCommandConnection } from '../../../../server/redis/connection/command-connection.ts';
import { CHANNEL_PATTERNS } from '../../../../shared/events/names/names.ts';
import { startRedis } from '../../servers/redis.ts';
import { pause, waitFor } from '../../wait-for.ts';
import { plainOf } from '../redis/reply.ts';
import { SimulatedRedis } from '../redis/simulated-redis.ts';
import { TraceOutput } from '../redis/trace-output.ts';
import { binaryWords } from '../redis/words.ts';

/** A Redis that runs the same sequence of commands: a real one, or the model. */
export type TriedRedis = {
  readonly open: OpenConnection;
  /** Lets time pass, also by the clock of the clients. */
  wait(ms: number): Promise<void>;
  /** The clock of the clients, in ms since the epoch. */
  wallMs(): number;
  /** How many keys have expired so far. The model returns 0, because its `untilExpired` does not need the number. */
  expired(): Promise<number>;
  /** Waits until Redis itself has found a key that expired: one more than before. */
  untilExpired(before: number): Promise<void>;
  /** What a connection that monitors and hears all key events has received, in the format of the recorded traces. */
  trace(): Promise<string>;
  end(): Promise<void>;
};

/** Redis looks for expired keys this often. */
const CRON_MS = 100;

export async function realRedis(): Promise<TriedRedis> {
  const redis = await startRedis();
  const tap = await tapTrace(redis.url, 'KA');
  const expired = async () => Number(/expired_keys:(\d+)/.exec(String(await redis.command('INFO', 'stats')))?.[1]);
  return {
    open: (options) => openCommandConnection({ ...options, url: redis.url }),
    wait: pause,
    wallMs: Date.now,
    expired,
    untilExpired: async (before) => {
      await waitFor('Redis to find an expired key', async () => (await expired()) > before);
    },
    trace: () => tap.caughtUp(),
    async end() {
      tap.close();
      await redis.stop();
    },
  };
}

/** Every command runs at once; time passes only in `wait`, and a little with each command. */
export function modelRedis(): TriedRedis {
  let micros = 1_795_000_000_000_000;
  const redis = new SimulatedRedis({ micros: () => micros, number: 1, flags: 'KA' });
  const tap = new TraceOutput();
  const listener = redis.connect('127.0.0.1:1', tap);
  redis.pubSub.subscribeToPatterns(listener, ['__keyspace@*__:*', ...CHANNEL_PATTERNS]);
  redis.startMonitor(listener);
  let port = 1000;
  return {
    open: ({ name, onReady, onMessage }) => {
      let answer: (reply: unknown) => void = () => {};
      const session = redis.connect(`127.0.0.1:${++port}`, {
        reply: (reply) => answer(reply),
        push: ([kind, channel, message]) => {
          if (kind === 'message') onMessage?.(String(channel), String(message));
          else answer(kind);
        },
        line: () => {},
        close: () => {},
      });
      const connection = {
        call: (command: string, ...args: (string | number | Buffer)[]) =>
          new Promise<unknown>((resolve, reject) => {
            micros += 50;
            answer = (reply) => {
              try {
                resolve(plainOf(reply as Parameters<typeof plainOf>[0])); // the server wrote the reply
              } catch (error) {
                reject(error);
              }
            };
            redis.execute(session, binaryWords(command, args));
          }),
        isReady: () => true,
        whenReady: () => Promise.resolve(),
        cut: () => {},
        heal: () => {},
        close: () => redis.end(session),
      };
      if (name) void connection.call('CLIENT', 'SETNAME', name);
      void connection.call('PING');
      onReady?.(connection);
      return connection;
    },
    async wait(ms) {
      micros += ms * 1000;
    },
    wallMs: () => Math.floor(micros / 1000),
    expired: async () => 0,
    async untilExpired() {
      micros += 2 * CRON_MS * 1000;
      redis.cron();
    },
    trace: async () => tap.text,
    end: async () => {},
  };
}
