import { binaryFromText } from '../../shared/base/bytes-text.ts';
import { CommandPipe } from './command-pipe.ts';
import { EVENTS_PER_ROUND, LINES_PER_ROUND, LockPair } from './lock-pair.ts';
import { ordinaryCommands } from './ordinary-commands.ts';

/**
 * A process that simulates an application on a Redis: fifty connections that send commands in batches, and ten pairs of
 * clients that compete for locks. One MONITOR line in ten is lock traffic.
 *
 *   load                bench
 *   'ready'        →
 *                  ←    Play
 *   Played         →               once per Play
 */
export type Play = {
  readonly lines: number;
  /** Number of commands a connection sends in one write, before it waits for their replies. */
  readonly batch: number;
  /** Lines of ordinary traffic per line of lock traffic; absent: 9. */
  readonly ordinary?: number;
};

export type Played = {
  /** MONITOR lines of this load. */
  readonly lines: number;
  /** Lock events in these lines. */
  readonly events: number;
  readonly seconds: number;
};

const CONNECTIONS = 50;
const PAIRS = 10;

const url = process.argv[2] ?? '';
const pipes = Array.from({ length: CONNECTIONS }, () => new CommandPipe(url));
const pairs = Array.from({ length: PAIRS }, (_, number) => new LockPair(url, number));
const commands = ordinaryCommands(7);
await Promise.all(pairs.map((pair) => pair.prepare()));

process.on('message', ({ lines, batch, ordinary = 9 }: Play) => {
  const rounds = Math.round(lines / (LINES_PER_ROUND * (ordinary + 1)));
  void play(rounds, batch, ordinary).then((played) => process.send?.(played));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');

/** Runs `rounds` rounds of lock traffic, three steps each, and `ordinary` times as many lines of ordinary traffic. */
async function play(rounds: number, batch: number, timesOrdinary: number): Promise<Played> {
  const began = performance.now();
  const perStep = (LINES_PER_ROUND * timesOrdinary) / 3;
  const ordinary = rounds * perStep * 3;
  let sent = 0;
  const next = (pipe: CommandPipe, done: () => void) => {
    const many = Math.min(batch, ordinary - sent);
    if (many === 0) return done();
    const words = Array.from({ length: many }, () => commands.next().value.map(binaryFromText));
    pipe.send(words, () => next(pipe, done));
    for (let i = 0; i < many; i++) {
      sent++;
      // Three steps in a row are one round of the same pair.
      if (sent % perStep === 0) pairs[Math.floor((sent / perStep - 1) / 3) % PAIRS]?.step();
    }
  };
  await Promise.all(pipes.map((pipe) => new Promise<void>((resolve) => next(pipe, resolve))));
  await Promise.all(pairs.map((pair) => pair.idle()));
  const seconds = (performance.now() - began) / 1000;
  return { lines: ordinary + rounds * LINES_PER_ROUND, events: rounds * EVENTS_PER_ROUND, seconds };
}
