import { connect } from 'node:net';
import { LOCK, UNLOCK } from '../../server/demo/client/scripts.ts';
import { encodeCommand } from '../../server/redis/connection/encode-command.ts';
import { RedisError, RespScanner } from '../../server/redis/connection/resp-scanner.ts';
import { binaryFromText } from '../../shared/base/bytes-text.ts';
import { lockChannel } from '../../shared/events/names/names.ts';
import { CommandPipe } from './command-pipe.ts';
import { ordinaryCommands } from './ordinary-commands.ts';

/**
 * A process that keeps a Redis busy. Each connection sends a batch in one write, and the next one when all replies have
 * arrived. All batches are encoded in advance, so that this process needs little of the two cores.
 *
 *   load                bench
 *   'ready'        →
 *                  ←    Phase
 *   Speed          →               once per Phase
 */
export type Phase = { readonly kindOfLoad: 'locks' | 'ordinary'; readonly warmUpMs: number; readonly forMs: number };
export type Speed = {
  /** Commands a second, after the warm-up. */
  readonly perSecond: number;
};

const CONNECTIONS = 16;
const BATCHES = 40;
const LOCKS_OF_BATCH = 5;
const ORDINARY_OF_BATCH = 15;

type Batch = { readonly bytes: Buffer; readonly commands: number };

/** One connection that sends its batches in turn. */
class Sender {
  readonly #socket;
  readonly #batches: readonly Batch[];
  #next = 0;
  #left = 0;
  #onIdle: (() => void) | undefined;
  isGoing = false;
  done = 0;

  constructor(url: string, batches: readonly Batch[]) {
    const { hostname, port } = new URL(url);
    this.#batches = batches;
    this.#socket = connect(Number(port), hostname).setNoDelay(true);
    const scanner = new RespScanner({
      onReply: (reply) => {
        if (reply instanceof RedisError) throw reply;
        if (--this.#left === 0) this.#send();
      },
      onLine: () => {},
      onPush: () => {},
      onDropped: () => {},
      onFault: (fault) => this.#socket.destroy(new Error(`no RESP: ${fault}`)),
    });
    this.#socket.on('data', (chunk) => scanner.feed(chunk));
  }

  go(): void {
    this.isGoing = true;
    this.#send();
  }

  /** Settles when every reply has arrived. */
  stop(): Promise<void> {
    this.isGoing = false;
    return new Promise((resolve) => {
      this.#onIdle = () => {
        this.#socket.destroy();
        resolve();
      };
    });
  }

  #send(): void {
    if (!this.isGoing) return this.#onIdle?.();
    const { bytes, commands } = this.#batches[this.#next++ % this.#batches.length] as Batch; // there is at least one batch
    this.#left = commands;
    this.done += commands;
    this.#socket.write(bytes);
  }
}

/**
 * Batches in which a client acquires and releases locks by the scripts of Redisson. Redisson deletes the latch of an
 * unlock when it has the reply; here, all commands of a batch are sent together.
 */
function lockBatches(client: number): Batch[] {
  const holder = `${String(client).padStart(8, '0')}-0000-4000-8000-000000000000:30`;
  return Array.from({ length: BATCHES }, (_, batch) =>
    batchOf(
      Array.from({ length: LOCKS_OF_BATCH }, (_, n) => {
        const lock = `warehouse:order-${client}-${batch * LOCKS_OF_BATCH + n}`;
        const latch = `redisson_unlock_latch:{${lock}}:${String(n).repeat(32)}`;
        return [
          ['EVALSHA', LOCK.sha, '1', lock, '30000', holder],
          ['EVALSHA', UNLOCK.sha, '3', lock, lockChannel(lock), latch, '0', '30000', holder, 'PUBLISH', '13500'],
          ['DEL', latch],
        ];
      }).flat(),
    ),
  );
}

const ordinary = ordinaryCommands(11);
function ordinaryBatches(): Batch[] {
  const command = () => ordinary.next().value.map(binaryFromText);
  return Array.from({ length: BATCHES }, () => batchOf(Array.from({ length: ORDINARY_OF_BATCH }, command)));
}

function batchOf(commands: readonly (readonly string[])[]): Batch {
  return { bytes: Buffer.concat(commands.map(encodeCommand)), commands: commands.length };
}

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function play(url: string, { kindOfLoad, warmUpMs, forMs }: Phase): Promise<Speed> {
  const batchesOf = kindOfLoad === 'locks' ? lockBatches : ordinaryBatches;
  const senders = Array.from({ length: CONNECTIONS }, (_, n) => new Sender(url, batchesOf(n)));
  const sent = () => senders.reduce((sum, { done }) => sum + done, 0);
  for (const sender of senders) sender.go();
  await pause(warmUpMs);
  const [before, began] = [sent(), performance.now()];
  await pause(forMs);
  const perSecond = (sent() - before) / ((performance.now() - began) / 1000);
  await Promise.all(senders.map((sender) => sender.stop()));
  return { perSecond };
}

const url = process.argv[2] ?? '';
const pipe = new CommandPipe(url);
for (const { text } of [LOCK, UNLOCK]) await pipe.ask('SCRIPT', 'LOAD', text);
pipe.close();
process.on('message', (phase: Phase) => void play(url, phase).then((speed) => process.send?.(speed)));
process.on('disconnect', () => process.exit(0));
process.send?.('ready');
