import { availableParallelism } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';

/** Permission to run; `end` passes it on. */
export type Turn = { end(): void };

/** How many versions run at once: stories mostly wait, but clients need processor time. */
const AT_ONCE = Math.max(2, Math.floor(availableParallelism() / 2));

let playing = 0;

/** Waits until another version may run. */
export async function takeTurn(): Promise<Turn> {
  while (playing >= AT_ONCE) await pause(50);
  playing++;
  return { end: () => playing-- };
}
