import { EVENTS_PER_CYCLE, LoadClient, LockCycle, STEPS_PER_CYCLE } from './lock-cycle.ts';

/**
 * A process whose threads hold locks in turn, at an even rate.
 *
 *   load                bench
 *   'ready'        →
 *                  ←    Pace        any number of times; 0 events a second: pause
 */
export type Pace = { readonly locks: number; readonly eventsPerSecond: number };

const CLIENTS = 20;
const TICK_MS = 2;

const url = process.argv[2] ?? '';
const clients = Array.from({ length: CLIENTS }, (_, number) => new LoadClient(url, number));
await Promise.all(clients.map((client) => client.prepare()));
const cycles: LockCycle[] = [];
let pace: Pace = { locks: 0, eventsPerSecond: 0 };
let began = 0;
let taken = 0;
let turn = 0;

process.on('message', (next: Pace) => {
  for (let n = cycles.length; n < next.locks; n++) cycles.push(cycleOf(n));
  pace = next;
  began = performance.now();
  taken = 0;
});
process.on('disconnect', () => process.exit(0));
setInterval(tick, TICK_MS);
process.send?.('ready');

/** Starts as many steps as are due. After a stall it continues from now, instead of catching up in one burst. */
function tick(): void {
  const perMs = (pace.eventsPerSecond * STEPS_PER_CYCLE) / EVENTS_PER_CYCLE / 1000;
  const due = Math.floor((performance.now() - began) * perMs) - taken;
  taken += due;
  const steps = Math.min(due, Math.ceil(perMs * TICK_MS * 10));
  for (let n = 0; n < steps; n++) {
    for (let tries = 0; tries < pace.locks; tries++) if (cycles[turn++ % pace.locks]?.next()) break;
  }
}

function cycleOf(number: number): LockCycle {
  const first = clients[(number * 2) % CLIENTS];
  const second = clients[(number * 2 + 1) % CLIENTS];
  if (!first || !second) throw new Error('no clients');
  return new LockCycle(`warehouse:order-${10_000 + number}`, first, second, 30 + (number % 40));
}
