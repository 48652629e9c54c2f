import { binaryFromText } from '../../shared/base/bytes-text.ts';
import { CommandPipe } from './command-pipe.ts';
import { EVENTS_PER_ROUND, LINES_PER_ROUND, LockPair } from './lock-pair.ts';
import { ordinaryCommands } from './ordinary-commands.ts';

/**
 * A process that plays an application on a Redis: fifty connections that send their commands in batches, and ten pairs
 * of clients that fight for locks, so that one MONITOR line in ten is lock traffic.
 *
 *   load                bench
 *   'ready'        →
 *                  ←    Play
 *   Played         →               as often as asked
 */
export type Play = {
  readonly lines: number;
  /** Commands a connection sends in one write, before it waits for their replies. */
  readonly batch: number;
};

export type Played = {
  /** MONITOR lines this made. */
  readonly lines: number;
  /** Lock events these lines mean. */
  readonly events: number;
  readonly seconds: number;
};

const CONNECTIONS = 50;
const PAIRS = 10;
/** 135 ordinary commands for each round of 15 lock lines; a round is three steps. */
const ORDINARY_PER_STEP = (LINES_PER_ROUND * 9) / 3;

const url = process.argv[2] ?? '';
const pipes = Array.from({ length: CONNECTIONS }, () => new CommandPipe(url));
const pairs = Array.from({ length: PAIRS }, (_, number) => new LockPair(url, number));
const commands = ordinaryCommands(7);
await Promise.all(pairs.map((pair) => pair.prepare()));

process.on('message', ({ lines, batch }: Play) => {
  void play(Math.round(lines / (LINES_PER_ROUND * 10)), batch).then((played) => process.send?.(played));
});
process.on('disconnect', () => process.exit(0));
process.send?.('ready');

/** Plays `rounds` rounds of lock traffic and nine times as many lines of ordinary traffic. */
async function play(rounds: number, batch: number): Promise<Played> {
  const began = performance.now();
  const ordinary = rounds * ORDINARY_PER_STEP * 3;
  let sent = 0;
  const next = (pipe: CommandPipe, done: () => void) => {
    const many = Math.min(batch, ordinary - sent);
    if (many === 0) return done();
    const words = Array.from({ length: many }, () => commands.next().value.map(binaryFromText));
    pipe.send(words, () => next(pipe, done));
    for (let i = 0; i < many; i++) {
      sent++;
      // Three steps in a row make a round of the same pair.
      if (sent % ORDINARY_PER_STEP === 0) pairs[Math.floor((sent / ORDINARY_PER_STEP - 1) / 3) % PAIRS]?.step();
    }
  };
  await Promise.all(pipes.map((pipe) => new Promise<void>((resolve) => next(pipe, resolve))));
  await Promise.all(pairs.map((pair) => pair.idle()));
  const seconds = (performance.now() - began) / 1000;
  return { lines: ordinary + rounds * LINES_PER_ROUND, events: rounds * EVENTS_PER_ROUND, seconds };
}
